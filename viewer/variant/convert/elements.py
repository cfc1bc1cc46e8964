"""Elements: collections in another engine line, and how it says what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewer.variant.convert.families import element_words
from viewer.variant.convert.tally import ConvertError, Tally
from viewer.variant.dialect import Dialect, Kind
from viewer.variant.literal.names import AS_IDS, resolve
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull, Value

TYPED = "TypedArray"


class Elements:
    """Puts translated children into collections of another engine line.

    Args:
        source, target: the engine lines.
        tally: what gets lost.
    """

    def __init__(self, source: Dialect, target: Dialect, tally: Tally) -> None:
        self._source = source
        self._target = target
        self._tally = tally

    def collected(self, value: Value, children: Sequence[Value]) -> Value:
        """The collection with these children.

        Raises:
            ConvertError: the target has no such collection.
        """
        data: Any = value.data
        if isinstance(data, Array):
            return self._array(value, data, tuple(children))
        if isinstance(data, Dictionary):
            return self._dictionary(value, data, children)
        return self._object(value, data, children)

    def _array(self, value: Value, data: Array, children: tuple[Value, ...]) -> Value:
        held = self._held(data.element_type, "array")
        name = self._array_name(value, held)
        return Value(name, Array(children, held, self._shared(data.shared)))

    def _array_name(self, value: Value, held: ElementType | None) -> str:
        """Where typed arrays are a type of their own, an array with a type goes there; else it is an Array."""
        if TYPED in self._target.by_name:
            return TYPED if held is not None else "Array"
        if value.type == "PackedTypedArray":
            self._tally.retype(value.type, "Array")
        return "Array"

    def _dictionary(self, value: Value, data: Dictionary, children: Sequence[Value]) -> Value:
        pairs = tuple(zip(children[::2], children[1::2], strict=True))
        types = self._held(data.key_type, "dictionary"), self._held(data.value_type, "dictionary")
        return Value("Dictionary", Dictionary(pairs, *types, self._shared(data.shared)))

    def _object(self, value: Value, data: ObjectFull, children: Sequence[Value]) -> Value:
        row = self._target.by_name.get(value.type)
        if row is None:
            raise ConvertError(f"{self._target.name} has no objects.")
        if row.kind is Kind.NULL_OBJECT:
            self._tally.say(f"The object of class {data.class_name} becomes null")
            return Value(row.name)
        names = (name for name, _ in data.properties)
        return Value(row.name, ObjectFull(data.class_name, tuple(zip(names, children, strict=True))))

    def _shared(self, shared: bool) -> bool:
        """Godot 2's mark means nothing elsewhere."""
        return shared and self._target.rules.shared_bit

    def _held(self, held: ElementType | None, what: str) -> ElementType | None:
        """What a collection holds, as the target says it; None where it cannot."""
        words = element_words(held, self._source)
        if held is None or not words:
            return None
        found = self._told(held, what)
        if found is None:
            self._tally.say(f"The {what} no longer says that it holds {words}")
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
