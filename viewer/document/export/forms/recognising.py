"""Which form a text is in, found by trying.

Forms with marks of their own come first. A list of numbers or a row of digits may be a value as well as the bytes of
one: it is taken for bytes where these are exactly one value of the dialect, and for a literal else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.armor.byte_text import (
    FormError,
    error_at,
    read_base64,
    read_c,
    read_hex,
    read_printed,
    read_python,
)
from viewer.container.armor.hexdump import looks_like_hexdump, read_hexdump
from viewer.container.layer import WrapError
from viewer.document.export.forms.form_table import (
    BASE64,
    C_ARRAY,
    HEX,
    HEXDUMP,
    LITERALS,
    NATIVE,
    OWN,
    PACKED,
    PLAIN_JSON,
    PRINTED,
    PYTHON,
    TextForm,
)
from viewer.document.export.forms.plain_json import plain_value, read_json
from viewer.document.export.forms.value_forms import native_value, read_literal
from viewer.variant.dialect import Dialect, Precision, available
from viewer.variant.literal.numbers import NUMBER
from viewer.variant.native.json_writer import PREFIXES
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

# Bytes that encode one value: whether they do, and which.

PREFIX = 4
LEAST = 4


def decode(data: bytes, dialect: Dialect) -> Value:
    """The value that bytes encode, also behind the length that ``store_var`` writes.

    Raises:
        FormError: they are no whole value, with the first offset that is wrong.
    """
    if len(data) < LEAST:
        raise FormError(f"A value takes at least {LEAST} bytes, but here are {len(data)}.")
    table = _whole(data, dialect)
    if table is None and _has_prefix(data):
        table = _whole(data[PREFIX:], dialect)
    return read(table if table is not None else _refused(data, dialect))


def is_whole(data: bytes, dialect: Dialect) -> bool:
    """Whether bytes encode one value, with or without its length before it."""
    return len(data) >= LEAST and (
        _whole(data, dialect) is not None or (_has_prefix(data) and _whole(data[PREFIX:], dialect) is not None)
    )


def _has_prefix(data: bytes) -> bool:
    rest = len(data) - PREFIX
    return rest >= LEAST and rest in (int.from_bytes(data[:PREFIX], order) for order in ("little", "big"))


def _whole(data: Buffer, dialect: Dialect) -> NodeTable | None:
    table = scan(data, dialect)
    sound = not any(found.severity is Severity.ERROR for found in table.diagnostics)
    return table if sound and len(table) and table.end_of_data == len(data) else None


def _refused(data: bytes, dialect: Dialect) -> NodeTable:
    table = scan(data, dialect)
    wrong = next((found for found in table.diagnostics if found.severity is Severity.ERROR), None)
    what = f"These {len(data)} bytes are not a whole value of {dialect.name}"
    if wrong is not None:
        raise FormError(f"{what}; at 0x{wrong.span.start:X}: {wrong.message}")
    rest = Span(table.end_of_data, len(data))
    raise FormError(f"{what}: it ends at 0x{rest.start:X}, and {len(rest)} more follow{'s' * (len(rest) == 1)}.")


MOST_TEXT = 1 << 28
"""Characters."""
_PYTHON = re.compile(r"\s*+(?:[A-Za-z_]\w*+\s*+=\s*+)?(?:(?:bytes|bytearray)?\s*+\(\s*+)?[bB][\"']")
_C = re.compile(r"[^{}]{0,400}\]\s*+=\s*+\{|\s*+\{\s*+0[xX][0-9a-fA-F]{1,2}\s*[,}]")
_C_BARE = re.compile(r"\s*0[xX][0-9a-fA-F]{1,2}\s*,")
_DIGITS = re.compile(r"\s*[0-9a-fA-F\\<]")
_NAME_OR_NUMBER = re.compile(r"[\w&@^+.-]")
_LOGGED = {
    "list": PRINTED,
    "word-dump": HEXDUMP,
    "memory-dump": HEXDUMP,
    "hexdump": HEXDUMP,
    "c-array": C_ARRAY,
    "python-bytes": PYTHON,
    "base64": BASE64,
}
"""The form that is named for a wrap of text; hex for those that have none of their own."""
_MARKS = tuple(PREFIXES.values())
_CONTENT = {"Array": "args", "Dictionary": "args"}


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a text is.

    Args:
        form: the form it is in.
        content: the value, or the bytes of one.
        dialect: the one whose types the value has; another than was asked for where only that one could read it.
    """

    form: TextForm
    content: Value | bytes
    dialect: Dialect


def recognise(text: str, dialect: Dialect, precision: Precision = Precision.SINGLE) -> Recognised:
    """What a text is, and in which form.

    Raises:
        FormError: it is in no form; why the likeliest one cannot read it, and where.
    """
    text = check_length(text).removeprefix("\ufeff")
    if not text.strip():
        raise FormError("There is no text here; copy a value or some bytes first.", 0)
    marked = _marked(text)
    if marked is not None:
        return Recognised(marked[0], marked[1], dialect)
    failures: list[FormError] = []
    whole = [found for found in _bytes(text, failures) if is_whole(found[1], dialect)]
    if whole:
        return Recognised(*whole[0], dialect)
    logged = _logged(text)
    if logged is not None and is_whole(logged[1], dialect):
        return Recognised(*logged, dialect)
    return _value(text, dialect, precision, failures) or _last(text, dialect, failures)


def check_length(text: str) -> str:
    """The text, where it is not longer than anybody would paste.

    Raises:
        FormError: it is.
    """
    if len(text) > MOST_TEXT:
        raise FormError(f"This text is longer than {MOST_TEXT >> 20} million characters; open it as a file instead.", 0)
    return text


def _marked(text: str) -> tuple[TextForm, bytes] | None:
    """The bytes of a form that nothing else looks like."""
    if _PYTHON.match(text):
        return PYTHON, read_python(text)
    if _C.match(text):
        return C_ARRAY, read_c(text)
    if looks_like_hexdump(text):
        return HEXDUMP, read_hexdump(text)
    return None


def _bytes(text: str, failures: list[FormError]) -> Iterator[tuple[TextForm, bytes]]:
    """The bytes that a text may be, in any form of bytes that may be something else too."""
    bare = text.strip()
    if NUMBER.fullmatch(bare) and not bare.startswith("0"):
        return
    listed = PACKED if "Array" in bare[:24] else PRINTED
    tries = ((listed, read_printed), (C_ARRAY, read_c), (HEX, read_hex), (BASE64, read_base64))
    for form, reader in tries:
        if form is C_ARRAY and not _C_BARE.match(text):
            continue
        try:
            yield form, reader(text)
        except FormError as error:
            if form is HEX and _DIGITS.match(text):
                failures.append(error)


def _logged(text: str) -> tuple[TextForm, bytes] | None:
    """The bytes that a text holds as servers and consoles print them, None where it is in none of their forms."""
    from viewer.container.armor.text_codecs import unwrap_text

    try:
        found = unwrap_text(text)
    except WrapError:
        return None
    return None if found is None else (_LOGGED.get(found[0], HEX), found[1].inside)


def _value(text: str, dialect: Dialect, precision: Precision, failures: list[FormError]) -> Recognised | None:
    """The value that a text is: JSON with types, a literal, plain JSON."""
    node: object = None
    is_json = False
    if text.lstrip()[:1] in ("{", "[", '"'):
        try:
            node, is_json = read_json(text), True
        except FormError as error:
            failures.append(error)
    if is_json and has_types(node):
        return Recognised(NATIVE, native_value(node, dialect), dialect)
    found = _literal(text, dialect, precision, failures)
    if found is None and is_json:
        return Recognised(PLAIN_JSON, plain_value(node, dialect), dialect)
    return found


def _literal(text: str, dialect: Dialect, precision: Precision, failures: list[FormError]) -> Recognised | None:
    try:
        return Recognised(_style(dialect), read_literal(text, dialect, precision), dialect)
    except FormError as error:
        failures.insert(0, error)
    if not _NAME_OR_NUMBER.match(text, failures[0].position):
        return None
    for other in sorted(available(), key=lambda line: _style(line) is OWN):
        if other.by_name.keys() <= dialect.by_name.keys() and other.rules.literals == dialect.rules.literals:
            continue
        try:
            return Recognised(_style(other), read_literal(text, other, precision), other)
        except FormError:
            continue
    return None


def _style(dialect: Dialect) -> TextForm:
    return next((form for form in LITERALS if form.dialect == dialect.key), OWN)


def _last(text: str, dialect: Dialect, failures: list[FormError]) -> Recognised:
    """Bytes that are no whole value, where a text is nothing but such bytes; else why it is nothing."""
    if _DIGITS.match(text):
        for form, data in _bytes(text, []):
            if form is not BASE64:
                return Recognised(form, data, dialect)
    if not failures:
        raise error_at(text, 0, "This is neither a value nor bytes")
    raise max(failures, key=lambda failure: failure.position)


def has_types(node: object) -> bool:
    """Whether a JSON structure is one with types: every text and number says what it is, and at least one does."""
    stack, marks = [node], 0
    types = {name for line in available() for name in line.by_name}
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            if not each.startswith(_MARKS):
                return False
            marks += 1
        elif isinstance(each, list):
            stack.extend(each)
        elif isinstance(each, dict):
            name = each.get("type")
            if not isinstance(name, str) or not (name in types or "props" in each):
                return False
            marks += 1
            inner = each.get(_CONTENT.get(name, ""))
            stack.extend(inner if isinstance(inner, list) else ())
        elif isinstance(each, int | float) and not isinstance(each, bool):
            return False
    return marks > 0
