"""Arrays as packed arrays and back, packed arrays as other ones, arrays as typed ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from viewer.variant.convert.families import element_name, element_words, stem
from viewer.variant.convert.job import Job
from viewer.variant.convert.numbers import fitted_all, kinds
from viewer.variant.convert.tally import ConvertError, article, opening
from viewer.variant.dialect import Dialect, Kind
from viewer.variant.literal.args import grouped
from viewer.variant.value import Array, Data, ElementType, Number, ObjectFull, ObjectId, Value

NUMBERS = frozenset({"int", "float"})
TEXTS = frozenset({"String", "StringName"})


def packed(job: Job, data: Any) -> Data:
    """A packed array from another one: the same numbers, in other groups where one of the two has none."""
    before, after = len(job.source.narrow), len(job.target.narrow)
    alike = stem(job.source.name.removesuffix("Array")) == stem(job.target.name.removesuffix("Array"))
    if before != 1 and after != 1 and not alike:
        raise job.refused()
    return _gathered(job, _flat(data, before))


def vector_packed(job: Job, data: Any) -> Data:
    """A vector or colour as the only element of a packed array, or as the list of its numbers."""
    if not _is_home(job.source.name, job.target.name):
        raise job.refused()
    return _gathered(job, data)


def packed_vector(job: Job, data: Any) -> Data:
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


def packed_list(job: Job, data: Any) -> Array:
    """An array of the elements of a packed one."""
    name = element_name(job.source, job.dialect)
    return Array(tuple(Value(name, element) for element in data), _typed_as(job, name))


def strings_list(job: Job, data: Any) -> Array:
    """An array of the texts of a packed one."""
    return Array(tuple(Value("String", element) for element in data), _typed_as(job, "String"))


def _typed_as(job: Job, name: str) -> ElementType | None:
    """Where every array has a type, the one of its elements."""
    return ElementType(job.dialect.type_number(name)) if job.target.kind is Kind.TYPED_ARRAY else None


def list_packed(job: Job, data: Array) -> Data:
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


def list_strings(job: Job, data: Array) -> Data:
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


def _gathered(job: Job, flat: Sequence[Number]) -> Data:
    """Numbers as the data of a packed array."""
    forms = kinds(job.target, job.precision)
    if len(flat) % len(forms):
        many = f"{len(flat)} numbers" if len(flat) != 1 else "1 number"
        raise ConvertError(f"{opening(job.target.name)} takes numbers in groups of {len(forms)}, here are {many}.")
    job.tally.numbers += len(flat)
    numbers = fitted_all(flat, forms[0], job.tally)
    return bytes(map(int, numbers)) if forms == ("u8",) else grouped(list(numbers), len(forms))


# Typed arrays


def retyped(job: Job, data: Array) -> Array:
    """An array as a typed one where all elements have one type, and back."""
    if job.target.kind is Kind.TYPED_ARRAY:
        held = data.element_type if job.source.kind is Kind.TYPED_ARRAY else common_type(data, job.dialect)
        return Array(data.elements, held)
    _say_untyped(job, data)
    return Array(data.elements)


def _say_untyped(job: Job, data: Array, name: str = "") -> None:
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
        raise ConvertError("An element is broken; mend its bytes first.")
    if isinstance(element.data, ObjectFull):
        return ElementType(row.number, element.data.class_name)
    return ElementType(row.number, as_ids=isinstance(element.data, ObjectId))
