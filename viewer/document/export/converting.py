"""Values in another kind of file: JSON, ConfigFile, stored values, settings, resources; and what is lost by that."""

from __future__ import annotations

import math
from collections.abc import Sequence

from viewer.base.record import dataclass, field
from viewer.container.layer import MOST_INSIDE, WrapError
from viewer.document.document import Document
from viewer.document.export.resources.resource_content import CannotConvertError
from viewer.document.path import format_path
from viewer.text.engine_notation import SECTION, SECTIONS, EngineNotation
from viewer.text.engine_parser import EngineTextParser
from viewer.text.float_spelling import lost as lost_float
from viewer.text.float_spelling import readable
from viewer.text.json_notation import JsonNotation
from viewer.text.patching import is_as_near_as_can_be
from viewer.variant.convert.conversion_record import ConversionRecord
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.substitutes import Substitutes
from viewer.variant.convert.translate import TranslationChoice, translate
from viewer.variant.dialect import Dialect, Precision, keys, load, load_text_values
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Array, Dictionary, Value

JSON, CONFIG, VALUES, BARE, PROJECT = "json", "config", "values", "bare", "project.binary"
RESOURCES = ("tres", "tscn", "res", "scn")
TARGETS = (JSON, CONFIG, VALUES, BARE, PROJECT, *RESOURCES)
"""What values can become."""
SAME = "same"
"""What they are already, for another engine line; see :mod:`viewer.document.export.other_engine`."""
_JSON_STYLE = b'{\n\t"a": 1,\n\t"b": 2\n}'
__all__ = ["CannotConvertError", "ConvertedFile", "converted"]
OF_TEXT = "-text"
VERSION = "config_version"
_VERSIONS = {"godot3": 4}
MAGIC = b"ECFG"


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """A file in another kind.

    Args:
        data: its bytes.
        lost: what it has not of the values, a sentence each.
        record: what became of each value; None where they did not go to another engine line.
    """

    data: bytes
    lost: tuple[str, ...]
    record: ConversionRecord | None = None


@dataclass(frozen=True, slots=True)
class ConversionChoice:
    """What a person chooses for values in another engine line.

    Args:
        precision: width of ``real`` there; None for that of the document where the line is the same, else single.
        substitutes: what stands instead of types that the line lacks.
    """

    precision: Precision | None = None
    substitutes: Substitutes = field(default_factory=dict)


class Conversion:
    """Carries values of a document over to an engine line, and keeps what becomes of each.

    Args:
        document: whose.
        target: the engine line, or the one of a text.
        choice: what a person chose.

    Attributes:
        lost: what is lost, a sentence each.
        record: what becomes of each value.
        precision: width of ``real`` there.
    """

    def __init__(self, document: Document, target: Dialect, choice: ConversionChoice) -> None:
        self.source, self.target = document.dialect, target
        own = document.precision if self.source is target else Precision.SINGLE
        self.precision = choice.precision or own
        self.lost: list[str] = []
        self.record = ConversionRecord()
        self._substitutes = choice.substitutes
        self._narrows = document.precision is Precision.DOUBLE and self.precision is Precision.SINGLE

    def carried_over(self, value: Value, path: str) -> Value:
        """A value there; *path* says where it stands.

        Raises:
            ConvertError: it cannot be carried over, or shall not.
        """
        choice = TranslationChoice(self._substitutes, self.record, path, self._narrows)
        found = translate(value, self.source, self.target, self.precision, choice)
        self.lost += [f"{loss}." for loss in found.losses]
        return found.value

    def encoded(self, value: Value) -> bytes:
        """The bytes of a value of the engine line, which were read again.

        Raises:
            EncodeError: nothing there can hold it.
            CannotConvertError: what was written does not read as what was meant.
        """
        raw = encode(value, self.target, self.precision)
        table = scan(raw, self.target)
        is_whole = not table.diagnostics and table.end_of_data == len(raw)
        if not is_whole or encode(read(table), self.target, self.precision) != raw:
            raise CannotConvertError(f"{self.target.name} would read a value differently from how it was written.")
        return raw

    def file(self, data: bytes) -> ConvertedFile:
        """The file, with all that is known about it."""
        return ConvertedFile(data, tuple(dict.fromkeys(self.lost)), self.record)


def converted(
    document: Document, target: str, line: str | None = None, choice: ConversionChoice | None = None
) -> ConvertedFile:
    """The values of a document as another kind of file.

    Args:
        document: whose.
        target: one of :data:`TARGETS`.
        line: the engine line that reads it, None for that of the document.
        choice: what a person chose for values in that line.

    Raises:
        CannotConvertError: they cannot become such a file.
    """
    if target in RESOURCES:
        from viewer.document.export.resources.resource_forms import resource_as

        told: list[str] = []
        return ConvertedFile(resource_as(document, target, line, told), tuple(dict.fromkeys(told)))
    source = document.dialect
    wanted = line or source.key.removesuffix(OF_TEXT)
    engine = load(wanted) if wanted in keys() else load("godot4")
    values = [_whole(document, index) for index in range(len(document.frames))]
    try:
        if target == JSON:
            held = values if document.structure is None else [_sections(document, values)]
            lost: list[str] = []
            data = _as_json([_for_json(value, source, lost) for value in held])
            return ConvertedFile(data, tuple(dict.fromkeys(lost)))
        text = load_text_values(engine.key) if target == CONFIG else engine
        into = Conversion(document, text, choice or ConversionChoice())
        held = [into.carried_over(value, format_path(document, Item(k, 0))) for k, value in enumerate(values)]
        if document.structure is not None:
            held = [_sections(document, held)]
        if target == CONFIG:
            return into.file(_as_config(_one(held), into))
        if target == PROJECT:
            return into.file(_as_project(_one(held), into))
        parts = [into.encoded(value) for value in held]
        return into.file(b"".join(parts if target == BARE else (_counted(raw) for raw in parts)))
    except (ConvertError, EncodeError, WrapError) as error:
        raise CannotConvertError(str(error)) from error


def _whole(document: Document, index: int) -> Value:
    """A value of a document.

    Raises:
        CannotConvertError: it is damaged.
    """
    frame = document.frames[index]
    if not len(frame.table) or not frame.sound or frame.gap is not None:
        raise CannotConvertError(f"The value [{index}] is damaged: repair it first.")
    return read(frame.table)


def _one(values: Sequence[Value]) -> Value:
    """The only value.

    Raises:
        CannotConvertError: there are others.
    """
    if len(values) != 1:
        raise CannotConvertError(f"Such a file holds one value, but here are {len(values)}.")
    return values[0]


def _sections(document: Document, values: Sequence[Value]) -> Value:
    """Settings by their keys as sections, as a project has them in its text.

    Raises:
        CannotConvertError: the file holds something else.
    """
    names = document.value_names
    if bytes(document.buffer[: len(MAGIC)]) != MAGIC or len(names) != len(values):
        raise CannotConvertError(
            "Of files that are more than values only exported settings (project.binary) become that;"
            " a resource becomes tres or res, a scene tscn or scn."
        )
    held: dict[str, list[tuple[Value, Value]]] = {"": []}
    for name, value in zip(names, values, strict=True):
        section, slash, key = name.partition("/")
        held.setdefault(section if slash else "", []).append((_text(key if slash else name), value))
    line = document.dialect.key
    held[""].insert(0, (_text(VERSION), Value("int", _VERSIONS.get(line, 5))))
    pairs = ((_text(name), Value("Dictionary", Dictionary(tuple(some)))) for name, some in held.items() if some)
    return Value("Dictionary", Dictionary(tuple(pairs)))


def _text(text: str) -> Value:
    return Value("String", text)


def _for_json(value: Value, source: Dialect, lost: list[str]) -> Value:
    """A value with what JSON has; all else becomes text. Nothing recurses, however deep it nests."""
    order, stack = [], [value]
    while stack:
        one = stack.pop()
        order.append(one)
        stack += _held(one)
    built: list[Value] = []
    for one in reversed(order):
        data, count = one.data, len(_held(one))
        inner, built[len(built) - count :] = built[len(built) - count :], []
        if isinstance(data, Dictionary):
            if data.key_type is not None or data.value_type is not None:
                lost.append("JSON has no typed dictionaries.")
            keys_of = [_json_key(key, source, lost) for key, _ in data.pairs]
            built.append(Value("Dictionary", Dictionary(tuple(zip(keys_of, inner, strict=True)))))
        elif isinstance(data, Array):
            if data.element_type is not None:
                lost.append("JSON has no typed arrays.")
            built.append(Value("Array", Array(tuple(inner))))
        else:
            built.append(_json_leaf(one, source, lost))
    return built.pop()


def _held(value: Value) -> tuple[Value, ...]:
    data = value.data
    if isinstance(data, Dictionary):
        return tuple(held for _, held in data.pairs)
    return data.elements if isinstance(data, Array) else ()


def _json_key(key: Value, source: Dialect, lost: list[str]) -> Value:
    if key.type == "String":
        return key
    lost.append(f"Keys of type {key.type} become texts.")
    return _text(str(key.data) if isinstance(key.data, str) else format_literal(key, source))


def _json_leaf(value: Value, source: Dialect, lost: list[str]) -> Value:
    data = value.data
    if value.type == "int" and isinstance(data, int):
        if int(float(data)) != data:
            lost.append(f"{data} becomes {int(float(data))}: numbers in JSON are floats.")
        return Value("float", float(data))
    if isinstance(data, float) and (why := lost_float(data)):
        lost.append(why)
        return Value("float", readable(data))
    if value.type in ("Nil", "bool", "String") or (isinstance(data, float) and math.isfinite(data)):
        return value
    lost.append(
        f"Values of type {value.type} become texts." if not isinstance(data, float) else "JSON has no nan or inf."
    )
    return _text(str(data) if isinstance(data, str) else format_literal(value, source))


def _as_json(values: Sequence[Value]) -> bytes:
    is_lines = len(values) > 1
    notation = JsonNotation(b"" if is_lines else _JSON_STYLE, is_lines)
    return b"".join(notation.value(value, b"", 0 if is_lines else 1) + b"\n" for value in values)


def _as_config(value: Value, into: Conversion) -> bytes:
    notation = EngineNotation(b"", into.target, False)
    out, meant = [], []
    sections = _pairs(value, "A ConfigFile is a dictionary of sections")
    for name, section in sorted(sections, key=lambda each: each[0] != ""):  # keys without a section stand in front
        if not isinstance(section.data, Dictionary):
            raise CannotConvertError(f"The section “{name}” holds a {section.type}, and must hold keys: a Dictionary.")
        head = b"[" + notation.key(_text(name), SECTIONS) + b"]\n\n" if name else b""
        out.append(head + notation.value(section, b"", SECTION) + b"\n")
        if any(held.type == "Nil" for _, held in section.data.pairs):
            into.lost.append("A ConfigFile cannot hold null: engines skip a key whose value is null.")
        if name or section.data.pairs:
            meant.append((_text(name), Value("Dictionary", Dictionary(section.data.pairs))))
    text = b"\n".join(out)
    _check(text, Value("Dictionary", Dictionary(tuple(meant))), into.target)
    return text


def _check(text: bytes, meant: Value, dialect: Dialect) -> None:
    """Read a text again.

    Raises:
        CannotConvertError: it does not read as what was meant.
    """
    parser, raw = EngineTextParser(text, dialect, MOST_INSIDE), encode(meant, dialect)
    parser.read()
    read = bytes(parser.out)
    if parser.damages or not (read == raw or is_as_near_as_can_be(read, raw, dialect)):
        raise CannotConvertError(
            "Engines would read a key or a value of this ConfigFile differently from what was meant."
        )


def _as_project(value: Value, into: Conversion) -> bytes:
    entries = []
    for name, section in _pairs(value, "Settings are a dictionary of sections"):
        for key, held in _pairs(section, f"The section “{name}” holds keys"):
            if not name and key == VERSION:
                continue  # the engine writes none there
            raw, data = (f"{name}/{key}" if name else key).encode(), into.encoded(held)
            entries.append(_counted(raw) + _counted(data))
    return MAGIC + len(entries).to_bytes(4, "little") + b"".join(entries)


def _counted(raw: bytes) -> bytes:
    return len(raw).to_bytes(4, "little") + raw


def _pairs(value: Value, what: str) -> list[tuple[str, Value]]:
    """The pairs of a dictionary whose keys are texts.

    Raises:
        CannotConvertError: it is none; *what* says what it would have to be.
    """
    if not isinstance(value.data, Dictionary):
        raise CannotConvertError(f"{what}, and this is a {value.type}.")
    odd = next((key for key, _ in value.data.pairs if key.type != "String"), None)
    if odd is not None:
        raise CannotConvertError(f"{what} by texts, and one key is a {odd.type}.")
    return [(str(key.data), held) for key, held in value.data.pairs]
