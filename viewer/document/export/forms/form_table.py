"""Which forms there are: one table."""

from __future__ import annotations

from enum import Enum

from viewer.base.record import dataclass
from viewer.variant.dialect import Dialect


class FormContent(Enum):
    """What stands in a text: a value, or the bytes that encode one."""

    VALUE = "value"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form in which a value or bytes stand in text.

    Args:
        key: what programs call it.
        words: what a person calls it; the ``&`` stands before the letter that chooses it in a menu.
        suffix: how the names of its files end, with the dot.
        writes: what is written in it.
        reads: what is read from it.
        lossless: whether every value that it takes reads back to the same bytes.
        about: what it is for, in a sentence without a full stop.
        dialect: the key of the dialect whose names it uses; empty for those of the document.
    """

    key: str
    words: str
    suffix: str
    writes: FormContent
    reads: FormContent
    lossless: bool
    about: str
    dialect: str = ""

    @property
    def name(self) -> str:
        """The words without the mark of the menu's letter."""
        return self.words.replace("&", "")


OWN = TextForm(
    "literal",
    "&Engine Literal",
    ".txt",
    FormContent.VALUE,
    FormContent.VALUE,
    False,
    "What the engine of this document prints",
)
LITERAL_3 = TextForm(
    "literal3",
    "Godot &3 Literal",
    ".txt",
    FormContent.VALUE,
    FormContent.VALUE,
    False,
    "What var2str prints and str2var reads, with names like PoolByteArray",
    "godot3",
)
LITERAL_4 = TextForm(
    "literal4",
    "Godot &4 Literal",
    ".txt",
    FormContent.VALUE,
    FormContent.VALUE,
    False,
    "What var_to_str prints and str_to_var reads, with names like PackedByteArray",
    "godot4",
)
NATIVE = TextForm(
    "native",
    "JSON with &Types",
    ".json",
    FormContent.VALUE,
    FormContent.VALUE,
    True,
    "What JSON.from_native gives and JSON.to_native reads; nothing is lost here, but Godot reads no NaN in a vector "
    "and no digit of a float beyond the fifteenth for sure",
)
PLAIN_JSON = TextForm(
    "json",
    "&Plain JSON",
    ".json",
    FormContent.VALUE,
    FormContent.VALUE,
    False,
    "Lists, objects, texts and numbers for other programs; says what is lost",
)
HEX = TextForm("hex", "&Hex", ".hex", FormContent.BYTES, FormContent.BYTES, True, "Two digits a byte: 13 00 00 00")
BASE64 = TextForm(
    "base64",
    "&Base64",
    ".b64",
    FormContent.BYTES,
    FormContent.BYTES,
    True,
    "What Marshalls.base64_to_variant and others read",
)
C_ARRAY = TextForm(
    "c", "&C Array", ".h", FormContent.BYTES, FormContent.BYTES, True, "unsigned char data[] = {0x13, 0x00};"
)
PYTHON = TextForm("python", "P&ython Bytes", ".py", FormContent.BYTES, FormContent.BYTES, True, 'b"\\x13\\x00"')
PRINTED = TextForm(
    "print",
    "P&rinted List",
    ".txt",
    FormContent.BYTES,
    FormContent.BYTES,
    True,
    "What print() shows of an array of bytes: [19, 0]",
)
PACKED = TextForm(
    "packed",
    "P&ackedByteArray",
    ".gd",
    FormContent.BYTES,
    FormContent.BYTES,
    True,
    "For a Godot 4 script: PackedByteArray([19, 0])",
)
HEXDUMP = TextForm(
    "hexdump",
    "Hex&dump",
    ".xxd",
    FormContent.BYTES,
    FormContent.BYTES,
    True,
    "Offsets, digits and text, as xxd shows them",
)
FORMS = (
    OWN,
    LITERAL_3,
    LITERAL_4,
    NATIVE,
    PLAIN_JSON,
    HEX,
    BASE64,
    C_ARRAY,
    PYTHON,
    PRINTED,
    PACKED,
    HEXDUMP,
)
LITERALS = (OWN, LITERAL_3, LITERAL_4)
BYTE_FORMS = tuple(form for form in FORMS if form.writes is FormContent.BYTES)


def form(key: str) -> TextForm:
    """The form of this key.

    Raises:
        KeyError: there is none.
    """
    return {found.key: found for found in FORMS}[key]


def forms_for(dialect: Dialect) -> tuple[TextForm, ...]:
    """The forms that differ for values of a dialect: its own literal is left out where it is one of the others."""
    same = any(found.dialect == dialect.key for found in LITERALS)
    return FORMS[1:] if same else FORMS
