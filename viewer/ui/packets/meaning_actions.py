"""What a person can say about the bytes of packets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from viewer.ui.packets.commands import Slots
from viewer.ui.packets.pane import PacketsPane


class MeaningActions(QObject):
    """Stub."""

    def __init__(self, pane: PacketsPane, say: Callable[[str], None]) -> None:
        super().__init__(pane)

    def slots(self) -> Slots:
        """The actions by name."""
        return {}

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        return ""
