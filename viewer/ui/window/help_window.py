"""Help: a few pages about what the window can do, and a field that finds words in them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPalette, QTextCharFormat, QTextCursor, QTextDocument, QTextTable
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QTextEdit, QVBoxLayout, QWidget

from viewer.base.help_pages import HelpPage, help_pages
from viewer.base.words import counted
from viewer.ui.dialogs import MARGIN
from viewer.ui.doctor.explain_card import PlainBrowser
from viewer.ui.look.fonts import Size, fixed_font, pixels, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.viewport import fit_screen

SIZE = (860, 640)
LIST = 190
"""Pixels of the list of pages, with the usual font."""
USUAL = 13
PAGE_MARGIN = 16
MOST_MARKED = 500
NOTHING = "No page has these words."


class HelpWindow(QWidget):
    """Shows the pages beside their list.

    Args:
        parent: the window that it belongs to.
        theme: its colours.
    """

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("helpWindow")
        self.setWindowTitle("Help")
        fit_screen(self, SIZE)
        self._pages = help_pages()
        self._shown: list[HelpPage] = []
        self.field = QLineEdit()
        self.field.setAccessibleName("Find in the help")
        self.field.setPlaceholderText("Find in the help (Ctrl+F)")
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Pages")
        self.page = PlainBrowser()
        self.page.setAccessibleName("Page")
        self.says = PlainLabel()
        self.says.setFont(ui_font(Size.SECONDARY))
        self._lay_out()
        self.set_theme(theme)
        self.field.textChanged.connect(self._filter)
        self.list.currentRowChanged.connect(self._show_page)
        for part in (self.field, self.list, self.page):
            part.installEventFilter(self)
        self._filter("")

    def _lay_out(self) -> None:
        self.list.setFixedWidth(round(LIST * pixels(Size.UI) / USUAL))
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.field)
        left.addWidget(self.list, 1)
        left.addWidget(self.says)
        self.field.setFixedWidth(self.list.width())
        self.says.setFixedWidth(self.list.width())
        self.says.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN // 2, MARGIN // 2, MARGIN // 2, MARGIN // 2)
        row.setSpacing(12)
        row.addLayout(left)
        row.addWidget(self.page, 1)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.Base, theme.ui.base)
        colours.setColor(QPalette.ColorRole.Text, theme.ui.text)
        for part in (self.page, self.list):
            part.setPalette(colours)
        if self._shown:
            self._show_page(self.list.currentRow())

    def open(self, name: str = "") -> None:
        """Come to the front, at the page called so or where it was."""
        if name:
            self.field.clear()
            self.list.setCurrentRow(next((k for k, page in enumerate(self._shown) if page.name == name), 0))
        self.show()
        self.raise_()
        self.activateWindow()
        (self.page if name else self.field).setFocus()

    # What it shows

    def _filter(self, text: str) -> None:
        """List the pages that have some words, and mark these."""
        now = self._shown[self.list.currentRow()].name if self.list.currentRow() >= 0 else ""
        self._shown = [page for page in self._pages if page.holds(text)]
        self.list.blockSignals(True)
        self.list.clear()
        for page in self._shown:
            self.list.addItem(QListWidgetItem(page.title))
        row = next((k for k, page in enumerate(self._shown) if page.name == now), 0)
        self.list.setCurrentRow(row if self._shown else -1)
        self.list.blockSignals(False)
        self.says.setText("" if not text.strip() else counted(len(self._shown), "page") if self._shown else NOTHING)
        self._show_page(self.list.currentRow())

    def _show_page(self, row: int) -> None:
        self.page.clear()
        if not 0 <= row < len(self._shown):
            return
        self.page.document().setDefaultFont(ui_font())
        self.page.document().setDocumentMargin(PAGE_MARGIN)
        self.page.document().setMarkdown(
            self._shown[row].text,
            QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML,
        )
        self._dress()
        self.page.moveCursor(QTextCursor.MoveOperation.Start)
        self._mark(self.field.text().split())

    def _dress(self) -> None:
        """Code in the fixed font on a quiet ground, tables with room, titles of our sizes."""
        self._dress_tables()
        block = self.page.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            level = block.blockFormat().headingLevel()
            form = block.blockFormat()
            form.setTopMargin(14 if level > 1 else 4)
            form.setBottomMargin(6 if level else 4)
            form.setLineHeight(125, 1)
            cursor.setBlockFormat(form)
            if level:
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                look = QTextCharFormat()
                look.setFont(ui_font(Size.TITLE if level == 1 else Size.UI, strong=True))
                cursor.mergeCharFormat(look)
            self._dress_code(block.position(), block.length())
            block = block.next()

    def _dress_tables(self) -> None:
        """Quiet lines between the cells of tables."""
        for frame in self.page.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format().toTableFormat()
                look.setBorderBrush(self._theme.ui.border)
                look.setBorderCollapse(True)
                frame.setFormat(look)

    def _dress_code(self, start: int, length: int) -> None:
        """The fixed font for what is code in a block."""
        document = self.page.document()
        block = document.findBlock(start)
        places = []
        walk = block.begin()
        while not walk.atEnd():
            piece = walk.fragment()
            if piece.charFormat().fontFixedPitch() or block.blockFormat().hasProperty(CODE_FENCE):
                places.append((piece.position(), piece.length()))
            walk += 1
        for at, count in places:
            cursor = QTextCursor(document)
            cursor.setPosition(at)
            cursor.setPosition(at + count, QTextCursor.MoveMode.KeepAnchor)
            look = QTextCharFormat()
            look.setFont(fixed_font(Size.SECONDARY))
            look.setBackground(self._theme.ui.panel)
            cursor.mergeCharFormat(look)

    def _mark(self, words: list[str]) -> None:
        """Mark words on the page, and go to the first."""
        marks: list[QTextEdit.ExtraSelection] = []
        first = -1
        look = QTextCharFormat()
        look.setBackground(self._theme.state("search").bg)
        look.setForeground(self._theme.state("search").fg)
        for word in words:
            cursor = self.page.document().find(word)
            while not cursor.isNull() and len(marks) < MOST_MARKED:
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = cursor, look
                marks.append(mark)
                first = cursor.selectionStart() if first < 0 else min(first, cursor.selectionStart())
                cursor = self.page.document().find(word, cursor)
        self.page.setExtraSelections(marks)
        if first >= 0:
            cursor = self.page.textCursor()
            cursor.setPosition(first)
            self.page.setTextCursor(cursor)

    def find_next(self) -> None:
        """Go to the next place of what was typed: on this page, then on the next one."""
        words = self.field.text().split()
        if not words or not self._shown:
            return
        if not self.page.find(words[0]):
            self.list.setCurrentRow((self.list.currentRow() + 1) % len(self._shown))
            self.page.find(words[0])

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take(watched, event) or super().eventFilter(watched, event)
        return super().eventFilter(watched, event)

    def _take(self, watched: QObject, event: QKeyEvent) -> bool:
        """Do what a key stands for; False for all others."""
        key, ctrl = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key == Qt.Key.Key_F and ctrl:
            self.field.setFocus()
            self.field.selectAll()
        elif key == Qt.Key.Key_F3 or (key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and watched is self.field):
            self.find_next()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and watched is self.field and self._shown:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + step) % len(self._shown))
        elif key == Qt.Key.Key_Escape:
            if self.field.text():
                self.field.clear()
            else:
                self.close()
        else:
            return False
        return True


CODE_FENCE = 0x1090
"""Qt's ``QTextFormat.BlockCodeLanguage``: a block of code between fences has it."""
