"""Draft: a message in the making. It walks through a payload, and every byte goes into a piece on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from viewer.base.diagnostic import Severity, count_bytes
from viewer.base.span import Span
from viewer.document.packets.node_paths import PeerKnowledge
from viewer.document.packets.packet_values import LIMIT, FoundValue, ValueReader
from viewer.document.pieces.message import FieldRole, Message, MessageField, Protocol
from viewer.variant.literal.preview import shortened

BYTES_SHOWN = 16


class MessageBroken(Exception):
    """The payload cannot be followed any further; the text is one sentence. Caught where the draft is finished."""


class MessageDraft:
    """A payload on its way to a message.

    Args:
        data: the payload.
        known: what the conversation told before; parsers add to it.
        values: reads its values.
        from_server: whether the server sent it, None where nobody knows.

    Attributes:
        at: the next byte.
        base: where the packet begins that is read now; its own offsets count from there.
        end: the first byte that is none of its.
        pieces, kind, summary, sender, receiver, severity, sentence: of the message.
        evidence: how much what was read speaks for the rules it was read by.
        has_values: whether one of the pieces is a Variant.
        doubtful: whether something was read that no engine writes, though it would take it.
    """

    __slots__ = (
        "at",
        "base",
        "data",
        "doubtful",
        "end",
        "evidence",
        "from_server",
        "has_values",
        "kind",
        "known",
        "pieces",
        "receiver",
        "sender",
        "sentence",
        "severity",
        "summary",
        "values",
    )

    def __init__(self, data: bytes, known: PeerKnowledge, values: ValueReader, from_server: bool | None) -> None:
        self.data = data
        self.known = known
        self.values = values
        self.from_server = from_server
        self.at = self.base = 0
        self.end = len(data)
        self.pieces: list[MessageField] = []
        self.kind = "bytes"
        self.summary = self.sentence = ""
        self.sender: int | None = None
        self.receiver: int | None = None
        self.severity: Severity | None = None
        self.evidence = 0.0
        self.doubtful = self.has_values = False

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return self.end - self.at

    # Findings

    def remark(self, severity: Severity, sentence: str) -> None:
        """Note something wrong; the gravest is kept, the first of equals."""
        self.doubtful = True
        self._note(severity, sentence)

    def _note(self, severity: Severity, sentence: str) -> None:
        if self.severity is None or severity > self.severity:
            self.severity, self.sentence = severity, sentence

    def expect(self, size: int, name: str) -> None:
        """Go on only where *size* more bytes are there.

        Raises:
            Broken: they are not.
        """
        if self.left < size:
            raise MessageBroken(f"At byte {self.at}: {name} needs {count_bytes(size)}, but only {self.left} are left.")

    # Pieces

    def put(
        self,
        name: str,
        size: int,
        text: str,
        role: FieldRole = FieldRole.FIELD,
        children: tuple[MessageField, ...] = (),
    ) -> None:
        """The next *size* bytes, which are there, are a piece."""
        at = self.at
        self.at = at + size
        self.pieces.append(MessageField(Span(at, at + size), name, text, role, children))

    def peek(self, size: int, name: str, signed: bool = False) -> int:
        """The little-endian number in the next *size* bytes, without a piece.

        Raises:
            Broken: it is cut off.
        """
        if self.end - self.at < size:
            self.expect(size, name)
        return int.from_bytes(self.data[self.at : self.at + size], "little", signed=signed)

    def number(self, name: str, size: int) -> int:
        """A number and its piece.

        Raises:
            Broken: it is cut off.
        """
        number = self.peek(size, name)
        self.put(name, size, str(number))
        return number

    def text_at(self, start: int, end: int) -> tuple[str, int]:
        """The text from *start* to its NUL or to *end*, and how many bytes it takes with the NUL."""
        found = self.data.find(0, start, end)
        stop = end if found < 0 else found
        raw = self.data[start:stop]
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = raw.decode(errors="replace")
            self.remark(Severity.WARNING, f"At byte {start}: this text is not UTF-8.")
        if found < 0:
            self.remark(Severity.WARNING, f"At byte {end}: the NUL that ends a text is missing.")
        return text, stop - start + (found >= 0)

    def text(self, name: str, end: int | None = None) -> str:
        """A text up to its NUL, or up to the end where the NUL is missing, and its piece."""
        text, size = self.text_at(self.at, self.end if end is None else end)
        self.put(name, size, shortened(text, LIMIT))
        return text

    def opaque(self, name: str, end: int | None = None) -> str:
        """All bytes up to *end* as they are; returns their text. No piece where there are none."""
        stop = self.end if end is None else end
        text = bytes_text(self.data[self.at : stop][: BYTES_SHOWN + 1], stop - self.at)
        if stop > self.at:
            self.put(name, stop - self.at, text, FieldRole.OPAQUE)
        return text

    def ignored(self) -> None:
        """What is left is not read by any engine; nothing happens where nothing is left."""
        if self.left:
            follow = f"{count_bytes(self.left)} follow{'s' * (self.left == 1)}"
            self.remark(Severity.WARNING, f"At byte {self.at}: {follow} that engines ignore.")
            self.opaque("ignored")

    def value(self, name: str) -> FoundValue:
        """An ordinary Variant and its piece.

        Raises:
            Broken: no value begins here, or it cannot be read to its end.
        """
        found = self.values.read(self.data, self.at, self.end)
        if found.severity is not None:
            place = f"At byte {found.wrong_at}" if name == "value" else f"In {name}, at byte {found.wrong_at}"
            self._note(found.severity, f"{place}: {found.sentence}")
        if not found.is_whole and not found.type:
            raise MessageBroken(self.sentence)
        self.has_values = True
        self.put(name, (found.end if found.is_whole else self.end) - self.at, found.text, FieldRole.VALUE)
        if not found.is_whole:
            raise MessageBroken(self.sentence)
        return found

    @contextmanager
    def group(self, name: str, end: int, fields: Callable[[], str]) -> Iterator[None]:
        """Make one piece of the pieces up to *end* that are put inside; *fields* tells its text afterwards.

        What breaks inside breaks the whole, but its pieces are kept.
        """
        outer, start, whole = self.pieces, self.at, self.end
        self.pieces, self.end = [], end
        try:
            yield
        except MessageBroken as error:
            self.broken(error)
            raise
        finally:
            children, self.pieces, self.end = tuple(self.pieces), outer, whole
            if self.at > start:
                self.pieces.append(MessageField(Span(start, self.at), name, fields(), FieldRole.FIELD, children))

    # The end

    def broken(self, error: MessageBroken) -> None:
        """What is left cannot be read."""
        self.remark(Severity.ERROR, str(error))
        self.opaque("unread")

    def message(self, protocol: Protocol) -> Message:
        """The message, whose pieces tile the payload."""
        return Message(
            protocol,
            self.kind,
            shortened(self.summary or self.sentence, LIMIT),
            tuple(self.pieces),
            self.values.dialect if self.has_values else None,
            self.severity,
            self.sentence,
            self.sender,
            self.receiver,
        )


def bytes_text(first: bytes, count: int) -> str:
    """Bytes for a person: the first ones in hex, and how many they are."""
    if count <= 0:
        return "no bytes"
    shown = first[:BYTES_SHOWN].hex(" ").upper()
    return shown if count <= BYTES_SHOWN else f"{shown} … ({count_bytes(count)})"
