"""Failing bytes as something to hand on: hex, the engine's own text, or a test in GDScript."""

from __future__ import annotations

from viewer.base.diagnostic import Code, Severity
from viewer.base.unseen import printable
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.engines.lines import EngineLine
from viewer.document.export.findings_export import findings
from viewer.document.export.item_text import item_literal
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Dialect
from viewer.variant.items import Item

ROW = 16
GODOT4 = "godot4"
READ_ON = frozenset({Code.BAD_UTF8, Code.ELEMENT_TYPE, Code.TOO_DEEP, Code.ENGINE_REFUSES, Code.SCRIPT_PATH})
"""Errors that leave a value whole."""


def as_hex(data: bytes) -> str:
    """The bytes as hex digits, 16 bytes a line."""
    return "\n".join(data[at : at + ROW].hex(" ") for at in range(0, len(data), ROW)) or ""


def as_literal(data: bytes, dialect: Dialect) -> str | None:
    """The value in the engine's own text; None where it is too broken to have one."""
    document = _document(data, dialect)
    frame = document.frames[0] if document.frames else None
    if frame is None or not len(frame.table) or frame.gap is not None:
        return None
    if any(each.severity is Severity.ERROR and each.code not in READ_ON for each in frame.table.diagnostics):
        return None
    try:
        return str(item_literal(document, Item(0, 0)))
    except EditError:
        return None


def as_gdscript(data: bytes, dialect: Dialect, engine: EngineLine | None = None) -> str:
    """A function that fails as long as an engine refuses these bytes.

    Args:
        data: one value, without a length in front.
        dialect: whose bytes they are.
        engine: which engine's words are told in a comment, None for what we say.
    """
    lines = ["func test():", *(f"\t# {line}" for line in _why(data, dialect))]
    numbers = _numbers(data)
    if dialect.rules.literals == GODOT4:
        lines += [f"\tvar bytes = PackedByteArray([{numbers}])", "\tassert(bytes_to_var(bytes) != null)"]
    elif dialect.rules.literals == "godot2":
        lines += [f"\tvar bytes = RawArray([{numbers}])", "\tassert(bytes2var(bytes) != null)"]
    else:
        lines += [
            f"\tvar bytes = PoolByteArray([{numbers}])",
            "\tvar stream = StreamPeerBuffer.new()  # bytes2var would end this function where it fails",
            "\tstream.put_32(bytes.size())",
            "\tstream.put_data(bytes)",
            "\tstream.seek(0)",
            "\tassert(stream.get_var() != null)",
        ]
    if engine is not None:
        lines.insert(1, f"\t# {engine.name}, {engine.source}")
    return "\n".join(lines)


def _why(data: bytes, dialect: Dialect) -> list[str]:
    """What is wrong, a line a finding, the first few."""
    found = [each for each in findings(_document(data, dialect)) if each.severity is Severity.ERROR]
    return [printable(f"0x{each.span.start:X}: {each.line}") for each in found[:3]]


def _numbers(data: bytes) -> str:
    """The bytes as numbers, 16 a line."""
    rows = [", ".join(str(byte) for byte in data[at : at + ROW]) for at in range(0, len(data), ROW)]
    return ",\n\t\t".join(rows)


def _document(data: bytes, dialect: Dialect) -> Document:
    return Document(data, choice=ReadOptions(dialect, framing=FramingKind.BARE))
