"""Convert: a value as one of another type of the same dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any, TypeAlias

from viewer.base.record import dataclass, replace
from viewer.variant import text
from viewer.variant.convert.conversion_tally import (
    ConversionChange,
    ConversionJob,
    ConversionTally,
    Converted,
    ConvertError,
    article,
    opening,
    spelt,
)
from viewer.variant.convert.defaults import default
from viewer.variant.convert.number_forms import (
    Family,
    element_name,
    element_words,
    family,
    fitted,
    fitted_all,
    kinds,
    stem,
)
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow
from viewer.variant.literal import html_colour
from viewer.variant.literal.build import grouped
from viewer.variant.literal.names import is_broken, split_path
from viewer.variant.literal.numbers import FLOAT_WORD, NUMBER, floating, is_integer, to_f32, whole
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Data, Dictionary, ElementType, NaN, Number, ObjectFull, ObjectId, RawText, Value

# Texts that say a number, a truth or a colour, and how each is written.

LONGEST_NUMBER = 1000
TRUTHS = {"true": True, "false": False}


def number_of(text: str, form: str, tally: ConversionTally) -> Number:
    """The number that a text says, in the way in which the engine's literals are written.

    Raises:
        ConvertError: it says none, or one that the form cannot hold.
    """
    token = text.strip()
    if len(token) > LONGEST_NUMBER or not (NUMBER.fullmatch(token) or FLOAT_WORD.fullmatch(token)):
        raise ConvertError(f"{spelt(text)} is not a number.")
    exact = whole(token)
    if exact is not None and is_integer(form):
        return fitted(exact, form, tally)
    said = floating(token)
    assert said is not None
    if said in (float("inf"), float("-inf")) and FLOAT_WORD.fullmatch(token) is None:
        raise ConvertError(f"{spelt(text)} is too large for a number.")
    number = fitted(said, form, ConversionTally())
    if number == number and not _is_said(number, token, exact):
        tally.change(ConversionChange.WRITTEN, text, number)
    return number


def _is_said(number: Number, token: str, exact: int | None) -> bool:
    """Whether a token says just this number, but for digits that no float of that size keeps."""
    if exact is not None:
        return exact == number
    if FLOAT_WORD.fullmatch(token):
        return isinstance(number, float)
    try:
        said = Decimal(token.replace("_", ""))
    except InvalidOperation:
        return False
    short = f"{number:.6g}" if isinstance(number, float) and to_f32(float(token.replace("_", ""))) == number else ""
    return said == Decimal(repr(number)) or (bool(short) and said == Decimal(short))


def truth_of(text: str, tally: ConversionTally) -> bool:
    """The bool that a text says: ``true``, ``false``, or a number.

    Raises:
        ConvertError: it says none.
    """
    known = TRUTHS.get(text.strip())
    if known is not None:
        return known
    try:
        number = number_of(text, "f64", ConversionTally())
    except ConvertError:
        raise ConvertError(f"{spelt(text)} is neither true nor false.") from None
    if number not in (0, 1):
        tally.change(ConversionChange.TRUTH, text, bool(number))
    return bool(number)


def colour_of(text: str, dialect: Dialect) -> tuple[float, ...]:
    """The colour of an HTML text such as ``#ff8800``; four numbers from 0 to 1.

    Raises:
        ConvertError: the text is none.
    """
    found = html_colour.colour_of(text, dialect)
    if found is None:
        raise ConvertError(f"{spelt(text)} is not a colour; one is written like “#ff8800”.")
    return found


def colour_text(numbers: tuple[float, ...], dialect: Dialect, tally: ConversionTally) -> str:
    """A colour as HTML text, its alpha left out where it is 1.

    Raises:
        ConvertError: a number is no part of a colour.
    """
    if any(number != number for number in numbers):
        raise ConvertError("A colour with NaN in it cannot become a text.")
    text = html_colour.text_of(numbers, dialect)
    if any(back != number for back, number in zip(colour_of(text, dialect), numbers, strict=True)):
        tally.say(f"The colour is rounded to {spelt(text)}")
    return text


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
        raise ConvertError("This value is broken; fix its bytes first.")
    if family(source) is Family.NIL:
        return Converted(default(target, dialect))
    job = ConversionJob(source, row, dialect, precision)
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


def apply(job: ConversionJob, data: Any) -> Any:
    """The data of a value in its new type.

    Raises:
        ConvertError: it has no meaning in that type.
    """
    converter = _CONVERTERS.get((family(job.source), family(job.target)))
    if converter is None:
        raise job.refused()
    return converter(job, data)


# Numbers and texts


def _scalar(job: ConversionJob, data: Any) -> Any:
    if job.target.name == "bool":
        truth = bool(data)
        if data not in (0, 1) or str(data) == "-0.0":
            job.tally.change(ConversionChange.TRUTH, data, truth)
        return truth
    return fitted(data, kinds(job.target, job.precision)[0], job.tally)


def _scalar_text(job: ConversionJob, data: Any) -> str:
    if isinstance(data, NaN):
        job.tally.say("The bits of the NaN are lost")
    return format_literal(Value(job.source.name, data), job.dialect, precision=job.precision)


def _text_scalar(job: ConversionJob, data: str) -> Any:
    _say_unread(job, data)
    if job.target.name == "bool":
        return truth_of(data, job.tally)
    return number_of(data, kinds(job.target, job.precision)[0], job.tally)


def _text(job: ConversionJob, data: str) -> str:
    return data


def _text_path(job: ConversionJob, data: str) -> Any:
    _say_unread(job, data)
    path = split_path(data, job.dialect)
    if path is None:
        raise ConvertError("A node path cannot have an empty name between two colons.")
    if path.text != data:
        job.tally.change(ConversionChange.WRITTEN, data, path.text)
    return path


def _path_text(job: ConversionJob, data: Any) -> str:
    if split_path(data.text, job.dialect) != data or any(isinstance(name, RawText) for name in _names(data)):
        job.tally.say("The names of the path cannot be told apart in the text")
    return str(data.text)


def _names(path: Any) -> tuple[str, ...]:
    return (*path.names, *path.subnames, path.prop or "")


def _say_unread(job: ConversionJob, data: str) -> None:
    if isinstance(data, RawText):
        job.tally.say("The bytes of the text that the engine does not read are lost")


# Vectors


def _vector(job: ConversionJob, data: Any) -> tuple[int | float, ...]:
    forms = kinds(job.target, job.precision)
    if stem(job.source.name) != stem(job.target.name) or len(forms) != len(data):
        raise job.refused()
    job.tally.numbers += len(data)
    return tuple(fitted(number, form, job.tally) for number, form in zip(data, forms, strict=True))


def _vector_text(job: ConversionJob, data: Any) -> str:
    if job.source.name != "Color":
        raise job.refused()
    return colour_text(data, job.dialect, job.tally)


def _text_vector(job: ConversionJob, data: str) -> tuple[float, ...]:
    if job.target.name != "Color":
        raise job.refused()
    _say_unread(job, data)
    return colour_of(data, job.dialect)


# Bytes


def _text_bytes(job: ConversionJob, data: str) -> bytes:
    if job.target.narrow[0].type != "u8":
        raise job.refused()
    return text.write(data)


def _bytes_text(job: ConversionJob, data: Any) -> str:
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


_Converter: TypeAlias = Callable[[ConversionJob, Any], Any]


# Arrays as packed arrays and back, packed arrays as other ones, arrays as typed ones.

NUMBERS = frozenset({"int", "float"})
TEXTS = frozenset({"String", "StringName"})


def packed(job: ConversionJob, data: Any) -> Data:
    """A packed array from another one: the same numbers, in other groups where one of the two has none."""
    before, after = len(job.source.narrow), len(job.target.narrow)
    alike = stem(job.source.name.removesuffix("Array")) == stem(job.target.name.removesuffix("Array"))
    if before != 1 and after != 1 and not alike:
        raise job.refused()
    return _gathered(job, _flat(data, before))


def vector_packed(job: ConversionJob, data: Any) -> Data:
    """A vector or colour as the only element of a packed array, or as the list of its numbers."""
    if not _is_home(job.source.name, job.target.name):
        raise job.refused()
    return _gathered(job, data)


def packed_vector(job: ConversionJob, data: Any) -> Data:
    """A vector or colour from a packed array that holds just one."""
    if not _is_home(job.target.name, job.source.name):
        raise job.refused()
    flat = _flat(data, len(job.source.narrow))
    if len(flat) != len(job.target.narrow):
        needed = len(job.target.narrow)
        raise ConvertError(f"{opening(job.target.name)} takes {needed} numbers, this array holds {len(flat)}.")
    forms = kinds(job.target, job.precision)
    job.tally.numbers += len(flat)
    return fitted_all(flat, forms[0], job.tally)


def _is_home(vector: str, array: str) -> bool:
    """Whether an array holds such vectors. A colour is also taken apart into floats."""
    name = array.removeprefix("Pool").removeprefix("Packed").removesuffix("Array")
    return name == vector or (vector == "Color" and name in ("Float", "Real", "Float32", "Float64"))


def packed_list(job: ConversionJob, data: Any) -> Array:
    """An array of the elements of a packed one."""
    name = element_name(job.source, job.dialect)
    return Array(tuple(Value(name, element) for element in data), _typed_as(job, name))


def strings_list(job: ConversionJob, data: Any) -> Array:
    """An array of the texts of a packed one."""
    return Array(tuple(Value("String", element) for element in data), _typed_as(job, "String"))


def _typed_as(job: ConversionJob, name: str) -> ElementType | None:
    """Where every array has a type, the one of its elements."""
    return ElementType(job.dialect.type_number(name)) if job.target.kind is Kind.TYPED_ARRAY else None


def list_packed(job: ConversionJob, data: Array) -> Data:
    """A packed array of the elements of an array, all of which must be numbers, or vectors of its kind."""
    name = element_name(job.target, job.dialect)
    allowed = NUMBERS if name in NUMBERS else frozenset({stem(name), f"{stem(name)}i"})
    _say_untyped(job, data, name)
    for k, element in enumerate(data.elements):
        if element.type not in allowed or element.data is None:
            raise ConvertError(
                f"Element {k} is {_named(element)}; {article(job.target.name)} takes only {_spoken(name)}."
            )
        if element.type != name:
            job.tally.retype(element.type, name)
    width = len(job.target.narrow)
    return _gathered(job, _flat([element.data for element in data.elements], width))


def list_strings(job: ConversionJob, data: Array) -> Data:
    """A packed string array of the elements of an array, all of which must be texts."""
    _say_untyped(job, data, "String")
    for k, element in enumerate(data.elements):
        if element.type not in TEXTS or not isinstance(element.data, str):
            raise ConvertError(f"Element {k} is {_named(element)}; {article(job.target.name)} takes only texts.")
        if element.type != "String":
            job.tally.retype(element.type, "String")
    return tuple(_text_of(element) for element in data.elements)


def _text_of(element: Value) -> str:
    assert isinstance(element.data, str)
    return element.data


def _named(element: Value) -> str:
    return article(element.type) if element.type else "of an unknown type"


def _spoken(name: str) -> str:
    return "numbers" if name in NUMBERS else f"elements of type {name}"


def _flat(data: Sequence[Any], width: int) -> Sequence[Number]:
    return data if width == 1 else tuple(chain.from_iterable(data))


def _gathered(job: ConversionJob, flat: Sequence[Number]) -> Data:
    """Numbers as the data of a packed array."""
    forms = kinds(job.target, job.precision)
    if len(flat) % len(forms):
        many = f"{len(flat)} numbers" if len(flat) != 1 else "1 number"
        raise ConvertError(f"{opening(job.target.name)} takes numbers in groups of {len(forms)}, but there are {many}.")
    job.tally.numbers += len(flat)
    numbers = fitted_all(flat, forms[0], job.tally)
    return bytes(map(int, numbers)) if forms == ("u8",) else grouped(list(numbers), len(forms))


# Typed arrays


def retyped(job: ConversionJob, data: Array) -> Array:
    """An array as a typed one where all elements have one type, and back."""
    if job.target.kind is Kind.TYPED_ARRAY:
        held = data.element_type if job.source.kind is Kind.TYPED_ARRAY else common_type(data, job.dialect)
        return Array(data.elements, held)
    _say_untyped(job, data)
    return Array(data.elements)


def _say_untyped(job: ConversionJob, data: Array, name: str = "") -> None:
    words = element_words(data.element_type, job.dialect)
    if words and words != name:
        job.tally.say(f"The array no longer says that it holds {words}")


def common_type(data: Array, dialect: Dialect) -> ElementType:
    """The one type of all elements, as a typed array of Pandemonium tells it; Nil for none.

    Raises:
        ConvertError: there are several.
    """
    held: ElementType | None = None
    for k, element in enumerate(data.elements):
        own = _type_of(element, dialect)
        if held is not None and own != held:
            words = [_said(kind, dialect) for kind in (own, held)]
            raise ConvertError(
                f"Element {k} is {words[0]}, the ones before it {words[1]}; a typed array holds one type."
            )
        held = own
    return held or ElementType(builtin=0)


def _said(held: ElementType, dialect: Dialect) -> str:
    return article(element_words(held, dialect)) if held.builtin else "Nil"


def _type_of(element: Value, dialect: Dialect) -> ElementType:
    row = dialect.by_name.get(element.type)
    if row is None:
        raise ConvertError("An element is broken; fix its bytes first.")
    if isinstance(element.data, ObjectFull):
        return ElementType(row.number, element.data.class_name)
    return ElementType(row.number, as_ids=isinstance(element.data, ObjectId))


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
    (Family.VECTOR, Family.PACKED): vector_packed,
    (Family.PACKED, Family.VECTOR): packed_vector,
    (Family.TEXT, Family.PACKED): _text_bytes,
    (Family.PACKED, Family.TEXT): _bytes_text,
    (Family.PACKED, Family.PACKED): packed,
    (Family.PACKED, Family.LIST): packed_list,
    (Family.STRINGS, Family.LIST): strings_list,
    (Family.LIST, Family.PACKED): list_packed,
    (Family.LIST, Family.STRINGS): list_strings,
    (Family.LIST, Family.LIST): retyped,
}


# Targets: what a value can become, most natural first.

SAMPLE = 960
"""So many elements are tried; a multiple of every group that a packed array has."""
_RANKS = {"int": 0, "float": 1, "bool": 2, "String": 3}


@dataclass(frozen=True, slots=True)
class RetypeOffer:
    """A type that a value can become, and whether it loses anything by that."""

    name: str
    loses: bool


def targets(value: Value, dialect: Dialect) -> list[str]:
    """The types that a value can become: those that lose nothing first, Nil last.

    Of a large value only the beginning is tried, so that :func:`convert` may still refuse it.

    Args:
        value: what it is now.
        dialect: its engine line.
    """
    return [offer.name for offer in offers(value, dialect)]


def offers(value: Value, dialect: Dialect, precision: Precision = Precision.SINGLE) -> list[RetypeOffer]:
    """What :func:`targets` names, each with whether it loses anything."""
    source = dialect.by_name.get(value.type)
    if source is None:
        return [RetypeOffer("Nil", True)] if "Nil" in dialect.by_name else []
    trial = _sample(value)
    found = []
    for row in dialect.rows:
        if can_convert(source, row) and not _is_odd(value, source, row):
            try:
                losses = convert(trial, row.name, dialect, precision).losses
            except ConvertError:
                continue
            found.append((_order(source, row, bool(losses)), RetypeOffer(row.name, bool(losses))))
    return [offer for _, offer in sorted(found, key=lambda each: each[0])]


def _is_odd(value: Value, source: TypeRow, row: TypeRow) -> bool:
    """Whether a packed array has too few or too many numbers for the groups of another one: no sample shows that."""
    if not family(source) is family(row) is Family.PACKED or not isinstance(value.data, tuple | bytes):
        return False
    return len(value.data) * len(source.narrow) % len(row.narrow) > 0


def _order(source: TypeRow, row: TypeRow, loses: bool) -> tuple[bool, bool, bool, int, int]:
    is_nil, same = family(row) is Family.NIL, family(row) is family(source)
    return is_nil, loses, not same, _RANKS.get(row.name, len(_RANKS)), row.number


def _sample(value: Value) -> Value:
    """The beginning of a large value."""
    data = value.data
    if isinstance(data, Array):
        return Value(value.type, replace(data, elements=data.elements[:SAMPLE]))
    if isinstance(data, tuple | bytes) and len(data) > SAMPLE:
        return Value(value.type, data[:SAMPLE])
    if isinstance(data, str) and len(data) > SAMPLE:
        return Value(value.type, str(data)[:SAMPLE])
    return value
