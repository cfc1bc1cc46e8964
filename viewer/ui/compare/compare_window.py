"""The compare window: two documents beside each other, by value, with what can be done about what differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QSplitter, QVBoxLayout, QWidget

from viewer.base.diagnostic import Severity
from viewer.base.progress import Cancelled, Progress
from viewer.base.record import replace
from viewer.base.words import counted
from viewer.document.compare.aligned_rows import AlignedRows
from viewer.document.compare.comparison_view import (
    NO_ROOM,
    all_types,
    compared_twins,
    differing_spans,
    notes,
    paired_collection,
    place_in_file,
    told,
)
from viewer.document.compare.difference import CompareOptions, DifferenceKind, DocumentComparison
from viewer.document.compare.difference_words import WordPiece, by_words, long_texts
from viewer.document.compare.taking import TakenSide, take
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.path import PathError, format_path, parse_path
from viewer.ui.clipboard import files_in
from viewer.ui.compare.change_strip import ChangeStrip
from viewer.ui.compare.compare_bytes import SideBytes
from viewer.ui.compare.compare_head import CompareHead, SideTitle
from viewer.ui.compare.compare_host import ComparedSide, CompareHost
from viewer.ui.compare.compare_menus import CompareMenus
from viewer.ui.compare.compare_model import CompareModel
from viewer.ui.compare.compare_trees import CompareTrees
from viewer.ui.compare.detail_bar import DetailBar
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, in_title, plain_tip
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.panel_widgets import FlatButton
from viewer.ui.viewport import fit_screen
from viewer.ui.worker import Job, Worker
from viewer.variant.items import Item

SIZE = (1180, 760)
LEAST = (640, 420)
PATIENCE = 300
"""Milliseconds of work before a bar with Cancel is shown."""
SOON = 120
"""Milliseconds that several changes wait before everything is compared again."""
TREES_SHARE = 0.58
"""The share of the height that the trees have at first."""
MOST_TEXT = 1 << 16
FIRST_OPENED = 64
"""So many differences are looked for before the tree is shown, to have their rows open."""
NOTHING_THERE = "Nothing there differs."


class CompareWindow(QDialog):
    """Compares two documents beside the window that it was opened from.

    Args:
        parent: that window.
        theme: the colours.
        old, new: the sides.
        host: edits, and remembers what is ignored; None where nothing can be edited.

    Attributes:
        sides: the two.
        comparison: what came of it, None until then.
        options: what is asked of the comparison.
        shown: the numbers of the differences that are shown.

    Signals:
        compared: everything is compared and shown.
    """

    compared = Signal()

    def __init__(
        self,
        parent: QWidget | None,
        theme: Theme,
        old: ComparedSide,
        new: ComparedSide,
        host: CompareHost | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("compareWindow")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(host is not None)
        fit_screen(self, SIZE, LEAST)
        self._theme, self.host = theme, host
        self.sides = (old, new)
        self.options = CompareOptions(ignore=host.ignored(new.document) if host is not None else ())
        self.comparison: DocumentComparison | None = None
        self.shown: list[int] = []
        self.folds = True
        self._revisions = (-1, -1)
        self._expected = ""
        self._is_shared = False
        self._at = 0
        self._edited: Document | None = None
        self.model = CompareModel(self)
        self.head = CompareHead(theme)
        self.banner = Banner(theme)
        self.titles = SideTitle(theme, "Alt+Right"), SideTitle(theme, "Alt+Left")
        self.trees = CompareTrees(self.model, theme, self)
        self.strip = ChangeStrip(theme)
        self.detail = DetailBar(theme)
        self.bytes = SideBytes(theme, "Bytes of the old side", self), SideBytes(theme, "Bytes of the new side", self)
        self.says = PlainLabel()
        self.says.setFont(ui_font(Size.SECONDARY))
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(120)
        self.cancel = FlatButton(theme, "Cancel")
        self._worker = Worker(self)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._soon = QTimer(self, singleShot=True, interval=SOON)
        self.menus = CompareMenus(self)
        self._lay_out()
        self._connect()
        self._name()
        self.compare()

    # Building

    def _lay_out(self) -> None:
        halves = QSplitter(Qt.Orientation.Horizontal)
        for title, tree in zip(self.titles, (self.trees.old, self.trees.new), strict=True):
            half = QWidget()
            column = QVBoxLayout(half)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(title)
            column.addWidget(tree, 1)
            halves.addWidget(half)
        upper = QWidget()
        row = QHBoxLayout(upper)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(halves, 1)
        row.addWidget(self.strip)
        lower = QSplitter(Qt.Orientation.Horizontal)
        for each in self.bytes:
            lower.addWidget(each.view)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.detail)
        column.addWidget(lower, 1)
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.addWidget(upper)
        self.parts.addWidget(below)
        self.parts.setStretchFactor(0, round(100 * TREES_SHARE))
        self.parts.setStretchFactor(1, round(100 * (1 - TREES_SHARE)))
        for splitter in (halves, lower, self.parts):
            splitter.setHandleWidth(7)
            splitter.setChildrenCollapsible(False)
        halves.setSizes([1000, 1000])
        lower.setSizes([1000, 1000])
        status = QHBoxLayout()
        status.setContentsMargins(14, 3, 8, 3)
        status.setSpacing(8)
        status.addWidget(self.says, 1)
        status.addWidget(self.bar)
        status.addWidget(self.cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.banner)
        layout.addWidget(self.parts, 1)
        layout.addLayout(status)
        self.bar.hide()
        self.cancel.hide()

    def _connect(self) -> None:
        self.head.filter_changed.connect(self._filter)
        self.head.step_wanted.connect(self.step)
        self.head.path.left.connect(self.trees.old.setFocus)
        self.head.options.clicked.connect(self.menus.pop_up_options)
        self.strip.wanted.connect(self.go_to_shown)
        self.trees.current_changed.connect(self._tell_row)
        self.detail.pairing_wanted.connect(self.menus.pop_up_pairings)
        self.cancel.clicked.connect(self.stop)
        self._worker.finished.connect(self._take_comparison)
        self._patience.timeout.connect(partial(self._show_bar, True))
        self._soon.timeout.connect(self.compare)
        for is_new, (title, each) in enumerate(zip(self.titles, self.bytes, strict=True)):
            title.take.clicked.connect(partial(self.take_selected, bool(is_new)))
            title.take_all.clicked.connect(partial(self.take_all, bool(is_new)))
            each.item_chosen.connect(partial(self._go_to_item, bool(is_new)))
        for tree in (self.trees.old, self.trees.new):
            tree.menu_requested.connect(self.menus.pop_up_row)
        keys: tuple[tuple[str, Callable[[], object]], ...] = (
            ("F7", partial(self.step, 1)),
            ("Shift+F7", partial(self.step, -1)),
            ("Alt+Right", partial(self.take_selected, False)),
            ("Alt+Left", partial(self.take_selected, True)),
            ("Ctrl+Z", self.undo),
            ("Ctrl+F", self.head.path.setFocus),
            ("F5", self.compare),
            ("Alt+O", self.menus.pop_up_options),
            ("Alt+P", self.menus.pop_up_pairings),
            ("F6", self._next_pane),
            ("Ctrl+W", self.close),
        )
        for key, do in keys:
            QShortcut(QKeySequence(key), self, do)

    def _name(self) -> None:
        old, new = self.sides
        self.setWindowTitle(in_title(f"{old.title} → {new.title}"))
        for title, side in zip(self.titles, self.sides, strict=True):
            title.title.set_text(side.title)
        self._tell_takes()

    def _tell_takes(self) -> None:
        for is_new, title in enumerate(self.titles):
            why = self.why_not_take(bool(is_new))
            for button in (title.take, title.take_all):
                button.setEnabled(not why)
                if why:
                    button.setToolTip(plain_tip(why))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.head, self.banner, self.trees, self.strip, self.detail, self.cancel, *self.titles):
            part.set_theme(theme)
        for each in self.bytes:
            each.set_theme(theme)

    # Comparing

    def compare(self) -> None:
        """Compare the sides as they are now, beside the window."""
        self._soon.stop()
        twins = self.sides[0].document.twin(), self.sides[1].document.twin()
        self._revisions = self._now()
        if self.comparison is None:
            for each, twin in zip(self.bytes, twins, strict=True):
                each.show(twin, [])
        options = self.options

        def work(progress: Progress) -> DocumentComparison:
            return compared_twins(*twins, options, progress)

        self.says.setText("Comparing …")
        self._patience.start()
        self._worker.start(work, paints_first=True)

    def _now(self) -> tuple[int, int]:
        return self.sides[0].document.revision, self.sides[1].document.revision

    def look_again(self) -> None:
        """A document may have changed: compare again where one of the sides has."""
        if self._now() != self._revisions:
            self._soon.start()

    def exchange(self, old: Document, new: Document) -> None:
        """A document that is compared was read again: go on with that one."""
        if any(side.document is old for side in self.sides):
            sides = [replace(side, document=new) if side.document is old else side for side in self.sides]
            self.show_sides(sides[0], sides[1])

    def show_sides(self, old: ComparedSide, new: ComparedSide) -> None:
        """Compare other documents."""
        self.sides = (old, new)
        self._name()
        self.compare()

    def stop(self) -> None:
        """Give the comparison up."""
        self._worker.stop()
        self._show_bar(False)
        self.says.setText("The comparison was stopped. F5 begins again.")

    def _show_bar(self, is_on: bool) -> None:
        self._patience.stop()
        self.bar.setVisible(is_on)
        self.cancel.setVisible(is_on)

    def _take_comparison(self, job: Job[DocumentComparison]) -> None:
        self._show_bar(False)
        if job.result is None:
            said = NO_ROOM if isinstance(job.error, MemoryError) else "The comparison was stopped."
            if job.error is not None and not isinstance(job.error, MemoryError | Cancelled):
                said = f"These cannot be compared: {job.error}"
            self.says.setText(said)
            self.banner.tell(said, Severity.ERROR)
            self._expected = ""
            return
        here = self.here()
        self.comparison = job.result
        self._show_notes(job.result)
        self.head.show_counts(job.result, all_types(job.result))
        self._show(here)
        self.compared.emit()
        self.look_again()

    def _show_notes(self, comparison: DocumentComparison) -> None:
        said = notes(comparison, (self.sides[0].title, self.sides[1].title))
        for side in self.sides:
            if side.document.changed_on_disk:
                said.insert(0, f"Another program has written “{side.title}” since it was read.")
        if said:
            self.banner.tell(" ".join(said), Severity.WARNING if len(said) > 1 else Severity.NOTE)
        else:
            self.banner.hide()

    # Showing

    def _filter(self) -> None:
        if self.comparison is not None:
            self._show(self.here())

    def _show(self, here: tuple[str, str]) -> None:
        """Show the differences that are wanted; *here* is where a person was."""
        comparison = self.comparison
        assert comparison is not None
        self.shown = self.head.filter.chosen(comparison)
        rows = AlignedRows(comparison, self.shown, self.folds)
        self.model.show(rows)
        for is_new, each in enumerate(self.bytes):
            document = comparison.new if is_new else comparison.old
            each.show(document, differing_spans(comparison, self.shown, bool(is_new)))
        self.strip.show_marks(
            [(place_in_file(comparison, comparison.rows[k]), comparison.rows[k].kind) for k in self.shown]
        )
        self._open_first(rows)
        self._tell_all()
        at = max(0, min(self._at, len(self.shown) - 1))
        if not self._go_back(here) and self.shown:
            self.go_to_shown(at)
        elif not self.shown:
            self._open_top()
            self._tell_row()

    def _open_top(self) -> None:
        for row in range(min(8, self.model.rowCount())):
            self.trees.old.setExpanded(self.model.index(row, 0), True)

    def _open_first(self, rows: AlignedRows) -> None:
        """Have the rows open that the first differences lie in."""
        for number in self.shown[:FIRST_OPENED]:
            place = rows.place_of(number)
            if place is not None:
                self.trees.open_to(self.model.index_at(place))

    def here(self) -> tuple[str, str]:
        """Where a person is, as the paths of both sides."""
        current, comparison = self.trees.current, self.comparison
        if not current.isValid() or comparison is None or self.model.rows is None:
            return "", ""
        row = self.model.row(current)
        if row.folded:
            return "", ""
        return (
            format_path(comparison.old, row.old) if row.old is not None else "",
            format_path(comparison.new, row.new) if row.new is not None else "",
        )

    def _go_back(self, here: tuple[str, str]) -> bool:
        """Go to where a person was; False where that is not there any more."""
        comparison, rows = self.comparison, self.model.rows
        assert comparison is not None
        assert rows is not None
        for is_new in (True, False):
            path = here[is_new]
            if not path:
                continue
            try:
                item = parse_path(comparison.new if is_new else comparison.old, path)
            except PathError:
                continue
            if self._go_to_item(is_new, item, is_folded_too=False):
                return True
        return False

    def _go_to_item(self, is_new: bool, item: Item, is_folded_too: bool = True) -> bool:
        """Go to the row of a value, one that is folded away only where that is wanted; False where there is none."""
        rows = self.model.rows
        place = rows.place_of_item(is_new, Item(item.frame, item.node)) if rows is not None else None
        if rows is None or place is None or not (is_folded_too or not rows.is_folded(place)):
            return False
        self.trees.go_to(self.model.index_at(place))
        return True

    def _tell_all(self) -> None:
        comparison = self.comparison
        assert comparison is not None
        self._tell_takes()
        counted_all = len(comparison.changes)
        said = "The values are equal." if comparison.is_equal else counted(counted_all, "difference") + "."
        written = comparison.count(DifferenceKind.WRITTEN)
        if written:
            said += f" {counted(written, 'place')} only written otherwise, folded away."
        if comparison.ignored:
            said += f" {counted(comparison.ignored, 'difference')} ignored, as you asked (Alt+O)."
        hidden = sum(1 for row in comparison.changes) - sum(
            1 for k in self.shown if comparison.rows[k].kind is not DifferenceKind.WRITTEN
        )
        if hidden:
            said += f" {counted(hidden, 'difference')} filtered out."
        if self._expected:
            said = f"{self._expected} Read again: {said[0].lower()}{said[1:]}"
            self._expected = ""
        self.says.setText(said)

    # The current row

    @property
    def current_difference(self) -> int:
        """The number of the difference that the current row is, -1 for none."""
        current = self.trees.current
        return self.model.row(current).difference if current.isValid() and self.model.rows is not None else -1

    def _tell_row(self) -> None:
        current, comparison = self.trees.current, self.comparison
        if comparison is None or self.model.rows is None or not current.isValid():
            self.detail.tell("", "", "")
            self.detail.show_text([])
            self._tell_place(-1)
            return
        row = self.model.row(current)
        self._select_bytes(current)
        if row.folded:
            inside = "of which some differ" if row.holds else "in which nothing that is shown differs"
            self.detail.tell("", f"{counted(row.folded, 'row')} {inside}", "")
            self.detail.show_text([])
            return
        item, document = (row.new, comparison.new) if row.new is not None else (row.old, comparison.old)
        path = format_path(document, item) if item is not None else ""
        words = told(comparison, row.difference) if row.difference >= 0 else ""
        if not words:
            words = "something differs inside" if row.holds else "the same on both sides"
        collection = paired_collection(comparison, row.old)
        self.detail.tell(path, words, collection.words if collection is not None else "")
        self.detail.pairing.setEnabled(collection is not None and bool(collection.choices))
        texts = long_texts(comparison, comparison.rows[row.difference]) if row.difference >= 0 else None
        self.detail.show_text(_bounded(by_words(*texts)) if texts is not None else [])
        self._tell_place(row.difference)

    def _select_bytes(self, current: object) -> None:
        row = self.model.row(self.trees.current)
        for is_new, each in enumerate(self.bytes):
            item = row.new if is_new else row.old
            if row.is_run and self.comparison is not None and item is not None:
                difference = self.comparison.rows[row.difference]
                run = difference.new_run if is_new else difference.old_run
                item = Item(item.frame, item.node, f"[{run.start}]") if run else None
            each.select(None if row.folded else item)

    def _tell_place(self, difference: int) -> None:
        at = self.shown.index(difference) if difference in self.shown else -1
        self._at = at if at >= 0 else self._at
        self.head.show_place(at, len(self.shown))
        self.strip.set_current(at)

    # Going

    def go_to_shown(self, number: int) -> None:
        """Go to one of the differences that are shown, by its number among them."""
        rows = self.model.rows
        if rows is None or not 0 <= number < len(self.shown):
            return
        place = rows.place_of(self.shown[number])
        if place is not None:
            self.trees.go_to(self.model.index_at(place))
            self._tell_place(self.shown[number])

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) difference, around the end."""
        if not self.shown:
            return
        here = self.current_difference
        at = self.shown.index(here) if here in self.shown else -1 if by > 0 else 0
        self.go_to_shown((at + by) % len(self.shown))

    def _next_pane(self) -> None:
        panes: tuple[QWidget, ...] = (self.trees.old, self.bytes[0].view, self.bytes[1].view, self.head.path)
        at = next((number for number, pane in enumerate(panes) if pane.hasFocus()), -1)
        panes[(at + 1) % len(panes)].setFocus(Qt.FocusReason.TabFocusReason)

    # Taking

    def why_not_take(self, is_new: bool) -> str:
        """Why this side cannot be taken, empty where it can."""
        if self.host is None:
            return "These are states that were kept: they cannot be edited here"
        return self.sides[not is_new].fixed

    def selected_differences(self) -> list[int]:
        """The differences of the selected rows, and of what lies in them."""
        comparison, rows = self.comparison, self.model.rows
        if comparison is None or rows is None:
            return []
        found: set[int] = set()
        chosen: tuple[set[tuple[int, int]], set[tuple[int, int]]] = set(), set()
        for index in self.trees.selected():
            row = rows.row(index.internalId(), index.row())
            if row.difference >= 0:
                found.add(row.difference)
            if row.folded or row.is_run:
                continue
            for is_new, item in enumerate((row.old, row.new)):
                if item is not None and item.frame >= 0 and item.node >= 0 and not item.part:
                    chosen[is_new].add((item.frame, item.node))
        for number in self.shown:
            difference = comparison.rows[number]
            for document, item, held in (
                (comparison.old, difference.old, chosen[0]),
                (comparison.new, difference.new, chosen[1]),
            ):
                if item is not None and _lies_in(document, item, held):
                    found.add(number)
        return sorted(found)

    def take_selected(self, is_new: bool) -> None:
        """Let the other side say of the selected rows what this side says."""
        self._take(is_new, self.selected_differences())

    def take_all(self, is_new: bool) -> None:
        """The same with all differences that are shown."""
        self._take(is_new, self.shown)

    def _take(self, is_new: bool, numbers: Sequence[int]) -> None:
        comparison, host, why = self.comparison, self.host, self.why_not_take(is_new)
        if comparison is None or host is None or why:
            self.says.setText(f"{why}." if why else "")
            return
        if self._now() != self._revisions:
            self.says.setText("One side has just changed: look at the new comparison first.")
            self._soon.start()
            return
        rows = [comparison.rows[k] for k in numbers if comparison.rows[k].kind is not DifferenceKind.WRITTEN]
        if not rows:
            self.says.setText(NOTHING_THERE)
            return
        if not is_new:
            comparison, rows = comparison.turned(), [row.turned() for row in rows]
        target = self.sides[not is_new]
        try:
            made = take(comparison, rows)
        except EditError as error:
            self.says.setText(f"That cannot be taken: {error}")
            return
        if not made.edit.does_something:
            self.says.setText("That has no place on the other side: take what holds it.")
            return
        refused = host.edit(target.document, made.edit)
        if refused:
            self.says.setText(refused)
            return
        self._edited = target.document
        self._expected = _taken_words(made, len(rows), target.title)
        self.compare()

    def undo(self) -> None:
        """Take back what was taken last."""
        if self._edited is not None and self.host is not None:
            self.host.undo(self._edited)
            self.look_again()

    # Options

    def choose_options(self, options: CompareOptions) -> None:
        """Ask something else of the comparison."""
        if options != self.options:
            self.options = options
            self.compare()

    def ignore(self, patterns: Sequence[str], keeps: bool = True) -> None:
        """Ignore these paths from now on, and no others; *keeps* remembers them for the folder of the new side."""
        if keeps and self.host is not None:
            problem = self.host.keep_ignored(self.sides[1].document, patterns)
            if problem:
                self.says.setText(problem)
        self.choose_options(replace(self.options, ignore=tuple(patterns)))

    def pair_by(self, path: str, how: str) -> None:
        """Pair the rows of a collection in another way; empty is found."""
        chosen = {pattern: each for pattern, each in self.options.pair_by.items() if pattern != path}
        if how:
            chosen[path] = how
        self.choose_options(replace(self.options, pair_by=chosen))

    def fold(self, folds: bool) -> None:
        """Fold rows in which nothing differs, or show them all."""
        self.folds = folds
        self._filter()

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and not self._is_shared:
            self._is_shared = True
            trees = round(self.parts.height() * TREES_SHARE)
            self.parts.setSizes([trees, self.parts.height() - trees])
            self.trees.old.setFocus()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.host is not None and files_in(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """A file takes the place of the side that it is dropped on, two files that of both."""
        paths = files_in(event.mimeData())
        if self.host is None or not paths:
            return
        event.setDropAction(Qt.DropAction.CopyAction)  # the other program must not take its file away
        event.accept()
        found = [self.host.side_of(path) for path in paths[:2]]
        sides = [side for side in found if side is not None]
        if len(sides) == 2:
            self.show_sides(sides[0], sides[1])
        elif sides and len(paths) == 1:
            is_new = event.position().x() > self.width() / 2
            self.show_sides(*((self.sides[0], sides[0]) if is_new else (sides[0], self.sides[1])))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.comparison is not None:
            self._show_notes(self.comparison)

    def done(self, result: int) -> None:
        self._leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)

    def _leave(self) -> None:
        """Work no more, and let go of the documents."""
        self._patience.stop()
        self._soon.stop()
        self._worker.stop()
        self._worker.wait()
        for each in self.bytes:
            each.leave()
        self.model.show(None)
        self.comparison = None


def _taken_words(made: TakenSide, count: int, title: str) -> str:
    said = f"{counted(count, 'difference')} taken into “{title}”; nothing is written before it is saved."
    if made.left:
        said += f" {counted(len(made.left), 'difference')} had no place there."
    if made.losses:
        said += f" Lost by the other engine line: {made.losses[0]}"
    return said


def _lies_in(document: Document, item: Item, held: set[tuple[int, int]]) -> bool:
    """Whether an item is one of these values or lies in one."""
    if not held or item.frame < 0 or item.node < 0:
        return False
    parent, node = document.frames[item.frame].table.parent, item.node
    while (item.frame, node) not in held:
        if not node:
            return False
        node = parent[node]
    return True


def _bounded(pieces: list[WordPiece]) -> list[WordPiece]:
    """Pieces of a text that fit into a field."""
    out, room = [], MOST_TEXT
    for piece in pieces:
        if room <= 0:
            out.append(WordPiece(0, "…"))
            break
        out.append(WordPiece(piece.side, piece.text[:room]))
        room -= len(piece.text)
    return out
