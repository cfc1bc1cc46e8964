"""What a comparison ignores: the list a person writes, what is learned from saves; and the tolerance of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from viewer.base.progress import Cancelled
from viewer.document.compare.comparison_view import NO_ROOM
from viewer.document.compare.ignored_paths import LONGEST_PATTERN, MOST_PATTERNS, learned
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.ui import dialogs
from viewer.ui.dialogs import BETWEEN, MARGIN
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.plain_text import PlainLabel, in_title
from viewer.ui.panels.panel_widgets import TickBox

SIZE = (520, 400)
EXPLAINED = "One path per line. * is any one step, ** any number of them: **.play_time, party[*].hp"
FEW = "Choose two or more saves that the game wrote while nothing was done: what differs between them always changes."


class IgnoredDialog(QDialog):
    """Asks which paths are ignored.

    Args:
        parent: the window.
        patterns: those that are now.
        title: what the dialog is called, and *words* what it says.

    Attributes:
        text: the patterns, one a line.
    """

    def __init__(
        self, parent: QWidget, patterns: Sequence[str], title: str = "Ignored paths", words: str = EXPLAINED
    ) -> None:
        super().__init__(parent)
        self.setObjectName("ignoredDialog")
        self.setWindowTitle(in_title(title))
        self.resize(*SIZE)
        says = PlainLabel(words)
        says.setWordWrap(True)
        self.text = QPlainTextEdit("\n".join(patterns))
        self.text.setAccessibleName("Ignored paths")
        self.text.setFont(fixed_font())
        self.text.setTabChangesFocus(True)
        self._keeps = TickBox("&Remember for this folder")
        self._keeps.setChecked(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        accept = buttons.addButton("&Ignore These", QDialogButtonBox.ButtonRole.AcceptRole)
        accept.setDefault(True)
        dialogs.give_room(buttons.buttons())
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(BETWEEN)
        for widget in (says, self.text, self._keeps, buttons):
            layout.addWidget(widget, int(widget is self.text))

    @property
    def patterns(self) -> tuple[str, ...]:
        """What is to be ignored."""
        lines = (line.strip() for line in self.text.toPlainText().splitlines())
        return tuple(dict.fromkeys(line for line in lines if 0 < len(line) <= LONGEST_PATTERN))[:MOST_PATTERNS]

    @property
    def keeps(self) -> bool:
        """Whether that is to be remembered for the folder."""
        return self._keeps.isChecked()


def ask_tolerance(parent: QWidget, now: float) -> float | None:
    """Ask by how much numbers may differ and still be the same; None where nothing is to change."""
    words = "Numbers that differ by no more than this are the same:"
    text, is_chosen = QtWidgets.QInputDialog.getText(
        parent, "Tolerance", words, QtWidgets.QLineEdit.EchoMode.Normal, f"{now:g}"
    )
    if not is_chosen:
        return None
    try:
        found = float(text.replace(",", ".") or 0)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        dialogs.tell(parent, "The tolerance is a number, 0 or more.")
        return None
    return found


def learn(parent: QWidget, sides: Sequence[Document], now: Sequence[str]) -> tuple[str, ...] | None:
    """Ask for saves and propose what always changes; what is to be ignored then, None where nothing is to change."""
    folder = next((str(side.path.parent) for side in sides if side.path is not None), "")
    names, _ = QtWidgets.QFileDialog.getOpenFileNames(parent, "Learn from these saves", folder, "All files (*)")
    if not names:
        return None
    if len(names) < 2:
        dialogs.tell(parent, FEW)
        return None
    found: list[str] = []
    try:
        with dialogs.Waiting(parent, "Comparing the saves …") as waiting:
            saves = [Document.open(path) for path in sorted(map(Path, names), key=_written)]
            waiting.do(lambda: found.extend(learned(saves)))
    except FileProblem as problem:
        dialogs.tell(parent, str(problem))
        return None
    except MemoryError:
        dialogs.tell(parent, NO_ROOM)
        return None
    except Cancelled:
        return None
    if not found:
        dialogs.tell(parent, "Nothing differs between all of these saves.")
        return None
    words = f"These differ between each two of {len(names)} saves. {EXPLAINED}"
    dialog = IgnoredDialog(parent, tuple(dict.fromkeys((*now, *found))), "Learned from these saves", words)
    chosen = dialog.patterns if dialog.exec() else None
    dialog.deleteLater()
    return chosen


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
