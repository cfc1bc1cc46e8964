"""Notes on bytes that are right but that an engine may refuse all the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from viewer.base.diagnostic import Code, count_bytes
from viewer.container.frames import FramingKind
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.repair import Repair
from viewer.document.findings import Findings
from viewer.variant.dialect import FLAG_64, Kind
from viewer.variant.table import NodeTable

LARGEST_PACKET = 8 << 20
MOST_NODES = 4096
MOST_FRAMES = 64
ALLOW = "Read it with objects allowed: get_var(true), bytes_to_var_with_objects(), or allow_object_decoding."
SPLIT = "Send it in parts, or raise encode_buffer_max_size; a UDP packet takes 65507 bytes at most."


def limit_notes(document: Findings) -> Iterator[Repair]:
    """What an engine may refuse in values that are whole."""
    yield from _depth(document)
    yield from _objects(document)
    yield from _typed(document)
    if document.framing.kind is FramingKind.BARE and len(document.buffer) > LARGEST_PACKET:
        reason = f"It takes {count_bytes(len(document.buffer))}; a PacketPeer encodes up to 8 MiB."
        yield _note(Cause.TOO_LARGE, reason, 0.3, SPLIT)


def _note(cause: Cause, reason: str, confidence: float, note: str) -> Repair:
    return Repair(cause, cause.sentence, reason, confidence, note=note)


def _depth(document: Findings) -> Iterator[Repair]:
    for frame in islice(document.frames, MOST_FRAMES):
        for found in frame.table.diagnostics:
            if found.code is Code.TOO_DEEP:
                yield _note(Cause.TOO_DEEP, found.message, 0.95, "Store ids or a flat list instead of nested values.")
                return


def _objects(document: Findings) -> Iterator[Repair]:
    for frame in islice(document.frames, MOST_FRAMES):
        table = frame.table
        for node in islice(table.nodes, MOST_NODES):
            row = table.row(node)
            if row is not None and row.kind is Kind.OBJECT and not table.header(node) & FLAG_64:
                place = frame.start + table.start[node]
                reason = f"An object with its properties stands at 0x{place:X}; the rest can be read."
                yield _note(Cause.OBJECTS_NOT_ALLOWED, reason, 0.6, ALLOW)
                return


def _typed(document: Findings) -> Iterator[Repair]:
    for frame in islice(document.frames, MOST_FRAMES):
        feature = _feature(frame.table)
        if feature:
            note = "Read it with the engine version that wrote it, or store it untyped."
            yield _note(Cause.NEWER_FEATURE, feature, 0.3, note)
            return


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
