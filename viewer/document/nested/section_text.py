"""The attributes of a section of a resource as text, taken off as a wrap: ``[node name="Hero" parent="."]``.

They are typed values in a dictionary. Putting them on again changes only the attributes that differ.
"""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.layer import MOST_INSIDE, Secret, Unwrapped, WrapError
from viewer.document.document import Document
from viewer.document.outline import key_of, key_text, node_frame
from viewer.document.pieces.framing import FrameReader
from viewer.text.tags import ATTRIBUTE_NAME, attributes, word_end
from viewer.variant.dialect import Dialect
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import Item
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import Dictionary, Value

NAME = "section"
LABEL = "attributes"
Pairs = list[tuple[str, Value]]


def section_of(document: Document, item: Item) -> str:
    """What stands in the brackets of a section; empty where an item is none, or has no attributes."""
    frame = node_frame(document, item) if document.has_sections else None
    if frame is None or item.part or item.node <= 0 or frame.table.parent[item.node]:
        return ""
    key = key_of(frame.table, item.node)
    words = key_text(frame.table, key) if key is not None else ""
    return words if attributes(words) else ""


@dataclass(frozen=True, slots=True)
class SectionForm:
    """How attributes were written.

    Args:
        text: what stands in the brackets.
        pairs: the attributes.
        dialect: how their values lie.
    """

    text: str
    pairs: tuple[tuple[str, Value], ...]
    dialect: Dialect

    @property
    def label(self) -> str:
        """What kind of wrap it is."""
        return LABEL

    def wrap(self, inside: bytes) -> bytes:
        """The section with other attributes.

        Raises:
            WrapError: they are no whole dictionary, or a name is none.
        """
        table = FrameReader(inside, self.dialect).table(Span(0, len(inside)))
        whole = read(table) if len(table) and table.end_of_data == len(inside) and not table.diagnostics else None
        if whole is None or not isinstance(whole.data, Dictionary):
            raise WrapError("The attributes of a section are a dictionary, and stay one.")
        now = [(_name(key), value) for key, value in whole.data.pairs]
        at, left = word_end(self.text), dict(now)
        out = [self.text[:at]]
        for number, (found, (name, value)) in enumerate(zip(attributes(self.text), self.pairs, strict=True)):
            fresh = now[number] if len(now) == len(self.pairs) else (name, left.get(name))
            left.pop(fresh[0], None)
            if fresh == (name, value):
                out.append(self.text[at : found.end])
            elif fresh[1] is not None:
                spelled = found.literal if fresh[1] == value else format_literal(fresh[1], self.dialect)
                out += [self.text[at : found.name_at], fresh[0]]
                out += [self.text[found.name_at + len(found.name) : found.literal_at], spelled]
            at = found.end
        more = (f" {name}={format_literal(value, self.dialect)}" for name, value in left.items())
        return "".join((*out, *more, self.text[at:])).encode()


@dataclass(frozen=True, slots=True)
class SectionText:
    """The codec of the attributes.

    Args:
        dialect: that of the text around.
    """

    dialect: Dialect

    @property
    def name(self) -> str:
        """What the command line calls it."""
        return NAME

    def probe(self, outside: Buffer) -> bool:
        """Whether there are attributes."""
        return bool(attributes(bytes(outside[:]).decode(errors="replace")))

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """The attributes as a dictionary.

        Raises:
            WrapError: one of them has no value that can be read.
        """
        text = bytes(outside[:]).decode(errors="replace")
        pairs: Pairs = []
        for each in attributes(text):
            try:
                pairs.append((each.name, parse_literal(each.literal, self.dialect)))
            except LiteralError as error:
                raise WrapError(f"“{each.name}” has no value that can be read: {error}") from error
        held = tuple((Value("String", name), value) for name, value in pairs)
        try:
            inside = encode(Value("Dictionary", Dictionary(held)), self.dialect)
        except EncodeError as error:
            raise WrapError(str(error)) from error
        return Unwrapped(inside, SectionForm(text, tuple(pairs), self.dialect))


def _name(key: Value) -> str:
    if key.type != "String" or not ATTRIBUTE_NAME.fullmatch(str(key.data)):
        raise WrapError("The name of an attribute is one word.")
    return str(key.data)
