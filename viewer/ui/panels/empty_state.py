"""What the window shows with nothing open: a place to drop a file, samples, recent files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from viewer.document.shown.counts import grouped
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.cards import RecentRow, SampleCard
from viewer.ui.panels.drop_area import DropArea
from viewer.ui.panels.pieces import FlatButton, Line
from viewer.ui.window.samples import Sample
from viewer.ui.window.settings import RecentFile

MOST_WIDTH = 880
CARD_WIDTH = 236
KILO = 1024


class EmptyState(QWidget):
    """The page without a document.

    Args:
        theme: its colours.

    Signals:
        open_requested: the first button.
        paste_requested: the second button.
        sample_requested: ``str``: the name of a sample.
        file_requested: ``str``: the path of a recent file.
    """

    open_requested = Signal()
    paste_requested = Signal()
    sample_requested = Signal(str)
    file_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("emptyState")
        self.setAccessibleName("Nothing is open")
        self._theme = theme
        self.cards: list[SampleCard] = []
        self.recent: list[RecentRow] = []
        self.drop = DropArea(theme)
        self.drop.open_button.clicked.connect(self.open_requested)
        self.drop.paste_button.clicked.connect(self.paste_requested)
        self._samples_title, self._recent_title = self._title("Samples"), self._title("Recent")
        self._grid, self._list = QGridLayout(), QVBoxLayout()
        self._columns = 0
        self._build()
        self.set_samples(())
        self.set_recent(())

    def _title(self, text: str) -> Line:
        line = Line(self._theme, ui_font(Size.UI, strong=True))
        line.set_text(text)
        return line

    def _indented(self, line: Line) -> Line:
        """Start where the cards' frames do: outside of them lies room for the focus ring."""
        line.setContentsMargins(4, 0, 0, 0)
        return line

    def _build(self) -> None:
        self._page = QWidget()
        self._page.setMaximumWidth(MOST_WIDTH + 8)
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 24)
        column.setSpacing(0)
        column.addWidget(self.drop)
        column.addSpacing(26)
        column.addWidget(self._indented(self._samples_title))
        column.addSpacing(8)
        column.addLayout(self._grid)
        column.addSpacing(22)
        column.addWidget(self._indented(self._recent_title))
        column.addSpacing(8)
        column.addLayout(self._list)
        column.addStretch(1)
        self._grid.setSpacing(4)
        self._list.setSpacing(0)
        self._holder = QWidget()
        row = QHBoxLayout(self._holder)
        row.setContentsMargins(24, 80, 24, 0)
        row.addStretch(1)
        row.addWidget(self._page, 1000)
        row.addStretch(1)
        self._margins = row
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._holder)
        self.area.viewport().setAutoFillBackground(False)
        self._holder.setAutoFillBackground(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.area)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.drop.set_theme(theme)
        self._samples_title.set_theme(theme)
        self._recent_title.set_theme(theme)
        for button in (*self.cards, *self.recent):
            button.set_theme(theme)
        self.update()

    # Content

    def set_samples(self, samples: Sequence[Sample]) -> None:
        """Show these samples as cards."""
        for card in self.cards:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [self._card(sample) for sample in samples]
        self._samples_title.setVisible(bool(samples))
        self._columns = 0
        self._place_cards()

    def _card(self, sample: Sample) -> SampleCard:
        chip = (sample.chip, sample.group)
        detail = f"{sample.engine} · {size_words(sample.size)}"
        card = SampleCard(self._theme, chip, sample.title, sample.description, detail, self._page)
        card.clicked.connect(lambda _=False, name=sample.name: self.sample_requested.emit(name))
        self._watch(card)
        return card

    def set_recent(self, files: Sequence[RecentFile]) -> None:
        """Show these files, the last one first."""
        for row in self.recent:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.recent = [self._recent_row(entry) for entry in files]
        self._recent_title.setVisible(bool(files))
        for row in self.recent:
            self._list.addWidget(row)

    def _recent_row(self, entry: RecentFile) -> RecentRow:
        when = when_words(entry.opened, datetime.now().date())
        row = RecentRow(
            self._theme, entry.path.name, folder_words(entry.path.parent), when, str(entry.path), self._page
        )
        row.clicked.connect(lambda _=False, path=str(entry.path): self.file_requested.emit(path))
        self._watch(row)
        return row

    def _watch(self, button: FlatButton) -> None:
        """Scroll a button into view when it gets the focus."""
        button.focused.connect(lambda: self.area.ensureWidgetVisible(button, 8, 24))

    def _place_cards(self) -> None:
        width = min(MOST_WIDTH, self.width() - 48)
        columns = max(1, min(3, width // CARD_WIDTH))
        if columns != self._columns:
            self._columns = columns
            for place, card in enumerate(self.cards):
                self._grid.addWidget(card, place // columns, place % columns)
            for column in range(3):
                self._grid.setColumnStretch(column, int(column < columns))

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        roomy = self.height() >= 640
        self._margins.setContentsMargins(24, max(16, min(80, (self.height() - 600) // 3)) if roomy else 16, 24, 0)
        self.drop.set_roomy(self.height() >= 520)
        self._place_cards()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()


def size_words(size: int) -> str:
    """A size for people: ``184 B``, ``21 KB``."""
    if size < KILO:
        return f"{size} B"
    return f"{grouped(round(size / KILO))} KB" if size < KILO * KILO else f"{size / KILO / KILO:.1f} MB"


def folder_words(folder: Path) -> str:
    """A folder, with the home folder as ``~``."""
    home = Path.home()
    return str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)


def when_words(when: datetime, today: date) -> str:
    """A time for people: ``today, 14:02``, ``yesterday``, ``12 March``, ``12 March 2024``."""
    days = (today - when.date()).days
    if days == 0:
        return f"today, {when:%H:%M}"
    if days == 1:
        return "yesterday"
    month = f"{when.day} {when:%B}"
    return month if when.year == today.year else f"{month} {when.year}"
