"""What a person can say about packets that was not recognised: what ports carry, whose rules hold, names of methods."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from viewer.document.packets.conversation import Told
from viewer.ui.packets.commands import Slots
from viewer.ui.packets.dialogs import EndsDialog
from viewer.ui.packets.pane import PacketsPane


class MeaningActions(QObject):
    """Asks, and hands on what was said.

    Args:
        pane: the packets.

    Attributes:
        told: all that was said so far about what is listed.

    Signals:
        said: ``Told``: a person said something else; the packets should be read again.
    """

    said = Signal(object)

    def __init__(self, pane: PacketsPane) -> None:
        super().__init__(pane)
        self._pane = pane
        self.told = Told()

    def slots(self) -> Slots:
        """The actions by name."""
        return {"ports": self.ask_ports, "methods": self.ask_methods}

    def ask_ports(self) -> None:
        """Ask what a port carries; the port of the chosen packet's server is offered."""
        from viewer.ui.packets.meaning_dialogs import PortsDialog

        packet = self._pane.packet
        port = None
        if packet is not None:
            port = (packet.target if packet.to_server else packet.source).port
        self._ask(PortsDialog(self._pane.window(), self.told, port))

    def ask_methods(self) -> None:
        """Ask for the names of methods."""
        from viewer.ui.packets.meaning_dialogs import MethodsDialog

        self._ask(MethodsDialog(self._pane.window(), self.told))

    def _ask(self, dialog: EndsDialog) -> None:
        dialog.answered.connect(self.tell)
        dialog.show()

    def tell(self, told: Told) -> None:
        """Take what a person says."""
        if told != self.told:
            self.told = told
            self.said.emit(told)
