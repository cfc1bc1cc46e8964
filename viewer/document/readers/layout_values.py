"""The values in a file that has a layout: where they end, what they say, in which dialect they are."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.buffer import Buffer, window
from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.container.frames import is_header
from viewer.document.pieces.message import FieldRole, MessageField
from viewer.document.readers.file_layout import Said
from viewer.variant.dialect import Dialect, load
from viewer.variant.read import read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

LEAST_VALUE = 4
MOST_TRIED = 64
"""Values that tell which of some dialects is the file's."""
SPEAKING = 1 << 12
"""Bytes of a value that are looked at for what it says."""
USUAL = "godot4"


class LayoutValues:
    """The values of one file.

    Args:
        buffer: its bytes.
        dialects: in which they may be, the likeliest first.
    """

    def __init__(self, buffer: Buffer, dialects: Sequence[str]) -> None:
        self._buffer = buffer
        self._keys = dialects or (USUAL,)
        self._dialects: list[Dialect] = []
        self._ends: dict[tuple[int, int], int | None] = {}

    @property
    def dialects(self) -> list[Dialect]:
        """Those that were named."""
        if not self._dialects:
            self._dialects = [load(key) for key in self._keys]
        return self._dialects

    def end(self, at: int, last: int, width: int, big_endian: bool) -> int | None:
        """Where a sound value ends that stands at an offset; None where there is none.

        Args:
            at: where it, or its length, begins.
            last: where its part ends.
            width: the bytes of the length in front of it, 0 for none.
            big_endian: the order of these.
        """
        key = at, last
        if key not in self._ends:
            self._ends[key] = self._measured(at, last, width, big_endian)
        return self._ends[key]

    def _measured(self, at: int, last: int, width: int, big_endian: bool) -> int | None:
        start, end = at + width, last
        if width:
            order = "big" if big_endian else "little"
            end = start + int.from_bytes(self._buffer[at:start], order)  # type: ignore[arg-type]
        if start + LEAST_VALUE > end or end > last or not is_header(self._buffer, start):
            return None
        table = scan(window(self._buffer, start, end), self.dialects[0])
        if not _is_sound(table) or (width and start + table.end_of_data != end):
            return None
        return start + table.end_of_data

    def says(self, span: Span) -> Said | None:
        """What a value says: a number, a text, or what the first value inside it says; None for anything else."""
        whole = min(span.end, span.start + SPEAKING)
        for dialect in self.dialects:
            table = scan(window(self._buffer, span.start, whole), dialect)
            for node in range(min(len(table), 2)):
                row = table.row(node)
                found = read_shallow(table, node).data if row is not None else None
                if isinstance(found, int | float | str):
                    return found if isinstance(found, float) else str(found) if isinstance(found, str) else int(found)
        return None

    def likeliest(self, pieces: Sequence[MessageField]) -> Dialect:
        """The dialect in which most of the first values are sound."""
        if len(self.dialects) == 1:
            return self.dialects[0]
        values = [piece for piece in pieces if piece.role is FieldRole.VALUE][:MOST_TRIED]

        def sound(dialect: Dialect) -> int:
            count = 0
            for piece in values:
                start = piece.children[0].span.end if piece.children else piece.span.start
                table = scan(window(self._buffer, start, piece.span.end), dialect)
                count += _is_sound(table) and table.end_of_data == piece.span.end - start
            return count

        return max(self.dialects, key=sound)


def _is_sound(table: NodeTable) -> bool:
    return not any(found.severity is Severity.ERROR for found in table.diagnostics)
