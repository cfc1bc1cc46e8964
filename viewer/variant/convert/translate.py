"""Translate: a value of one engine line as the same value of another one, with all that it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from viewer.base.record import dataclass, field, replace
from viewer.variant import text
from viewer.variant.convert.conversion_record import ConversionRecord, PathChange, ValueOrder, ValueOutcome, children
from viewer.variant.convert.conversion_tally import (
    ConversionChange,
    ConversionJob,
    ConversionTally,
    Converted,
    ConvertError,
    article,
    opening,
)
from viewer.variant.convert.number_forms import Family, element_words, family, fitted, fitted_all, kinds
from viewer.variant.convert.retype import apply
from viewer.variant.convert.substitutes import (
    CLASS,
    COLLECTION_TYPES,
    Substitute,
    Substitutes,
    is_homeless,
    substituted,
)
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.build import grouped
from viewer.variant.literal.names import AS_IDS, is_broken, nearest, resolve
from viewer.variant.literal.numbers import is_integer
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, ElementType, NodePath, ObjectFull, ObjectId, RawText, Value

# Leaves: values that hold no others, in another engine line.

_LAST_RESORTS = ("PackedInt32Array", "PackedFloat32Array")
REAL, MATH = "float", "Vector2"
LONGEST = 60
"""Letters of a key that is told."""
_MANY = frozenset({Family.VECTOR, Family.PACKED})


class LeafTranslator:
    """Translates values without children.

    Args:
        source, target: the engine lines.
        precision: width of ``real`` in the target.
        substitutes: what is chosen instead of types that the target lacks.
    """

    def __init__(self, source: Dialect, target: Dialect, precision: Precision, substitutes: Substitutes) -> None:
        self._source = source
        self._target = target
        self._precision = precision
        self._substitutes = substitutes

    def translated(self, value: Value, lost: ConversionTally) -> Value:
        """The value in the target; what gets lost is counted.

        Raises:
            ConvertError: it is broken, nothing in the target can hold its numbers, or it shall not be converted.
        """
        row = self._source.by_name.get(value.type)
        if row is None or is_broken(row, value.data):
            raise ConvertError("A value in it is broken; fix its bytes first.")
        chosen = self._substitutes.get(row.name, Substitute.NEAREST)
        if chosen is not Substitute.NEAREST and value.data is not None and is_homeless(row, self._target):
            return self._instead(value, row, chosen, lost)
        error: ConvertError | None = None
        for other in self._candidates(row):
            tally = ConversionTally()
            try:
                found = Value(other.name, self._data(row, other, value.data, tally))
            except ConvertError as refused:
                error = error or refused
                continue
            if not _same_meaning(row, other, self._target):
                lost.retype(row.name, other.name)
            lost.add(tally)
            return found
        if error is not None:
            raise error
        if MATH not in self._target.by_name and isinstance(value.data, tuple | NodePath):
            return self._spelled(row, value, lost)
        lost.say(f"{opening(row.name)} becomes Nil")
        return Value("Nil")

    def _instead(self, value: Value, row: TypeRow, chosen: Substitute, lost: ConversionTally) -> Value:
        """What a person chose instead of a value; it holds others two levels deep at most."""
        found = substituted(value, row, chosen, self._source)
        if found.type == "Nil":
            lost.say(f"{opening(row.name)} becomes Nil")
        else:
            lost.retype(row.name, found.type)
        return self._nested(found, lost)

    def _nested(self, value: Value, lost: ConversionTally) -> Value:
        data = value.data
        if isinstance(data, Array):
            return Value("Array", Array(tuple(self._nested(one, lost) for one in data.elements)))
        if isinstance(data, Dictionary):
            pairs = ((self._nested(key, lost), self._nested(one, lost)) for key, one in data.pairs)
            return Value("Dictionary", Dictionary(tuple(pairs)))
        return self.translated(value, lost)

    def _spelled(self, row: TypeRow, value: Value, lost: ConversionTally) -> Value:
        """The value in a target that has texts only, as JSON is: as a text, texts as an array of them."""
        if row.kind is Kind.PACKED_STRINGS and isinstance(value.data, tuple):
            lost.say(f"{opening(row.name)} becomes an Array")
            return Value("Array", Array(tuple(Value("String", one) for one in value.data)))
        lost.say(f"{opening(row.name)} becomes a String")
        return Value("String", format_literal(value, self._source))

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

    def _data(self, row: TypeRow, other: TypeRow, data: Any, tally: ConversionTally) -> Any:
        """The data in another type, of another engine line or not."""
        kinds_of = family(row), family(other)
        if kinds_of == (Family.PACKED, Family.PACKED) or (kinds_of[0] is Family.VECTOR and kinds_of[1] in _MANY):
            return self._numbers(row, other, data, tally)
        if kinds_of[0] is not kinds_of[1]:
            return self._listed(row, other, data, tally)
        return self._same_family(row, other, data, tally)

    def _listed(self, row: TypeRow, other: TypeRow, data: Any, tally: ConversionTally) -> Array:
        """An array of numbers that no packed array of the target can hold."""
        array: Array = apply(ConversionJob(row, other, self._target, self._precision, tally), data)
        types = self._target.by_name
        elements = []
        for element in array.elements:
            type_ = types.get(element.type) or types[REAL]  # JSON has no whole numbers
            number = fitted(element.data, kinds(type_, self._precision)[0], tally)  # type: ignore[arg-type]
            elements.append(element if element.type in types else Value(REAL, number))
        return replace(array, elements=tuple(elements))

    def _numbers(self, row: TypeRow, other: TypeRow, data: Any, tally: ConversionTally) -> Any:
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

    def _same_family(self, row: TypeRow, other: TypeRow, data: Any, tally: ConversionTally) -> Any:
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

    def _other(self, row: TypeRow, other: TypeRow, data: Any, tally: ConversionTally) -> Any:
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

    def _text(self, data: str, tally: ConversionTally) -> str:
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
        tally.change(ConversionChange.CLEANED, str(data), clean)
        return clean

    def _path(self, path: NodePath, tally: ConversionTally) -> NodePath:
        names = tuple(self._text(name, tally) for name in path.names)
        if path.absolute and not names and not path.subnames and self._target.key.removesuffix("-text") == "godot3":
            tally.say('NodePath("/") becomes NodePath(""): no absolute path is without a name there')
            path = replace(path, absolute=False)
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


# Elements: collections in another engine line, and how it says what they hold.

TYPED = "TypedArray"


class CollectionTranslator:
    """Puts translated children into collections of another engine line.

    Args:
        source, target: the engine lines.
        substitutes: what is chosen instead of types that the target lacks.
    """

    def __init__(self, source: Dialect, target: Dialect, substitutes: Substitutes) -> None:
        self._source = source
        self._target = target
        self._substitutes = substitutes

    def collected(self, value: Value, children: Sequence[Value], lost: ConversionTally) -> Value:
        """The collection with these children; what gets lost is counted.

        Raises:
            ConvertError: the target has no such collection, or it shall not be converted.
        """
        data: Any = value.data
        if isinstance(data, Array):
            return self._array(value, data, tuple(children), lost)
        if isinstance(data, Dictionary):
            return self._dictionary(value, data, children, lost)
        return self._object(value, data, children, lost)

    def _array(self, value: Value, data: Array, children: tuple[Value, ...], lost: ConversionTally) -> Value:
        held = self._held(data.element_type, "array", lost)
        name = self._array_name(value, held, lost)
        return Value(name, Array(children, held, self._shared(data.shared)))

    def _array_name(self, value: Value, held: ElementType | None, lost: ConversionTally) -> str:
        """Where typed arrays are a type of their own, an array with a type goes there; else it is an Array."""
        if TYPED in self._target.by_name:
            return TYPED if held is not None else "Array"
        if value.type == "PackedTypedArray":
            lost.retype(value.type, "Array")
        return "Array"

    def _dictionary(self, value: Value, data: Dictionary, children: Sequence[Value], lost: ConversionTally) -> Value:
        pairs = tuple(zip(children[::2], children[1::2], strict=True))
        self._tell_equal_keys([key for key, _ in data.pairs], children[::2], lost)
        types = self._held(data.key_type, "dictionary", lost), self._held(data.value_type, "dictionary", lost)
        return Value("Dictionary", Dictionary(pairs, *types, self._shared(data.shared)))

    def _tell_equal_keys(self, before: Sequence[Value], after: Sequence[Value], lost: ConversionTally) -> None:
        """Count the keys that the target takes for others in front of them, which the source tells apart."""
        if not any(map(_may_be_another, before, after)):
            return
        seen: dict[object, object] = {}
        both = zip(_tokens(before, self._source), _tokens(after, self._target), after, strict=True)
        for was, token, key in both:
            if seen.setdefault(token, was) != was:
                lost.say(f"The key {format_literal(key, self._target)[:LONGEST]} occurs twice; the last one counts")

    def _object(self, value: Value, data: ObjectFull, children: Sequence[Value], lost: ConversionTally) -> Value:
        row = self._target.by_name.get(value.type)
        if row is None:
            raise ConvertError(f"{self._target.name} has no objects.")
        names = (name for name, _ in data.properties)
        if row.kind is not Kind.NULL_OBJECT:
            if self._source.rules.literals != self._target.rules.literals:
                lost.say(
                    f"The object of class {data.class_name} is one of {self._source.name}, with its class and script"
                )
            return Value(row.name, ObjectFull(data.class_name, tuple(zip(names, children, strict=True))))
        match self._substitutes.get(value.type, Substitute.NULL):
            case Substitute.REFUSE:
                raise ConvertError(f"An object of class {data.class_name} has no place there.")
            case Substitute.DICTIONARY:
                keys = (Value("String", name) for name in (CLASS, *names))
                held = (Value("String", data.class_name), *children)
                lost.retype(value.type, "Dictionary")
                return Value("Dictionary", Dictionary(tuple(zip(keys, held, strict=True))))
            case _:
                lost.say(f"The object of class {data.class_name} becomes null")
                return Value(row.name)

    def _shared(self, shared: bool) -> bool:
        """Godot 2's mark means nothing elsewhere."""
        return shared and self._target.rules.shared_bit

    def _held(self, held: ElementType | None, what: str, lost: ConversionTally) -> ElementType | None:
        """What a collection holds, as the target says it; None where it cannot."""
        words = element_words(held, self._source)
        if held is None or not words:
            return None
        found = self._told(held, what)
        if found is None:
            if self._substitutes.get(COLLECTION_TYPES) is Substitute.REFUSE:
                raise ConvertError(f"{opening(what)} that says it holds {words} has no place there.")
            lost.say(f"The {what} no longer says that it holds {words}")
        return found

    def _told(self, held: ElementType, what: str) -> ElementType | None:
        rules = self._target.rules
        if what == "array" and TYPED in self._target.by_name:
            return self._pandemonium(held)
        if not (rules.typed_arrays if what == "array" else rules.typed_dictionaries):
            return None
        if held.as_ids:
            return ElementType(class_name=AS_IDS)
        if held.builtin is None or held.class_name is not None:
            return ElementType(class_name=held.class_name, script=held.script)
        return self._builtin(held.builtin)

    def _pandemonium(self, held: ElementType) -> ElementType | None:
        """Pandemonium tells a class beside the number of Object, and knows no scripts."""
        number = self._target.type_number("Object")
        if held.class_name == AS_IDS:
            return ElementType(number, as_ids=True)
        if held.class_name is not None:
            return ElementType(number, held.class_name)
        return None if held.builtin is None else self._builtin(held.builtin)

    def _builtin(self, number: int) -> ElementType | None:
        before = self._source.row(number)
        after = resolve(before.name, self._target) if before is not None else None
        return ElementType(builtin=after.number) if after is not None else None


def _may_be_another(before: Value, after: Value) -> bool:
    """Whether a key may equal other ones than before: it changed, or is a name, which some lines take for a text."""
    if before.type != after.type or before.type == "StringName":
        return True
    return isinstance(before.data, float | tuple) and before.data != after.data


def _tokens(keys: Sequence[Value], dialect: Dialect) -> list[object]:
    """What is equal for keys that a dictionary of an engine line takes for the same."""
    from viewer.variant.encode import EncodeError, encode  # these are for what is rare
    from viewer.variant.lint.lint import KeyTokens
    from viewer.variant.scan import scan

    pairs = Dictionary(tuple((key, Value("Nil")) for key in keys))
    precision = Precision.DOUBLE if dialect.rules.wide_reals else Precision.SINGLE
    try:
        table = scan(encode(Value("Dictionary", pairs), dialect, precision), dialect)
    except EncodeError:
        return list(range(len(keys)))
    tokens = KeyTokens(table)
    return [tokens.token(key) for key in table.children(0)[::2]]


def translate(
    value: Value,
    source: Dialect,
    target: Dialect,
    precision: Precision = Precision.SINGLE,
    choice: TranslationChoice | None = None,
) -> Converted:
    """The same value in another engine line, and what it loses by that.

    A type that the other line lacks becomes its nearest one. Nothing recurses, however deep the value nests.

    Args:
        value: what it is in *source*.
        source: the engine line that it comes from.
        target: the engine line that it goes to.
        precision: width of ``real`` there.
        choice: what else is wanted.

    Raises:
        ConvertError: a value inside is broken, a number fits nothing in *target*, or it shall not be converted.
    """
    wanted = choice or TranslationChoice()
    if source is target and not wanted.narrows:
        if wanted.record is not None:
            wanted.record.add(len(ValueOrder.of(value).values), ())
        return Converted(value)
    leaves = LeafTranslator(source, target, precision, wanted.substitutes)
    collections = CollectionTranslator(source, target, wanted.substitutes)
    order, tally, changes = ValueOrder.of(value), ConversionTally(), list[PathChange]()
    built: list[Value] = []
    for at in range(len(order.values) - 1, -1, -1):
        one, lost = order.values[at], ConversionTally()
        count = len(children(one))
        held, built[len(built) - count :] = built[len(built) - count :][::-1], []
        try:
            found = collections.collected(one, held, lost) if _is_collection(one) else leaves.translated(one, lost)
        except ConvertError as error:
            if wanted.record is None:
                raise
            raise ConvertError(f"{wanted.path}{order.path(at, source)}: {error}") from None
        built.append(found)
        outcome = _outcome(one, found, lost)
        tally.add(lost)
        if outcome is not ValueOutcome.EXACT and wanted.record is not None:
            path = f"{wanted.path}{order.path(at, source)}"
            changes.append(PathChange(path, outcome, one.type, found.type, "; ".join(lost.losses)))
    if wanted.record is not None:
        wanted.record.add(len(order.values) - len(changes), changes[::-1])
    return Converted(built.pop(), tally.losses)


@dataclass(frozen=True, slots=True)
class TranslationChoice:
    """What is wanted of a translation besides the engine line.

    Args:
        substitutes: what is chosen instead of types that the target lacks.
        record: is told what becomes of each value; None where nobody asks.
        path: where the value stands, before the paths inside it.
        narrows: whether ``real`` is narrower there, so that values change although the engine line is the same.
    """

    substitutes: Substitutes = field(default_factory=dict)
    record: ConversionRecord | None = None
    path: str = ""
    narrows: bool = False


def _outcome(before: Value, after: Value, lost: ConversionTally) -> ValueOutcome:
    """What became of a value itself; of what it holds is told there."""
    if lost.is_replaced:
        return ValueOutcome.REPLACED
    if lost.is_changed:
        return ValueOutcome.ROUNDED
    return ValueOutcome.EXACT if before.type == after.type else ValueOutcome.RENAMED


def _is_collection(value: Value) -> bool:
    return isinstance(value.data, Array | Dictionary | ObjectFull)


__all__ = ["ConvertError", "translate"]
