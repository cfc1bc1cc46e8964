"""Shrinking bytes that fail to the smallest ones that fail alike, and handing those on."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.base.diagnostic import Severity
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.base.words import counted, grouped, grouped_in
from viewer.document.document import Document
from viewer.document.export.failing import as_gdscript, as_hex, as_literal
from viewer.document.pieces.framing import Frame
from viewer.document.shrink import CUT_SHORT, first_error, shrunk
from viewer.document.viewmodel.repairs import engine_of
from viewer.ui.dialogs import MARGIN
from viewer.ui.doctor.doctor_widgets import Words
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.worker import Job, Worker
from viewer.variant.dialect import Dialect

SIZE = (640, 420)
TICK = 150
"""Milliseconds between two words about how far it is."""


@dataclass(frozen=True, slots=True)
class ShrinkResult:
    """What came of shrinking, and what is wrong with it in a sentence."""

    data: bytes
    error: str
    hex: str
    literal: str | None
    test: str


def failing_frame(document: Document, offset: int) -> Frame | None:
    """The frame at *offset* if its value has an error, else the first one that has; None where none has."""
    here = document.frame_at(offset)
    frames = [document.frames[here]] if here >= 0 else []
    return next((frame for frame in (*frames, *document.frames) if _fails(frame)), None)


def _fails(frame: Frame) -> bool:
    return any(found.severity is Severity.ERROR for found in frame.table.diagnostics)


def _error(data: bytes, dialect: Dialect) -> str:
    found = first_error(data, dialect)
    return "" if found is None else grouped_in(found.message)


class ShrinkDialog(QDialog):
    """Works as soon as it is shown, says how far it is, and offers the result.

    Args:
        parent: the window.
        document: whose bytes.
        frame: the value that fails.
        theme: the colours.

    Signals:
        tab_asked: ``bytes``: the result is to be opened in a tab of its own.
    """

    tab_asked = Signal(object)

    def __init__(self, parent: QWidget, document: Document, frame: Frame, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("shrinkDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Shrink failing bytes")
        self.resize(*SIZE)
        payload = frame.cut.payload
        self._data = bytes(document.buffer[payload.start : payload.end])
        self._dialect = document.dialect
        self.result_bytes: ShrinkResult | None = None
        self._enough = False
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self._tick = QTimer(self, interval=TICK)
        self._tick.timeout.connect(self._tell)
        self.says = Words(theme, f"{self._whole()}. Looking for fewer bytes that fail in the same way …")
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font(Size.SECONDARY))
        self.text.setAccessibleName("The smallest input found")
        self._lay_out()
        self.text.setFocus()

    def _lay_out(self) -> None:
        self._copies = QHBoxLayout()
        self._copies.setSpacing(8)
        self.hex_button = self._button("Copy as &Hex", "")
        self.literal_button = self._button("Copy as &Literal", "")
        self.test_button = self._button("Copy as &GDScript Test", "A function that fails as long as the engine refuses")
        self.tab_button = self._button("Open in a New &Tab", "")
        self._copies.addStretch(1)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.stop_button = self._buttons.addButton("&Stop Here", QDialogButtonBox.ButtonRole.ActionRole)
        self.stop_button.setToolTip("Look no further, and take the smallest input found so far")
        self.stop_button.clicked.connect(self.stop)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN - 4, MARGIN, MARGIN - 4)
        column.setSpacing(12)
        column.addWidget(self.says)
        column.addWidget(self.bar)
        column.addWidget(self.text, 1)
        column.addLayout(self._copies)
        column.addWidget(self._buttons)

    def _button(self, words: str, tip: str) -> QPushButton:
        button = QPushButton(words)
        button.setToolTip(plain_tip(tip))
        button.setEnabled(False)
        button.setAutoDefault(False)
        self._copies.addWidget(button)
        return button

    def start(self) -> None:
        """Show it and begin."""
        data, dialect, engine = self._data, self._dialect, engine_of(self._dialect)

        def work(goes_on: Progress) -> ShrinkResult:
            found = shrunk(data, dialect, None, partial(self._goes_on, goes_on))
            small = found.data
            return ShrinkResult(
                small,
                f"{_error(small, dialect)} {CUT_SHORT if found.cut_short else ''}".strip(),
                as_hex(small),
                as_literal(small, dialect),
                as_gdscript(small, dialect, engine),
            )

        self._worker.start(work)
        self._tick.start()
        self.open()

    def stop(self) -> None:
        """Take what there is."""
        self._enough = True

    def _goes_on(self, goes_on: Progress, size: int) -> bool:
        return goes_on(size) and not self._enough

    def _whole(self) -> str:
        """How many bytes fail before any is taken away."""
        return f"{counted(len(self._data), 'byte')} {'fails' if len(self._data) == 1 else 'fail'}"

    def _tell(self) -> None:
        job = self._worker.job
        if job is not None and job.reached:
            self.says.setText(f"{self._whole()}; {grouped(job.reached)} still do so …")

    def _take(self, job: Job[ShrinkResult]) -> None:
        self._tick.stop()
        self.bar.hide()
        self.stop_button.hide()
        if job.error is not None:
            self.says.setText(str(job.error))
            if not isinstance(job.error, ValueError):
                raise job.error
            return
        assert job.result is not None
        self._show(job.result)

    def _show(self, small: ShrinkResult) -> None:
        self.result_bytes = small
        fails = "fails" if len(small.data) == 1 else "fail"
        whole = counted(len(self._data), "byte")
        self.says.setText(f"{grouped(len(small.data))} of {whole} {fails} in the same way. {small.error}".strip())
        self.text.setPlainText(small.hex)
        for button, text in (
            (self.hex_button, small.hex),
            (self.literal_button, small.literal),
            (self.test_button, small.test),
        ):
            button.setEnabled(text is not None)
            if text is None:
                button.setToolTip("The value is too broken to be written as text")
            else:
                button.clicked.connect(partial(self._copy, text))
        self.tab_button.setEnabled(True)
        self.tab_button.clicked.connect(self._open_tab)
        self.hex_button.setFocus()

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _open_tab(self) -> None:
        assert self.result_bytes is not None
        self.accept()
        self.tab_asked.emit(self.result_bytes.data)

    # Qt

    def done(self, result: int) -> None:
        self._tick.stop()
        self._enough = True
        self._worker.stop()
        super().done(result)
