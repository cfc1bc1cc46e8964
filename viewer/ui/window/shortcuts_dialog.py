"""The page that lists all keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from viewer.ui.dialogs import MARGIN, WIDTH
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.panels.panel_painting import FOCUS_LINE
from viewer.ui.window.actions import all_entries

HEIGHT = 560
OTHER_KEYS = (
    ("Tree", "Left, Right", "Close or open a row, go to its parent or first child"),
    ("Tree", "Shift+Right", "Open everything below the row"),
    ("Tree", "Ctrl+Left", "Close everything below the row"),
    ("Tree", "Enter, F2", "Edit the value"),
    ("Tree", "Space", "Toggle a bool"),
    ("Table", "Enter, F2", "Edit the cell, or go to the values inside; typing replaces it"),
    ("Table", "Tab, Shift+Tab", "Go to the next or previous cell; while editing, apply first"),
    ("Table", "Ctrl+D", "Give the selected cells the value of the topmost"),
    ("Table", "Ctrl+C, Ctrl+V", "Copy and paste cells as a spreadsheet does"),
    ("Table", "Del", "Delete the keys of the selected cells, or whole rows"),
    ("Table", "Space", "Toggle a bool"),
    ("Table", "Shift+Space, Ctrl+Space", "Select the row, the column"),
    ("Table", "Ctrl+Enter", "While editing: set all selected cells"),
    ("Table", "Esc", "Go to the tree"),
    ("Pictures and plots", "+, -, 0", "Show it larger, smaller, or all of it; 1 shows a picture at its own size"),
    ("Pictures and plots", "Arrows", "Move it; turn points in space that are seen from any side"),
    (
        "Pictures and plots",
        "Page Down, Page Up",
        "Mark the next or previous point; Home and End the first and last",
    ),
    ("Pictures and plots", "Ctrl+C, Ctrl+V", "Copy the picture, or replace it with the one on the clipboard"),
    ("Pictures and plots", "Enter", "Select the marked point in the window, or change the marked colour"),
    ("Compare window", "F7, Shift+F7", "Go to the next or previous difference"),
    ("Compare window", "Alt+Right, Alt+Left", "Take the left or the right side of the selected rows into the other"),
    ("Compare window", "Ctrl+Z", "Undo what was taken"),
    ("Compare window", "Ctrl+F", "Filter by path"),
    ("Compare window", "Alt+O, Alt+P", "Options; another way to pair the rows of an array"),
    ("Compare window", "F5, F6", "Compare again; go to the next pane"),
    ("Merge window", "F7, Shift+F7", "Go to the next or previous place that is not decided"),
    ("Merge window", "Alt+O, T, B, W", "Take ours, theirs or the base, or write a value"),
    ("Bytes", "Tab", "Go from the hexadecimal column to the text and back"),
    ("Bytes", "Shift+arrows", "Select bytes"),
    ("Bytes", "Home, End", "Go to the start or end of the row; with Ctrl, of the file"),
    ("Bytes", "0 to 9, A to F", "Overwrite or insert, half a byte at a time"),
    ("Bytes", "Ins", "Insert typed bytes, or overwrite others"),
    ("Bytes", "Del, Backspace", "Delete the selected bytes, or the one at or before the caret"),
    ("Bytes", "Ctrl+X, Ctrl+V", "Cut bytes; paste hex digits as bytes, or text in the text column"),
    ("Bytes", "Ctrl+Alt+V", "Paste the clipboard text as UTF-8"),
)


class ShortcutsDialog(QDialog):
    """All keys, by menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self.setMinimumSize(WIDTH, 420)
        page = QWidget()
        words = self._fill(QGridLayout(page))
        area = QScrollArea()
        area.setObjectName("shortcutsArea")
        area.setWidget(page)
        area.setWidgetResizable(True)
        beside = area.verticalScrollBar().sizeHint().width() + 2 * FOCUS_LINE
        wanted = page.sizeHint().width() + beside + 2 * MARGIN
        self.resize(min(wanted, self.screen().availableSize().width() * 9 // 10), HEIGHT)
        for label in words:
            label.setWordWrap(True)  # on a small screen; their size is asked for before
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addWidget(area)
        layout.addWidget(buttons)

    def _fill(self, grid: QGridLayout) -> list[PlainLabel]:
        """Lay the keys out; returns the labels that say what they do."""
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        rows = [(menu, _native(entry.keys), entry.tip) for menu, entry in all_entries() if entry.keys]
        shown, told = "", list[PlainLabel]()
        for menu, keys, words in [*rows, *OTHER_KEYS]:
            row = grid.rowCount()
            if menu != shown:
                title = PlainLabel(menu)
                title.setFont(ui_font(strong=True))
                grid.addWidget(title, row, 0, 1, 2)
                shown, row = menu, row + 1
            label = PlainLabel(keys)
            label.setFont(fixed_font(Size.SECONDARY))
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            told.append(PlainLabel(words))
            grid.addWidget(told[-1], row, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        return told


def _native(keys: tuple[str, ...]) -> str:
    form = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(key).toString(form) for key in keys)
