"""Convert: a value as one of another type of the same dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from viewer.variant import text
from viewer.variant.convert import lists
from viewer.variant.convert.defaults import default
from viewer.variant.convert.families import Family, family, stem
from viewer.variant.convert.job import Job
from viewer.variant.convert.numbers import fitted, kinds
from viewer.variant.convert.tally import Change, Converted, ConvertError
from viewer.variant.convert.texts import colour_of, colour_text, number_of, truth_of
from viewer.variant.dialect import Dialect, Precision, TypeRow
from viewer.variant.literal.names import is_broken, split_path
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, NaN, RawText, Value

SHOWN = 40


def convert(value: Value, target: str, dialect: Dialect, precision: Precision = Precision.SINGLE) -> Converted:
    """The value as one of another type, and what it loses by that.

    Args:
        value: what it is now; only its own data and that of its children are looked at, however deep it nests.
        target: the name of the type.
        dialect: the engine line of both.
        precision: width of ``real`` where the dialect has both.

    Raises:
        ConvertError: it has no meaning in that type.
    """
    source, row = dialect.by_name.get(value.type), dialect.by_name.get(target)
    if row is None:
        raise ConvertError(f"{dialect.name} has no type {target}.")
    if source is row:
        return Converted(value)
    if family(row) is Family.NIL:
        return Converted(Value(row.name), (lost(value, dialect),))
    if source is None or is_broken(source, value.data):
        raise ConvertError("This value is broken; mend its bytes first.")
    if family(source) is Family.NIL:
        return Converted(default(target, dialect))
    job = Job(source, row, dialect, precision)
    return Converted(Value(row.name, apply(job, value.data)), job.tally.losses)


def can_convert(source: TypeRow, target: TypeRow) -> bool:
    """Whether some value of one type may become one of the other."""
    families = family(source), family(target)
    return source is not target and (Family.NIL in families or families in _CONVERTERS)


def lost(value: Value, dialect: Dialect) -> str:
    """What it says to the person that a whole value goes."""
    data = value.data
    number = len(data.elements) if isinstance(data, Array) else len(data.pairs) if isinstance(data, Dictionary) else 0
    if number:
        return all_lost(number, "pair" if isinstance(data, Dictionary) else "element")
    return f"{format_literal(value, dialect, limit=SHOWN)} is lost"


def all_lost(number: int, unit: str) -> str:
    """What it says to the person that everything in a collection goes."""
    return f"The only {unit} is lost" if number == 1 else f"All {number} {unit}s are lost"


def apply(job: Job, data: Any) -> Any:
    """The data of a value in its new type.

    Raises:
        ConvertError: it has no meaning in that type.
    """
    converter = _CONVERTERS.get((family(job.source), family(job.target)))
    if converter is None:
        raise job.refused()
    return converter(job, data)


# Numbers and texts


def _scalar(job: Job, data: Any) -> Any:
    if job.target.name == "bool":
        truth = bool(data)
        if data not in (0, 1) or str(data) == "-0.0":
            job.tally.change(Change.TRUTH, data, truth)
        return truth
    return fitted(data, kinds(job.target, job.precision)[0], job.tally)


def _scalar_text(job: Job, data: Any) -> str:
    if isinstance(data, NaN):
        job.tally.say("The bits of the NaN are lost")
    return format_literal(Value(job.source.name, data), job.dialect, precision=job.precision)


def _text_scalar(job: Job, data: str) -> Any:
    _say_unread(job, data)
    if job.target.name == "bool":
        return truth_of(data, job.tally)
    return number_of(data, kinds(job.target, job.precision)[0], job.tally)


def _text(job: Job, data: str) -> str:
    return data


def _text_path(job: Job, data: str) -> Any:
    _say_unread(job, data)
    path = split_path(data, job.dialect)
    if path is None:
        raise ConvertError("A node path cannot have an empty name between two colons.")
    if path.text != data:
        job.tally.change(Change.WRITTEN, data, path.text)
    return path


def _path_text(job: Job, data: Any) -> str:
    if split_path(data.text, job.dialect) != data or any(isinstance(name, RawText) for name in _names(data)):
        job.tally.say("The names of the path cannot be told apart in the text")
    return str(data.text)


def _names(path: Any) -> tuple[str, ...]:
    return (*path.names, *path.subnames, path.prop or "")


def _say_unread(job: Job, data: str) -> None:
    if isinstance(data, RawText):
        job.tally.say("The bytes of the text that the engine does not read are lost")


# Vectors


def _vector(job: Job, data: Any) -> tuple[int | float, ...]:
    forms = kinds(job.target, job.precision)
    if stem(job.source.name) != stem(job.target.name) or len(forms) != len(data):
        raise job.refused()
    job.tally.numbers += len(data)
    return tuple(fitted(number, form, job.tally) for number, form in zip(data, forms, strict=True))


def _vector_text(job: Job, data: Any) -> str:
    if job.source.name != "Color":
        raise job.refused()
    return colour_text(data, job.dialect, job.tally)


def _text_vector(job: Job, data: str) -> tuple[float, ...]:
    if job.target.name != "Color":
        raise job.refused()
    _say_unread(job, data)
    return colour_of(data, job.dialect)


# Bytes


def _text_bytes(job: Job, data: str) -> bytes:
    if job.target.narrow[0].type != "u8":
        raise job.refused()
    return text.write(data)


def _bytes_text(job: Job, data: Any) -> str:
    if job.source.narrow[0].type != "u8":
        raise job.refused()
    rule = job.dialect.rules.utf8
    fault = text.fault(data, "lenient" if rule == "any" else rule)
    if fault is not None:
        raise ConvertError(f"The bytes are not UTF-8: at byte {fault.offset}, {fault.reason}.")
    found = text.read(data, rule)
    if isinstance(found, RawText):
        job.tally.say("The engine reads only a part of these bytes as text")
    return found


_Converter: TypeAlias = Callable[[Job, Any], Any]
_CONVERTERS: dict[tuple[Family, Family], _Converter] = {
    (Family.SCALAR, Family.SCALAR): _scalar,
    (Family.SCALAR, Family.TEXT): _scalar_text,
    (Family.TEXT, Family.SCALAR): _text_scalar,
    (Family.TEXT, Family.TEXT): _text,
    (Family.TEXT, Family.PATH): _text_path,
    (Family.PATH, Family.TEXT): _path_text,
    (Family.VECTOR, Family.VECTOR): _vector,
    (Family.VECTOR, Family.TEXT): _vector_text,
    (Family.TEXT, Family.VECTOR): _text_vector,
    (Family.VECTOR, Family.PACKED): lists.vector_packed,
    (Family.PACKED, Family.VECTOR): lists.packed_vector,
    (Family.TEXT, Family.PACKED): _text_bytes,
    (Family.PACKED, Family.TEXT): _bytes_text,
    (Family.PACKED, Family.PACKED): lists.packed,
    (Family.PACKED, Family.LIST): lists.packed_list,
    (Family.STRINGS, Family.LIST): lists.strings_list,
    (Family.LIST, Family.PACKED): lists.list_packed,
    (Family.LIST, Family.STRINGS): lists.list_strings,
    (Family.LIST, Family.LIST): lists.retyped,
}
