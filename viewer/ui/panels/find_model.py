"""The places that a search found as rows; what a row tells is read when it is painted."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.document.query import Mode
from viewer.document.replace import Row
from viewer.document.shown.hit_row import HitRow, hit_row, type_row
from viewer.document.shown.numbers import offset_text
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.find_runner import FindRunner
from viewer.ui.panels.replacer import Replacer
from viewer.ui.session import Session

RowRole = Qt.ItemDataRole.UserRole + 1
OffsetRole = Qt.ItemDataRole.UserRole + 2
CurrentRole = Qt.ItemDataRole.UserRole + 3
ReplaceRole = Qt.ItemDataRole.UserRole + 4
KEPT = 512
Index = QModelIndex | QPersistentModelIndex


class FindModel(QAbstractListModel):
    """The hits of a runner.

    Args:
        session: whose document they lie in.
        runner: finds them.
    """

    def __init__(self, session: Session, runner: FindRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._runner = session, runner
        self._count = 0
        self._generation = -1
        self._rows: dict[int, HitRow] = {}
        self._replacer: Replacer | None = None
        session.opened.connect(self._rows.clear)
        session.changed.connect(self._forget)

    def show_replacing(self, replacer: Replacer) -> None:
        """Tell of every place what it would become, where the replacer knows."""
        self._replacer = replacer

    def _becomes(self, row: int) -> Row | None:
        return self._replacer.row(row) if self._replacer is not None else None

    def take(self) -> None:
        """Take over what the runner knows: more rows, or other ones."""
        runner, count = self._runner, len(self._runner.hits)
        if runner.generation != self._generation or count < self._count:
            self.beginResetModel()
            self._rows.clear()
            self._generation, self._count = runner.generation, count
            self.endResetModel()
        elif count > self._count:
            self.beginInsertRows(QModelIndex(), self._count, count - 1)
            self._count = count
            self.endInsertRows()

    def _forget(self, *_: object) -> None:
        self._rows.clear()

    def _row(self, row: int) -> HitRow:
        document = self._session.document
        if row not in self._rows:
            if len(self._rows) >= KEPT:
                self._rows.clear()
            hits = self._runner.hits
            as_bytes = self._runner.query.mode is Mode.HEX
            as_type = self._runner.query.mode is Mode.TYPE
            known = document is not None and row < len(hits) and hits[row].end <= len(document.buffer)
            told = type_row if as_type else partial(hit_row, as_bytes=as_bytes)
            self._rows[row] = told(document, hits[row]) if document and known else HitRow("")
        return self._rows[row]

    def _offset(self, row: int) -> str:
        document, hits = self._session.document, self._runner.hits
        return offset_text(hits[row].start, len(document.buffer)) if document and row < len(hits) else ""

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = index.row()
        if role == RowRole:
            return self._row(row)
        if role == OffsetRole:
            return self._offset(row)
        if role == CurrentRole:
            return row == self._runner.index
        if role == ReplaceRole:
            return self._becomes(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._row(row).text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(self._words(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(self._words(row)))
        return None

    def _words(self, row: int) -> tuple[str, ...]:
        """What a row tells: path, text, what becomes of it, offset."""
        becomes, shown = self._becomes(row), self._row(row)
        words = () if becomes is None else (becomes.problem or f"→ {becomes.after}",)
        return shown.path, shown.text, *words, self._offset(row)
