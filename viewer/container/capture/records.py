"""Records: the frames of a pcap or pcapng file, whatever they carry."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from viewer.container.capture.pcapng import BYTE_ORDERS, SECTION, Sections
from viewer.container.capture.record import MOST_TIME, Record
from viewer.container.capture.source import MOST_FRAME, Source
from viewer.container.capture.tally import Tally
from viewer.container.layer import WrapError


class CaptureError(WrapError):
    """The file is no capture, or bytes cannot be written into one; the text is one sentence."""


class _Kind(NamedTuple):
    """A kind of pcap: its byte order, nanoseconds a tick, and the bytes before each frame."""

    order: str
    tick: int
    heading: int


FILE_HEADER = 24
_KINDS = {
    b"\xd4\xc3\xb2\xa1": _Kind("<", 1000, 16),
    b"\xa1\xb2\xc3\xd4": _Kind(">", 1000, 16),
    b"\x4d\x3c\xb2\xa1": _Kind("<", 1, 16),
    b"\xa1\xb2\x3c\x4d": _Kind(">", 1, 16),
    b"\x34\xcd\xb2\xa1": _Kind("<", 1000, 24),  # an old variant with more before each frame
    b"\xa1\xb2\xcd\x34": _Kind(">", 1000, 24),
}


def is_capture(start: bytes) -> bool:
    """Whether a file that begins with these bytes is a pcap or pcapng file; twelve bytes are enough."""
    if start[:4] in _KINDS:
        return True
    return start[:4] == SECTION and start[8:12] in BYTE_ORDERS


def records(source: Source, tally: Tally) -> Iterator[Record]:
    """The frames of a capture, in order.

    Args:
        source: the bytes, not yet taken.
        tally: is told the first thing that is wrong; its count of frames is left to the caller.

    Raises:
        CaptureError: it is no capture.
    """
    start = source.peek(12)
    if not is_capture(start):
        raise CaptureError("This is no capture: neither pcap nor pcapng.")
    kind = _KINDS.get(start[:4])
    return _pcap(source, tally, kind) if kind else Sections(source, tally).records()


def _pcap(source: Source, tally: Tally, kind: _Kind) -> Iterator[Record]:
    header = source.take(FILE_HEADER)
    if len(header) < FILE_HEADER:
        tally.find("The capture ends within its first header.")
        return
    snap, network = Struct(f"{kind.order}16x2I").unpack(header)
    link = network & 0xFFFF  # the high half speaks of check sums behind the frames
    longest = max(MOST_FRAME, min(snap, MOST_FRAME * 4))
    size = kind.heading
    unpack = Struct(f"{kind.order}4I").unpack_from
    take, tick = source.take, kind.tick
    while len(heading := take(size)) == size:
        seconds, ticks, kept, sent = unpack(heading)
        if kept > longest:
            tally.find(
                f"The frame at byte {source.offset - size} says it is {kept} bytes long: the capture is damaged."
            )
            return
        data = take(kept)
        if len(data) < kept:
            tally.find(f"The capture ends within a frame: {kept - len(data)} of its bytes are missing.")
        yield Record(min(seconds * 1_000_000_000 + ticks * tick, MOST_TIME), link, data, sent)
        if len(data) < kept:
            return
    if heading:
        tally.find("The capture ends within the header of a frame.")
