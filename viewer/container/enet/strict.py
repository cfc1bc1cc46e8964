"""The strict test for ENet: every command as ENet itself writes it, to the last byte.

One datagram that passes is enough to know the protocol: of 100,000 random payloads none did.
"""

from __future__ import annotations

from collections.abc import Sequence

from viewer.container.enet.commands import (
    ACKNOWLEDGE,
    ACKNOWLEDGED,
    CONNECT,
    CONNECTION,
    DISCONNECT,
    FRAGMENTS,
    KINDS,
    MOST_COMMANDS,
    NUMBER,
    SEND_UNSEQUENCED,
    VERIFY_CONNECT,
    Command,
    Cutting,
    cut_commands,
    fragment_at,
    number_at,
)
from viewer.container.enet.header import NOBODY, Header
from viewer.container.enet.inflate import MOST_INSIDE

LEAST_MTU, MOST_MTU = 576, 4096
LEAST_WINDOW, MOST_WINDOW = 4096, 65_536
MOST_CHANNELS = 255
MOST_FRAGMENTS = 1 << 20


def is_strict(header: Header, body: bytes, cutting: Cutting) -> bool:
    """Whether the commands of a datagram are all of it, and all as ENet writes them."""
    commands = cutting.commands
    if cutting.problem or not 0 < len(commands) <= MOST_COMMANDS:
        return False
    if not all(_as_written(body, command) for command in commands):
        return False
    if any(command.flags & ACKNOWLEDGED for command in commands) is not header.timed:
        return False
    return header.peer != NOBODY or _without_peer(commands)


def may_begin(beginning: bytes) -> bool:
    """Whether commands as ENet writes them can begin with these bytes, one or more."""
    kind = KINDS[beginning[0] & NUMBER] if beginning else None
    if kind is None or beginning[0] & 0xF0 not in kind.flags:
        return False
    if len(beginning) == 1 or kind.number == ACKNOWLEDGE:
        return True
    return (beginning[1] == CONNECTION) is kind.whole_connection


def may_go_on(body: bytes) -> bool:
    """Whether compressed commands as ENet writes them can begin with these bytes, the more the surer."""
    cutting = cut_commands(body, 0)
    last = cutting.broken
    if last is not None and number_at(body, last, "length") > MOST_INSIDE:
        return False
    return may_begin(body) and all(_as_written(body, command) for command in cutting.commands)


def _without_peer(commands: Sequence[Command]) -> bool:
    """Before it has a number at the other end, a host only connects, or gives that up."""
    return all(command.kind.number in (CONNECT, DISCONNECT) for command in commands)


def _as_written(body: bytes, command: Command) -> bool:
    kind = command.kind
    if command.flags not in kind.flags:
        return False
    if kind.number == ACKNOWLEDGE:
        return number_at(body, command, "acknowledged sequence") == command.sequence
    if (command.channel == CONNECTION) is not kind.whole_connection:
        return False
    if kind.number in (CONNECT, VERIFY_CONNECT):
        return _sound_terms(body, command)
    if kind.number in FRAGMENTS:
        return _sound_fragment(body, command)
    return kind.number != SEND_UNSEQUENCED or command.sequence == 0


def _sound_terms(body: bytes, command: Command) -> bool:
    return (
        LEAST_MTU <= number_at(body, command, "MTU") <= MOST_MTU
        and LEAST_WINDOW <= number_at(body, command, "window") <= MOST_WINDOW
        and 1 <= number_at(body, command, "channels") <= MOST_CHANNELS
        and number_at(body, command, "own slot") < NOBODY
    )


def _sound_fragment(body: bytes, command: Command) -> bool:
    fragment = fragment_at(body, command)
    if not fragment.number < fragment.pieces <= min(MOST_FRAGMENTS, fragment.total):
        return False
    if not fragment.length or fragment.offset + fragment.length > fragment.total:
        return False
    unreliable = not command.flags & ACKNOWLEDGED
    return unreliable or command.sequence == fragment.first + fragment.number & 0xFFFF
