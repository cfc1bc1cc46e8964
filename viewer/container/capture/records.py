"""Records: the frames of a pcap or pcapng file, whatever they carry."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from viewer.container.capture.capture_bytes import MOST_FRAME, MOST_TIME, Record, Source
from viewer.container.capture.capture_tally import CaptureTally
from viewer.container.capture.pcapng import PcapngReader
from viewer.container.capture_magic import CAPTURE_START, PCAP_KINDS, PcapKind, is_capture
from viewer.container.layer import WrapError


class CaptureError(WrapError):
    """The file is no capture, or bytes cannot be written into one; the text is one sentence."""


FILE_HEADER = 24


def records(source: Source, tally: CaptureTally) -> Iterator[Record]:
    """The frames of a capture, in order.

    Args:
        source: the bytes, not yet taken.
        tally: is told the first thing that is wrong; its count of frames is left to the caller.

    Raises:
        CaptureError: it is no capture.
    """
    start = source.peek(CAPTURE_START)
    if not is_capture(start):
        raise CaptureError("This is no capture: neither pcap nor pcapng.")
    kind = PCAP_KINDS.get(start[:4])
    return _pcap(source, tally, kind) if kind else PcapngReader(source, tally).records()


def _pcap(source: Source, tally: CaptureTally, kind: PcapKind) -> Iterator[Record]:
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
