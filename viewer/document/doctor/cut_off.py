"""Cut off: bytes that are sound up to their last one, where the value that was begun needs more."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.buffer import u32
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.container.armor.text_format import TextFormat
from viewer.container.frames import prefix
from viewer.container.resource_order import RSRC
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.readers.file_structure import Structure
from viewer.variant.dialect import HOLDING, SHARED, Kind
from viewer.variant.lint.lint import lint_nodes
from viewer.variant.table import NONE, NodeTable

SIZES = {
    128: "a small buffer",
    256: "a small buffer",
    255: "what one byte can count",
    508: "what a UDP packet carries anywhere",
    512: "a block of a disk, and a common buffer",
    576: "the smallest packet of IPv4",
    1024: "a common buffer",
    1200: "a safe size for UDP packets",
    1392: "the MTU that ENet uses",
    1400: "a common size for UDP packets",
    1472: "what a UDP packet carries over Ethernet",
    1500: "the MTU of Ethernet",
    2048: "a common buffer",
    4096: "a page of memory, and a common buffer",
    8192: "a common buffer",
    16384: "a record of TLS",
    32768: "a common buffer",
    65507: "the largest UDP packet",
    65535: "what two bytes can count",
    65536: "a common buffer",
}
"""Sizes at which bytes are cut, and by what."""
TEXT_SIZES = dict.fromkeys((100, 255, 256, 500, 512, 1000, 1024, 2000, 4000, 8000, 65535), "a common size of a column")
"""The same where they stand in a text."""
AT_END = frozenset({Code.PAYLOAD_TRUNCATED, Code.CHILD_MISSING, Code.LENGTH_TOO_LONG, Code.COUNT_TOO_LARGE})
"""What is found at the end of bytes that were cut off."""
CUT_THERE = frozenset({Code.RESOURCE_CUT, Code.RESOURCE_OFFSET, Code.RESOURCE_COUNT})
"""What a reader finds where the end of a file is missing."""
NEAR_END = 64
"""A count that promises more than there is was cut off where hardly any bytes follow; elsewhere the count is wrong."""
NOTHING_BEHIND = frozenset({Code.PAYLOAD_TRUNCATED, Code.CHILD_MISSING})
"""Of that, what is found only where hardly any bytes are left."""
MOST_BEGUN = 16
"""Longer values of a fixed size are not taken for one that was begun: a wrong header may say anything."""
WORD, LONGEST, MOST_LEVELS = 4, 1 << 16, 1 << 10
COUNTED = (Kind.ARRAY, Kind.DICTIONARY)
BLOCK = 512
TRUE, TRUE_ANYWHERE = 0.95, 0.75
"""How often it is so where nothing else explains the bytes: at a size where bytes are cut, and at any other, where a
length, a count or a header that nobody knows to be wrong looks alike."""
LEAST = 8
GET_REST = (
    "Look for where it was cut: the next packet, a buffer that was too short, a write that was stopped, or a read in "
    "text mode, which may end at a byte 1A."
)
GET_FILE = "Look for a whole copy of the file: a download, a copy or a write was stopped."


def cut_off(document: Document, data: bytes) -> Iterator[Repair]:
    """That the end is missing, where all before it is sound.

    Args:
        document: as it is read now.
        data: its bytes.
    """
    lacking = missing(document)
    if lacking is None or len(data) < LEAST:
        return
    yield _end_missing(lacking, cut_words(document), GET_REST)


def cut_structure(document: Document, structure: Structure) -> Iterator[Repair]:
    """The same of a file that is more than values, such as a binary resource.

    Args:
        document: as it is read now.
        structure: what its reader made of it.
    """
    lacking = _missing_of(document, structure)
    if lacking is not None:
        yield _end_missing(lacking, cut_words(document), GET_FILE, is_file=True)


def _end_missing(lacking: int, why: str, note: str, is_file: bool = False) -> Repair:
    are = "is" if lacking == 1 else "are"
    reason = f"All that is there is sound, and ends within a value: at least {count_bytes(lacking)} {are} missing."
    if why:
        reason += f" {why}"
    return Repair(
        Cause.END_MISSING, Cause.END_MISSING.sentence, reason, TRUE if why or is_file else TRUE_ANYWHERE, note=note
    )


def cut_words(document: Document) -> str:
    """A sentence about what cuts bytes at the size of a document, or of the text around it; empty for none."""
    around, size = document.wraps.around, len(document.buffer)
    length = len(around[-1].outside) if around and isinstance(around[-1].form, TextFormat) else 0
    if length in TEXT_SIZES:
        return f"The text that holds it ends at {length:,} characters: {TEXT_SIZES[length]}."
    why = size_words(size)
    return f"It ends at {size:,} bytes, which may be the reason: {why}." if why else ""


def size_words(size: int) -> str:
    """What cuts bytes at a size; empty for one that nothing does."""
    if size in SIZES:
        return SIZES[size]
    return "a multiple of a disk's blocks" if size and size % BLOCK == 0 else ""


def missing(document: Document) -> int | None:
    """How many bytes are missing at least; None where something else is wrong, or nothing."""
    frames, size = document.frames, len(document.buffer)
    if not frames or document.gaps or not all(frame.sound and frame.gap is None for frame in frames[:-1]):
        return None
    last = frames[-1]
    table = last.table
    errors = [found for found in table.diagnostics if found.severity is Severity.ERROR]
    if last.cut.payload.end != size or table.gaps or table.guess is not None:
        return None
    if (
        errors
        and errors[0].code in NOTHING_BEHIND
        and last.gap is not None
        and len(last.gap) > _begun(table, errors[0])
    ):
        return None  # it breaks before the end
    told = 0
    if last.cut.prefix:
        told = prefix(document.buffer, last.cut.prefix.start, document.framing.big_endian) - len(last.cut.payload)
        if told <= 0:
            return None  # the frame is whole: its value is broken
    if (
        told
        and errors
        and errors[0].code is Code.PADDING_MISSING
        and last.cut.payload.start + errors[0].span.end == size
    ):
        return told
    if not errors or errors[0].code not in AT_END:
        return None
    if any(found.code is Code.IGNORED_FLAGS for found in lint_nodes(table, [0])):
        return None  # no value begins so: not all before the end is sound
    lacking = _lacking(table, errors[0])
    if lacking is None or told:
        return told if lacking is not None else None
    return lacking + _still_to_come(table, errors[0])


def _still_to_come(table: NodeTable, error: Diagnostic) -> int:
    """How many bytes the elements take at least that the open collections lack, behind the one that was begun."""
    node, count = table.at(table.end_of_data - 1), -int(error.code is Code.CHILD_MISSING)  # that one is begun
    for _ in range(MOST_LEVELS):
        row = table.row(node) if node != NONE and not table.is_name(node) else None
        header = table.header(node) if row is not None else 0
        if row is None or (row.kind in HOLDING and (row.kind not in COUNTED or header >> 16)):
            break
        if row.kind in COUNTED and table.start[node] + 2 * WORD <= table.end_of_data:
            told = u32(table.buffer, table.start[node] + WORD) & ~SHARED
            count += max(0, told * (2 if row.kind is Kind.DICTIONARY else 1) - table.child_count(node))
        if not node:
            break
        node = table.parent[node]
    return WORD * max(0, count) if WORD * count <= LONGEST else 0


def _begun(table: NodeTable, error: Diagnostic) -> int:
    """How many bytes at the end may be a value that was begun: a header, and of a short one all but the last."""
    row = table.row(error.node) if error.node is not None else None
    size = row.narrow_size if row is not None and row.kind is Kind.FIXED else 0
    return WORD + size - 1 if 0 < size <= MOST_BEGUN else WORD


def may_lack_its_end(table: NodeTable) -> bool:
    """Whether a value that was read alone breaks as one does whose end is missing: others need no document."""
    errors = [found for found in table.diagnostics if found.severity is Severity.ERROR]
    return bool(errors) and errors[0].code in AT_END and _lacking(table, errors[0]) is not None


def _missing_of(document: Document, structure: Structure) -> int | None:
    """How many bytes of a structure are missing at least; None where something else is wrong, or nothing."""
    size, errors = len(document.buffer), [each for each in structure.findings if each.severity is Severity.ERROR]
    if bytes(document.buffer[max(0, size - len(RSRC)) : size]) == RSRC:
        return None  # the mark at the end is there
    if any(found.code not in CUT_THERE for found in errors) or not all(each.sound for each in document.frames[:-1]):
        return None
    counts = [found.span.end for found in errors if found.code is Code.RESOURCE_COUNT]
    if any(size - end > NEAR_END for end in counts):
        return None
    if any(found.code is Code.RESOURCE_CUT for found in errors):
        return 1
    behind = [word.target for word in structure.offsets if word.target >= size]
    if len(behind) != len(errors):
        return None  # another resource begins where none can
    last = document.frames[-1] if document.frames else None
    broken = [found for found in last.table.diagnostics if found.severity is Severity.ERROR] if last is not None else []
    if last is None or not broken or last.cut.payload.end != size or broken[0].code not in AT_END:
        if last is not None and any(found.code is Code.RESOURCE_TAIL for found in last.table.diagnostics):
            return 1
        return max(behind) - size + WORD if behind and not broken else None
    lacking = _lacking(last.table, broken[0])
    return None if lacking is None else max(lacking, max(behind, default=0) - size)


def _needed(table: NodeTable, error: Diagnostic) -> int:
    """How many bytes should stand where the end is: the fields of a value of a fixed size, else a word."""
    row = table.row(error.node) if error.code is Code.PAYLOAD_TRUNCATED and error.node is not None else None
    if (
        error.node is None
        or row is None
        or row.kind is not Kind.FIXED
        or error.span.start != table.start[error.node] + 4
    ):
        return WORD
    return sum(field.size for field in row.fields(table.header(error.node)))


def _lacking(table: NodeTable, error: Diagnostic) -> int | None:
    """How many bytes the value needs that ends the bytes; None where it does not look cut off, but broken."""
    buffer, at = table.buffer, error.span
    left = len(buffer) - at.end
    if error.code in NOTHING_BEHIND:
        return max(1, _needed(table, error) - len(at)) if left <= _begun(table, error) else None
    told = u32(buffer, at.start)
    if error.code is Code.LENGTH_TOO_LONG:
        begun = bytes(buffer[at.end : len(buffer)])
        try:
            shown = begun.decode("utf-8", "ignore")
        except UnicodeDecodeError:
            return None
        plain = all(sign.isprintable() or sign in "\n\t\r" for sign in shown) and len(shown.encode()) > left - WORD
        return told - left if plain and told <= LONGEST else None
    row = table.row(error.node) if error.node is not None else None
    size = max(1, row.narrow_size) if row is not None else WORD
    return told * size - left if told * size <= LONGEST else None
