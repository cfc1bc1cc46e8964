"""The merge window: what both sides changed is asked, the rest goes by itself, and ours gets it as one edit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.progress import Cancelled, Progress
from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.document.compare.comparing import compare
from viewer.document.compare.comparison_view import NO_ROOM
from viewer.document.compare.difference import DifferenceKind
from viewer.document.compare.difference_words import DifferenceLine, difference_line
from viewer.document.compare.merge_choices import MergeChoice, MergeDecision, decided
from viewer.document.compare.merging import FIELDWISE, MergeConflict, MergedSides, merge
from viewer.document.damage import has_error
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.ui import dialogs
from viewer.ui.compare.compare_host import ComparedSide, CompareHost
from viewer.ui.look.fonts import Size, fixed_font, scaled, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, in_title, plain_tip
from viewer.ui.panels.panel_widgets import PaneTitle
from viewer.ui.panels.row_table import RowTable, show_as_rows
from viewer.ui.viewport import fit_screen
from viewer.ui.worker import Job, Worker

SIZE = (1100, 680)
LEAST = (640, 420)
Index = QModelIndex | QPersistentModelIndex
CONFLICT_HEADINGS = ("Value", "Why you are asked", "Base", "Ours", "Theirs", "Result")
CONFLICT_WIDTHS = (210, 190, 150, 150, 150)
LEAST_COLUMN = 60
GOING_HEADINGS = ("Value", "What theirs changed")
MOST_GOING = 5000
UNDECIDED = "not decided"
CHOICE_WORDS = {MergeChoice.OURS: "ours", MergeChoice.THEIRS: "theirs", MergeChoice.BASE: "the base"}
MERGING = "Merging …"


@dataclass(frozen=True, slots=True, eq=False)
class _Merged:
    """What the thread found: the sides as they were read, the merge, and what goes by itself, in words."""

    base: Document
    ours: Document
    theirs: Document
    merge: MergedSides
    going: list[tuple[str, str]]


class ConflictModel(QAbstractTableModel):
    """The places that both sides changed, with what is decided about each.

    Attributes:
        conflicts: they; *decisions* by their numbers.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fixed, self._strong = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)
        self.conflicts: Sequence[MergeConflict] = ()
        self.decisions: dict[int, MergeDecision] = {}

    def show_conflicts(self, conflicts: Sequence[MergeConflict]) -> None:
        """List others; nothing is decided about them."""
        self.beginResetModel()
        self.conflicts, self.decisions = conflicts, {}
        self.endResetModel()

    def decide(self, number: int, decision: MergeDecision) -> None:
        """Decide about one."""
        self.decisions[number] = decision
        self.dataChanged.emit(self.index(number, 0), self.index(number, len(CONFLICT_HEADINGS) - 1))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        if self.conflicts:
            last = self.index(len(self.conflicts) - 1, len(CONFLICT_HEADINGS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def result(self, number: int) -> str:
        """What stands in a place then, in words."""
        decision, conflict = self.decisions.get(number), self.conflicts[number]
        if decision is None:
            return UNDECIDED
        match decision.choice:
            case MergeChoice.OURS:
                said = conflict.ours
            case MergeChoice.THEIRS:
                said = conflict.theirs
            case MergeChoice.BASE:
                said = conflict.base
            case MergeChoice.WRITTEN:
                return decision.text
        return f"{CHOICE_WORDS[decision.choice]}: {said or 'nothing'}"

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self.conflicts)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(CONFLICT_HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        conflict = self.conflicts[index.row()]
        sides = [said or "nothing" for said in (conflict.base, conflict.ours, conflict.theirs)]
        text = (conflict.path, conflict.about, *sides, self.result(index.row()))[index.column()]
        is_last = index.column() == len(CONFLICT_HEADINGS) - 1
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(text)
        if role == Qt.ItemDataRole.FontRole and index.column() != 1:
            return self._strong if is_last else self._fixed
        if role == Qt.ItemDataRole.ForegroundRole and is_last:
            return self._theme.state("warning" if index.row() not in self.decisions else "ok").fg
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return CONFLICT_HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class GoingModel(RowTable[tuple[str, str]]):
    """What theirs changed and goes by itself."""

    HEADINGS = GOING_HEADINGS

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self._fixed = fixed_font(Size.SECONDARY)

    def text(self, row: tuple[str, str], column: int) -> str:
        return row[column]

    def look(self, row: tuple[str, str], column: int, role: int) -> object:
        return self._fixed if role == Qt.ItemDataRole.FontRole else None


class MergeWindow(QDialog):
    """Merges what two sides made of a base into ours.

    Args:
        parent: the window.
        theme: the colours.
        base, ours, theirs: the sides.
        host: does the edit of ours.

    Attributes:
        model: the conflicts; *going* what goes by itself.
        found: what came of the sides, None until then.

    Signals:
        merged: the sides are merged and shown, or it was said why they cannot be.
        done_well: a sentence: ours has the merge now.
    """

    merged = Signal()
    done_well = Signal(str)

    def __init__(
        self,
        parent: QWidget | None,
        theme: Theme,
        base: ComparedSide,
        ours: ComparedSide,
        theirs: ComparedSide,
        host: CompareHost,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("mergeWindow")
        self.setWindowTitle(in_title(f"Merge {theirs.title} into {ours.title}"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fit_screen(self, SIZE, LEAST)
        self._sides, self._host = (base, ours, theirs), host
        self.found: _Merged | None = None
        self._revision = -1
        self.model, self.going = ConflictModel(theme, self), GoingModel(self)
        self.says = PlainLabel(MERGING)
        self.says.setWordWrap(True)
        self.titles = PaneTitle(theme, "Both changed these"), PaneTitle(theme, "Merged without asking")
        self.table = _table(self.model, "What both sides changed", CONFLICT_WIDTHS)
        self.list = _table(self.going, "What is merged automatically", (320,))
        self.buttons = {
            MergeChoice.OURS: _button("Take &Ours", "What is on our side stays"),
            MergeChoice.THEIRS: _button("Take &Theirs", "What is on their side comes to ours"),
            MergeChoice.BASE: _button("Take the &Base", "What was there before both changed it comes back"),
            MergeChoice.WRITTEN: _button("&Write…", "Write the value to put there"),
        }
        self.all_ours = _button("&All Ours", "Take ours wherever nothing is decided")
        self.all_theirs = _button("All T&heirs", "Take theirs wherever nothing is decided")
        self.accept_button = _button("&Merge", "Apply all of it to ours as one undo step")
        self.cancel_button = _button("Cancel", "Change nothing")
        self.accept_button.setDefault(True)
        self._worker = Worker(self)
        self._lay_out()
        self._connect()
        self.start()

    def _lay_out(self) -> None:
        for title in self.titles:
            title.close_button.hide()
        above, below = QWidget(), QWidget()
        column = QVBoxLayout(above)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.titles[0])
        column.addWidget(self.table, 1)
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.all_ours)
        row.addWidget(self.all_theirs)
        column.addLayout(row)
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.titles[1])
        column.addWidget(self.list, 1)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setHandleWidth(7)
        parts.setChildrenCollapsible(False)
        parts.addWidget(above)
        parts.addWidget(below)
        parts.setSizes([400, 220])
        last = QHBoxLayout()
        last.setContentsMargins(14, 8, 12, 10)
        last.setSpacing(8)
        last.addWidget(self.says, 1)
        last.addWidget(self.cancel_button)
        last.addWidget(self.accept_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(parts, 1)
        layout.addLayout(last)
        dialogs.give_room([self.accept_button])

    def _connect(self) -> None:
        for choice, button in self.buttons.items():
            button.clicked.connect(partial(self._choose, choice))
        self.all_ours.clicked.connect(partial(self.decide_rest, MergeChoice.OURS))
        self.all_theirs.clicked.connect(partial(self.decide_rest, MergeChoice.THEIRS))
        self.accept_button.clicked.connect(self.apply)
        self.cancel_button.clicked.connect(self.close)
        self.table.doubleClicked.connect(lambda _: self._choose(MergeChoice.WRITTEN))
        self.table.selectionModel().currentChanged.connect(lambda *_: self._tell())
        self._worker.finished.connect(self._take)
        for key, by in (("F7", 1), ("Shift+F7", -1)):
            QShortcut(QKeySequence(key), self, partial(self.step, by))
        QShortcut(QKeySequence("F5"), self, self.start)
        QShortcut(QKeySequence("Ctrl+W"), self, self.close)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.model.set_theme(theme)
        for title in self.titles:
            title.set_theme(theme)

    # Merging

    def start(self) -> None:
        """Merge the sides as they are now, beside the window; all decisions are forgotten."""
        twins = [side.document.twin() for side in self._sides]
        self._revision = self._sides[1].document.revision
        self.found = None
        self.model.show_conflicts(())
        self.going.show_rows(())
        self.says.setText(MERGING)
        self._tell_buttons()
        titles = [side.title for side in self._sides]
        self._worker.start(lambda progress: _merged(twins, titles, progress), paints_first=True)

    def _take(self, job: Job[_Merged]) -> None:
        if job.result is None:
            error = job.error
            said = NO_ROOM if isinstance(error, MemoryError) else str(error or "The merge was stopped.")
            self.says.setText("The merge was stopped." if isinstance(error, Cancelled) else said)
            self.merged.emit()
            return
        self.found = job.result
        self.model.show_conflicts(job.result.merge.conflicts)
        self.going.show_rows(job.result.going)
        names = zip(("base", "ours", "theirs"), self._sides, strict=True)
        sides = ", ".join(f"{word} {side.title}" for word, side in names)
        self.titles[0].detail.set_text(f"{counted(len(self.model.conflicts), 'place')} · {sides}")
        self.titles[1].detail.set_text(counted(job.result.merge.taken, "change"))
        if self.model.conflicts:
            self.table.selectRow(0)
            self.table.setFocus()
        self._tell()
        self.merged.emit()

    @property
    def undecided(self) -> list[int]:
        """The conflicts about which nothing is decided."""
        return [number for number in range(len(self.model.conflicts)) if number not in self.model.decisions]

    def _tell(self) -> None:
        left, found = len(self.undecided), self.found
        if found is None:
            return
        said = f"{counted(found.merge.taken, 'change')} of theirs automatically"
        if left:
            said += f"; {counted(left, 'place')} still to be decided."
        elif self.model.conflicts:
            said += "; all places are decided."
        else:
            said += "; nothing was changed on both sides." if found.merge.taken else "; there is nothing to merge."
        self.says.setText(said)
        self._tell_buttons()

    def _tell_buttons(self) -> None:
        number = self.table.currentIndex().row()
        is_there = 0 <= number < len(self.model.conflicts)
        has_step = is_there and self.model.conflicts[number].step is not None
        for choice, button in self.buttons.items():
            can = is_there and (choice is MergeChoice.OURS or has_step)
            if choice is MergeChoice.WRITTEN:
                can = can and self.model.conflicts[number].place is not None
            button.setEnabled(can)
        for button in (self.all_ours, self.all_theirs):
            button.setEnabled(bool(self.undecided))
        can_merge = self.found is not None and not self.undecided
        self.accept_button.setEnabled(can_merge and bool(self.found and (self.found.merge.taken or self._changes)))
        self.accept_button.setToolTip(plain_tip("Decide all places first" if self.undecided else "As one undo step"))

    @property
    def _changes(self) -> bool:
        """Whether a decision is another one than ours."""
        return any(each.choice is not MergeChoice.OURS for each in self.model.decisions.values())

    # Deciding

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) place that is not decided, or to the next one at all."""
        count, here = len(self.model.conflicts), self.table.currentIndex().row()
        around = [(here + by * far) % count for far in range(1, count + 1)] if count else []
        wanted = next((number for number in around if number in self.undecided), around[0] if around else -1)
        if wanted >= 0:
            self.table.selectRow(wanted)

    def _choose(self, choice: MergeChoice) -> None:
        number = self.table.currentIndex().row()
        if not 0 <= number < len(self.model.conflicts) or not self.buttons[choice].isEnabled():
            return
        text = ""
        if choice is MergeChoice.WRITTEN:
            found = self._asked(number)
            if found is None:
                return
            text = found
        self.decide(number, MergeDecision(choice, text))
        if self.undecided:
            self.step(1)

    def _asked(self, number: int) -> str | None:
        conflict = self.model.conflicts[number]
        known = self.model.decisions.get(number)
        offered = known.text if known is not None and known.text else conflict.ours
        words = f"The value of {conflict.path}:"
        text, is_chosen = QInputDialog.getText(self, "Write a value", words, QLineEdit.EchoMode.Normal, offered)
        return text if is_chosen else None

    def decide(self, number: int, decision: MergeDecision) -> None:
        """Decide about a place; what cannot stand there is told at once."""
        if decision.choice is MergeChoice.WRITTEN and self.found is not None:
            found = self.found
            why = decided(found.merge, found.base, found.ours, found.theirs, {number: decision}).failed.get(number)
            if why:
                self.says.setText(why)
                return
        self.model.decide(number, decision)
        self._tell()

    def decide_rest(self, choice: MergeChoice) -> None:
        """Take a side wherever nothing is decided; where theirs has no place on our side, that is left open."""
        for number in self.undecided:
            if choice is MergeChoice.OURS or self.model.conflicts[number].step is not None:
                self.model.decide(number, MergeDecision(choice))
        self._tell()

    def apply(self) -> None:
        """Do the merge to ours as one step of undo, and close."""
        found, ours = self.found, self._sides[1]
        if found is None or self.undecided:
            return
        if ours.document.revision != self._revision:
            self.start()
            self.says.setText("Ours was changed meanwhile; please decide again.")
            return
        try:
            out = decided(found.merge, found.base, found.ours, found.theirs, self.model.decisions)
        except EditError as error:
            self.says.setText(f"That cannot be merged: {error}")
            return
        if out.failed:
            number, why = next(iter(out.failed.items()))
            self.table.selectRow(number)
            self.says.setText(f"{self.model.conflicts[number].path} cannot be decided so: {why}")
            return
        problem = self._host.edit(ours.document, out.edit)
        if problem:
            self.says.setText(problem)
            return
        is_proved = bytes(ours.document.buffer[:]) == bytes(out.merged.buffer[:])
        proof = "read again, it says just that" if is_proved else "look at it before you save"
        said = f"Merged into “{ours.title}”: {proof}. Nothing is written before it is saved."
        self.done_well.emit(said)
        self.close()

    # Qt

    def done(self, result: int) -> None:
        self._leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)

    def _leave(self) -> None:
        self._worker.stop()
        self._worker.wait()
        self.found = None


def _merged(sides: Sequence[Document], titles: Sequence[str], progress: Progress) -> _Merged:
    """Read and merge the base, ours and theirs.

    Raises:
        EditError: one of them is damaged: what is broken in it would be taken for what its side wanted.
        Cancelled: *progress* said so.
    """
    for document, title in zip(sides, titles, strict=True):
        document.read_now(progress)
        if len(document.buffer) and has_error(document):
            raise EditError(f"“{escaped(title)}” cannot be merged: it is damaged. Repair it first.")
    base, ours, theirs = sides
    found = merge(base, ours, theirs, progress)
    yours = compare(base, theirs, FIELDWISE, progress)
    asked = {conflict.path for conflict in found.conflicts}
    going = []
    for row in yours.changes[:MOST_GOING]:
        line = difference_line(yours, row)
        if line.path not in asked and line.new_path not in asked:
            going.append((line.path or line.new_path, _going_words(line)))
    return _Merged(base, ours, theirs, found, going)


def _going_words(line: DifferenceLine) -> str:
    """What theirs changed in a place."""
    if line.kind is DifferenceKind.CHANGED and line.before and line.after:
        return f"{line.before} → {line.after}" + (f"  ({line.delta})" if line.delta else "")
    return str(line).partition(": ")[2] or line.kind.value


class _SharedTable(QTableView):
    """A table whose columns share its width, the last one too.

    Args:
        widths: what those before the last one want, in pixels.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        super().__init__()
        self._widths = widths

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() == event.size().width():
            return
        room, wanted = event.size().width(), sum(self._widths) + self._widths[-1]
        for column, width in enumerate(self._widths):
            self.setColumnWidth(column, max(LEAST_COLUMN, width * room // wanted))


def _table(model: QAbstractTableModel, name: str, widths: Sequence[int]) -> QTableView:
    table = _SharedTable([scaled(width) for width in widths])
    show_as_rows(table, model, name)
    return table


def _button(words: str, tip: str) -> QPushButton:
    button = QPushButton(words)
    button.setAutoDefault(False)
    button.setFont(ui_font())
    button.setToolTip(plain_tip(tip))
    return button
