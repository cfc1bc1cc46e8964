"""Sources: where a list of packets gets its packets from, a little at a time: a capture, or what was recorded."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from viewer.base.buffer import Buffer
from viewer.container.capture import open_capture
from viewer.container.wire import Captured
from viewer.document.disk import files
from viewer.document.packets.conversation import TrafficSettings
from viewer.document.packets.dissector import Dissector
from viewer.document.packets.filter_language import AndFilter, Flag, FlagFilter, NotFilter, OrFilter, Term, parse_filter
from viewer.document.packets.packet import Packet
from viewer.document.packets.store import PacketStore, StoreLimit

APPLICATION = NotFilter(FlagFilter(Flag.CONTROL))
AT_ONCE = 64
"""Records that are taken up between two looks at the clock."""
MOST_RECORDS = 1_000_000
MOST_BYTES = 1 << 29
"""What is kept of a recording to be saved; older records go, as they do from the list."""


class PacketSource:
    """The packets of a store, of which old ones may be dropped while new ones come.

    A packet keeps its row for good: the rows there are go from :attr:`first` up to :attr:`end`.

    Args:
        store: the packets; what they say is worked out by :meth:`work_some`.

    Attributes:
        revision: grows when packets say something else than before.
    """

    def __init__(self, store: PacketStore) -> None:
        self.store = store
        self.revision = 0

    @property
    def doing(self) -> str:
        """What is still being done, in words; empty for nothing."""
        return "" if self.is_complete else "looking …"

    @property
    def findings(self) -> tuple[str, ...]:
        """What a person should know of where the packets are from, a sentence each."""
        return ()

    @property
    def first(self) -> int:
        """The row of the oldest packet that is still kept."""
        return self.store.rows.start

    @property
    def end(self) -> int:
        """The row after that of the newest packet."""
        return self.store.rows.stop

    @property
    def errors(self) -> int:
        """How many packets the engine would refuse, as far as is known."""
        return self.store.errors

    @property
    def controls(self) -> int:
        """How many packets are the protocol's own."""
        return self.store.controls

    @property
    def is_complete(self) -> bool:
        """Whether all packets have been looked at, so that numbers and filters are final."""
        return not self.store.pending

    def work_some(self, seconds: float) -> bool:
        """Look at the next packets for about so long; whether some are left."""
        if not self.store.pending:
            return False
        self.revision += 1
        return self.store.explain_some(seconds)

    def packet(self, row: int) -> Packet:
        """The packet of a row.

        Raises:
            IndexError: it was dropped, or is none yet.
        """
        return self.store.packet(row)

    def matching(self, text: str, control: bool, start: int) -> Sequence[int]:
        """The rows from *start* on that pass a filter, in order.

        Args:
            text: the filter; an empty one lets everything pass.
            control: whether packets that are the protocol's own may pass; a filter that asks for them gets them.
            start: the first row that is asked for.

        Raises:
            FilterError: the text cannot be read.
        """
        term = parse_filter(text)
        if not control and not (term is not None and _asks_for_control(term)):
            term = APPLICATION if term is None else AndFilter((term, APPLICATION))
        return self.store.matching(term, start)

    def next_error(self, row: int) -> int | None:
        """The first row after *row* whose packet the engine would refuse, from the start again after the last one."""
        rows = self.store.matching(FlagFilter(Flag.ERROR))
        return next((found for found in rows if found > row), rows[0] if rows else None)


class CaptureSource(PacketSource):
    """The packets of a capture file, which is read by :meth:`work_some` as well.

    Args:
        buffer: the bytes of the file.
        told: what a person said about the traffic.

    Raises:
        CaptureError: it is no capture.
    """

    def __init__(self, buffer: Buffer, told: TrafficSettings | None = None) -> None:
        super().__init__(PacketStore())
        self._buffer = buffer
        self._capture = open_capture(buffer)
        self._dissector = Dissector(told)
        self._is_read = False

    @property
    def is_complete(self) -> bool:
        return self._is_read and super().is_complete

    @property
    def doing(self) -> str:
        if self._is_read:
            return super().doing
        return f"reading, {100 * self._capture.offset // max(1, len(self._buffer))} %"

    @property
    def findings(self) -> tuple[str, ...]:
        return self._capture.tally.sentences

    def again(self, told: TrafficSettings) -> CaptureSource:
        """The same capture, read from the start with what a person says."""
        return CaptureSource(self._buffer, told)

    def work_some(self, seconds: float) -> bool:
        if self._is_read:
            return super().work_some(seconds)
        until = time.perf_counter() + seconds
        while not self._is_read and time.perf_counter() < until:
            self._read()
        return True

    def _read(self) -> None:
        records = list(islice(self._capture, AT_ONCE))
        for record in records:
            self.store.extend(self._dissector.feed(record))
        if not records:
            self._is_read = True
            self.store.extend(self._dissector.finish())


class Recording(PacketSource):
    """What one ear or several heard, one after another; kept to be listed and to be saved.

    Args:
        told: what a person said about the traffic.
        most: how many packets are kept; older ones go.

    Attributes:
        records: as they came.
    """

    def __init__(self, told: TrafficSettings | None = None, most: int = MOST_RECORDS) -> None:
        super().__init__(PacketStore(StoreLimit(most)))
        self._most = most
        self._dissector = Dissector(told)
        self.records: deque[Captured] = deque()
        self._bytes = 0

    def add(self, records: Sequence[Captured]) -> None:
        """Take up what came."""
        for record in records:
            self.store.extend(self._dissector.feed(record))
        self.records.extend(records)
        self._bytes += sum(len(record.data) for record in records)
        while len(self.records) > self._most or self._bytes > MOST_BYTES:
            self._bytes -= len(self.records.popleft().data)

    def clear(self) -> None:
        """Forget all of it; conversations go on."""
        self.store.clear()
        self.records.clear()
        self._bytes = 0

    def save(self, path: Path) -> int:
        """Write all records to a pcapng file; returns how many.

        Raises:
            FileProblem, CaptureError: that is not possible.
        """
        stream = BytesIO()
        count = write_capture(stream, self.records)
        files.write(path, stream.getvalue(), backup=False)
        return count

    def again(self, told: TrafficSettings) -> Recording:
        """The same records, taken up anew with what a person says."""
        found = Recording(told, self._most)
        found.add(list(self.records))
        return found


def write_capture(stream: BinaryIO, records: Iterable[Captured]) -> int:
    """Write recorded datagrams as pcapng; returns how many.

    Raises:
        CaptureError: one of them cannot be written.
        OSError: the stream cannot be written.
    """
    from viewer.container.capture import PcapngWriter

    writer, count = PcapngWriter(stream), 0
    for record in records:
        writer.add(record.time, record.source, record.target, record.data)
        count += 1
    return count


def _asks_for_control(term: Term) -> bool:
    """Whether a filter names control packets; filters are never nested deeply."""
    if isinstance(term, NotFilter):
        return _asks_for_control(term.inner)
    if isinstance(term, AndFilter | OrFilter):
        return any(_asks_for_control(each) for each in term.terms)
    return isinstance(term, FlagFilter) and term.flag is Flag.CONTROL
