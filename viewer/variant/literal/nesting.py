"""Values that hold others, while they are read from text.

A frame stands on the reader's stack. It says whether another value follows inside it, is given each one, and makes its
own value at its end.
"""

from __future__ import annotations

from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.literal.text import Reader
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull, Value


class Frame:
    """A value that holds others, while it is read."""

    def __init__(self, reader: Reader, row: TypeRow) -> None:
        self.reader = reader
        self.row = row
        self.values: list[Value] = []

    def more(self) -> bool:
        """Move to the next value inside, or past the end."""
        raise NotImplementedError

    def finish(self) -> Value:
        """The value, its end being read."""
        raise NotImplementedError

    def _next(self, close: str, place: str) -> bool:
        """Move past a comma, if one is due; or past the closing bracket, also behind a comma."""
        if self.reader.skip(close):
            return False
        if not self.values:
            return True
        if not self.reader.skip(","):
            raise self.reader.missing(f"“,” or “{close}”", place)
        return not self.reader.skip(close)


class ListFrame(Frame):
    """``[1, 2]``, or the elements of a Pandemonium ``TypedArray(int, 1, 2)``."""

    def __init__(self, reader: Reader, row: TypeRow, close: str = "]", element: ElementType | None = None) -> None:
        super().__init__(reader, row)
        self.close = close
        self.element = element

    def more(self) -> bool:
        return self._next(self.close, "inside an array")

    def finish(self) -> Value:
        return Value(self.row.name, Array(tuple(self.values), self.element))


class TableFrame(Frame):
    """``{"a": 1}``: key, value, key, value."""

    def more(self) -> bool:
        if len(self.values) % 2:
            self.reader.need(":", "inside a dictionary behind a key")
            return True
        return self._next("}", "inside a dictionary")

    def finish(self) -> Value:
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        return Value(self.row.name, Dictionary(tuple(pairs)))


class ObjectFrame(Frame):
    """``Object(Class,"property":value)``."""

    def __init__(self, reader: Reader, row: TypeRow, class_name: str) -> None:
        super().__init__(reader, row)
        self.class_name = class_name
        self.names: list[str] = []

    def more(self) -> bool:
        if self.reader.skip(")"):
            return False
        self.reader.need(",", "inside an object")
        if self.reader.skip(")"):
            return False
        self.names.append(self.reader.string())
        self.reader.need(":", "behind a property's name")
        return True

    def finish(self) -> Value:
        return Value(self.row.name, ObjectFull(self.class_name, tuple(zip(self.names, self.values, strict=True))))


class TypedFrame(Frame):
    """``Array[int]([1])`` and ``Dictionary[String, int]({})``: the plain collection inside, and its types."""

    def __init__(self, reader: Reader, row: TypeRow, types: list[ElementType | None]) -> None:
        super().__init__(reader, row)
        self.types = types
        self.start = reader.pos

    def more(self) -> bool:
        if not self.values:
            return True
        self.reader.need(")", f"inside {self.row.name}[…](…)")
        return False

    def finish(self) -> Value:
        data = self.values[0].data
        if isinstance(data, Array) and self.row.kind is Kind.ARRAY and data.element_type is None:
            return Value(self.row.name, Array(data.elements, self.types[0]))
        untyped = isinstance(data, Dictionary) and data.key_type is None and data.value_type is None
        if isinstance(data, Dictionary) and untyped and self.row.kind is Kind.DICTIONARY:
            return Value(self.row.name, Dictionary(data.pairs, self.types[0], self.types[1]))
        brackets = "[…]" if self.row.kind is Kind.ARRAY else "{…}"
        raise self.reader.error(f"{self.row.name}[…] takes its content in brackets: ({brackets}).", self.start)
