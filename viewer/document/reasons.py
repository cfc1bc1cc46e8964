"""Reasons: why a way to read a buffer has its rank, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from viewer.container.frames import FramingKind
from viewer.document.trial import Trial
from viewer.variant.table import NodeTable

WHOLE = 0.9995
SAMPLE = 1 << 17
FIRST_NODES = 64


@dataclass(frozen=True, slots=True)
class Ranked:
    """A trial with its score."""

    trial: Trial
    score: float


def reason(ranked: Ranked, rival: Ranked | None) -> str:
    """What fits, and what the *rival* makes of the same bytes where it is of another engine line."""
    words = [_frames_in_words(ranked.trial)]
    if rival is not None and rival.trial.dialect is not ranked.trial.dialect:
        words.append(_difference(ranked, rival))
    return "; ".join(word for word in words if word)


def _frames_in_words(trial: Trial) -> str:
    if trial.sound == 0:
        return trial.error.message.rstrip(".") if trial.error else "no value found"
    text = _framing_in_words(trial)
    return text if trial.explained >= WHOLE else f"{text}, {int(100 * trial.explained)} % of the bytes explained"


def _framing_in_words(trial: Trial) -> str:
    total = len(trial.tables)
    if trial.framing.kind is FramingKind.STORED:
        if total == 1:
            which = "the first" if trial.more and trial.filled else f"{trial.filled} of 1"
            return f"{which} frame ends exactly at the stated length"
        return f"{trial.filled} of {'the first ' if trial.more else ''}{total} frames end exactly at the stated length"
    if trial.framing.kind is FramingKind.CONCATENATED:
        return f"{'the first ' if trial.more else ''}{trial.sound} values follow each other"
    if trial.filled:
        return "one value ends exactly where the data ends"
    return "one value, then bytes that belong to none"


def _difference(ranked: Ranked, rival: Ranked) -> str:
    """Where another engine line reads the same bytes otherwise."""
    name = rival.trial.dialect.name
    if rival.score > ranked.score:
        return f"{name} explains more" if rival.trial.explained > ranked.trial.explained else f"{name} is likelier"
    clash = _first_clash(ranked.trial, rival.trial)
    if rival.trial.error is not None and clash:
        return f"{name} would read {clash} and fail: {rival.trial.error.message.rstrip('.')}"
    if clash:
        return f"{name} would read {clash}, which looks less likely"
    return f"{name} would read the same values"


def _first_clash(trial: Trial, rival: Trial) -> str:
    """The first type number that both lines name differently: ``type 18 as Transform3D``."""
    for header in chain.from_iterable(_headers(table) for table in trial.tables):
        row, other = trial.dialect.row(header), rival.dialect.row(header)
        if row is not None and (other is None or other.name != row.name):
            return f"type {row.number} as {other.name}" if other else f"type {row.number}, which it does not know,"
    return ""


def _headers(table: NodeTable) -> Iterator[int]:
    """The header words of the first nodes: those of the very first ones one by one, then each that is new."""
    nodes = (node for node in table.nodes if not table.is_name(node))
    yield from (table.header(node) for node in islice(nodes, FIRST_NODES))
    if len(table) > FIRST_NODES:
        yield from _different_headers(table)


def _different_headers(table: NodeTable) -> Iterator[int]:
    """Each header word among the first nodes once. A word is read for every node and looked at when it is new."""
    begin = bytes(table.buffer[: min(2 * SAMPLE, table.end_of_data)])
    words = memoryview(begin)[: len(begin) & ~3].cast("I")
    held = 4 * len(words)
    seen = [words[start >> 2] for start in islice(table.start, SAMPLE) if start < held]
    for word in dict.fromkeys(seen):
        node = seen.index(word)
        if not table.is_name(node) and table.header(node) == word:
            yield word
