"""Reader: from a capture file to the datagrams and segments in it, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.buffer import Buffer
from viewer.container.capture.capture_tally import NO_DETAIL, CaptureTally, FrameSkip
from viewer.container.capture.ip import (
    Endpoints,
    IpPacket,
    IpPayload,
    IpReassembly,
    ReassembledDatagram,
    carried,
    network_start,
    packet_at,
    past_extensions,
)
from viewer.container.capture.records import NO_LINK, Record, Source, Stream, records
from viewer.container.wire import Captured, FramePlace


class Capture(Iterator[Captured]):
    """What UDP and TCP carried in a capture, in the order of its frames; read as it is asked for.

    A datagram of which IP fragments are missing comes when they have waited too long, at the latest at the end.

    Args:
        origin: a buffer, or a stream that is read from where it stands.

    Raises:
        CaptureError: it is no capture. Whatever is wrong behind its first bytes, :attr:`tally` tells.
    """

    def __init__(self, origin: Buffer | Stream) -> None:
        self._tally = CaptureTally()
        self._source = Source(origin)
        self._records = records(self._source, self._tally)
        self._fragments = IpReassembly(self._tally)
        self._endpoints = Endpoints()
        self._given = self._read()

    @property
    def tally(self) -> CaptureTally:
        """The counts so far."""
        return self._tally

    @property
    def offset(self) -> int:
        """How many bytes of the file were read so far."""
        return self._source.offset

    def __iter__(self) -> Iterator[Captured]:
        return self._given

    def __next__(self) -> Captured:
        return next(self._given)

    def _read(self) -> Iterator[Captured]:
        tally = self._tally
        for record in self._records:
            tally.frames += 1
            tally.cut += len(record.data) < record.sent
            found = _packet(record)
            if isinstance(found, FrameSkip):
                tally.skip(found, record.link if found is FrameSkip.LINK_TYPE else NO_DETAIL)
            elif found.fragment is not None:
                for joined in self._fragments.add(tally.frames, record, found):
                    yield from self._whole(joined)
            elif (captured := self._captured(record, found)) is not None:
                yield captured
        for joined in self._fragments.finish():
            yield from self._whole(joined)

    def _captured(self, record: Record, packet: IpPacket) -> Captured | None:
        """What the only packet of a datagram carries."""
        found = carried(packet.protocol, record.data, packet.start, packet.end)
        if isinstance(found, FrameSkip):
            self._skip(found, packet.protocol)
            return None
        data = record.data
        place = FramePlace(record.link, data[: found.start], data[found.end :])
        return self._make(self._tally.frames, record, packet, found, data[found.start : found.end], place)

    def _whole(self, joined: ReassembledDatagram) -> Iterator[Captured]:
        """What a datagram put together carries."""
        _, record, packet, data, size = joined
        inner: tuple[int, int] | FrameSkip = (packet.protocol, 0)
        if len(packet.source) == 16:
            inner = past_extensions(data, packet.protocol, 0)
        if isinstance(inner, FrameSkip):
            return self._skip(inner, packet.protocol)
        found = carried(inner[0], data, inner[1], size)
        if isinstance(found, FrameSkip):
            return self._skip(found, inner[0])
        place = FramePlace(record.link, record.data, b"", data[inner[1] : found.start])
        yield self._make(joined.number, record, packet, found, data[found.start : found.end], place)

    def _make(
        self, number: int, record: Record, packet: IpPacket, found: IpPayload, data: bytes, place: FramePlace
    ) -> Captured:
        self._tally.captured += 1
        return Captured(
            number,
            record.time,
            self._endpoints.of(packet.source, found.ports[0]),
            self._endpoints.of(packet.target, found.ports[1]),
            found.transport,
            data,
            found.missing,
            found.tcp,
            (),
            place,
        )

    def _skip(self, why: FrameSkip, protocol: int) -> None:
        self._tally.skip(why, protocol if why is FrameSkip.OTHER_PROTOCOL else NO_DETAIL)


def open_capture(origin: Buffer | Stream) -> Capture:
    """Read a pcap or pcapng file, lazily.

    Raises:
        CaptureError: it is neither.
    """
    return Capture(origin)


def _packet(record: Record) -> IpPacket | FrameSkip:
    if record.link == NO_LINK:
        return FrameSkip.NO_INTERFACE
    start = network_start(record.link, record.data)
    return start if isinstance(start, FrameSkip) else packet_at(record.data, start)
