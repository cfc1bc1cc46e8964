"""Evidence: whether what a value holds is something to open, decided from little and only where it is sure.

A mark on a row promises that there is something inside. So bytes count where a wrap begins with its mark, or where they
are sound values to the last byte with a structure; a text counts where it is word for word what an engine writes for
such a value, or base64 of any of these.
"""

from __future__ import annotations

import base64
import binascii

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.container.codecs import CODECS, MARKED, SHORTEST_GUESS, START
from viewer.container.layer import WrapError
from viewer.container.resource_order import resource_order
from viewer.document.detection.detect import way_of_sound_values
from viewer.document.detection.plausible import plausibility
from viewer.document.document import Document
from viewer.document.nested.nested_texts import LABEL, begins_as_value, is_engine_text, section_of
from viewer.document.nested.value_content import byte_window, content, is_text
from viewer.document.outline import node_frame
from viewer.document.pieces.framing import Frame, FrameReader, frames
from viewer.variant.dialect import HOLDING, Dialect, Kind, Precision, load
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

RESOURCE_VALUES = "-resource"
MOST_TEXT = 1 << 16
"""Characters of the longest text that is looked into for a mark."""
MOST_LAYERS = 4
MOST_UNPACKED = 1 << 20
"""Bytes that are unpacked for a mark."""
LEAST_LETTERS = 4
MOST_TYPE = 0x3F
HEAD = 4
MOST_NODES, LETTERS_SEEN = 256, 256
LIKELY = 0.9
"""How likely the numbers of a value without texts must be."""
BASE64 = late_pattern(r"[A-Za-z0-9+/]{24,}={0,2}")
ZLIB = next(codec for codec in CODECS if codec.name == "zlib")
OF_TEXT = {"json": "JSON", "config": "ConfigFile", "text-resource": "text resource"}
TEXTS = tuple(codec for codec in CODECS if codec.name in OF_TEXT)
APART = (b",", b":", b"=")
"""One of these stands in a text with a structure."""
STARTS = ("{", "[", ";")
"""How such texts begin, so that all others are not looked into."""
LABELS = {name: name.upper() for name in ("gcpf", "gdec", "gcmp", "rscc")}
VALUE, VALUES, TEXT, RESOURCE = "value", "values", "engine text", "resource"


def engine_line(dialect: Dialect) -> Dialect:
    """The engine line whose values a game puts into the values of a document."""
    key = dialect.key
    return load(key.removesuffix(RESOURCE_VALUES)) if key.endswith(RESOURCE_VALUES) else dialect


def inside_of(document: Document, item: Item) -> str:
    """What is inside a value, in a word or three; empty where nothing is, or nothing that is sure."""
    if section_of(document, item):
        return LABEL if not document.frames[item.frame].table.child_count(item.node) else ""
    frame = node_frame(document, item)
    if frame is not None and frame.table.is_guessed(item.node):
        return ""
    line = engine_line(document.dialect)
    raw = byte_window(document, item)
    if raw is not None and len(raw) >= SHORTEST_GUESS:
        return _bytes(raw, line, document.precision) or (_laid_out(raw) if frame is None else "")
    if raw is not None:
        return ""
    if frame is None or not is_text(document, item):
        return ""
    if not item.part and len(frame.table.span(item.node)) > MOST_TEXT:
        return ""
    found = content(document, item)
    return _text(found.decode(), line, document.precision) if found is not None else ""


def _laid_out(raw: Buffer) -> str:
    """The layout whose mark a file in a package has, empty for none."""
    from viewer.document.readers.layout_folder import layouts  # only packages hold files

    start = bytes(raw[:START])
    return next((each.name for each in layouts() if each.mark and each.may_be(start, "")), "")


def _text(text: str, dialect: Dialect, precision: Precision) -> str:
    if len(text) > MOST_TEXT:
        return ""
    if begins_as_value(text) and is_engine_text(text, dialect, precision):
        return TEXT
    if text[:1] in STARTS:
        return _file_text(text.encode())
    raw = _decoded(text)
    found = _bytes(raw, dialect, precision) if raw is not None else ""
    return f"base64, {found}" if found else ""


def _file_text(raw: bytes) -> str:
    """What a text is that games save as a file of its own: JSON, a ConfigFile; empty for all else."""
    if not any(sign in raw for sign in APART):
        return ""
    return next((OF_TEXT[codec.name] for codec in TEXTS if codec.probe(raw)), "")


def _decoded(text: str) -> bytes | None:
    """The bytes that a text of base64 stands for, None for others."""
    if len(text) % 4 or BASE64.fullmatch(text) is None:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None


def _bytes(raw: Buffer, dialect: Dialect, precision: Precision) -> str:
    told = ""
    for _ in range(MOST_LAYERS):
        start = bytes(raw[:START])
        wrap = next((codec for codec in MARKED if codec.probe(raw)), None)
        if wrap is not None:
            return told + LABELS.get(wrap.name, wrap.name)
        if resource_order(raw) is not None:
            return told + RESOURCE
        if may_be_values(start, len(raw)):
            return told + what if (what := _values(raw, dialect)) else ""
        inner = _inner(raw, start, dialect, precision)
        if inner is None or isinstance(inner, str):
            return told + inner if inner else ""
        label, raw = inner
        told += f"{label}, "
    return ""


def _inner(raw: Buffer, start: bytes, dialect: Dialect, precision: Precision) -> tuple[str, bytes] | str | None:
    """What a doubtful wrap holds, or what bytes are as a text; None for nothing."""
    if start[:1] == b"\x78" and ZLIB.probe(raw):
        try:
            return ZLIB.name, ZLIB.unwrap(raw, None, MOST_UNPACKED).inside
        except WrapError:
            return None
    if len(raw) > MOST_TEXT or b"\0" in start:
        return None
    try:
        text = bytes(raw[:]).decode()
    except UnicodeDecodeError:
        return None
    if begins_as_value(text) and is_engine_text(text, dialect, precision):
        return TEXT
    if text[:1] in STARTS:
        return _file_text(text.encode()) or None
    found = _decoded(text)
    return None if found is None else ("base64", found)


def may_be_values(start: bytes, size: int) -> bool:
    """Whether bytes begin as a value that is no null, or as the length of one that has room."""
    if len(start) < 8 or size < SHORTEST_GUESS:
        return False
    if _is_header(start):
        return True
    lengths = (int.from_bytes(start[:4], "little"), int.from_bytes(start[:4], "big"))
    return _is_header(start[4:]) and any(4 <= length <= size - 4 for length in lengths)


def _is_header(word: bytes) -> bool:
    return 0 < word[0] <= MOST_TYPE and word[1] <= 3 and word[2] <= 0xF and word[3] == 0


def _values(raw: Buffer, dialect: Dialect) -> str:
    """What values the bytes are, all of them sound and one with a structure; empty for none."""
    way = way_of_sound_values(raw, dialect, None, None)
    if way is None:
        return ""
    line, framing = way
    found = frames(raw, framing, FrameReader(raw, line))
    is_whole = sum(len(frame.span) for frame in found) == len(raw)
    if not is_whole or not all(frame.sound and frame.gap is None for frame in found):
        return ""
    if not any(_has_structure(frame) for frame in found):
        return ""
    if not any(_has_letters(frame.table) for frame in found) and not (len(found) == 1 and _is_telling(found[0].table)):
        return ""
    return VALUE if len(found) == 1 else VALUES


def _has_letters(table: NodeTable) -> bool:
    """Whether some node among the first ones is a text that can be read; numbers alone may be values by chance."""
    for node in range(min(len(table), MOST_NODES)):
        row = table.row(node)
        if row is not None and row.kind is Kind.STRING:
            data = read_shallow(table, node).data
            if isinstance(data, str) and data.isprintable() and any(map(str.isalpha, data[:LETTERS_SEEN])):
                return True
    return False


def _is_telling(table: NodeTable) -> bool:
    """Whether a value without any text is no work of chance: likely numbers, nothing empty and no null."""
    for node in range(min(len(table), MOST_NODES)):
        row = table.row(node)
        size = table.end(node) - table.start[node]
        if row is None or size <= HEAD or (row.kind in HOLDING and not table.child_count(node)):
            return False
    return plausibility(table) >= LIKELY


def _has_structure(frame: Frame) -> bool:
    """Whether a value holds others, or is a text of some letters."""
    table = frame.table
    if table.child_count(0):
        return True
    row, data = table.row(0), read_shallow(table, 0).data
    is_text = row is not None and row.kind is Kind.STRING and isinstance(data, str)
    return is_text and len(str(data)) >= LEAST_LETTERS and str(data).isprintable()
