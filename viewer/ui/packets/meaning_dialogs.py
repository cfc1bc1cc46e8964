"""The dialogs in which a person says what bytes are: what a port carries, by which rules, names of methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6 import QtWidgets
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from viewer.document.packets.conversation import Carries, Told
from viewer.document.packets.message import Protocol
from viewer.document.packets.paths import MethodNames
from viewer.document.packets.typed_ends import TypedEndError, parse_port
from viewer.document.shown.counts import counted
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.packets.dialogs import EndsDialog
from viewer.variant.dialect import available, load

BY_ITSELF = "Recognise it"
CARRIES = {
    Carries.VALUES: "Values (put_var on UDP or TCP)",
    Carries.ENET: "ENet",
    Carries.WEBSOCKET: "WebSocket",
    Carries.BYTES: "Bytes of another kind",
}
PROTOCOLS = tuple(protocol for protocol in Protocol if protocol is not Protocol.UNKNOWN)
SUM_SHOWN = 8
NAMES_HEIGHT = 160
NAMES_HINT = "take_damage\nset_name\nspawn_at\n\n(one list for each script, an empty line between them)"


class PortsDialog(EndsDialog):
    """Asks what a port carries and whose rules packets follow; ``answered`` holds a :class:`Told`.

    Args:
        told: what was said before.
        port: the port that is offered, None for none.
    """

    def __init__(self, parent: QWidget, told: Told, port: int | None = None) -> None:
        super().__init__(parent, "What ports carry", "Read Packets &So")
        self.setObjectName("portsDialog")
        self._told = told
        self.port = self.add_field("&Port:", str(port) if port else "", "meaningPort")
        self.port.setPlaceholderText("any; for example 45001")
        self.carries = self.add_choice("&Carries:", list(CARRIES.items()), told.ports.get(port or 0))
        protocols = [(protocol, protocol.value) for protocol in PROTOCOLS]
        self.protocol = self.add_choice("&Rules of all packets:", protocols, told.protocol)
        dialects = [(dialect.key, dialect.name) for dialect in available()]
        key = told.dialect.key if told.dialect is not None else None
        self.dialect = self.add_choice("&Engine of all values:", dialects, key)
        self.port.textChanged.connect(self._show_port)
        self.judge()

    def add_choice(self, label: str, choices: Sequence[tuple[object, str]], now: object) -> QComboBox:
        """Put a choice below the other fields; the first one is that nothing is said."""
        box = QtWidgets.QComboBox()
        box.setAccessibleName(label.replace("&", "").rstrip(":"))
        offered = [(None, BY_ITSELF), *choices]
        for value, words in offered:
            box.addItem(words, value)
        box.setCurrentIndex([value for value, _ in offered].index(now))
        box.currentIndexChanged.connect(self.judge)
        self.form.addRow(label, box)
        return box

    def answer(self) -> Told:
        """All that was said, with what the fields say now."""
        key = self.dialect.currentData()
        told = replace(self._told, protocol=self.protocol.currentData(), dialect=load(key) if key is not None else None)
        carries = self.carries.currentData()
        if not self.port.text().strip():
            if carries is not None:
                raise TypedEndError("Say which port that is, a number from 1 to 65535.")
            return told
        port = parse_port(self.port.text())
        ports = {known: what for known, what in told.ports.items() if known != port}
        return replace(told, ports=ports if carries is None else {**ports, port: carries})

    def verdict(self, answer: object) -> str:
        assert isinstance(answer, Told)
        said = [f"port {port} carries {what.value}" for port, what in sorted(answer.ports.items())]
        known = f"Said: {', '.join(said)}; all else is recognised." if said else "What ports carry is recognised."
        return f"{known} All packets are read again."

    def _show_port(self) -> None:
        """Show what was said before about the port that is typed."""
        try:
            known = self._told.ports.get(parse_port(self.port.text()))
        except TypedEndError:
            return
        self.carries.setCurrentIndex(self.carries.findData(known))


class MethodsDialog(EndsDialog):
    """Asks for the names of methods; ``answered`` holds a :class:`Told`."""

    def __init__(self, parent: QWidget, told: Told) -> None:
        super().__init__(parent, "Method names", "&Name Methods")
        self.setObjectName("methodsDialog")
        self._told = told
        self.names: QPlainTextEdit = QtWidgets.QPlainTextEdit()
        self.names.setObjectName("methodNames")
        self.names.setAccessibleName("Method names")
        self.names.setFont(fixed_font())
        self.names.setPlaceholderText(NAMES_HINT)
        self.names.setTabChangesFocus(True)
        self.names.setFixedHeight(NAMES_HEIGHT)
        self.names.setPlainText("\n\n".join("\n".join(each.script) for each in told.methods))
        hint = PlainLabel("Names of the @rpc methods of a script, which Godot 4 sends as numbers:")
        hint.setWordWrap(True)
        self.form.addRow(hint)
        self.form.addRow(self.names)
        self.names.textChanged.connect(self.judge)
        self.judge()

    def answer(self) -> Told:
        """All that was said, with these names."""
        return replace(self._told, methods=method_lists(self.names.toPlainText()))

    def verdict(self, answer: object) -> str:
        assert isinstance(answer, Told)
        if not answer.methods:
            return "No names: methods are shown by their numbers."
        sums = ", ".join(f"{names.md5[:SUM_SHOWN]}…" for names in answer.methods)
        count = counted(sum(len(names.script) for names in answer.methods), "name")
        return f"{count}, sum {sums}. Nodes that announce this sum are named; all others keep their numbers."


def method_lists(text: str) -> tuple[MethodNames, ...]:
    """Lists of names: one name a line or several with commas between them, an empty line after each list."""
    lists: list[list[str]] = [[]]
    for line in text.splitlines():
        names = [name.strip() for name in line.replace(",", " ").split()]
        if names:
            lists[-1].extend(names)
        elif lists[-1]:
            lists.append([])
    return tuple(MethodNames.of(names) for names in lists if names)
