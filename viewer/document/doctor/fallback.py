"""Where nothing makes the bytes whole: what they are instead, or what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import Code, count_bytes
from viewer.container.codecs import CODECS
from viewer.container.frames import FramingKind
from viewer.container.layer import Secret, WrapError
from viewer.document.detection.detect import looks_like_values
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.cut_off import cut_off
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.kinds.signatures import FileKind
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import FLAG_64, Kind
from viewer.variant.table import NodeTable

MOST_UNWRAPPED = 1 << 24
"""A wrap around more bytes is not taken off by the doctor itself."""

# What is no stored value at all, named by its bytes; and wraps that were not taken off.


def named(document: Document, data: Buffer) -> FileKind | None:
    """What the bytes of a document are where they hold no plausible value, whatever was chosen; None for all others."""
    choice, wraps = document.choice, document.wraps
    is_plain = choice.leaves_all_open and choice.preferred is None and not wraps.around and wraps.blocked is None
    return foreign_kind(document if is_plain else Document(data, choice=ReadOptions(opening=UnwrapOptions(()))))


def codec_of(data: Buffer, secret: Secret | None, most: int = MOST_UNWRAPPED) -> tuple[str, bytes] | None:
    """The wrap around bytes, and what is inside; None where there is none, or it cannot be opened.

    Args:
        data: the bytes.
        secret: what opens encrypted ones.
        most: where more bytes are inside, it cannot be opened.
    """
    for codec in CODECS:
        if not codec.probe(data):
            continue
        try:
            inside = codec.unwrap(data, secret, most).inside
        except WrapError:
            continue
        return codec.name, inside
    return None


SHORTEST, MOST_LEFT, MOST_LOOKED = 4, 3, 4096
FOREIGN_SURE, FOREIGN, FOREIGN_CODED = 0.95, 0.5, 0.08
"""How often bytes hold no values that a signature names as something else; that look like it; and a text without words,
which may be one of the many forms of bytes in logs."""
FREQUENT, IN_WORDS = b"etaoin", 0.2
"""The most frequent letters, and their least share of the signs of a text in words."""
OTHER_COPY = "Copy all of it again from where it came; what is missing in it cannot be known."
OTHERS_BESIDE = "Look beside it for an earlier copy: many games keep one, as .bak, .old or .tmp."
GET_MORE = "Take the whole buffer, with its length, instead of a text: a text ends at its first zero."


def wrapped(document: Document, data: bytes) -> Iterator[Repair]:
    """A wrap that was not taken off, or something that is no stored value at all."""
    found = codec_of(data, document.wraps.secret)
    if found is not None and document.wraps.blocked is None:
        name, inside = found
        if looks_like_values(inside) or codec_of(inside, document.wraps.secret) is not None:
            reason = f"It is {name}; inside there are {count_bytes(len(inside))} that make sense."
            choice = ReadOptions(opening=UnwrapOptions((*document.wraps.names, name)[-1:], document.wraps.secret))
            yield Repair(Cause.WRAPPED, Cause.WRAPPED.sentence, reason, 0.95, choice=choice)
            return
    lacking = ((wrap, damage) for wrap, damage in document.wraps.damages if damage.inside is not None)
    for wrap, damage in lacking:
        name, sentence = f"{wrap.codec.name}-damaged", Cause.WRAP_DAMAGED.sentence
        yield Repair(Cause.WRAP_DAMAGED, sentence, damage.sentence, 0.95, note=OTHER_COPY, slug=name)
        return
    if document.wraps.needs_key:
        note = "Give the password or key that the game uses."
        yield Repair(Cause.WRAPPED, Cause.WRAPPED.sentence, str(document.wraps.blocked), 0.9, note=note)
        return
    other = named(document, data)
    if other is not None:
        reason = f"This {'is' if other.is_sure else 'seems to be'} {other.name}: {other.fact}."
        yield Repair(Cause.NO_VARIANT, Cause.NO_VARIANT.sentence, reason, _foreign(data, other), note=other.advice)


def _foreign(data: bytes, kind: FileKind) -> float:
    """How often bytes that look like another kind of file hold no values."""
    begin = data[:MOST_LOOKED]
    if not begin.isascii():
        return FOREIGN_SURE if kind.is_sure else FOREIGN
    shown = [byte for byte in begin if byte > 0x20]
    return FOREIGN if sum(map(FREQUENT.__contains__, shown)) >= IN_WORDS * len(shown) else FOREIGN_CODED


def fallbacks(document: Document, data: bytes) -> Iterator[Repair]:
    """What can be said where nothing makes the bytes whole."""
    if len(data) <= MOST_LEFT and 0 not in data and data.strip():
        reason = (
            f"Only {count_bytes(len(data))} came, without a zero; a header or a length takes 4 bytes, zeros among them."
        )
        likely = 0.7 if document.dialect.row(data[0]) is not None else 0.5
        yield Repair(Cause.CUT_AT_NUL, Cause.CUT_AT_NUL.sentence, reason, likely, note=GET_MORE)
    elif len(data) >= SHORTEST:
        yield from cut_off(document, data)


# Notes on bytes that are right but that an engine may refuse all the same.

LARGEST_PACKET = 8 << 20
MOST_NODES = 4096
MOST_FRAMES = 64
LEAST_BITS, MOST_ALIKE, TWICE_TRUE, ONCE_TRUE = 16, 4, 0.9, 0.6
"""A half has more bits than that, and so many times as many numbers must be so as are not; how often it is a mistake in
different numbers, and in one."""
LOW_TWICE = "Your encoder writes the lower half of an int of eight bytes twice; an engine reads its upper half there."
HIGH_LOST = (
    "What the upper halves were is not in the bytes. "
    "In JavaScript v >> 32 shifts by nothing: use BigInt, or Math.floor(v / 2 ** 32)."
)
ALLOW = "Read it with objects allowed: get_var(true), bytes_to_var_with_objects(), or allow_object_decoding."
SPLIT = "Send it in parts, or raise encode_buffer_max_size; a UDP packet takes 65507 bytes at most."


def empty_file() -> Repair:
    """What it means that a file has no bytes at all."""
    sentence = "The file is empty. A game that stops or crashes while it saves leaves that: nothing was written"
    return Repair(Cause.NO_VARIANT, f"{sentence}.", "It has no bytes.", FOREIGN_SURE, note=OTHERS_BESIDE, slug="empty")


def limit_notes(document: Document) -> Iterator[Repair]:
    """What an engine may refuse in values that are whole."""
    yield from _depth(document)
    yield from _objects(document)
    yield from _typed(document)
    yield from _halves(document)
    if document.framing.kind is FramingKind.BARE and len(document.buffer) > LARGEST_PACKET:
        reason = f"It takes {count_bytes(len(document.buffer))}; a PacketPeer encodes up to 8 MiB."
        yield _note(Cause.TOO_LARGE, reason, 0.3, SPLIT)


def _note(cause: Cause, reason: str, confidence: float, note: str) -> Repair:
    return Repair(cause, cause.sentence, reason, confidence, note=note)


def _depth(document: Document) -> Iterator[Repair]:
    for frame in islice(document.frames, MOST_FRAMES):
        for found in frame.table.diagnostics:
            if found.code is Code.TOO_DEEP:
                yield _note(Cause.TOO_DEEP, found.message, 0.95, "Store ids or a flat list instead of nested values.")
                return


def _objects(document: Document) -> Iterator[Repair]:
    for frame in islice(document.frames, MOST_FRAMES):
        table = frame.table
        for node in islice(table.nodes, MOST_NODES):
            row = table.row(node)
            if row is not None and row.kind is Kind.OBJECT and not table.header(node) & FLAG_64:
                place = frame.start + table.start[node]
                reason = f"An object with its properties is at 0x{place:X}; the rest can be read."
                yield _note(Cause.OBJECTS_NOT_ALLOWED, reason, 0.6, ALLOW)
                return


def _typed(document: Document) -> Iterator[Repair]:
    for frame in islice(document.frames, MOST_FRAMES):
        feature = _feature(frame.table)
        if feature:
            note = "Read it with the engine version that wrote it, or store it untyped."
            yield _note(Cause.NEWER_FEATURE, feature, 0.3, note)
            return


def _halves(document: Document) -> Iterator[Repair]:
    """Ints of eight bytes whose two halves are the same, which no number of a game is but by chance."""
    alike, others, first = dict[bytes, int](), 0, -1
    for frame in islice(document.frames, MOST_FRAMES):
        table = frame.table
        for node in islice(table.nodes, MOST_NODES):
            row = table.row(node)
            if row is None or row.name != "int" or not table.header(node) & FLAG_64 or table.is_name(node):
                continue
            at = table.start[node] + 4
            low, high = bytes(table.buffer[at : at + 4]), bytes(table.buffer[at + 4 : at + 8])
            number = int.from_bytes(low, "little", signed=True)
            if low != high or low[:2] == low[2:] or max(number, ~number) >> LEAST_BITS == 0:
                others += 1  # a pattern of bits, and small numbers, are alike without a mistake
                continue
            alike[low] = alike.get(low, 0) + 1
            first = frame.start + at if first < 0 else first
    if sum(alike.values()) > MOST_ALIKE * others:
        reason = f"It is so in {sum(alike.values())} of {sum(alike.values()) + others}, first at 0x{first:X}."
        true = TWICE_TRUE if len(alike) > 1 else ONCE_TRUE
        yield Repair(Cause.ENCODER_RULE, LOW_TWICE, reason, true, note=HIGH_LOST, slug="int64-low-half-twice")


def _feature(table: NodeTable) -> str:
    rules = table.dialect.rules
    if not rules.typed_arrays:
        return ""
    for node in islice(table.nodes, MOST_NODES):
        row, header = table.row(node), table.header(node)
        if row is None or table.is_name(node):
            continue
        if row.kind is Kind.DICTIONARY and header >> 16 & 0xF:
            return "Godot 4.3 and earlier read this typed dictionary's key type as its count."
        if row.kind is Kind.ARRAY and header >> 16 & 3:
            return "Godot 4.2 and earlier read this typed array's element type as its count."
        if row.name == "PackedVector4Array":
            return "Godot 4.2 and earlier know no PackedVector4Array."
    return ""
