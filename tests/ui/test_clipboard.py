"""Which files are dragged or copied."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl

from viewer.ui.clipboard import files_in


def test_only_local_names_that_a_system_can_have_are_files(tmp_path: Path) -> None:
    data = QMimeData()
    local = QUrl.fromLocalFile(str(tmp_path / "a.save"))
    data.setUrls([QUrl("https://example.org/a.save"), QUrl("file:///a%00b"), local])
    assert files_in(data) == [tmp_path / "a.save"]
    assert files_in(QMimeData()) == []
