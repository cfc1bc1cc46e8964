"""Packets as rows of a table: those that pass a filter; the words of a row are made when it is shown."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.document.packets.packet import Packet
from viewer.document.packets.packet_source import PacketSource
from viewer.document.viewmodel.packet_row import PacketRow, packet_row, packet_tip
from viewer.ui.look.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
KEPT = 512
"""So many rows stay in words, some screens full."""
PacketRole = Qt.ItemDataRole.UserRole + 1


class PacketColumn(IntEnum):
    """The columns, from left to right."""

    NUMBER = 0
    TIME = 1
    ARROW = 2
    SOURCE = 3
    TARGET = 4
    CARRIER = 5
    SIZE = 6
    TYPE = 7
    VALUE = 8


HEADINGS = ("No.", "Time", "", "From", "To", "Carrier", "Bytes", "Type", "Value")
RIGHT = (PacketColumn.NUMBER, PacketColumn.TIME, PacketColumn.SIZE)
"""Columns of numbers, which end at the right."""
CELLS: tuple[Callable[[PacketRow], str], ...] = (
    lambda row: str(row.number),
    lambda row: row.time,
    lambda row: row.arrow,
    lambda row: row.source,
    lambda row: row.target,
    lambda row: row.carrier,
    lambda row: row.size,
    lambda row: row.type,
    lambda row: row.value,
)


class PacketsModel(QAbstractTableModel):
    """The packets of a source that pass a filter.

    The place of a row in this model changes with the filter and when old packets are dropped; the row of the packet
    itself does not, and what is to be remembered is remembered by that.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source: PacketSource | None = None
        self._shown = array("q")
        self._text, self._control = "", False
        self._seen = 0
        self._revision = 0
        self._words: dict[int, PacketRow] = {}
        self._edited: dict[int, Packet] = {}

    @property
    def source(self) -> PacketSource | None:
        """Where the packets are from."""
        return self._source

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on, beside that for packets of the protocol itself."""
        return bool(self._text.strip())

    def set_source(self, source: PacketSource | None) -> None:
        """Show the packets of another source, with the filter as it is."""
        self.beginResetModel()
        self._edited.clear()
        self._source = source
        self._fill()
        self.endResetModel()

    def set_filter(self, text: str, control: bool) -> None:
        """Show only what passes a filter.

        Raises:
            FilterError: the text cannot be read; the rows stay as they are.
        """
        found = self._matching(text, control, self._source.first) if self._source else array("q")
        self.beginResetModel()
        self._text, self._control = text, control
        self._take(found)
        self.endResetModel()

    def update(self) -> int:
        """Take up what the source has dropped and got since; returns how many rows went at the top."""
        source = self._source
        if source is None:
            return 0
        if source.end < self._seen:
            self.set_source(source)
            return 0
        if source.revision != self._revision:
            self._explain_anew(source)
        gone = self._drop(source.first)
        self._append(source)
        return gone

    def row_at(self, place: int) -> int:
        """The row of the packet at a place of this model."""
        return self._shown[place]

    def place_of(self, row: int) -> int:
        """The place of a packet's row in this model, -1 where it is not shown."""
        place = bisect_left(self._shown, row)
        return place if place < len(self._shown) and self._shown[place] == row else -1

    def packet(self, place: int) -> Packet | None:
        """The packet at a place, None where it was dropped a moment ago."""
        assert self._source is not None
        try:
            return self._source.packet(self._shown[place])
        except IndexError:
            return None

    def words(self, place: int) -> PacketRow | None:
        """What the row at a place shows."""
        row = self._shown[place]
        found = self._words.get(row)
        if found is None:
            packet = self.packet(place)
            if packet is None:
                return None
            if len(self._words) >= KEPT:
                self._words.clear()
            edited = self._edited.get(row)
            found = packet_row(packet) if edited is None else packet_row(edited, is_edited=True)
            self._words[row] = found
        return found

    def set_edited(self, row: int, packet: Packet | None) -> None:
        """Show at a packet's row what a person has made of it; None for what was captured."""
        if packet is None and row not in self._edited:
            return
        if packet is None:
            del self._edited[row]
        else:
            self._edited[row] = packet
        self._words.pop(row, None)
        place = self.place_of(row)
        if place >= 0:
            self.dataChanged.emit(self.index(place, 0), self.index(place, PacketColumn.VALUE))

    def _matching(self, text: str, control: bool, start: int) -> array[int]:
        assert self._source is not None
        return array("q", self._source.matching(text, control, start))

    def _fill(self) -> None:
        source = self._source
        self._take(self._matching(self._text, self._control, source.first) if source else array("q"))

    def _take(self, shown: array[int]) -> None:
        self._shown = shown
        self._words.clear()
        self._seen = self._source.end if self._source else 0
        self._revision = self._source.revision if self._source else 0

    def refilter(self) -> None:
        """Ask the filter again, because packets say something else now; nothing happens where the rows stay."""
        source = self._source
        if source is None or not self.is_filtered:
            return
        found = self._matching(self._text, self._control, source.first)
        if found != self._shown:
            self.beginResetModel()
            self._take(found)
            self.endResetModel()

    def _explain_anew(self, source: PacketSource) -> None:
        self._revision = source.revision
        self._words.clear()
        if self._shown:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, PacketColumn.VALUE))

    def _drop(self, first: int) -> int:
        gone = bisect_left(self._shown, first)
        if gone:
            self.beginRemoveRows(QModelIndex(), 0, gone - 1)
            del self._shown[:gone]
            self.endRemoveRows()
        return gone

    def _append(self, source: PacketSource) -> None:
        start, end = max(self._seen, source.first), source.end
        if start >= end:
            return
        new = self._matching(self._text, self._control, start)
        self._seen = end
        if new:
            self.beginInsertRows(QModelIndex(), len(self._shown), len(self._shown) + len(new) - 1)
            self._shown.extend(new)
            self.endInsertRows()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return HEADINGS[section] or "Direction"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            row = self.words(index.row())
            return CELLS[index.column()](row) if row is not None else None
        if role == PacketRole:
            return self.packet(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            packet = self.packet(index.row())
            return plain_tip(packet_tip(packet)) if packet is not None else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(index)
        return None

    def _spoken(self, index: Index) -> str | None:
        """A cell for who cannot see it: the arrow and the error in words."""
        row = self.words(index.row())
        if row is None:
            return None
        if index.column() == PacketColumn.ARROW:
            return "to the server" if row.to_server else "from the server"
        text = CELLS[index.column()](row)
        return f"error: {text}" if row.is_error and index.column() == PacketColumn.VALUE else text
