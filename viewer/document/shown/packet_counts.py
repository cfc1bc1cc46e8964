"""How many packets there are, in words, and what is said where none is listed."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.document.packets.packet import Packet
from viewer.document.packets.source import PacketSource
from viewer.document.shown.counts import counted, grouped

NOTHING = (
    "No packets. What programs send each other is listed here: open a capture (pcap or pcapng), listen on a UDP port "
    "(Ctrl+Shift+U), or stand between a client and a server; the button … offers both."
)
WAITING = "Nothing has come yet. Packets are listed as soon as a program sends them."
NO_MATCH = "No packet passes the filter. Esc in its field shows all of them again."
ONLY_CONTROL = "There are only packets in which protocols talk to themselves; “Control” shows them."


@dataclass(frozen=True, slots=True)
class PacketCounts:
    """How many packets there are.

    Args:
        packets, errors: all, and those that the engine would refuse, as far as is known.
        place: that of the chosen packet among all, from 1 on; 0 for none.
    """

    packets: int = 0
    errors: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list shows of its source.

    Args:
        count: rows.
        is_filtered: whether a filter is on.
        control: whether packets of the protocols themselves are listed.
    """

    count: int
    is_filtered: bool = False
    control: bool = False


def counted_in(source: PacketSource, chosen: Packet | None) -> PacketCounts:
    """The counts of a source; *chosen* is the packet that a person looks at."""
    place = chosen.row + 1 - source.first if chosen is not None else 0
    return PacketCounts(source.end - source.first, source.errors, place)


def numbers(source: PacketSource, listed: Listed) -> str:
    """``24 packets, 2 with errors``, then what a person should know of where they are from."""
    total, errors = source.end - source.first, source.errors
    said = counted(total, "packet")
    words = [f"{grouped(listed.count)} of {said}" if listed.is_filtered else said]
    if errors:
        words.append(f"{grouped(errors)} with {'an error' if errors == 1 else 'errors'}")
    if source.controls and not listed.control and not listed.is_filtered:
        words.append(f"{grouped(source.controls)} control hidden")
    if source.doing:
        words.append(source.doing)
    findings = source.findings if source.is_complete else ()
    return ". ".join((", ".join(words), *(each.removesuffix(".") for each in findings)))


def empty(total: int, listed: Listed, is_live: bool) -> str:
    """Why no packet is listed, and what to do about it."""
    if total:
        return NO_MATCH if listed.is_filtered else ONLY_CONTROL
    return WAITING if is_live else NOTHING
