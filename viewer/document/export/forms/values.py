"""Values as literals and as JSON, each with what it does not tell."""

from __future__ import annotations

from viewer.container.armor.byte_text import FormError, error_at
from viewer.document.export.deep_json import chunks
from viewer.document.export.forms.losses import broken, lost_abroad, lost_in_literal
from viewer.document.export.forms.plain_json import read_json, read_plain_json, write_plain_json
from viewer.document.export.forms.table import LITERALS, NATIVE, Form
from viewer.variant.convert import ConvertError, translate
from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.native import NativeError, from_native, to_native
from viewer.variant.value import Value

BROKEN = "This value is broken where it was read; copy its bytes instead, for example as hex."


def write_value(form: Form, value: Value, dialect: Dialect, precision: Precision) -> tuple[str, tuple[str, ...]]:
    """A value in a form of values, and what the text does not tell, in a few words each.

    Raises:
        FormError: the value is broken, or nothing in the form's engine line comes near it.
    """
    if broken(value, dialect):
        raise FormError(BROKEN)
    if form in LITERALS:
        return _literal(form, value, dialect, precision)
    if form == NATIVE:
        return "".join(chunks(to_native(value, dialect))), ()
    return write_plain_json(value, dialect, precision)


def _literal(form: Form, value: Value, dialect: Dialect, precision: Precision) -> tuple[str, tuple[str, ...]]:
    lost = lost_in_literal(value)
    if form.dialect in ("", dialect.key):
        return format_literal(value, dialect, precision=precision), lost
    target = load(form.dialect)
    try:
        there = translate(value, dialect, target, precision)
    except ConvertError as error:
        raise FormError(f"{target.name} has no such value: {error}") from None
    lost = (*there.losses, *lost, *lost_abroad(value, dialect, target))
    return format_literal(there.value, target, precision=precision), tuple(dict.fromkeys(lost))


def read_value(form: Form, text: str, dialect: Dialect, precision: Precision) -> Value:
    """The value of a text in a form of values.

    Raises:
        FormError: it is not of that form, or stands for no value of the dialect.
    """
    if form in LITERALS:
        return _read_literal(form, text, dialect, precision)
    if form == NATIVE:
        return native_value(read_json(text), dialect)
    return read_plain_json(text, dialect)


def _read_literal(form: Form, text: str, dialect: Dialect, precision: Precision) -> Value:
    """A literal; one that only the form's engine line can read is translated where that loses nothing."""
    try:
        return read_literal(text, dialect, precision)
    except FormError:
        if form.dialect in ("", dialect.key):
            raise
        found = _translated(text, load(form.dialect), dialect, precision)
        if found is None:
            raise
        return found


def _translated(text: str, source: Dialect, target: Dialect, precision: Precision) -> Value | None:
    try:
        found = translate(read_literal(text, source, precision), source, target, precision)
    except (FormError, ConvertError):
        return None
    return None if found.losses else found.value


def read_literal(text: str, dialect: Dialect, precision: Precision) -> Value:
    """The value of a literal, in any engine line's style, as far as the dialect has its types.

    Raises:
        FormError: it cannot be read, or the dialect lacks a type.
    """
    try:
        return parse_literal(text, dialect, precision=precision)
    except LiteralError as error:
        raise error_at(text, error.position, str(error)) from None


def native_value(node: object, dialect: Dialect) -> Value:
    """The value of a JSON structure with types.

    Raises:
        FormError: it stands for no value of the dialect.
    """
    try:
        return from_native(node, dialect)
    except NativeError as error:
        raise FormError(str(error)) from None
