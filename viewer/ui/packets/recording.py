"""Recording: the ear that is wanted, and what is needed to list and to save what it hears."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path

from viewer.container.wire import Captured
from viewer.document.packets.live.proxy import Proxy
from viewer.document.packets.live.recorder import Recorder
from viewer.ui.packets.live import Ear, Wanted
from viewer.ui.packets.source import PacketSource

MOST_RECORDS = 1_000_000
MOST_BYTES = 1 << 29
"""What is kept to be saved; older records go, as they do from the list."""


class Recording:
    """What one ear or several heard, one after another.

    Attributes:
        source: the packets, for the list.
        records: the same as they came, for the file.
    """

    def __init__(self) -> None:
        from viewer.document.packets.flows import Dissector
        from viewer.document.packets.store import PacketStore

        self._dissector = Dissector()
        self.source = PacketSource(PacketStore())
        self.records: deque[Captured] = deque()
        self._bytes = 0

    def add(self, records: Sequence[Captured]) -> None:
        """Take up what came."""
        for record in records:
            self.source.store.extend(self._dissector.feed(record))
        self.records.extend(records)
        self._bytes += sum(len(record.data) for record in records)
        while len(self.records) > MOST_RECORDS or self._bytes > MOST_BYTES:
            self._bytes -= len(self.records.popleft().data)

    def clear(self) -> None:
        """Forget all of it; conversations go on."""
        self.source.store.clear()
        self.records.clear()
        self._bytes = 0

    def save(self, path: Path) -> int:
        """Write all records to a pcapng file; returns how many.

        Raises:
            FileProblem, CaptureError: that is not possible.
        """
        from io import BytesIO

        from viewer.document import files
        from viewer.document.packets.exporting import write_capture

        stream = BytesIO()
        count = write_capture(stream, self.records)
        files.write(path, stream.getvalue(), backup=False)
        return count


def open_ear(wanted: Wanted, first: int = 1) -> Ear:
    """Listen, and forward where that is wanted; the first record gets the number *first*.

    Raises:
        LiveError: that is not possible; the text says why.
    """
    if wanted.server is None:
        return Recorder(wanted.port, wanted.host, first=first)
    return Proxy(wanted.port, wanted.server, wanted.host, first=first)
