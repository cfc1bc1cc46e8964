"""What the window shows with nothing open: a place to drop a file, samples, recent files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from viewer.base.record import dataclass
from viewer.base.words import grouped
from viewer.ui.look import chips, icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton
from viewer.ui.samples import SampleFile
from viewer.ui.settings import RecentFile

# Buttons of the empty state: sample cards, recent files, and the two large ones.

CARD_HEIGHT = 76
ROW_HEIGHT = 26
BUTTON_HEIGHT = 32


class LargeButton(FlatButton):
    """A button with a frame, an icon and words; the primary one is filled."""

    def __init__(self, theme: Theme, text: str, icon_name: str, primary: bool, parent: QWidget | None = None) -> None:
        super().__init__(theme, text, icon_name, parent)
        self._primary = primary
        self.setFont(ui_font(Size.UI, strong=primary))
        self.setAccessibleName(text.rstrip("…"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        return QSize(max(118, round(words) + 58), BUTTON_HEIGHT + 8)

    def _fill(self) -> QColor:
        ui = self._theme.ui
        if not self._primary:
            return ui.selection if self.isDown() else ui.hover if self.underMouse() else ui.base
        return ui.accent.darker(112) if self.isDown() else ui.accent.lighter(110) if self.underMouse() else ui.accent

    def _surface(self) -> QColor | None:
        return None

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        box = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        painter.setPen(Qt.PenStyle.NoPen if self._primary else QPen(ui.border_strong, 1))
        painter.setBrush(self._fill())
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        left = box.center().x() - (16 + 8 + words) / 2
        role = "accent_text" if self._primary else "text_secondary"
        icons.draw(painter, self.icon_name, self._theme, QRectF(left, box.center().y() - 8, 16, 16), role)
        line = QRectF(left + 24, box.top(), words + 2, box.height())
        paint_line(painter, line, self.text(), self.font(), ui.accent_text if self._primary else ui.text)


class SampleCard(FlatButton):
    """A sample: chip, title, description, engine and size."""

    def __init__(
        self, theme: Theme, chip: tuple[str, str], title: str, description: str, detail: str, parent: QWidget
    ) -> None:
        super().__init__(theme, title, "", parent)
        self._chip, self._description, self._detail = chip, description, detail
        self._title_font, self._small = ui_font(Size.UI, strong=True), ui_font(Size.SECONDARY)
        self.setAccessibleName(f"{title}: {description}. {detail}")
        self.setToolTip(plain_tip(description))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(220, CARD_HEIGHT + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, CARD_HEIGHT + 8)

    def _surface(self) -> QColor | None:
        return None

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        card = QRectF(self.rect()).adjusted(4.5, 4.5, -4.5, -4.5)
        hovered = self.underMouse()
        painter.setPen(QPen(ui.border_strong if hovered else ui.border, 1))
        painter.setBrush(ui.selection if self.isDown() else ui.hover if hovered else ui.raised)
        painter.drawRoundedRect(card, 6, 6)
        chip = QRectF(card.left() + 12, card.top() + 12, chips.WIDTH, chips.HEIGHT)
        chips.paint_chip(painter, chip, self._chip[0], self._chip[1], self._theme)
        left = chip.right() + 12
        line = QRectF(left, card.top() + 10, card.right() - 12 - left, 20)
        paint_line(painter, line, self.text(), self._title_font, ui.text)
        paint_line(painter, line.translated(0, 18), self._description, self._small, ui.text_secondary)
        paint_line(painter, line.translated(0, 36), self._detail, self._small, ui.text_secondary)


class RecentRow(FlatButton):
    """A file opened before: icon, name, folder, when."""

    def __init__(self, theme: Theme, name: str, folder: str, when: str, tip: str, parent: QWidget) -> None:
        super().__init__(theme, name, "file-digit", parent)
        self._folder, self._when = folder, when
        self._small = ui_font(Size.SECONDARY)
        self.setFont(ui_font(Size.UI))
        self.setAccessibleName(f"{name} in {folder}, {when}")
        self.setToolTip(plain_tip(tip))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, ROW_HEIGHT)

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        rect = QRectF(self.rect()).adjusted(4, 0, -4, 0)
        icons.draw(painter, self.icon_name, self._theme, QRectF(rect.left(), rect.center().y() - 8, 16, 16))
        used = paint_line(painter, rect, self._when, self._small, ui.text_secondary, right=True)
        name = QRectF(rect.left() + 26, rect.top(), min(190.0, rect.width() * 0.4), rect.height())
        paint_line(painter, name, self.text(), self.font(), ui.text, Qt.TextElideMode.ElideMiddle)
        folder = QRectF(name.right() + 10, rect.top(), rect.right() - used - 16 - name.right() - 10, rect.height())
        paint_line(painter, folder, self._folder, self._small, ui.text_secondary, Qt.TextElideMode.ElideMiddle)


# The drop area of the empty state: a dashed frame that turns accent while a file hangs over it.

TITLE = "Drop a save or a packet here"
ABOUT = "Files of Godot 2, 3, 4 and Pandemonium; pasted hex bytes too. The engine line is found automatically."
SHORT_ABOUT = "Godot 2, 3, 4 and Pandemonium. The engine line is found automatically."
HINTS = ("Ctrl+O opens", "Ctrl+Shift+V pastes")
PROMISE = "Nothing is changed until you save"
KEPT = "; the previous version is kept as .bak"


@dataclass(frozen=True, slots=True)
class _Look:
    """Heights of the drop area: tall windows get more air."""

    height: int
    icon_top: int
    buttons_top: int


ROOMY, TIGHT = _Look(206, 20, 116), _Look(160, 10, 82)


class DropArea(QWidget):
    """A dashed frame with words and three buttons."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("dropArea")
        self._theme = theme
        self._dragging = False
        self._keeps = True
        self._look = ROOMY
        self.open_button = LargeButton(theme, "Open file…", "folder-open", True, self)
        self.games_button = LargeButton(theme, "Find my games…", "search", False, self)
        self.paste_button = LargeButton(theme, "Paste bytes", "clipboard-paste", False, self)
        self.set_roomy(True)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for button in self._buttons:
            button.set_theme(theme)
        self.update()

    def set_roomy(self, roomy: bool) -> None:
        """Take more or less height."""
        self._look = ROOMY if roomy else TIGHT
        self.setFixedHeight(self._look.height)
        self._place_buttons()
        self.update()

    def set_keeps(self, keeps: bool) -> None:
        """Say whether saving keeps the previous version."""
        self._keeps = keeps
        self.update()

    def set_dragging(self, dragging: bool) -> None:
        """Say that a file hangs over the window."""
        self._dragging = dragging
        self.update()

    @property
    def _buttons(self) -> tuple[LargeButton, ...]:
        return self.open_button, self.games_button, self.paste_button

    def _place_buttons(self) -> None:
        sizes = [button.sizeHint() for button in self._buttons]
        left = (self.width() - sum(size.width() + 4 for size in sizes) + 4) // 2
        for button, size in zip(self._buttons, sizes, strict=True):
            button.setGeometry(left, self._look.buttons_top, size.width(), size.height())
            left += size.width() + 4

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_buttons()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui = self._theme.ui
        pen = QPen(ui.accent if self._dragging else ui.border_strong, 2 if self._dragging else 1.2)
        pen.setDashPattern([4, 3] if self._dragging else [6, 4])
        painter.setPen(pen)
        painter.setBrush(ui.selection if self._dragging else ui.panel)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(4.5, 1, -4.5, -1), 10, 10)
        self._paint_words(painter)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        look = self._look
        top = float(look.icon_top)
        if look is ROOMY:
            icons.draw(painter, "file-digit", self._theme, QRectF(self.width() / 2 - 16, top, 32, 32), "accent")
            top += 36
        title = ui_font(Size.TITLE, strong=True)
        self._centred(painter, top, 32, (TITLE,), title, "text")
        small = ui_font(Size.UI)
        about = ABOUT if self._fits((ABOUT,), small) else SHORT_ABOUT
        self._centred(painter, top + 33, 20, (about,), small, "text_secondary")
        promise = PROMISE + (KEPT if self._keeps else "")
        hints = (*HINTS, promise)
        shown = next((words for words in (hints, (promise,), HINTS) if self._fits(words, small)), HINTS[:1])
        self._centred(painter, look.buttons_top + 46, 20, shown, small, "text_secondary")

    def _width(self, words: tuple[str, ...], font: QFont) -> float:
        metrics = QFontMetricsF(font)
        return sum(metrics.horizontalAdvance(word) for word in words) + 16 * (len(words) - 1)

    def _fits(self, words: tuple[str, ...], font: QFont) -> bool:
        return self._width(words, font) <= self.width() - 40

    def _centred(
        self, painter: QPainter, top: float, height: float, words: tuple[str, ...], font: QFont, role: str
    ) -> None:
        left = max(20.0, (self.width() - self._width(words, font)) / 2)
        for word in words:
            line = QRectF(left, top, self.width() - 20 - left, height)
            left += paint_line(painter, line, word, font, self._theme.named(role)) + 16


MOST_WIDTH = 880
CARD_WIDTH = 236
KILO = 1024


class EmptyState(QWidget):
    """The page without a document.

    Args:
        theme: its colours.

    Signals:
        open_requested: the first button.
        games_requested: the second button.
        paste_requested: the third button.
        sample_requested: ``str``: the name of a sample.
        file_requested: ``str``: the path of a recent file.
    """

    open_requested = Signal()
    games_requested = Signal()
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
        self.drop.games_button.clicked.connect(self.games_requested)
        self.drop.paste_button.clicked.connect(self.paste_requested)
        self._samples_title, self._recent_title = self._title("Samples"), self._title("Recent")
        self._grid, self._list = QGridLayout(), QVBoxLayout()
        self._columns = 0
        self._build()
        self.set_samples(())
        self.set_recent(())

    def _title(self, text: str) -> ElidedLine:
        line = ElidedLine(self._theme, ui_font(Size.UI, strong=True))
        line.set_text(text)
        return line

    def _indented(self, line: ElidedLine) -> ElidedLine:
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

    def set_samples(self, samples: Sequence[SampleFile]) -> None:
        """Show these samples as cards."""
        for card in self.cards:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [self._card(sample) for sample in samples]
        self._samples_title.setVisible(bool(samples))
        self._columns = 0
        self._place_cards()

    def _card(self, sample: SampleFile) -> SampleCard:
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keys begin at the first button."""
        self.drop.open_button.setFocus(event.reason())

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
    """A size for people: ``184 B``, ``21 KiB``."""
    if size < KILO:
        return f"{size} B"
    return f"{grouped(round(size / KILO))} KiB" if size < KILO * KILO else f"{size / KILO / KILO:.1f} MiB"


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
