"""Engines mixed: stored values of which no engine line reads all, though each is sound in one of two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.description import Memory, description_length
from viewer.document.doctor.repair import Repair
from viewer.document.doctor.repair_context import ReadGuess, WorkBudget, frame, is_readable
from viewer.document.doctor.whole import latest_first
from viewer.document.document import Document
from viewer.variant.dialect import Dialect, available
from viewer.variant.evidence import has_words
from viewer.variant.table import NodeTable

MOST_FRAMES, MOST_NODES = 64, 1 << 10
LEAST_HEADERS = 2
"""In so many headers each line must show that it is the one: a single one may be damaged."""
TRUE = 0.9
"""How often it is so where all values are sound in one of two lines, and each line reads a value with words in it that
the other does not."""
BITS, SELDOM = 8.0, 6.0
"""Bits: that two engine lines wrote into one file, and for each that is none of the usual ones."""
USUAL = frozenset({"godot3", "godot4", "godot4.0"})
ADVICE = "Look for two versions of a game, or two games, that write to one file. Read each part with its own engine."


@dataclass(frozen=True, slots=True)
class _Stored:
    """One stored value.

    Args:
        payload: where it lies.
        lines: the engine lines in which it is sound.
        types: by each of these, the names of the types of its nodes; none where there are no words in it.
    """

    payload: Span
    lines: frozenset[str]
    types: dict[str, Counter[tuple[int, str]]]

    def tells(self, mine: Dialect, other: Dialect) -> int:
        """How many headers of a value that one line alone reads have types that the other numbers otherwise."""
        if mine.key not in self.types or other.key in self.lines:
            return 0
        rows = {number: other.row(number) for number, _ in self.types[mine.key]}
        named = {number: row.name if row is not None else "" for number, row in rows.items()}
        return sum(count for (number, name), count in self.types[mine.key].items() if named[number] != name)


def engines_mixed(document: Document, data: bytes, meter: WorkBudget) -> tuple[Repair, float] | None:
    """That two engine lines wrote the values, with the bits that tell it and the values; None where it is not so.

    Args:
        document: as it is read now.
        data: its bytes.
        meter: counts the work.
    """
    if document.framing.kind is not FramingKind.STORED or document.choice.dialect is not None:
        return None
    lines = [document.dialect, *(each for each in latest_first(available()) if each is not document.dialect)]
    stored = _stored(document, data, lines, meter)
    if len(stored) < 2 or frozenset.intersection(*(each.lines for each in stored)):
        return None
    pair = next((pair for pair in combinations(lines, 2) if _read_all(pair, stored)), None)
    return (_told(pair, stored), _bits(pair, stored, data, meter)) if pair is not None else None


def _stored(document: Document, data: bytes, lines: Sequence[Dialect], meter: WorkBudget) -> list[_Stored]:
    """All values behind their lengths; none where these are not true, or a value is sound in no line."""
    found: list[_Stored] = []
    at, way = 0, ReadGuess(document.dialect, document.framing)
    while at < len(data) and len(found) < MOST_FRAMES:
        payload = frame(data, at, way, meter).payload
        sound, types = set[str](), dict[str, Counter[tuple[int, str]]]()
        for line in lines:
            table = meter.scan(data, payload.start, payload.end, line)
            if is_readable(table) and table.end_of_data == len(payload):
                sound.add(line.key)
                if has_words(table):
                    types[line.key] = _types(table)
        if not sound or payload.start != at + 4 or meter.spent:
            return []
        found.append(_Stored(payload, frozenset(sound), types))
        at = payload.end
    return found if at == len(data) else []


def _types(table: NodeTable) -> Counter[tuple[int, str]]:
    """How often each type occurs in a value, by its number and name."""
    rows = (table.row(node) for node in islice(table.nodes, MOST_NODES) if not table.is_name(node))
    return Counter((row.number, row.name) for row in rows if row is not None)


def _read_all(pair: tuple[Dialect, Dialect], stored: Sequence[_Stored]) -> bool:
    """Whether two engine lines read all values, and each alone some that the other does not, by several headers."""
    one, other = pair
    is_told = all(
        sum(each.tells(mine, yours) for each in stored) >= LEAST_HEADERS for mine, yours in ((one, other), (other, one))
    )
    return is_told and all(each.lines & {one.key, other.key} for each in stored)


def _bits(pair: tuple[Dialect, Dialect], stored: Sequence[_Stored], data: bytes, meter: WorkBudget) -> float:
    """The bits that tell the values, each in the line that reads it."""
    memory, bits = Memory(), BITS + SELDOM * sum(line.key not in USUAL for line in pair)
    for each in stored:
        line = pair[0] if pair[0].key in each.lines else pair[1]
        bits += description_length(meter.scan(data, each.payload.start, each.payload.end, line), 0, memory)
    return bits


def _told(pair: tuple[Dialect, Dialect], stored: Sequence[_Stored]) -> Repair:
    one, other = pair
    alone = {
        line.key: [each.payload.start for each in stored if rest.key not in each.lines]
        for line, rest in ((one, other), (other, one))
    }
    first, second = sorted(pair, key=lambda line: alone[line.key][0])
    reason = (
        f"Each value is as long as the length before it says. The one at 0x{alone[first.key][0]:X} is sound in "
        f"{first.name} and not in {second.name}, the one at 0x{alone[second.key][0]:X} the other way round."
    )
    return Repair(Cause.SEVERAL_ENGINES, Cause.SEVERAL_ENGINES.sentence, reason, TRUE, note=ADVICE)
