"""The dialogs that ask where to listen, whom to forward to, and whom to send to; what is wrong is said while typing.

None of them blocks the window: they answer by a signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6 import QtWidgets
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from viewer.base.record import replace
from viewer.base.words import counted, grouped
from viewer.container.wire import Endpoint
from viewer.document.packets.conversation import PortProtocol, TrafficSettings
from viewer.document.packets.live import MOST_SENT
from viewer.document.packets.node_paths import MethodNames
from viewer.document.pieces.message import Protocol
from viewer.ui.dialogs import MARGIN, WIDTH, give_room
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.plain_text import PlainLabel, in_title
from viewer.ui.packets.live_traffic import RecordingRequest
from viewer.ui.panels.panel_widgets import LongLine
from viewer.variant.dialect import available, load

# Ports and addresses as a person types them.

HIGHEST = 0xFFFF
LOOPBACK = "127.0.0.1"


class TypedEndError(ValueError):
    """What was typed is no port or address; the text is one sentence that says what to write."""


def parse_port(text: str) -> int:
    """A port: ``9000``.

    Raises:
        TypedEndError: it is none.
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:6]) <= HIGHEST:
        raise TypedEndError(f"A port is a number from 1 to {HIGHEST}.")
    return int(text)


def parse_host(text: str) -> str:
    """A host's name or address, as it is or in the brackets that IPv6 has before a port.

    Raises:
        TypedEndError: there is none.
    """
    text = text.strip().removeprefix("[").removesuffix("]")
    if not text or any(letter.isspace() or letter in "/[]" for letter in text):
        raise TypedEndError(f"A host is a name or an address, such as {LOOPBACK} or ::1.")
    return text


def parse_end(text: str) -> Endpoint:
    """Host and port in one: ``127.0.0.1:9000``, ``[::1]:9000``; a port alone is one of this machine.

    Raises:
        TypedEndError: it is neither.
    """
    host, colon, port = text.strip().rpartition(":")
    if colon and ":" in host and not (host.startswith("[") and host.endswith("]")):
        raise TypedEndError("An IPv6 address goes in brackets before its port: [::1]:9000.")
    return Endpoint(parse_host(host) if colon else LOOPBACK, parse_port(port))


LOCAL = ("127.", "::1", "localhost")
OUTSIDE = "Programs on other machines can reach it."


class EndsDialog(QDialog):
    """Fields over a sentence over Cancel and a verb.

    Signals:
        answered: what was asked for, when the verb was pressed.
    """

    answered = Signal(object)

    def __init__(self, parent: QWidget, title: str, verb: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(in_title(title))
        self.setMinimumWidth(WIDTH)
        self._fields: list[QLineEdit] = []
        self.form = QFormLayout()
        self.form.setSpacing(12)
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.says.setFont(ui_font(Size.SECONDARY))
        self.says.setMinimumHeight(2 * self.says.fontMetrics().height())
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        give_room(self.buttons.buttons())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(16)
        layout.addLayout(self.form)
        layout.addWidget(self.says)
        layout.addWidget(self.buttons)

    def add_field(self, label: str, text: str, name: str) -> QLineEdit:
        """Put a field below the others."""
        field = LongLine(text)
        field.setFont(fixed_font())
        field.setObjectName(name)
        field.setAccessibleName(label.replace("&", "").rstrip(":"))
        field.textChanged.connect(self.judge)
        self.form.addRow(label, field)
        self._fields.append(field)
        order = [*self._fields, *self.buttons.buttons()]
        for before, behind in pairwise(order):
            QWidget.setTabOrder(before, behind)
        if len(self._fields) == 1:
            field.setFocus()
        return field

    def judge(self) -> None:
        """Say what would be done, or what is wrong."""
        try:
            self.says.setText(self.verdict(self.answer()))
            self.go.setEnabled(True)
            self.go.setDefault(True)
        except TypedEndError as error:
            self.says.setText(str(error))
            self.go.setEnabled(False)

    def answer(self) -> object:
        """What the fields ask for.

        Raises:
            TypedEndError: a field cannot be read.
        """
        raise NotImplementedError

    def verdict(self, answer: object) -> str:
        """What would be done, in a sentence."""
        raise NotImplementedError

    def accept(self) -> None:
        if self.go.isEnabled():
            answer = self.answer()
            super().accept()
            self.answered.emit(answer)


class ListenDialog(EndsDialog):
    """Asks for a port to listen on; ``answered`` holds a :class:`RecordingRequest`."""

    def __init__(self, parent: QWidget, last: RecordingRequest | None = None) -> None:
        super().__init__(parent, "Listen on a UDP port", "&Listen")
        self.setObjectName("listenDialog")
        self.port = self.add_field("&Port:", str(last.port) if last and last.port else "9000", "listenPort")
        self.host = self.add_field("&Address:", last.host if last else LOOPBACK, "listenHost")
        self.port.selectAll()
        self.judge()

    def answer(self) -> RecordingRequest:
        """Where to listen."""
        return RecordingRequest(parse_host(self.host.text()), parse_port(self.port.text()))

    def verdict(self, answer: object) -> str:
        assert isinstance(answer, RecordingRequest)
        label = Endpoint(answer.host, answer.port).label
        return f"What is sent to {label} by UDP is listed. {reach(answer.host)}"


class ProxyDialog(EndsDialog):
    """Asks for a port to listen on and for a server to forward to; ``answered`` holds a :class:`RecordingRequest`."""

    def __init__(self, parent: QWidget, last: RecordingRequest | None = None) -> None:
        super().__init__(parent, "Proxy between client and server", "&Start")
        self.setObjectName("proxyDialog")
        server = last.server if last else None
        self.port = self.add_field("&Listen on port:", str(last.port) if last and server else "9001", "proxyPort")
        self.server = self.add_field(
            "&Forward to:", server.label if server is not None else f"{LOOPBACK}:9000", "proxyServer"
        )
        self.server.setToolTip("Host and port of the server, such as 127.0.0.1:9000 or [::1]:9000")
        self.port.selectAll()
        self.judge()

    def answer(self) -> RecordingRequest:
        """Where to listen, and whom to forward to."""
        port, server = parse_port(self.port.text()), parse_end(self.server.text())
        if server.port == port and server.host.startswith(LOCAL):
            raise TypedEndError("A proxy cannot forward to itself; listen on another port than the server does.")
        return RecordingRequest(LOOPBACK, port, server)

    def verdict(self, answer: object) -> str:
        assert isinstance(answer, RecordingRequest)
        assert answer.server is not None
        here = Endpoint(answer.host, answer.port).label
        return f"Let the client connect to {here}; what it and {answer.server.label} say to each other is listed."


class SendDialog(EndsDialog):
    """Asks whom to send bytes to.

    Signals:
        asked: the bytes and an :class:`Endpoint`, when the verb was pressed.
    """

    asked = Signal(object, object)

    def __init__(self, parent: QWidget, data: bytes, last: Endpoint | None = None) -> None:
        super().__init__(parent, "Send by UDP", "&Send")
        self.setObjectName("sendDialog")
        self._data = data
        self.host = self.add_field("&Host:", last.host if last else LOOPBACK, "sendHost")
        self.port = self.add_field("&Port:", str(last.port) if last else "", "sendPort")
        (self.host if last else self.port).selectAll()
        self.port.setFocus()
        self.answered.connect(self._ask)
        self.judge()

    def answer(self) -> Endpoint:
        """Whom to send to."""
        if len(self._data) > MOST_SENT:
            raise TypedEndError(
                f"{counted(len(self._data), 'byte')} are too many: one datagram carries at most {grouped(MOST_SENT)}."
            )
        return Endpoint(parse_host(self.host.text()), parse_port(self.port.text()))

    def verdict(self, answer: object) -> str:
        assert isinstance(answer, Endpoint)
        go = "goes" if len(self._data) == 1 else "go"
        return f"{counted(len(self._data), 'byte')} {go} to {answer.label} in one datagram. That cannot be undone."

    def _ask(self, end: Endpoint) -> None:
        self.asked.emit(self._data, end)


def reach(host: str) -> str:
    """Who can send to an address of this machine."""
    return "Only programs on this machine can reach it." if host.startswith(LOCAL) else OUTSIDE


# The dialogs in which a person says what bytes are: what a port carries, by which rules, names of methods.

BY_ITSELF = "Recognise it"
CARRIES = {
    PortProtocol.VALUES: "Values (put_var on UDP or TCP)",
    PortProtocol.ENET: "ENet",
    PortProtocol.WEBSOCKET: "WebSocket",
    PortProtocol.BYTES: "Bytes of another kind",
}
PROTOCOLS = tuple(protocol for protocol in Protocol if protocol is not Protocol.UNKNOWN)
SUM_SHOWN = 8
NAMES_HEIGHT = 160
NAMES_HINT = "take_damage\nset_name\nspawn_at\n\n(one list for each script, an empty line between them)"


class PortsDialog(EndsDialog):
    """Asks what a port carries and whose rules packets follow; ``answered`` holds a :class:`TrafficSettings`.

    Args:
        told: what was said before.
        port: the port that is offered, None for none.
    """

    def __init__(self, parent: QWidget, told: TrafficSettings, port: int | None = None) -> None:
        super().__init__(parent, "What ports carry", "Read Packets Thi&s Way")
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

    def answer(self) -> TrafficSettings:
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
        assert isinstance(answer, TrafficSettings)
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
    """Asks for the names of methods; ``answered`` holds a :class:`TrafficSettings`."""

    def __init__(self, parent: QWidget, told: TrafficSettings) -> None:
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

    def answer(self) -> TrafficSettings:
        """All that was said, with these names."""
        return replace(self._told, methods=method_lists(self.names.toPlainText()))

    def verdict(self, answer: object) -> str:
        assert isinstance(answer, TrafficSettings)
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
