"""Writing a report on the document: text, JSON or a page, as the file's name says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from viewer.base.progress import Progress
from viewer.document.disk import files
from viewer.document.disk.files import FileProblem
from viewer.document.doctor.likely import LikelyCause
from viewer.document.document import Document
from viewer.document.export.report import Report, report, report_json, report_text
from viewer.document.export.report_html import report_html
from viewer.ui import dialogs
from viewer.ui.worker import Job, Worker

FILTERS = {"Web page (*.html)": ".html", "Text (*.txt)": ".txt", "JSON (*.json)": ".json"}
PAGES = (".html", ".htm")


class ReportExport(QObject):
    """Asks for a file and writes the report into it, beside the window.

    Args:
        window: the parent of the dialogs.
        say: told in words what was done.
    """

    def __init__(self, window: QWidget, say: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._say = window, say
        self._filter = next(iter(FILTERS))
        self._worker = Worker(self)
        self._worker.finished.connect(self._done)

    def ask(self, document: Document, cause: LikelyCause | None = None) -> None:
        """Ask where to, and write."""
        start = document.path or Path.home() / (document.name or "packet")
        start = start.with_name(f"{start.name}.report{FILTERS[self._filter]}")
        name, chosen = QtWidgets.QFileDialog.getSaveFileName(
            self._window, "Export report", str(start), ";;".join(FILTERS), self._filter
        )
        if name:
            self._filter = chosen if chosen in FILTERS else self._filter
            path = Path(name)
            self.write(document, path if path.suffix else path.with_suffix(FILTERS[self._filter]), cause)

    def write(self, document: Document, path: Path, cause: LikelyCause | None = None) -> None:
        """Write a report, with what most probably went wrong."""

        def work(goes_on: Progress) -> Path:
            told = report(document, cause=cause)
            files.write(path, "".join(_pieces(told, path.suffix.lower())).encode("utf-8", "replace"))
            return path

        self._worker.start(work)

    def leave(self) -> None:
        """Wait until it is written; for the end of the program."""
        self._worker.wait()

    def _done(self, job: Job[Path]) -> None:
        if isinstance(job.error, FileProblem):
            dialogs.tell(self._window, str(job.error))
        elif job.error is not None:
            raise job.error
        elif job.result is not None:
            self._say(f"Wrote the report to “{job.result.name}”.")


def _pieces(told: Report, suffix: str) -> list[str]:
    """The report in the form that goes with a file name."""
    if suffix in PAGES:
        return list(report_html(told))
    if suffix == ".json":
        return [report_json(told), "\n"]
    return [f"{line}\n" for line in report_text(told)]
