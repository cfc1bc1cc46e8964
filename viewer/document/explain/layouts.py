"""How a type is laid out, from the shape tables: the rows of a page, and what each engine line calls the type."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.document.engines.lines import Evidence, concept, lines
from viewer.document.explain.page import Row
from viewer.document.shown.meaning import NUMBER_WORDS
from viewer.variant.dialect import Dialect, Field, Kind, TypeRow

TEXT = (("length", 4, "bytes of the text"), ("text", -1, "UTF-8"), ("padding", -1, "up to a multiple of four"))
LAYOUTS: dict[Kind, tuple[tuple[str, int, str], ...]] = {
    Kind.STRING: TEXT,
    Kind.NODE_PATH: (
        ("name count", 4, "with bit 31 set"),
        ("sub-name count", 4, ""),
        ("flags", 4, "bit 0: absolute"),
        ("names, sub-names", -1, "each as length, text and padding"),
    ),
    Kind.OBJECT: (
        ("class", -1, "length, text and padding; under the 64-bit flag a 64-bit id instead of all this"),
        ("count", 4, "of properties"),
        ("properties", -1, "each a name without a header, then a value"),
    ),
    Kind.NULL_OBJECT: (),
    Kind.SIGNAL: (("name", -1, "length, text and padding"), ("id", 8, "of the object")),
    Kind.DICTIONARY: (("count", 4, "of pairs"), ("pairs", -1, "a key, then its value")),
    Kind.ARRAY: (("count", 4, "of elements"), ("elements", -1, "each a whole value")),
    Kind.TYPED_ARRAY: (
        ("element type", 4, "a type number"),
        ("class", -1, "of objects: a whole StringName"),
        ("count", 4, "of elements"),
        ("elements", -1, "each a whole value"),
    ),
    Kind.PACKED_STRINGS: (
        ("count", 4, "of texts"),
        ("texts", -1, "each as length with its NUL, text, NUL and padding"),
    ),
    Kind.IMAGE: (
        ("format", 4, ""),
        ("mipmaps", 4, "extra levels"),
        ("width", 4, ""),
        ("height", 4, ""),
        ("length", 4, "bytes of pixels"),
        ("data", -1, "the pixels, then padding"),
    ),
    Kind.INPUT_EVENT: (
        ("type", 4, ""),
        ("device", 4, ""),
        ("length", 4, "from the type on"),
        ("fields", -1, "what this type of event stores"),
    ),
}
TYPED = Row("element types", "where header bits 16 to 19 say so", 4)


def layout_rows(row: TypeRow, dialect: Dialect, header: int) -> Iterator[Row]:
    """The layout of a type, offsets counted from its header; the width of numbers as this header says."""
    mask = dialect.rules.header_mask
    yield Row("header", f"type number {row.number}" + (", flags above" if mask == 0xFF else ""), 0, 4)
    if row.kind is Kind.FIXED:
        yield from _fields(row.fields(header), 4)
        return
    if row.kind is Kind.PACKED:
        yield Row("count", "of elements", 4, 4)
        inside = " ".join(f"{field.name}: {NUMBER_WORDS[field.type]}" for field in row.fields(header))
        size = sum(field.size for field in row.fields(header))
        yield Row("elements", f"{size} bytes each: {inside}", 8)
        if size % 4:
            yield Row("padding", "up to a multiple of four")
        return
    is_typed = (row.kind is Kind.ARRAY and dialect.rules.typed_arrays) or (
        row.kind is Kind.DICTIONARY and dialect.rules.typed_dictionaries
    )
    at = 4
    if is_typed:
        yield TYPED
        at = -1
    for name, size, words in LAYOUTS[row.kind]:
        yield Row(name, words, at, size)
        at = at + size if at >= 0 and size >= 0 else -1


def _fields(fields: tuple[Field, ...], at: int) -> Iterator[Row]:
    for field in fields:
        yield Row(field.name, NUMBER_WORDS[field.type], at, field.size)
        at += field.size


def engine_rows(row: TypeRow) -> Iterator[Row]:
    """The number and name of a type in each engine line, and what sets that line apart."""
    wanted = concept(row.name)
    for engine in lines():
        found = next((each for each in engine.dialect.rows if concept(each.name) == wanted), None)
        origin = engine.source if engine.evidence is Evidence.RUN else "from source"
        if found is None:
            yield Row(engine.name, f"has no such type; {origin}")
            continue
        limit = engine.dialect.rules.max_depth if found.kind in (Kind.ARRAY, Kind.DICTIONARY) else 0
        words = f"{found.name}, type number {found.number}" + (f", at most {limit} levels deep" if limit else "")
        yield Row(engine.name, f"{words}; {origin}")
