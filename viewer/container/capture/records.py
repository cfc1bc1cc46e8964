"""Records: the frames of a pcap or pcapng file one after another, whatever they carry; little of the file is held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import Struct
from typing import NamedTuple, Protocol, cast

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.container.capture.capture_tally import CaptureTally
from viewer.container.capture_magic import BYTE_ORDERS, CAPTURE_START, PCAP_KINDS, SECTION, PcapKind, is_capture
from viewer.container.layer import WrapError

STRETCH = 1 << 18
MOST_FRAME = 1 << 18
"""The longest frame that capture programs write."""
MOST_BLOCK = 1 << 24
"""The longest block of pcapng that is believed; longer ones are damage."""


class Stream(Protocol):
    """A file open for reading bytes."""

    def read(self, size: int, /) -> bytes | None:
        """At most *size* bytes, none at the end."""


class Source:
    """Gives the bytes of a capture in order.

    Args:
        origin: a buffer, or a stream that is read from where it stands.
    """

    __slots__ = ("_at", "_base", "_buffer", "_read_some", "_stretch")

    def __init__(self, origin: Buffer | Stream) -> None:
        # read1 gives what is there; read would wait until it has all that it was asked for
        self._read_some: Callable[[int], bytes | None] | None = getattr(origin, "read1", getattr(origin, "read", None))
        self._buffer: Buffer = b"" if self._read_some else cast(Buffer, origin)
        self._stretch = b""
        self._at = 0
        self._base = 0  # where the stretch begins in the whole

    @property
    def offset(self) -> int:
        """How many bytes were taken so far."""
        return self._base + self._at

    def take(self, size: int) -> bytes:
        """The next bytes: *size* of them, fewer only at the end."""
        at = self._at
        end = at + size
        if end > len(self._stretch):
            self._fill(size)
            at, end = 0, size
        found = self._stretch[at:end]
        self._at = at + len(found)
        return found

    def peek(self, size: int) -> bytes:
        """The next bytes, which stay; *size* is small."""
        found = self.take(size)
        self._at -= len(found)
        return found

    def _fill(self, size: int) -> None:
        """Make the stretch begin at the next byte and hold *size* bytes, where there are so many."""
        rest = self._stretch[self._at :]
        self._base += self._at
        self._at = 0
        wanted = max(size, STRETCH) - len(rest)
        self._stretch = rest + self._read(self._base + len(rest), wanted, size - len(rest))

    def _read(self, start: int, wanted: int, needed: int) -> bytes:
        if self._read_some is None:
            return bytes(self._buffer[start : start + wanted])
        pieces: list[bytes] = []
        have = 0
        while have < needed:
            piece = self._read_some(min(wanted - have, STRETCH))
            if not piece:
                break
            pieces.append(piece)
            have += len(piece)
        return b"".join(pieces)


# Record: one frame as a capture file holds it.

MOST_TIME = (1 << 63) - 1
"""Later times are damage, and would not fit in 64 bits."""
NO_LINK = -1


class Record(NamedTuple):
    """A frame.

    Args:
        time: nanoseconds since 1970.
        link: the link type, :data:`NO_LINK` where the capture does not say.
        data: the bytes that were kept.
        sent: how many there were on the link.
    """

    time: int
    link: int
    data: bytes
    sent: int


# pcapng: sections of blocks, of which those with interfaces and packets are read and all others stepped over.


INTERFACE, OLD_PACKET, SIMPLE_PACKET, ENHANCED_PACKET = 1, 2, 3, 6
OPTION_END, OPTION_RESOLUTION, OPTION_OFFSET = 0, 9, 14
MOST_INTERFACES = 1 << 16
SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class _Interface:
    """Where frames were captured.

    Args:
        link: link type.
        snap: the longest frame kept, 0 for any.
        scale, unit: a tick is *scale* / *unit* nanoseconds.
        offset: nanoseconds added to every time.
    """

    link: int
    snap: int
    scale: int = 1000
    unit: int = 1
    offset: int = 0

    def time(self, ticks: int) -> int:
        """Nanoseconds since 1970."""
        return max(0, min(ticks * self.scale // self.unit + self.offset, MOST_TIME))


class PcapngReader:
    """Reads the blocks of a pcapng file.

    Args:
        source: the bytes; it stands at the first section.
        tally: is told the first thing that is wrong.
    """

    def __init__(self, source: Source, tally: CaptureTally) -> None:
        self._source = source
        self._tally = tally
        self._interfaces: list[_Interface] = []
        self._last = 0
        self._begin("<")

    def records(self) -> Iterator[Record]:
        """The frames, in order."""
        readers: dict[int, Callable[[bytes], Record | None]] = {
            ENHANCED_PACKET: self._enhanced,
            SIMPLE_PACKET: self._simple,
            OLD_PACKET: self._old,
            INTERFACE: self._interface,
        }
        take = self._source.take
        while heading := take(8):
            if heading[:4] == SECTION and not self._section():
                return
            if (size := self._size(heading)) < 0:
                return
            body = take(size - 12)
            closed = self._closed(size, len(body), take(4))
            reader = readers.get(self._heading(heading)[0])
            if reader is not None and (record := reader(body)):
                yield record
            if not closed:
                return

    # Blocks

    def _begin(self, order: str) -> None:
        """Start a section: another byte order, no interfaces."""
        self._order = order
        self._heading = Struct(f"{order}2I").unpack
        self._word = Struct(f"{order}I").unpack
        self._packet = Struct(f"{order}5I").unpack_from
        self._interfaces = []

    def _section(self) -> bool:
        order = BYTE_ORDERS.get(self._source.peek(4))
        if order is None:
            self._tally.find(
                f"The section at byte {self._source.offset - 8} has no byte order: the capture is damaged."
            )
            return False
        self._begin(order)
        return True

    def _size(self, heading: bytes) -> int:
        """The whole size of a block, -1 where it makes no sense."""
        if len(heading) < 8:
            self._tally.find("The capture ends within the header of a block.")
            return -1
        size: int = self._heading(heading)[1]
        if size < 12 or size % 4 or size > MOST_BLOCK:
            at = self._source.offset - 8
            self._tally.find(f"The block at byte {at} says it is {size} bytes long: the capture is damaged.")
            return -1
        return size

    def _closed(self, size: int, body: int, tail: bytes) -> bool:
        """Whether the block is all there; its two lengths may differ."""
        if body < size - 12 or len(tail) < 4:
            self._tally.find(
                f"The capture ends within a block: {size - 8 - body - len(tail)} of its bytes are missing."
            )
            return False
        if self._word(tail)[0] != size:
            at = self._source.offset - size
            self._tally.find(f"The block at byte {at} says two different lengths: the capture is damaged.")
        return True

    # Packets

    def _enhanced(self, body: bytes) -> Record | None:
        if len(body) < 20:
            self._short()
            return None
        number, high, low, kept, sent = self._packet(body)
        return self._record(number, high << 32 | low, body, 20, kept, sent)

    def _old(self, body: bytes) -> Record | None:
        if len(body) < 20:
            self._short()
            return None
        _, high, low, kept, sent = self._packet(body)
        number = Struct(f"{self._order}H").unpack_from(body)[0]
        return self._record(number, high << 32 | low, body, 20, kept, sent)

    def _simple(self, body: bytes) -> Record | None:
        if len(body) < 4:
            self._short()
            return None
        sent: int = self._word(body[:4])[0]
        snap = self._interfaces[0].snap if self._interfaces else 0
        kept = min(sent, snap or sent, len(body) - 4)
        link = self._interfaces[0].link if self._interfaces else NO_LINK
        return Record(self._last, link, body[4 : 4 + kept], sent)  # it has no time of its own

    def _record(self, number: int, ticks: int, body: bytes, start: int, kept: int, sent: int) -> Record:
        data = body[start : start + kept]
        if len(data) < kept:
            self._short()
        if number >= len(self._interfaces):
            return Record(self._last, NO_LINK, data, sent)
        interface = self._interfaces[number]
        self._last = interface.time(ticks)
        return Record(self._last, interface.link, data, sent)

    def _short(self) -> None:
        self._tally.find(f"The block before byte {self._source.offset} is shorter than what it should hold.")

    # Interfaces

    def _interface(self, body: bytes) -> None:
        if len(body) < 8:
            return self._short()
        if len(self._interfaces) >= MOST_INTERFACES:
            return self._tally.find(f"The capture describes more than {MOST_INTERFACES} interfaces.")
        link, snap = Struct(f"{self._order}H2xI").unpack_from(body)
        self._interfaces.append(self._timed(link, snap, body))
        return None

    def _timed(self, link: int, snap: int, body: bytes) -> _Interface:
        """An interface with the clock that its options describe."""
        resolution, offset = 6, 0
        for code, value in self._options(body, 8):
            if code == OPTION_RESOLUTION and value:
                resolution = value[0]
            elif code == OPTION_OFFSET and len(value) == 8:
                offset = Struct(f"{self._order}q").unpack(value)[0]
        power = resolution & 0x7F
        unit = 1 << power if resolution & 0x80 else 10**power
        return _Interface(link, snap, SECOND, unit, offset * SECOND)

    def _options(self, body: bytes, at: int) -> Iterator[tuple[int, bytes]]:
        unpack = Struct(f"{self._order}2H").unpack_from
        while at + 4 <= len(body):
            code, size = unpack(body, at)
            if code == OPTION_END:
                return
            yield code, body[at + 4 : at + 4 + size]
            at += 4 + (size + 3 & ~3)


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
        raise CaptureError("This is not a capture: neither pcap nor pcapng.")
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
