"""How captures begin. Apart from their readers, so that a file can be asked without loading these."""

from __future__ import annotations

from typing import NamedTuple


class PcapKind(NamedTuple):
    """A kind of pcap: its byte order, nanoseconds a tick, and the bytes before each frame."""

    order: str
    tick: int
    heading: int


PCAP_KINDS = {
    b"\xd4\xc3\xb2\xa1": PcapKind("<", 1000, 16),
    b"\xa1\xb2\xc3\xd4": PcapKind(">", 1000, 16),
    b"\x4d\x3c\xb2\xa1": PcapKind("<", 1, 16),
    b"\xa1\xb2\x3c\x4d": PcapKind(">", 1, 16),
    b"\x34\xcd\xb2\xa1": PcapKind("<", 1000, 24),  # an old variant with more before each frame
    b"\xa1\xb2\xcd\x34": PcapKind(">", 1000, 24),
}
SECTION = b"\x0a\x0d\x0d\x0a"
BYTE_ORDERS = {b"\x1a\x2b\x3c\x4d": ">", b"\x4d\x3c\x2b\x1a": "<"}
CAPTURE_START = 12
"""So many bytes tell."""


def is_capture(start: bytes) -> bool:
    """Whether a file that begins with these bytes is a pcap or pcapng file; twelve bytes are enough."""
    if start[:4] in PCAP_KINDS:
        return True
    return start[:4] == SECTION and start[8:12] in BYTE_ORDERS
