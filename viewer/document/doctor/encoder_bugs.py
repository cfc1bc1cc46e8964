"""Encoder bugs: the wrong rules of an encoder, learned from what it wrote, and what would undo them everywhere.

Most packets that cannot be read come from one encoder with one rule wrong, or two. Each rule of the table is tried on
all of the bytes; of those that come further than the engines' own format the best are joined with each other. What
reads to the last byte is a candidate, and how much better the values read then is for the judge to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from math import log2
from struct import pack
from typing import cast

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.frames import BARE, STORED, Framing
from viewer.document.doctor.candidate import Candidate, Patch, Patches, growth, word
from viewer.document.doctor.encoder_replay import EncoderReplay
from viewer.document.doctor.encoder_rule import PACKED_NUMBER, EncoderRule
from viewer.document.doctor.encoder_rules import RULES, number_rules, shifted_from, type_rules
from viewer.document.doctor.encoder_shapes import shape_rules
from viewer.document.doctor.nesting_search import NestingSearch
from viewer.document.doctor.repair_context import RepairContext, WorkBudget
from viewer.document.doctor.replay_cursor import Replayed, RuleCounts
from viewer.document.doctor.wire_format import ENGINE, SAY_NOTHING, WireFormat
from viewer.variant.dialect import PACKED as PACKED_KINDS
from viewer.variant.dialect import Dialect, Kind

MOST_BYTES = 1 << 18
"""Longer bytes are not replayed."""
MOST_FRAMES = 256
STEP, BEGUN = 1600, 8
"""What a step of a replay costs, in bytes that a compiled scanner reads; to begin one costs so many steps."""
PASSED = 1 << 12
"""What it costs to see that a rule makes no difference."""
MOST_SOLUTIONS = 24
"""So many ways to read bytes that leave something open are handed on."""
JOINED = 6
"""So many rules that come further than none are joined with each other one."""
MOST_JOINED = 3
"""So many ways to read the bytes, those in which a rule comes furthest, are tried with two rules."""
TOGETHER = 5.0
"""Bits: that an encoder has two rules wrong."""
OF_ONE = 4.0
"""Bits: that an encoder wrote one value alone, and another one those beside it."""
LEAST_FURTHER = 4
PAIR_AS_ARRAY = "writes each pair of a Dictionary as an Array of two"
KEY_THEN_VALUE = "expects the key, and the value right after it"
SHORTEST, NEAR = 8, 16
"""Fewer bytes hold no rule; and what is shown of a value lies so near its begin."""
MOST_STUCK = 3
PLURALS = {
    "count of a Dictionary": "counts of Dictionaries",
    "count of a Array": "counts of Arrays",
    "count of a packed array": "counts of packed arrays",
    "text of a string array": "texts of string arrays",
    "number of 64 bits": "numbers of 64 bits",
    "text or byte array": "texts and byte arrays",
    "real": "floats, vectors and packed arrays",
    PACKED_NUMBER: "type numbers of packed arrays",
}
"""What is counted, where it is more than one word."""
SINGULARS = {"count of a Array": "count of an Array", PACKED_NUMBER: "type number of a packed array"}
"""What there is one of, where its name here is no English."""

OTHER_WAYS = "The bytes can be divided in other ways, too: correct the encoder, and do not trust the repaired bytes."
NOTES = {
    "bool-no-payload": "What each bool was is not in the bytes: true stands in for it. Correct the encoder.",
}
"""What is said of a rule beside what it does: what a repair cannot bring back."""
NUMBER_NOUNS = frozenset(
    {"bool", "int", "float", "number", "real", "vector", "packed array", "byte array", "Vector3", "NodePath"}
    | {"number of 64 bits", "text of a string array", PACKED_NUMBER}
)
"""Rules about these change nothing of bytes in which there is none."""
GROUPS = {"number": ("int", "float"), "text or byte array": ("text", "byte array")}
"""The sites that a noun stands for, where they are several."""


@dataclass(frozen=True, slots=True)
class PayloadCut:
    """Bytes cut into payloads.

    Args:
        framing: how.
        payloads: where they lie.
    """

    framing: Framing
    payloads: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One set of rules on all payloads.

    Args:
        rules: which.
        reached: how many bytes made sense.
        results: of each payload, one tuple for each way to read all of them; none where they do not read.
        stuck: the type numbers that were read last.
        seen: the nouns of what was read, up to where it failed if it did.
    """

    rules: tuple[EncoderRule, ...]
    reached: int
    results: tuple[tuple[Replayed, ...], ...]
    stuck: tuple[int, ...] = ()
    seen: frozenset[str] = frozenset()


def cuts(data: bytes) -> Iterator[PayloadCut]:
    """The ways to cut bytes into payloads that account for all of them."""
    for big in (False, True):
        found = _stored(data, big)
        if found:
            yield PayloadCut(Framing(STORED.kind, big), found)
    yield PayloadCut(BARE, (Span(0, len(data)),))


def _stored(data: bytes, big: bool) -> tuple[Span, ...]:
    at = 0
    out: list[Span] = []
    while at < len(data) and len(out) < MOST_FRAMES:
        length = int.from_bytes(data[at : at + 4], "big" if big else "little")
        if length < 1 or length > len(data) - at - 4:
            return ()
        out.append(Span(at + 4, at + 4 + length))
        at += 4 + length
    return tuple(out) if at == len(data) else ()


def encoder_bugs(
    data: bytes, dialects: Sequence[Dialect], meter: WorkBudget, healthy: bool = False
) -> Iterator[Iterator[Candidate]]:
    """What would undo the wrong rules of an encoder, in batches: who is content with one need not ask for the next.

    Args:
        data: all bytes.
        dialects: the engine lines that they may be meant for, the likeliest first.
        meter: counts the work.
        healthy: whether they read as they are, so that only a rule that changes values is worth a try.

    Raises:
        GivenUp: nobody wants more.
    """
    if not SHORTEST <= len(data) <= MOST_BYTES:
        return
    searches: list[_Search] = []
    found = tuple(cuts(data))
    for dialect in dialects:
        some = [_Search(data, cut, dialect, meter) for cut in found]
        searches += some
        first = (search.shapes() for search in some) if dialect is dialects[0] else ()
        yield chain.from_iterable((*(search.single(healthy) for search in some), *first))
    best = sorted(searches, key=lambda search: -search.furthest)[:MOST_JOINED]
    others = [search for search in best if search.dialect is not dialects[0]]
    for search in best:
        if search in others:
            others.remove(search)
            yield search.shapes()
        if not healthy:  # where two rules explain all, one of another engine line may, too
            yield chain(search.joined(), *(other.shapes() for other in others[:1]))
            others = others[1:]


def bugs_of_one(ground: RepairContext, among: int, meter: WorkBudget) -> Iterator[Candidate]:
    """What would undo a rule of an encoder that wrote one of several values alone; it shows there more than once.

    Args:
        ground: the value.
        among: how many values there are.
        meter: counts the work.

    Raises:
        GivenUp: nobody wants more.
    """
    is_one_of_several = ground.has_prefix and ground.prefix_agrees and among > 1
    if not is_one_of_several or not SHORTEST <= ground.stored <= MOST_BYTES:
        return
    cut = PayloadCut(ground.way.framing, (Span(ground.start, ground.end),))
    search = _Search(ground.data, cut, ground.way.dialect, meter)
    for candidate in chain(search.single(healthy=False), search.shapes()):
        if candidate.places > 1 and candidate.framing == ground.way.framing:
            yield replace(candidate, bits=candidate.bits + OF_ONE + log2(among))


class _WatchedFormat:
    """A wire format that knows what was asked of it.

    Args:
        wire: the format.

    Attributes:
        read: the names of the fields that were read.
    """

    def __init__(self, wire: WireFormat) -> None:
        self._wire = wire
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.read.add(name)
        value = getattr(self._wire, name)
        setattr(self, name, value)  # once is enough
        return value


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a replay asked of its format: rules about anything else come as far, and change nothing.

    Args:
        read: the fields of the format that it read.
    """

    read: frozenset[str]

    def is_same_with(self, rule: EncoderRule) -> bool:
        """Whether one more rule makes no difference."""
        return self.read.isdisjoint(name for name, _ in rule.changes)


class _Search:
    """One way to cut bytes, in one engine line.

    Attributes:
        furthest: how many bytes made sense at most, by any rule.
    """

    def __init__(self, data: bytes, cut: PayloadCut, dialect: Dialect, meter: WorkBudget) -> None:
        self.data = data
        self.cut = cut
        self.dialect = dialect
        self.meter = meter
        self.furthest = 0
        self._rules: tuple[EncoderRule, ...] = ()
        self._further: list[Attempt] = []
        self._alone: set[EncoderRule] = set()
        self._plain, self._is_read = 0, False
        self._absent: frozenset[str] = frozenset()
        self._asked = _Asked(frozenset())

    def single(self, healthy: bool) -> Iterator[Candidate]:
        """One rule at a time."""
        plain = self._attempt(())
        self.furthest = plain.reached
        if plain.results and not healthy:
            return  # another reader, or a framing: no encoder's mistake
        self._plain, self._is_read = plain.reached, bool(plain.results)
        self._absent = self._absent_in(plain, plain.stuck[-1:])
        self._rules = (*RULES, *type_rules(self.dialect), *number_rules(self.dialect, plain.stuck))
        self._asked = self._watched(())
        yield from self._each(self._rules)

    def shapes(self) -> Iterator[Candidate]:
        """One rule at a time of those that nobody needs to have met."""
        if self._rules:
            self._rules = (*self._rules, *shape_rules())
            yield from self._each(shape_rules())

    def _each(self, rules: Sequence[EncoderRule]) -> Iterator[Candidate]:
        for rule in rules:
            if self.meter.spent:
                return
            if rule.noun in self._absent:
                continue  # nothing of it was read up to where reading stops
            if self._is_read and any(value in SAY_NOTHING for _, value in rule.changes):
                continue  # all counts are right
            if self._asked.is_same_with(rule):
                self.meter.count(PASSED)
                continue
            tried = self._attempt((rule,))
            if tried.results:
                self._alone.add(rule)
                yield from self._found(tried)
            elif tried.reached >= self._plain + LEAST_FURTHER:
                self._further.append(tried)
                self.furthest = max(self.furthest, tried.reached)

    def joined(self) -> Iterator[Candidate]:
        """Two rules at once, the first one of those that come furthest by themselves."""
        best = sorted(self._further, key=lambda each: (-each.reached, each.rules[0].bits))[:JOINED]
        tried: set[frozenset[EncoderRule]] = set()
        for first in best:
            absent = frozenset() if _renames(first.rules) else self._absent_in(first, first.stuck)
            asked = self._watched(first.rules)
            for rule in (*self._rules, *number_rules(self.dialect, first.stuck)):
                if rule.noun in absent or rule in self._alone:
                    continue
                pair = frozenset((*first.rules, rule))
                if len(pair) == 1 or pair in tried:
                    continue
                if self.meter.spent:
                    return
                tried.add(pair)
                if asked.is_same_with(rule) and not first.rules[0].is_about(rule):
                    self.meter.count(PASSED)
                    continue
                attempt = self._attempt((*first.rules, rule))
                if attempt.results:
                    yield from self._found(attempt)

    def _absent_in(self, failed: Attempt, last: Sequence[int]) -> frozenset[str]:
        """The nouns of which nothing was read up to where reading stops: rules about them change nothing there.

        Args:
            failed: how the bytes were read.
            last: the types of what may have been read last.
        """
        return (NUMBER_NOUNS | _laid_out(self.dialect)) - _told_of(failed, last, self.dialect)

    def _attempt(self, rules: tuple[EncoderRule, ...]) -> Attempt:
        """Read all payloads by some rules."""
        wire = _wire(rules)
        if wire is None:
            return Attempt(rules, 0, ())
        reached, results, seen = 0, [], set[str]()
        for payload in self.cut.payloads:
            if self.meter.spent:
                return Attempt(rules, reached, ())
            most = MOST_SOLUTIONS if len(self.cut.payloads) == 1 else 1
            found, is_all = self._nested(payload, wire, most)
            if is_all and not found:
                return Attempt(rules, reached, ())
            replay = EncoderReplay(self.data[payload.start : payload.end], self.dialect, wire)
            found = found or tuple(islice(replay.solutions(), most))
            self.meter.count(STEP * (replay.cursor.work + BEGUN))
            if not found:
                seen |= replay.cursor.nouns
                return Attempt(rules, reached + replay.cursor.reached, (), replay.stuck[-MOST_STUCK:], frozenset(seen))
            seen |= set(found[0].sites)
            reached += len(payload)
            results.append(found)
        ways = max(map(len, results))
        whole = tuple(tuple(some[min(way, len(some) - 1)] for some in results) for way in range(ways))
        return Attempt(rules, reached, whole, seen=frozenset(seen))

    def _nested(self, payload: Span, wire: WireFormat, most: int) -> tuple[tuple[Replayed, ...], bool]:
        """The ways to read a payload of which only what lies in what is open, and whether there are no others."""
        if not NestingSearch.suits(wire):
            return (), False
        search = NestingSearch(self.data[payload.start : payload.end], self.dialect, wire)
        found = tuple(islice(search.solutions(), most))
        self.meter.charge(STEP * (search.work + BEGUN))
        return found, search.has_heads and wire.null == "absent"

    def _watched(self, rules: tuple[EncoderRule, ...]) -> _Asked:
        """What is asked of the format while all payloads are read by some rules, up to where they do not read."""
        wire = _wire(rules)
        if wire is None:
            return _Asked(frozenset())
        watched = _WatchedFormat(wire)
        for payload in self.cut.payloads:
            data = self.data[payload.start : payload.end]
            replay = EncoderReplay(data, self.dialect, cast(WireFormat, watched))
            found = next(replay.solutions(), None)
            self.meter.charge(STEP * (replay.cursor.work + BEGUN))
            if found is None or self.meter.spent:
                break
        return _Asked(frozenset(watched.read))

    def _found(self, attempt: Attempt) -> Iterator[Candidate]:
        """The candidates of rules by which all payloads read."""
        first = attempt.rules[0]
        for result in attempt.results:
            patches = self._patches(result, _is_big(attempt.rules))
            if not patches:
                continue
            sites = _sites(self.cut, result)
            places = _places(attempt.rules, sites)
            if places == 1 and _adds(attempt.rules):
                continue  # bytes in one place are no rule: they were put in, or are a length before the value
            framing = self.cut.framing
            if framing.kind is STORED.kind and _is_big(attempt.rules):
                framing = STORED
            bits = sum(rule.bits for rule in attempt.rules) + TOGETHER * (len(attempt.rules) - 1)
            changed = zip(self.cut.payloads, result, strict=True)
            firsts = (payload.start + each.patches[0].at for payload, each in changed if each.patches)
            shown = next(firsts, -1) if len(attempt.rules) == 1 else -1
            notes = (NOTES.get(rule.slug, "") for rule in attempt.rules)
            is_open = len(attempt.results) > 1 and any(
                value in SAY_NOTHING for r in attempt.rules for _, value in r.changes
            )
            facts = " ".join(dict.fromkeys(_fact(rule, sites, shown) for rule in attempt.rules))
            rules = (_seen_as_arrays(rule, self.data, patches, self.dialect) for rule in attempt.rules)
            yield Candidate(
                first.cause,
                patches,
                facts,
                framed=True,
                framing=framing,
                dialect=self.dialect,
                rules=_in_words(tuple(rules), self.data, patches, self.dialect),
                bits=bits,
                places=places,
                otherwise=_otherwise(attempt.rules, sites),
                note=next(filter(None, notes), OTHER_WAYS if is_open else ""),
            )

    def _patches(self, result: tuple[Replayed, ...], is_big: bool) -> Patches:
        """What makes all payloads right, and the lengths before them; those are swapped with all else if *is_big*."""
        out: list[Patch] = []
        stored = self.cut.framing.kind is STORED.kind
        for payload, each in zip(self.cut.payloads, result, strict=True):
            grown = growth(each.patches)
            swapped = is_big and self.cut.framing.big_endian
            if stored and (grown or swapped):
                order = self.cut.framing.big_endian and not is_big
                out.append(word(payload.start - 4, len(payload) + grown, order))
            out += [patch.shifted(payload.start) for patch in each.patches]
        return tuple(out)


def _is_big(rules: tuple[EncoderRule, ...]) -> bool:
    """Whether such an encoder writes headers in big-endian order, and so the lengths before values too."""
    wire = _wire(rules)
    return wire is not None and wire.header == "u32be"


@lru_cache(1 << 14)
def _wire(rules: tuple[EncoderRule, ...]) -> WireFormat | None:
    """The format with some rules; None where two of them say different things of the same."""
    wire: WireFormat | None = ENGINE
    for rule in rules:
        wire = rule.on(wire) if wire is not None else None
    return wire


@lru_cache(32)
def _laid_out(dialect: Dialect) -> frozenset[str]:
    """The names of the types that have several numbers as their fields."""
    return frozenset(row.name for row in dialect.rows if row.kind is Kind.FIXED and len(row.narrow) > 1)


def _renames(rules: tuple[EncoderRule, ...]) -> bool:
    """Whether type numbers mean other types."""
    return any(name in ("ids", "shift") for rule in rules for name, _ in rule.changes)


def _told_of(attempt: Attempt, last: Sequence[int], dialect: Dialect) -> frozenset[str]:
    """What was read, as rules about numbers call it, and what was being read, which has one of the *last* types."""
    rows = [row for row in map(dialect.row, last) if row is not None]
    seen = attempt.seen | {row.name for row in rows}
    vectors = {noun for noun in seen if noun[:1].isupper()}
    found = {*seen, *(("vector", "real") if vectors else ())}
    if seen & {"float", "real"}:
        found |= {"float", "number", "real", "number of 64 bits"}
    if "int" in seen:
        found |= {"int", "number", "number of 64 bits"}
    packed = any(row.kind in (*PACKED_KINDS, Kind.ARRAY) for row in rows)
    if packed or seen & {"packed array", "count of a Array", "count of a packed array"}:
        found |= {"packed array", PACKED_NUMBER, "byte array", "text of a string array", "real", "vector", "Vector3"}
    return frozenset(found | {"null"} if "Nil" in seen else found)


def _sites(cut: PayloadCut, result: tuple[Replayed, ...]) -> dict[str, RuleCounts]:
    """The sites of all payloads together; the first is an offset in all bytes."""
    out: dict[str, RuleCounts] = {}
    for payload, each in zip(cut.payloads, result, strict=True):
        for noun, sites in each.sites.items():
            known = out.setdefault(noun, RuleCounts())
            known.seen += sites.seen
            known.changed += sites.changed
            known.otherwise += sites.otherwise
            if known.first < 0 <= sites.first:
                known.first = payload.start + sites.first
    return out


def _nouns(rule: EncoderRule, sites: dict[str, RuleCounts]) -> list[str]:
    """The nouns of the sites that a rule is about."""
    if rule.noun == "count":
        packed = any(name == "packed_count" for name, _ in rule.changes)
        return [noun for noun in sites if noun.startswith("count of") and (packed or not noun.endswith("packed array"))]
    if rule.noun in GROUPS:
        return [noun for noun in sites if noun in GROUPS[rule.noun]]
    if rule.noun == "real":
        return [noun for noun in sites if noun[:1].isupper() or noun in ("float", "packed array")]
    if rule.noun == "vector":
        return [noun for noun in sites if noun[:1].isupper()]
    return [noun for noun in sites if noun == rule.noun]


def _places(rules: tuple[EncoderRule, ...], sites: dict[str, RuleCounts]) -> int:
    """In how many places the rules show, the least of them."""
    return min(sum(sites[noun].changed for noun in _nouns(rule, sites)) for rule in rules)


def _in_words(
    rules: tuple[EncoderRule, ...], data: bytes, patches: Patches, dialect: Dialect
) -> tuple[EncoderRule, ...]:
    """The rules in the words of what shows; the patches of two rules are not told apart."""
    return (shifted_from(rules[0], data, patches, dialect),) if len(rules) == 1 else rules


def _otherwise(rules: tuple[EncoderRule, ...], sites: dict[str, RuleCounts]) -> int:
    """In how many places an engine's way stands where the rules would have another."""
    nouns = {noun for rule in rules for noun in _nouns(rule, sites)}
    return sum(sites[noun].otherwise for noun in nouns)


def _adds(rules: tuple[EncoderRule, ...]) -> bool:
    """Whether a rule writes bytes that say nothing; an end mark says where a collection ends that has no count."""
    return any(
        name == "extra" or (name == "end_mark" and all(other != "array_count" for other, _ in rule.changes))
        for rule in rules
        for name, _ in rule.changes
    )


def _seen_as_arrays(rule: EncoderRule, data: bytes, patches: Patches, dialect: Dialect) -> EncoderRule:
    """The same rule; where the eight bytes before each pair are the head of an Array of two, it says so."""
    if rule.changes != (("extra", ("pair", 8)),):
        return rule
    head = pack("<2I", dialect.type_number("Array"), 2)
    is_array = all(data[each.at : each.at + 8] == head for each in patches if each.growth < 0)
    return replace(rule, writes=PAIR_AS_ARRAY, reads=KEY_THEN_VALUE) if is_array else rule


def _fact(rule: EncoderRule, sites: dict[str, RuleCounts], shown: int) -> str:
    """Where a rule shows: "It is so in 7 of 7 bools", or that it fits those too that an engine would write alike.

    Args:
        rule, sites: what is told.
        shown: where bytes change first, -1 where it is not known: what lies in others shows there, too.
    """
    nouns = _nouns(rule, sites)
    seen, changed = sum(sites[noun].seen for noun in nouns), sum(sites[noun].changed for noun in nouns)
    if not changed:
        return ""
    plural = PLURALS.get(nouns[0] if len(nouns) == 1 and rule.noun not in PLURALS else rule.noun, f"{rule.noun}s")
    places = (shown, *(sites[each].first for each in nouns))
    first = min((each for each in places if each >= 0), default=0)
    first = shown if 0 < shown - first <= NEAR else first
    where = f", first at 0x{first:X}" if changed > 1 else ""
    if seen == 1:
        return f"This is so in 1 of 1 {SINGULARS.get(nouns[0], nouns[0])}: only one place shows it."
    otherwise = sum(sites[noun].otherwise for noun in nouns)
    if otherwise:
        are = "1 is" if otherwise == 1 else f"{otherwise:,} are"
        return f"This is so in {changed:,} of {seen:,} {plural}{where}; {are} as an engine writes them."
    whole = f"{seen:,} of {seen:,} {plural}"
    if changed < seen:
        alike = "1 looks" if seen - changed == 1 else f"{seen - changed:,} look"
        return f"It fits {whole}: {changed:,} show{'s' * (changed == 1)} it{where}, and {alike} the same either way."
    return f"This is so in {whole}{where}."
