"""Which engine line wrote these bytes, and how they are framed: every candidate tried, ranked, with its reason.

A candidate is tried for real: a sample is cut and scanned. What counts, in this order: how many bytes it explains, how
likely the values look, how common the engine line is.

There are three rounds. The first follows prefixes from the start, which tells every sound file but those that hold
foreign bytes. Only where it leaves a doubt does the second look for frames behind what is wrong, which is dear. And
only where something is wrong even with the best way does the third ask in which way the least is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile
from math import inf

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import Code, Severity
from viewer.base.progress import Work
from viewer.base.record import dataclass, replace
from viewer.container.frames import BARE, CONCATENATED, SLIP, STORED, STORED_BIG, Framing, FramingKind
from viewer.document.detection.attempt import (
    BUDGET,
    ENOUGH,
    JUDGED,
    UNLIKELY,
    DetectionAttempt,
    attempt,
    ends_early,
    take_sample,
    trust_in_zeros,
)
from viewer.document.detection.plausible import holds_texts, plausibility
from viewer.document.pieces.framing import Frame, ScratchColumns, is_sound
from viewer.variant.dialect import Dialect, Kind, Precision, available
from viewer.variant.evidence import has_words
from viewer.variant.recovery.recover import is_whole, recover
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

# Reasons: why a way to read a buffer has its rank, in words.

WHOLE = 0.9995
SAMPLE = 1 << 17
FIRST_NODES = 64


@dataclass(frozen=True, slots=True)
class RankedAttempt:
    """A trial with its score."""

    trial: DetectionAttempt
    score: float


def reason(ranked: RankedAttempt, rival: RankedAttempt | None) -> str:
    """What fits, and what the *rival* makes of the same bytes where it is of another engine line."""
    words = [_frames_in_words(ranked.trial)]
    if rival is not None and rival.trial.dialect is not ranked.trial.dialect:
        words.append(_difference(ranked, rival))
    return "; ".join(word for word in words if word)


def _frames_in_words(trial: DetectionAttempt) -> str:
    if trial.sound == 0:
        return trial.error.message.rstrip(".") if trial.error else "no value found"
    text = _framing_in_words(trial)
    return text if trial.explained >= WHOLE else f"{text}, {int(100 * trial.explained)} % of the bytes explained"


def _framing_in_words(trial: DetectionAttempt) -> str:
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


def _difference(ranked: RankedAttempt, rival: RankedAttempt) -> str:
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


def _first_clash(trial: DetectionAttempt, rival: DetectionAttempt) -> str:
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


# Damaged bytes: in which way of reading them the least is wrong.
#
# A trial ends at the first error, so the one whose error comes last seems to fit best: often that of a wrong engine
# line. Here the values behind an error count too. The beginning of each trial is recovered, and costs what must be
# said of it that no sound values explain. Costs are bytes: what a stretch costs that has to be told word by word.

REACH = 1 << 14
"""So many bytes from the start on are looked at, in all ways the same. More tell little more and cost much."""
MOST_WAYS = 6
"""So many trials are recovered: those that would be the best if all of their values came out."""
PATIENCE = 1 << 22
"""So many bytes may all recoveries together scan. Damaged files need few; hundreds of broken frames need many."""
LITTLE_PATIENCE = 1 << 18
"""The same of few bytes without a text."""
RECOVERY, QUESTION = 1 << 14, 1 << 12
"""What a recovery costs beside its scans, and each time that it asks whether to go on, in bytes scanned meanwhile."""
FRUITLESS = 64
"""One that finds nothing has looked at each byte about so often."""
DAMAGED_NODES, DAMAGED_FEW_NODES = 256, 16
UNREAD = 0.5
"""A byte of no value. Damage leaves some in the right way too; a byte that is read as nonsense says more against it."""
NONSENSE = 1 - UNLIKELY
"""A byte of a value as no game would store it."""
DAMAGE = 8.0
"""Each place where something is wrong: a word for where, a word for what. One damage is likelier than many."""
TRUE_PREFIX = 16.0
"""What a prefix is worth that tells a length of at least so much: a word does so by chance once in billions."""
NEAR_PREFIX, WORD = 16.0, 4
"""The same of one that lies by no more than an insertion or a loss, beside the damage that this is. It is less for a
short value, and must be nearer there: nearly every header's word is as small."""
FALSE_PREFIX = DAMAGE + 4.0
"""A damage, and a word that says nothing."""
HEADLESS = 16.0
"""A buffer, or a frame whose prefix lies, that begins with a broken header: that damage meets just this word is rare,
that it is no header is not."""
TOO_LONG = (Code.COUNT_TOO_LARGE, Code.LENGTH_TOO_LONG)
NULL = 4
"""Bytes of a null."""
SEVERAL = 4.0
"""Several values without prefixes, which are rare."""
LEAF = 8.0
"""Each value behind a collection that is none itself: rather a child of it, whose count is damaged. Some in front of
the first collection are no children of one; many are what anything looks like."""
FEW_LEAVES = 5
PRIOR = 4.0
"""How much more it says here than in a trial how common an engine line is: damage makes other lines seem to fit."""
BIG_ENDIAN = 1.0
"""Decides only where nothing else does."""


def least_wrong(trials: Sequence[DetectionAttempt], work: Work | None = None) -> list[RankedAttempt]:
    """Rank trials by how little would be wrong with the bytes, the best first.

    Args:
        trials: all of them.
        work: told what is done; what it raises ends the search.

    Returns:
        All of them; those that may be the best are recovered, and explain what that brings to light.
    """
    has_texts = not trials or holds_texts(trials[0].sample)
    lowest, ranked, patience = inf, [], _Patience(work, PATIENCE if has_texts else LITTLE_PATIENCE)
    hopes = sorted((_hope(trial), at) for at, trial in enumerate(trials))
    for count, (hope, at) in enumerate(hopes):
        trial = trials[at]
        may_be_best = hope < lowest
        helper = patience if may_be_best and count < MOST_WAYS else None
        begun = [_begun(frame, helper) for frame in trial.frames if frame.start < REACH]
        cost = _cost(trial, begun, DAMAGED_NODES if may_be_best else DAMAGED_FEW_NODES)
        lowest = min(lowest, cost)
        ranked.append(_damaged_ranked(trial, begun, cost))
    return sorted(ranked, key=lambda each: -each.score)


class _Patience:
    """Ends recoveries after so much work, counted in bytes, so that the same bytes always come out the same."""

    def __init__(self, work: Work | None, left: int) -> None:
        self._left = left
        self._work = work

    @property
    def is_left(self) -> bool:
        """Whether there is any."""
        return self._left > 0

    def recover(self, table: NodeTable) -> NodeTable:
        """What is recovered of a table with what is left."""
        size = len(table.buffer)
        self._left -= size + RECOVERY
        found = recover(table, lambda _: self._goes_on(size), work=self._work)
        self._left -= FRUITLESS * size if found is table else 0
        return found

    def _goes_on(self, size: int) -> bool:
        self._left -= size + QUESTION
        return self.is_left


@dataclass(frozen=True, slots=True)
class _Begun:
    """A frame as far as it is looked at.

    Args:
        frame: the whole one.
        table: what is read or recovered of it.
        size: bytes of the payload that are looked at.
    """

    frame: Frame
    table: NodeTable
    size: int

    @property
    def is_cut(self) -> bool:
        """Whether more of the payload follows."""
        return self.size < len(self.frame.cut.payload)

    @property
    def claimed(self) -> int:
        """How many of its bytes belong to values; a guessed null is none, for it may be any zero word."""
        held = sum(len(gap.span) for gap in self.table.gaps) + NULL * _guessed_nulls(self.table)
        held += _swallowed(self.table, len(self.frame.cut.payload))
        trust = trust_in_zeros(self.frame.table) if self.is_cut else 1.0
        return max(0, int(trust * (min(self.table.end_of_data, self.size) - held)))

    @property
    def damages(self) -> int:
        """At how many places something is wrong; that no more is looked at is no such place."""
        table = self.table
        wrong = sum(found.severity is Severity.ERROR for found in table.diagnostics)
        here = max(wrong, len(table.gaps), len(table.assumed), int(table.guess is not None))
        rest = table.end_of_data < self.size
        return max(0, max(here, rest) - self.is_cut)

    @property
    def breaks_at_once(self) -> bool:
        """Whether the very first header is broken."""
        return 0 in self.table.assumed or any(
            found.severity is Severity.ERROR and found.span.start == 0 for found in self.table.diagnostics
        )


def _guessed_nulls(table: NodeTable) -> int:
    if table.guess is None:
        return 0
    raw, zero = bytes(table.buffer[: table.end_of_data]), bytes(NULL)
    return sum(raw[at : at + NULL] == zero for at in table.start if at >= table.guess)


def _swallowed(table: NodeTable, size: int) -> int:
    """Bytes of values that promise more than the *size* bytes of the payload: the more is missing, the more of them."""
    total = 0
    for found in table.diagnostics:
        if found.code not in TOO_LONG:
            continue
        at, promised = found.span.end, u32(table.buffer, found.span.start)
        row = table.row(found.node) if found.code is Code.COUNT_TOO_LARGE else None
        promised *= sum(field.size for field in row.fields(table.header(found.node))) if row is not None else 1
        there = size - at
        if promised > there:
            read = max(0, table.end(found.node) - at)
            total += read - read * there // promised
    return total


def _begun(frame: Frame, patience: _Patience | None) -> _Begun:
    """What is read of a frame within reach; with *patience*, behind its errors too."""
    table, size = frame.table, min(len(frame.cut.payload), REACH - frame.start)
    if size < len(frame.cut.payload):
        table = scan(bytes(table.buffer[:size]), table.dialect)
    if patience is not None and patience.is_left and not is_whole(table):
        table = patience.recover(table)
    return _Begun(frame, table, size)


def _damaged_ranked(trial: DetectionAttempt, begun: Sequence[_Begun], cost: float) -> RankedAttempt:
    """The trial with its score, the values that were brought to light among what it explains."""
    frames = tuple(replace(each.frame, table=each.table) for each in begun) + trial.frames[len(begun) :]
    claimed = [max(each.claimed, each.frame.table.end_of_data) for each in begun]
    claimed += [frame.table.end_of_data for frame in trial.frames[len(begun) :]]
    total = sum(claimed) + 4 * sum(trial.is_told(frame) for frame in frames if frame.cut.prefix)
    explained = min(1.0, max(trial.explained, total / max(1, trial.looked_at)))
    score = 100 * (1 - cost / max(1, min(REACH, trial.looked_at)))
    return RankedAttempt(replace(trial, frames=frames, explained=explained), score)


# What a way costs


def _hope(trial: DetectionAttempt) -> float:
    """The least that a trial may cost: if all its values came out, with one damage where there is any."""
    begun = [_Begun(frame, frame.table, 0) for frame in trial.frames if frame.start < REACH]
    broken = sum(not is_whole(each.table) and len(each.frame.cut.payload) <= REACH for each in begun)
    return _unread_around(trial) + _of_framing(trial, begun) + DAMAGE * broken


def _cost(trial: DetectionAttempt, begun: Sequence[_Begun], nodes: int) -> float:
    """What a way of reading costs; about *nodes* nodes are looked at."""
    inside = sum(UNREAD * (each.size - each.claimed) + DAMAGE * each.damages for each in begun)
    inside += _of_fill(trial, begun)
    claimed = sum(each.claimed for each in begun)
    nonsense = NONSENSE * claimed * (1 - _likely(begun, nodes))
    return _unread_around(trial) + _of_framing(trial, begun) + inside + nonsense


def _likely(begun: Sequence[_Begun], nodes: int) -> float:
    """How likely the values look, 0 to 1, in proportion to their bytes."""
    judged = [each for each in begun if each.claimed][:JUDGED]
    weight = sum(each.claimed for each in judged)
    share = -(-nodes // max(1, len(judged)))
    return sum(plausibility(each.table, share) * each.claimed for each in judged) / weight if weight else 1.0


def _unread_around(trial: DetectionAttempt) -> float:
    """The bytes before, between and behind the frames."""
    size = min(REACH, trial.looked_at)
    framed = sum(min(frame.span.end, size) - frame.span.start for frame in trial.frames if frame.span.start < size)
    return UNREAD * (size - framed)


def _of_framing(trial: DetectionAttempt, begun: Sequence[_Begun]) -> float:
    """What says that the values are framed so, and what speaks against it."""
    kind = trial.framing.kind
    cost = -PRIOR * trial.weight + BIG_ENDIAN * trial.framing.big_endian
    if kind is FramingKind.STORED:
        return cost + sum(_of_prefix(trial, each) for each in begun)
    if begun and begun[0].breaks_at_once:
        cost += HEADLESS
    if kind is FramingKind.CONCATENATED:
        leaves = [_is_leaf(each.table) for each in begun]
        leading = next((k for k, is_leaf in enumerate(leaves) if not is_leaf), len(leaves))
        cost += SEVERAL + LEAF * (sum(leaves) - min(leading, FEW_LEAVES))
    return cost


def _of_fill(trial: DetectionAttempt, begun: Sequence[_Begun]) -> float:
    """What it costs that null values end a row of values without prefixes: zero words there are more often fill."""
    if trial.framing.kind is not FramingKind.CONCATENATED:
        return 0.0
    nulls = sum(1 for _ in takewhile(_is_null, reversed(begun[1:])))
    return DAMAGE * (nulls > 0) + UNREAD * NULL * nulls


def _is_null(begun: _Begun) -> bool:
    return begun.table.end_of_data == NULL and bytes(begun.table.buffer[:NULL]) == bytes(NULL)


def _of_prefix(trial: DetectionAttempt, begun: _Begun) -> float:
    length = len(begun.frame.cut.payload)
    if trial.is_told(begun.frame):
        return -min(TRUE_PREFIX, length)
    near = abs(trial.told(begun.frame) - length) <= min(SLIP, length / WORD)
    if not near and begun.frame is trial.frames[-1] and ends_early(trial.frames, trial.sample):
        return 0.0
    cost = DAMAGE - min(NEAR_PREFIX, length / WORD) if near else FALSE_PREFIX
    return cost + HEADLESS * (begun.breaks_at_once or not length)


def _is_leaf(table: NodeTable) -> bool:
    return not len(table) or not table.child_count(0)


FRAMINGS = (STORED, STORED_BIG, BARE, CONCATENATED)
LITTLE_BUDGET = 1 << 16
"""The work of a search for frames in few bytes without a text: what is no noise has keys or names."""
SETTLED = 85.0
"""A score that no frames behind foreign bytes are worth looking for: nearly all is explained, and looks likely."""
LIKELY, SHORTEST_SURE = 75.0, 24
"""A score, and a number of bytes, that values found by a guess must have to be no accident."""
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
class DetectionCandidate:
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
) -> list[DetectionCandidate]:
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
    if framing is None:
        ranked = _not_by_chance(_from_the_start(ranked))
    best = ranked[0]
    rival = next((other for other in ranked if other.trial.dialect is not best.trial.dialect), None)
    return [_candidate(each, rival if each is best else best, precision) for each in ranked]


def _from_the_start(ranked: list[RankedAttempt]) -> list[RankedAttempt]:
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


def _not_by_chance(ranked: list[RankedAttempt]) -> list[RankedAttempt]:
    """The same; where values were found among many other bytes as they are there by chance, one without a prefix."""
    best = ranked[0].trial
    if best.framing.kind is not FramingKind.STORED or best.explained >= ENOUGH:
        return ranked
    from viewer.document.detection.chance import is_by_chance

    if not is_by_chance(best):
        return ranked
    bare = next((each for each in ranked if each.trial.framing.kind is FramingKind.BARE), None)
    return ranked if bare is None else [bare, *(each for each in ranked if each is not bare)]


def _begins_well(table: NodeTable) -> bool:
    """Whether it is a collection of some values, with texts among them."""
    row = table.row(0) if len(table) >= BEGUN_WELL else None
    return row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY) and has_words(table)


def looks_like_values(buffer: Buffer) -> bool:
    """Whether at least half of these bytes belong to values, and one of these is whole or at least begins well.

    A value that begins well and lacks its end only counts as well, though its length is told wrong.
    """
    if not len(buffer):
        return False
    best = _until_error(buffer)[0].trial
    trial = attempt(best.sample, len(buffer), best.dialect, best.framing, 0, ScratchColumns())
    begun = any(is_sound(table) or len(table) > BEGUN for table in trial.tables)
    return (best.explained >= ENOUGH and begun) or _lacks_its_end(trial)


def _lacks_its_end(trial: DetectionAttempt) -> bool:
    """Whether the only value begins well, and is read up to the end of the bytes."""
    if len(trial.frames) != 1:
        return False
    frame = trial.frames[0]
    return frame.start + frame.table.end_of_data >= trial.looked_at - LEAST and _begins_well(frame.table)


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
    trials = _first_round(buffer, dialect, framing, big_endian, ScratchColumns(), None)
    ranked = _ranked([trial for trial in trials if trial.is_whole or trial.is_clean], framing)
    return (ranked[0].trial.dialect, ranked[0].trial.framing) if ranked else None


def _until_error(
    buffer: Buffer,
    dialect: Dialect | None = None,
    framing: FramingKind | None = None,
    big_endian: bool | None = None,
    work: Work | None = None,
) -> list[RankedAttempt]:
    """The first two rounds: all ways, ranked by what they explain before something is wrong."""
    scratch = ScratchColumns()
    first = _first_round(buffer, dialect, framing, big_endian, scratch, work)
    ranked = _ranked(first, framing)
    if ranked[0].score >= SETTLED and not _is_doubtful(ranked[0]):
        return ranked
    budget = BUDGET if holds_texts(first[0].sample) else LITTLE_BUDGET
    return _ranked([_searched(trial, len(buffer), scratch, work, budget) for trial in first], framing)


def _first_round(
    buffer: Buffer,
    dialect: Dialect | None,
    framing: FramingKind | None,
    big_endian: bool | None,
    scratch: ScratchColumns,
    work: Work | None,
) -> list[DetectionAttempt]:
    """All ways, up to the first error in the chain of frames."""
    lines = [dialect] if dialect else list(available())
    ways = [way for way in FRAMINGS if framing in (None, way.kind) and _is_in_order(way, big_endian)]
    samples = {way: take_sample(buffer, way) for way in ways}
    return [attempt(samples[way], len(buffer), line, way, 0, scratch, work) for line in lines for way in ways]


def _is_in_order(way: Framing, big_endian: bool | None) -> bool:
    """Whether a framing has length prefixes in this byte order, or none."""
    return way.kind is not FramingKind.STORED or big_endian in (None, way.big_endian)


def _is_doubtful(ranked: RankedAttempt) -> bool:
    """Whether another way may fit better once what stands behind its errors counts too."""
    trial = ranked.trial
    if trial.is_clean:
        is_single = trial.framing.kind is not FramingKind.CONCATENATED
        return not (ranked.score >= SETTLED or (trial.is_whole and is_single))
    return trial.sound_until < REACH


def _says_enough(buffer: Buffer, best: DetectionAttempt) -> bool:
    """Whether what is wrong with so many bytes, zeros at the end aside, can be weighed.

    In a few bytes a length prefix that tells the length of a sound value says more than all that is wrong.
    """
    size = len(bytes(buffer[:REACH]).rstrip(b"\0"))
    is_stored = best.framing.kind is FramingKind.STORED and best.filled > 0
    return size >= (MANY if is_stored else LEAST)


def _searched(
    trial: DetectionAttempt, size: int, scratch: ScratchColumns, work: Work | None, budget: int
) -> DetectionAttempt:
    """The trial with a search for frames behind foreign bytes, where that can change anything."""
    if trial.framing.kind is not FramingKind.STORED or trial.is_whole:
        return trial
    return attempt(trial.sample, size, trial.dialect, trial.framing, budget, scratch, work)


def _ranked(trials: list[DetectionAttempt], asked: FramingKind | None) -> list[RankedAttempt]:
    """The trials with their scores, the best first; without those that are what another framing also finds."""
    best = 0.0
    ranked = []
    for trial in sorted(trials, key=lambda trial: -trial.bound):
        if trial.framing.kind is FramingKind.CONCATENATED and len(trial.tables) < 2 and asked is None:
            continue
        score = trial.score(NODES if trial.bound >= best else FEW_NODES)
        best = max(best, score)
        ranked.append(RankedAttempt(trial, score))
    return sorted(ranked, key=lambda each: -each.score)


def _candidate(ranked: RankedAttempt, rival: RankedAttempt | None, precision: Precision | None) -> DetectionCandidate:
    trial = ranked.trial
    width = precision or trial.precision
    return DetectionCandidate(trial.dialect, width, trial.framing, ranked.score, trial.explained, reason(ranked, rival))
