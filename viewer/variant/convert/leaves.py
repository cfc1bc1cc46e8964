"""Leaves: values that hold no others, in another engine line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from viewer.variant import text
from viewer.variant.convert.families import Family, family
from viewer.variant.convert.job import Job
from viewer.variant.convert.numbers import fitted, fitted_all, kinds
from viewer.variant.convert.tally import Change, ConvertError, Tally, article, opening
from viewer.variant.convert.types import apply
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.args import grouped
from viewer.variant.literal.names import is_broken, nearest, resolve
from viewer.variant.literal.numbers import is_integer
from viewer.variant.value import Array, NodePath, ObjectId, RawText, Value

_LAST_RESORTS = ("PackedInt32Array", "PackedFloat32Array")
_MANY = frozenset({Family.VECTOR, Family.PACKED})


class Leaves:
    """Translates values without children.

    Args:
        source, target: the engine lines.
        precision: width of ``real`` in the target.
        tally: what gets lost.
    """

    def __init__(self, source: Dialect, target: Dialect, precision: Precision, tally: Tally) -> None:
        self._source = source
        self._target = target
        self._precision = precision
        self._tally = tally

    def translated(self, value: Value) -> Value:
        """The value in the target.

        Raises:
            ConvertError: it is broken, or nothing in the target can hold its numbers.
        """
        row = self._source.by_name.get(value.type)
        if row is None or is_broken(row, value.data):
            raise ConvertError("A value in it is broken; mend its bytes first.")
        error: ConvertError | None = None
        for other in self._candidates(row):
            tally = Tally()
            try:
                found = Value(other.name, self._data(row, other, value.data, tally))
            except ConvertError as refused:
                error = error or refused
                continue
            if not _same_meaning(row, other, self._target):
                self._tally.retype(row.name, other.name)
            self._tally.add(tally)
            return found
        if error is not None:
            raise error
        self._tally.say(f"{opening(row.name)} becomes Nil")
        return Value("Nil")

    def _candidates(self, row: TypeRow) -> Iterator[TypeRow]:
        """What the value may become, the nearest first."""
        names: list[str] = []
        same = resolve(row.name, self._target)
        near = nearest(row.name, self._target)
        names += [same.name] if same is not None else []
        names += [near] if near is not None else []
        kind = family(row)
        if row.name == "int":
            names.append("float")
        if kind is Family.PACKED and len(row.narrow) == 1:
            names.append("Array")
        if kind in _MANY:
            resorts = _LAST_RESORTS if is_integer(row.narrow[0].type) else _LAST_RESORTS[1:]
            names += [last.name for name in resorts if (last := resolve(name, self._target)) is not None]
        return (self._target.by_name[name] for name in dict.fromkeys(names) if name in self._target.by_name)

    def _data(self, row: TypeRow, other: TypeRow, data: Any, tally: Tally) -> Any:
        """The data in another type, of another engine line or not."""
        kinds_of = family(row), family(other)
        if kinds_of == (Family.PACKED, Family.PACKED) or (kinds_of[0] is Family.VECTOR and kinds_of[1] in _MANY):
            return self._numbers(row, other, data, tally)
        if kinds_of[0] is not kinds_of[1]:
            return self._listed(row, other, data, tally)
        return self._same_family(row, other, data, tally)

    def _listed(self, row: TypeRow, other: TypeRow, data: Any, tally: Tally) -> Array:
        """An array of numbers that no packed array of the target can hold."""
        array: Array = apply(Job(row, other, self._target, self._precision, tally), data)
        for element in array.elements:
            fitted(element.data, kinds(self._target.by_name[element.type], self._precision)[0], tally)  # type: ignore[arg-type]
        return array

    def _numbers(self, row: TypeRow, other: TypeRow, data: Any, tally: Tally) -> Any:
        """Vectors and packed arrays: the same numbers in their order."""
        before, after = kinds(row, self._precision), kinds(other, self._precision)
        is_list = family(other) is Family.PACKED
        if len(before) != len(after) and not (is_list and len(after) == 1):
            raise ConvertError(f"{opening(row.name)} cannot become {other.name}.")
        flat: Sequence[Any] = data
        if family(row) is Family.PACKED and len(before) > 1:
            flat = tuple(chain.from_iterable(data))
        tally.numbers += len(flat)
        if not is_list:
            return tuple(fitted(number, form, tally) for number, form in zip(flat, after, strict=True))
        numbers = fitted_all(flat, after[0], tally)
        return bytes(map(int, numbers)) if after == ("u8",) else grouped(list(numbers), len(after))

    def _same_family(self, row: TypeRow, other: TypeRow, data: Any, tally: Tally) -> Any:
        kind = family(row)
        if kind is Family.SCALAR and row.name != "bool":
            return fitted(data, kinds(other, self._precision)[0], tally)
        if kind is Family.TEXT:
            return self._text(data, tally)
        if kind is Family.PATH:
            return self._path(data, tally)
        if kind is Family.STRINGS:
            return tuple(self._text(one, tally) for one in data)
        return self._other(row, other, data, tally)

    def _other(self, row: TypeRow, other: TypeRow, data: Any, tally: Tally) -> Any:
        """Handles, objects, images: as they are where both lay them out alike."""
        if other.kind is Kind.NULL_OBJECT and isinstance(data, ObjectId):
            tally.say(f"The object with id {data.id} becomes null")
            return None
        if row.kind is Kind.FIXED and len(row.narrow) != len(other.narrow):
            if data:
                tally.say(f"The id {data} of {article(row.name)} is lost")
            return 0 if other.narrow else None
        return data

    # Texts

    def _text(self, data: str, tally: Tally) -> str:
        """A text that the target reads as the same one."""
        if not isinstance(data, RawText) and data.isascii():
            return data
        raw, rule = text.write(data), self._target.rules.utf8
        fault = text.fault(raw, "lenient" if rule == "any" else rule)
        if fault is None:
            found = text.read(raw, rule)
            if str.__eq__(found, str(data)):
                return found
        clean = str(data).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        tally.change(Change.CLEANED, str(data), clean)
        return clean

    def _path(self, path: NodePath, tally: Tally) -> NodePath:
        names = tuple(self._text(name, tally) for name in path.names)
        subnames = tuple(self._text(name, tally) for name in path.subnames)
        prop = None if path.prop is None else self._text(path.prop, tally)
        if self._target.rules.property_flag == self._source.rules.property_flag:
            return replace(path, names=names, subnames=subnames, prop=prop)
        if not self._target.rules.property_flag:
            if prop is None and subnames:
                tally.say("The last name of a node path becomes a property")
            return NodePath(names, subnames if prop is None else (*subnames, prop), path.absolute)
        last = subnames[-1] if subnames else None
        return NodePath(names, subnames[:-1], path.absolute, last)


def _same_meaning(row: TypeRow, other: TypeRow, target: Dialect) -> bool:
    """Whether the target only calls or numbers this type otherwise."""
    return resolve(row.name, target) is other
