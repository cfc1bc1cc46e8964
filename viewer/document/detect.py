"""Which engine line wrote these bytes, and how they are framed: every candidate tried, ranked, with its reason.

A candidate is tried for real: a sample is cut and scanned. What counts, in this order: how many bytes it explains, how
likely the values look, how common the engine line is.

There are three rounds. The first follows prefixes from the start, which tells every sound file but those that hold
foreign bytes. Only where it leaves a doubt does the second look for frames behind what is wrong, which is dear. And
only where something is wrong even with the best way does the third ask in which way the least is.
"""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.buffer import Buffer
from viewer.container.frames import BARE, CONCATENATED, STORED, STORED_BIG, Framing, FramingKind
from viewer.document.damaged import REACH, least_wrong
from viewer.document.evidence import has_words
from viewer.document.framing import Scratch, is_sound
from viewer.document.moment import Work
from viewer.document.reasons import Ranked, reason
from viewer.document.trial import Trial, attempt, take_sample
from viewer.variant.dialect import Dialect, Kind, Precision, available
from viewer.variant.table import NodeTable

FRAMINGS = (STORED, STORED_BIG, BARE, CONCATENATED)
BUDGET = 1 << 18
SETTLED = 85.0
"""A score that no frames behind foreign bytes are worth looking for: nearly all is explained, and looks likely."""
LIKELY, SHORTEST_SURE = 75.0, 24
"""A score, and a number of bytes, that values found by a guess must have to be no accident."""
ENOUGH = 0.5
"""The share of bytes that belong to values where these bytes were meant to be values."""
BEGUN = 2
"""A broken value of more nodes than these began well."""
BEGUN_WELL, LEAST_GAP = 6, 16
"""A collection of so many nodes began well; so many bytes before the first frame may be the begin of another value."""
LEAST, MANY = 8, 64
"""Fewer damaged bytes are a header and nothing else: the first error says where to look. In so many or more, what is
wrong behind the errors outweighs a true prefix before them."""
NODES = 256
FEW_NODES = 16
"""How many nodes are judged of what may be the best, and of what cannot be."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to read a buffer.

    Args:
        dialect, precision, framing: how.
        score: the higher the better; only comparable within one buffer.
        explained: share of the bytes that values and prefixes claim, 0 to 1.
        reason: why this rank, in words.
    """

    dialect: Dialect
    precision: Precision
    framing: Framing
    score: float
    explained: float
    reason: str = ""


def detect(
    buffer: Buffer,
    dialect: Dialect | None = None,
    precision: Precision | None = None,
    framing: FramingKind | None = None,
    big_endian: bool | None = None,
    work: Work | None = None,
) -> list[Candidate]:
    """Rank all ways to read *buffer*, the best first. What is given is not questioned.

    Args:
        buffer: the layer's bytes.
        dialect, precision, framing: how to read them, None to find it.
        big_endian: the byte order of length prefixes, where the values have some; None to find it.
        work: told what is done; what it raises ends the search.

    Returns:
        At least one candidate, even for bytes that hold no value.
    """
    ranked = _until_error(buffer, dialect, framing, big_endian, work)
    is_open = dialect is None or framing is None
    if is_open and _is_doubtful(ranked[0]) and _says_enough(buffer, ranked[0].trial):
        ranked = least_wrong([each.trial for each in ranked], work)
    ranked = _from_the_start(ranked) if framing is None else ranked
    best = ranked[0]
    rival = next((other for other in ranked if other.trial.dialect is not best.trial.dialect), None)
    return [_candidate(each, rival if each is best else best, precision) for each in ranked]


def _from_the_start(ranked: list[Ranked]) -> list[Ranked]:
    """The same; a value that begins well at the first byte goes before values that were found behind it.

    Those may lie inside it, in the byte array of a packet, or be remains behind its end. It counts where it is sound,
    or sound up to the end of the bytes.
    """
    best = ranked[0].trial
    if best.framing.kind is not FramingKind.STORED or not best.frames or best.frames[0].span.start < LEAST_GAP:
        return ranked
    bare = (each for each in ranked if each.trial.framing.kind is FramingKind.BARE)
    first = next((each for each in bare if each.trial.dialect is best.dialect), None)
    if first is None or not first.trial.tables or not _begins_well(first.trial.tables[0]):
        return ranked
    table = first.trial.tables[0]
    if not (is_sound(table) or first.trial.sound_until >= len(first.trial.sample) - LEAST):
        return ranked
    return [first, *(each for each in ranked if each is not first)]


def _begins_well(table: NodeTable) -> bool:
    """Whether it is a collection of some values, with texts among them."""
    row = table.row(0) if len(table) >= BEGUN_WELL else None
    return row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY) and has_words(table)


def looks_like_values(buffer: Buffer) -> bool:
    """Whether at least half of these bytes belong to values, and one of these is whole or at least begins well."""
    if not len(buffer):
        return False
    best = _until_error(buffer)[0].trial
    trial = attempt(best.sample, len(buffer), best.dialect, best.framing, 0, Scratch())
    begun = any(is_sound(table) or len(table) > BEGUN for table in trial.tables)
    return best.explained >= ENOUGH and begun


def holds_only_values(buffer: Buffer) -> bool:
    """Whether these bytes are sound and likely values from the first to the last, as far as a sample tells."""
    if len(buffer) < SHORTEST_SURE:
        return False
    best = _until_error(buffer)[0]
    return best.trial.is_whole and best.trial.is_clean and best.score >= LIKELY


def way_of_sound_values(
    buffer: Buffer, dialect: Dialect | None, framing: FramingKind | None, big_endian: bool | None
) -> tuple[Dialect, Framing] | None:
    """The best way in which these bytes, or a sample of them, are sound values and nothing else; None without one."""
    trials = _first_round(buffer, dialect, framing, big_endian, Scratch(), None)
    ranked = _ranked([trial for trial in trials if trial.is_whole or trial.is_clean], framing)
    return (ranked[0].trial.dialect, ranked[0].trial.framing) if ranked else None


def _until_error(
    buffer: Buffer,
    dialect: Dialect | None = None,
    framing: FramingKind | None = None,
    big_endian: bool | None = None,
    work: Work | None = None,
) -> list[Ranked]:
    """The first two rounds: all ways, ranked by what they explain before something is wrong."""
    scratch = Scratch()
    first = _first_round(buffer, dialect, framing, big_endian, scratch, work)
    ranked = _ranked(first, framing)
    if ranked[0].score >= SETTLED and not _is_doubtful(ranked[0]):
        return ranked
    return _ranked([_searched(trial, len(buffer), scratch, work) for trial in first], framing)


def _first_round(
    buffer: Buffer,
    dialect: Dialect | None,
    framing: FramingKind | None,
    big_endian: bool | None,
    scratch: Scratch,
    work: Work | None,
) -> list[Trial]:
    """All ways, up to the first error in the chain of frames."""
    lines = [dialect] if dialect else list(available())
    ways = [way for way in FRAMINGS if framing in (None, way.kind) and _is_in_order(way, big_endian)]
    samples = {way: take_sample(buffer, way) for way in ways}
    return [attempt(samples[way], len(buffer), line, way, 0, scratch, work) for line in lines for way in ways]


def _is_in_order(way: Framing, big_endian: bool | None) -> bool:
    """Whether a framing has length prefixes in this byte order, or none."""
    return way.kind is not FramingKind.STORED or big_endian in (None, way.big_endian)


def _is_doubtful(ranked: Ranked) -> bool:
    """Whether another way may fit better once what stands behind its errors counts too."""
    trial = ranked.trial
    if trial.is_clean:
        is_single = trial.framing.kind is not FramingKind.CONCATENATED
        return not (ranked.score >= SETTLED or (trial.is_whole and is_single))
    return trial.sound_until < REACH


def _says_enough(buffer: Buffer, best: Trial) -> bool:
    """Whether what is wrong with so many bytes, zeros at the end aside, can be weighed.

    In a few bytes a length prefix that tells the length of a sound value says more than all that is wrong.
    """
    size = len(bytes(buffer[:REACH]).rstrip(b"\0"))
    is_stored = best.framing.kind is FramingKind.STORED and best.filled > 0
    return size >= (MANY if is_stored else LEAST)


def _searched(trial: Trial, size: int, scratch: Scratch, work: Work | None) -> Trial:
    """The trial with a search for frames behind foreign bytes, where that can change anything."""
    if trial.framing.kind is not FramingKind.STORED or trial.is_whole:
        return trial
    return attempt(trial.sample, size, trial.dialect, trial.framing, BUDGET, scratch, work)


def _ranked(trials: list[Trial], asked: FramingKind | None) -> list[Ranked]:
    """The trials with their scores, the best first; without those that are what another framing also finds."""
    best = 0.0
    ranked = []
    for trial in sorted(trials, key=lambda trial: -trial.bound):
        if trial.framing.kind is FramingKind.CONCATENATED and len(trial.tables) < 2 and asked is None:
            continue
        score = trial.score(NODES if trial.bound >= best else FEW_NODES)
        best = max(best, score)
        ranked.append(Ranked(trial, score))
    return sorted(ranked, key=lambda each: -each.score)


def _candidate(ranked: Ranked, rival: Ranked | None, precision: Precision | None) -> Candidate:
    trial = ranked.trial
    width = precision or trial.precision
    return Candidate(trial.dialect, width, trial.framing, ranked.score, trial.explained, reason(ranked, rival))
