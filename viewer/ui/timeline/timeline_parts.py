"""What the pages of the timeline's window are made of: lists, words and rows, and the timeline that they ask."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QResizeEvent, QStandardItem
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.progress import Cancelled
from viewer.base.unseen import escaped
from viewer.document.compare.difference import DifferenceKind
from viewer.document.path import PathError
from viewer.document.timeline.timeline import Timeline, TimelineProblem
from viewer.document.timeline.version_documents import VersionDocuments
from viewer.document.timeline.version_steps import PlaceChange
from viewer.ui.look.fonts import Size, pixels, ui_font
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.worker import Job

TURN = 0.005
"""Seconds between two looks whether nobody asks any more."""
FIRST_SHARE = 0.4
PATH_ROLE = Qt.ItemDataRole.UserRole + 1


class OpenTimeline:
    """A timeline with its documents, which one thread asks at a time.

    Args:
        timeline, documents: both.
    """

    def __init__(self, timeline: Timeline, documents: VersionDocuments) -> None:
        self.timeline, self.documents = timeline, documents
        self._lock = threading.Lock()
        self._asking = 0

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Ask for what a person waits for."""
        self._asking += 1
        try:
            with self._lock:
                yield
        finally:
            self._asking -= 1

    @contextlib.contextmanager
    def in_turn(self) -> Iterator[None]:
        """Ask for what nobody waits for, when nobody else asks."""
        while self._asking:
            time.sleep(TURN)
        with self._lock:
            yield

    @contextlib.contextmanager
    def at_once(self) -> Iterator[bool]:
        """Ask if that can be done without waiting; whether it can."""
        is_free = self._lock.acquire(blocking=False)
        try:
            yield is_free
        finally:
            if is_free:
                self._lock.release()


class FlatList(QTreeView):
    """A list of rows with columns.

    Attributes:
        first: how wide the first column wants to be, in pixels; in a narrow list it has no more than its share.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnWidth(0, min(self.first, round(self.viewport().width() * FIRST_SHARE)))


def flat_list(model: QAbstractItemModel, name: str, rest: int, widths: dict[int, int]) -> QTreeView:
    """A list of rows with columns; *rest* has what the *widths* of the others leave, in pixels at a font of 13."""
    tree = FlatList()
    tree.setModel(model)
    tree.setAccessibleName(name)
    tree.setRootIsDecorated(False)
    tree.setUniformRowHeights(True)
    tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    header = tree.header()
    header.setStretchLastSection(False)
    header.setHighlightSections(False)
    header.setSectionResizeMode(rest, QHeaderView.ResizeMode.Stretch)
    scale = pixels(Size.UI) / 13
    for column, width in widths.items():
        tree.setColumnWidth(column, round(width * scale))
    tree.first = round(widths[0] * scale)
    return tree


def line_of_words() -> PlainLabel:
    """A sentence over a list."""
    label = PlainLabel()
    label.setFont(ui_font(Size.SECONDARY))
    label.setWordWrap(True)
    return label


def button(text: str, tip: str, slot: Callable[[], object]) -> QPushButton:
    """A button that does something."""
    made = QPushButton(text)
    made.setAutoDefault(False)
    made.setToolTip(plain_tip(tip))
    made.clicked.connect(lambda: slot())
    return made


def is_told(job: Job[Any], words: PlainLabel) -> bool:
    """Whether a job failed in a way that a person can be told; other failures are raised."""
    if isinstance(job.error, TimelineProblem | PathError):
        words.setText(escaped(str(job.error)))
        return True
    if isinstance(job.error, Cancelled):
        return True
    if job.error is not None:
        raise job.error
    return False


def change_words(change: PlaceChange) -> str:
    """What became of a value, its new state last."""
    delta = f"  ({change.delta})" if change.delta else f"  ({change.about})" if change.about else ""
    if change.kind is DifferenceKind.CHANGED:
        return f"{change.before} → {change.after}{delta}"
    return f"{change.kind.value}: {change.after or change.before}"


def cells(*texts: str) -> list[QStandardItem]:
    """A row; its first cell knows its text as it is."""
    out = []
    for text in texts:
        cell = QStandardItem(escaped(text))
        cell.setToolTip(plain_tip(text))
        out.append(cell)
    out[0].setData(texts[0], PATH_ROLE)
    return out


def row(*widgets: QWidget, stretch: bool = False, end: bool = False) -> QHBoxLayout:
    """Widgets beside each other; the first one has the rest of the room with *stretch*, or all stand at the end."""
    layout = QHBoxLayout()
    layout.setSpacing(8)
    if end:
        layout.addStretch(1)
    for number, widget in enumerate(widgets):
        layout.addWidget(widget, int(stretch and not number))
    return layout


def column(holder: QWidget, *parts: QWidget | QHBoxLayout, inner: int = 0) -> None:
    """Widgets and rows below each other in a holder."""
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(inner, inner, 0 if inner else 8, 0)
    layout.setSpacing(8)
    for part in parts:
        if isinstance(part, QHBoxLayout):
            layout.addLayout(part)
        else:
            layout.addWidget(part, int(isinstance(part, QTreeView | QSplitter)))
