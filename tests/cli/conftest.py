"""What the tests of the command line stand on."""

from __future__ import annotations

import pytest
from searched import examined_once


@pytest.fixture(autouse=True)
def _searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes are looked at by the doctor once, whatever is printed or written of what it found."""
    for module in ("viewer.document.doctor", "viewer.cli.doctor_command"):
        monkeypatch.setattr(f"{module}.examine", examined_once)
