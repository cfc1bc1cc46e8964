"""What several tests of documents share."""

from __future__ import annotations

import pytest
from document.engine4_save import Save
from engine4 import Godot


@pytest.fixture(scope="session")
def save4(godot4: Godot) -> Save:
    """A save of Godot 4, written and read by the engine itself."""
    return Save.of(godot4)
