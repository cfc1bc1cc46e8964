"""A ruling: how far one engine's decoder gets through one value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from viewer.base.buffer import Buffer, Bytes, in_memory, u32, window
from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.progress import Progress
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document.engines.conditions import FREES, Condition, condition, not_made, unauthorized
from viewer.document.engines.lines import EngineLine, decoder
from viewer.variant import text
from viewer.variant.columns import Pool
from viewer.variant.dialect import FLAG_64, PACKED, Kind
from viewer.variant.lint.lint import lint
from viewer.variant.read import is_script
from viewer.variant.scan import scan
from viewer.variant.table import NONE, NodeTable

ALL_POOLS = "All memory pool allocations are in use"
VECTOR4 = 20
"""Bytes of a Vector4 with its header."""
ODDITIES_KEPT = 100
WORD = 4
LONGEST_CLASS, MOST_PROPERTIES = 256, 2000
"""Bytes of a class name, and names and values of an object, that are looked at."""
SHALLOW, DEEP_COST, MOST_COST = 64, 1000, 100_000
"""Levels that are cheap to look a value up in, what a deeper one costs, and what may be spent on looking up."""
MOST_HOPS, MOST_WORK = 1000, 1 << 28
"""Collections with hostile counts that are followed one into the other, and the bytes that are looked at for that."""


@dataclass(frozen=True, slots=True)
class DecoderStop:
    """Where a decoder stops.

    Args:
        span: the bytes that its condition is about, from the start of the value.
        node: the node there, -1 for none.
        part: the node's part.
        condition: why.
        code: what we call it; None where that is no fault of the bytes.
        message: the finding in a sentence.
    """

    span: Span
    node: int
    part: str
    condition: Condition
    code: Code | None
    message: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a decoder makes of one value.

    Args:
        table: the nodes as it goes through them, beyond where it stops too.
        stop: where it stops, None where it does not.
        oddities: what it accepts before that though it would not write it, in byte order; and the first number that a
            build with single precision rounds.
    """

    table: NodeTable
    stop: DecoderStop | None
    oddities: tuple[Diagnostic, ...]


def rule(
    engine: EngineLine,
    buffer: Buffer,
    allow_objects: bool = False,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> Ruling:
    """Follow a decoder through the value at the start of *buffer*.

    Args:
        engine: whose decoder.
        buffer: the bytes that the game passes to it.
        allow_objects: whether the game passes true for that.
        progress: told the offset reached now and then; returning False stops the scan.
        pool: where columns come from.

    Raises:
        Stopped: *progress* returned False.
    """
    table, first, oddities = _followed(engine, buffer, allow_objects, progress, pool)
    if first is not None:
        first = _further(engine, buffer, allow_objects, table, first)
        oddities = tuple(odd for odd in oddities if odd.span.start < first.span.start)
    return Ruling(table, first, oddities)


def _followed(
    engine: EngineLine, buffer: Buffer, allow_objects: bool, progress: Progress | None = None, pool: Pool | None = None
) -> tuple[NodeTable, DecoderStop | None, tuple[Diagnostic, ...]]:
    """The nodes, the first place where the decoder stops, and what is odd anywhere."""
    table = scan(buffer, decoder(engine), progress, pool)
    errors, oddities = _findings(table)
    heeded = (found for found in errors if allow_objects or not _needs_objects(found, table))
    error = min(heeded, key=_turn, default=None)
    stops = [] if error is None else [_stop(engine, table, error)]
    stops += _miscounted(engine, table)
    stops += _made(engine, table) if allow_objects else _objects(engine, table)
    stops += _full_pool(engine, table)
    return table, min(stops, key=_turn, default=None), oddities


def _turn(stop: DecoderStop | Diagnostic) -> tuple[int, bool]:
    """Which of several things a decoder comes to first: the first in the bytes, too many levels before others there."""
    return stop.span.start, stop.code is not Code.TOO_DEEP


def _further(
    engine: EngineLine, buffer: Buffer, allow_objects: bool, table: NodeTable, stop: DecoderStop
) -> DecoderStop:
    """Where the decoder really stops: the scanner gives up early where two counts promise more than all bytes."""
    base, found, inner, work = 0, stop, table, 0
    for _ in range(MOST_HOPS):
        work += len(buffer) - base
        if work > MOST_WORK:
            break
        is_early = found.code is Code.CHILD_MISSING and base + found.span.start + WORD <= len(buffer)
        if not is_early or inner.start[found.node] == 0:
            break
        base += inner.start[found.node]
        named = _in_object(inner, found.node)
        inner, following, _ = _followed(engine, window(buffer, base, len(buffer)), allow_objects)
        while following is None and not named and inner.end_of_data and work <= MOST_WORK:
            base += inner.end_of_data  # that one is whole: what surrounds it still promises more than there is
            work += len(buffer) - base
            inner, following, _ = _followed(engine, window(buffer, base, len(buffer)), allow_objects)
        if following is None:
            return stop
        found = following
    return stop if found is stop else replace(found, span=found.span.shifted(base), node=stop.node, part="")


def _in_object(table: NodeTable, node: int) -> bool:
    """Whether a node lies in an object, whose values have names in front."""
    for _ in range(MOST_HOPS):
        node = table.parent[node]
        if node == NONE:
            return False
        row = table.row(node)
        if row is None or row.kind is Kind.OBJECT:
            return True
    return True


def _findings(table: NodeTable) -> tuple[list[Diagnostic], tuple[Diagnostic, ...]]:
    """Errors, the first of them at least, and the first of what is accepted though odd."""
    errors = [found for found in table.diagnostics if found.severity is Severity.ERROR]
    odd = [found for found in table.diagnostics if found.severity is Severity.WARNING][:ODDITIES_KEPT]
    rules = table.dialect.rules
    refuses = rules.projection_needs > 0 or rules.script_paths
    end = min((found.span.start for found in errors), default=len(table.buffer))
    is_narrowed = False
    for found in lint(table):
        if found.span.start > end or (len(odd) >= ODDITIES_KEPT and not refuses):
            break
        if found.severity is Severity.ERROR:
            errors.append(found)
        elif found.severity is Severity.WARNING and len(odd) < ODDITIES_KEPT:
            odd.append(found)
        elif found.code is Code.NARROWED and not is_narrowed:
            is_narrowed = True
            odd.append(found)
    return errors, tuple(sorted(odd, key=lambda found: found.span.start))


def _stop(engine: EngineLine, table: NodeTable, found: Diagnostic) -> DecoderStop:
    return DecoderStop(found.span, found.node, found.part, condition(engine, found, table), found.code, found.message)


def _needs_objects(found: Diagnostic, table: NodeTable) -> bool:
    """Whether an engine only minds when objects are allowed: it then looks for the script of a typed collection."""
    if found.code is not Code.SCRIPT_PATH or found.node >= len(table):
        return False
    row = table.row(found.node)
    return row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY)


def _objects(engine: EngineLine, table: NodeTable) -> list[DecoderStop]:
    """The first object that is there with its class: a game must allow those."""
    node = next(embedded(table), None) if "objects" in engine.words else None
    if node is None:
        return []
    start = table.start[node]
    message = "This object comes with its class, and the game did not allow objects."
    span = Span(start, min(start + 4, len(table.buffer)))
    return [DecoderStop(span, node, "header", unauthorized(engine), Code.EMBEDDED_OBJECT, message)]


def _made(engine: EngineLine, table: NodeTable) -> list[DecoderStop]:
    """The first object that the engine cannot make, or that it does not keep."""
    classes = engine.classes
    if classes is None:
        return []
    for node in embedded(table):
        span, name = class_name(table, node)
        if not name:
            continue
        unknown = classes.is_unknown(name) and not engine.has_more_classes
        if name in classes.abstract or unknown:
            why = "has no such class, unless the game adds it" if unknown else "cannot make one: the class is abstract"
            words = f"This is an object of the class “{name}”: {engine.name} {why}."
            return [DecoderStop(span, node, "class", not_made(engine), Code.EMBEDDED_OBJECT, words)]
        script = _script_object(table, node) if table.dialect.rules.frees_scripted and name in classes.counted else -1
        if script >= 0:
            start = table.start[script]
            words = (
                f"{engine.name} frees a {name} with a script while it reads it: the game gets a freed object, or dies."
            )
            return [
                DecoderStop(
                    Span(start, start + 4), script, "header", Condition(FREES, None), Code.EMBEDDED_SCRIPT, words
                )
            ]
    return []


def class_name(table: NodeTable, node: int) -> tuple[Span, str]:
    """Where the class of an embedded object stands, and its name; an empty one where it is cut off or too long."""
    at = table.start[node] + 2 * WORD
    length = u32(table.buffer, at - WORD) if at <= len(table.buffer) else 0
    end = min(at + length, len(table.buffer))
    if not 0 < length < LONGEST_CLASS or end - at < length:
        return Span(at - WORD, min(at, len(table.buffer))), ""
    return Span(at, end), text.read(bytes(table.buffer[at:end]), table.dialect.rules.utf8)


def _script_object(table: NodeTable, node: int) -> int:
    """The object that is the property ``script`` of an object, -1 for none."""
    children = table.children(node)[:MOST_PROPERTIES]
    for name in children[:-1:2]:
        row = table.row(name + 1)
        if row is not None and row.kind is Kind.OBJECT and is_script(table, name):
            return name + 1
    return -1


def embedded(table: NodeTable) -> Iterator[int]:
    """The objects that come with their class, in the order of their bytes.

    Their headers are looked for in the bytes, and each that is found is looked up: most values are no objects.
    """
    number = next((row.number for row in table.dialect.rows if row.kind is Kind.OBJECT), None)
    if number is None or not len(table):
        return
    raw = table.buffer if in_memory(table.buffer) else bytes(table.buffer[:])
    cost = 0
    for found in _headers(number).finditer(raw, 0, min(len(raw), table.end_of_data + WORD)):
        at = found.start()
        if at % WORD or at >= table.end_of_data:
            continue
        if cost > MOST_COST:
            yield from _embedded_from(table, raw, number, at)
            return
        node = table.at(at)
        cost += 1 if _is_shallow(table, node) else DEEP_COST
        if table.start[node] == at and not table.is_name(node):
            yield node


def _is_shallow(table: NodeTable, node: int) -> bool:
    """Whether a node lies few levels deep: looking one up takes a step a level."""
    for _ in range(SHALLOW):
        if node == NONE or not node:
            return True
        node = table.parent[node]
    return False


def _embedded_from(table: NodeTable, raw: Bytes, number: int, begin: int) -> Iterator[int]:
    """The same from an offset on, by looking at all values once."""
    mask = table.dialect.rules.header_mask | FLAG_64
    found = []
    for node, at in enumerate(table.start):
        if begin <= at <= len(raw) - WORD and raw[at] == number and u32(raw, at) & mask == number:
            found.append(node)
    yield from sorted((node for node in found if not table.is_name(node)), key=table.start.__getitem__)


@cache
def _headers(number: int) -> re.Pattern[bytes]:
    """Finds every place that may be the header of this type without the 64-bit flag."""
    even = b"[" + b"".join(re.escape(bytes((low,))) for low in range(0, 256, 2)) + b"]"
    return re.compile(b"(?=" + re.escape(bytes((number,))) + b"." + even + b".)", re.DOTALL)


def _miscounted(engine: EngineLine, table: NodeTable) -> list[DecoderStop]:
    """A Vector4 at the end whose bytes the decoder needs but does not count."""
    if not engine.dialect.rules.vector4_misread:
        return []
    size = len(table.buffer)
    for at in range(max(0, size - VECTOR4 + 1), min(size, table.end_of_data)):
        node = table.at(at)
        row = table.row(node) if table.start[node] == at and not table.is_name(node) else None
        if row is not None and row.name in ("Vector4", "Vector4i"):
            left = size - at - 4
            text = f"This {row.name} needs {count_bytes(16)} here, but only {count_bytes(left)} are left."
            words = Condition(engine.words["short"].format(size="4 * 4"))
            return [DecoderStop(Span(at + 4, size), node, "", words, Code.PAYLOAD_TRUNCATED, text)]
    return []


def _full_pool(engine: EngineLine, table: NodeTable) -> list[DecoderStop]:
    """More packed arrays than the engine has places for."""
    if not engine.pools or len(table) <= engine.pools:
        return []
    packed = {row.number for row in table.dialect.rows if row.kind in PACKED}
    raw = table.buffer if in_memory(table.buffer) else bytes(table.buffer[:])
    words = memoryview(raw)[: len(raw) & -WORD].cast("B").cast("I")
    seen, last = 0, len(words) - 1
    for node, at in enumerate(table.start):
        place = at >> 2  # values of this engine begin at words
        if place < last and words[place] & 0xFF in packed and words[place + 1] and not table.is_name(node):
            seen += 1
            if seen > engine.pools:
                reason = Condition(ALL_POOLS, None)
                text = f"{engine.name} can hold about {engine.pools} packed arrays that are not empty; here are more."
                return [DecoderStop(Span(at, at + WORD), node, "header", reason, None, text)]
    return []
