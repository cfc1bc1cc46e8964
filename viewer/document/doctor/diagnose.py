"""Diagnose: every hypothesis tried, and what explains the bytes best first."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice

from viewer.base.diagnostic import Code
from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.damage import is_damaged
from viewer.document.doctor.as_is import DOUBTFUL, FOREIGN, ODD, UNKNOWN, AsIs, as_is, bits_as_is, untold_bits
from viewer.document.doctor.byte_hypotheses import byte_candidates, flip_candidates, number_candidates
from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.count_hypotheses import count_candidates
from viewer.document.doctor.cut_off import cut_structure, cut_words
from viewer.document.doctor.encoder_bugs import bugs_of_one
from viewer.document.doctor.engines_mixed import engines_mixed
from viewer.document.doctor.fallback import empty_file, fallbacks, limit_notes, wrapped
from viewer.document.doctor.finding_collector import GAINED, FindingCollector
from viewer.document.doctor.hypotheses import families, families_before
from viewer.document.doctor.kept import cautious
from viewer.document.doctor.machine_damage import DamageSign
from viewer.document.doctor.overwritten import damage_signs
from viewer.document.doctor.own_fields import OwnFields, own_fields, own_fields_note
from viewer.document.doctor.preview import preview
from viewer.document.doctor.ranking import RankedFinding, ranked
from viewer.document.doctor.repair import LARGE, SHORT, STOPPED, Answer, Repair
from viewer.document.doctor.repair_context import (
    GivenUp,
    ReadGuess,
    RepairContext,
    ScratchArena,
    WorkBudget,
    frame_before,
    node_at,
    nodes,
    stand,
    survey,
    walk,
    wrong_step,
)
from viewer.document.doctor.resync_hypotheses import slip_candidates, slips_in_a_row
from viewer.document.doctor.rule_learning import LEARNED, LEARNING, learn_rules
from viewer.document.doctor.salvage import grounds_amid, rescue
from viewer.document.doctor.seams import cut_values
from viewer.document.doctor.sifting import sift
from viewer.document.doctor.stretches import part_candidates
from viewer.document.doctor.text_hypotheses import alike_candidates, text_candidates
from viewer.document.doctor.trying import overwritten_bits, try_on
from viewer.document.doctor.whole import (
    OTHER_LINE,
    SAMPLE,
    UNLIKELY_WAY,
    ways_to_read,
    whole_candidates,
)
from viewer.document.doctor.whole_codings import coded_candidates
from viewer.document.document import Document
from viewer.document.kinds.foreign import has_plausible_value
from viewer.document.pieces.framing import uncollected
from viewer.document.splice import Splice
from viewer.variant.dialect import available

LOOKED = 64
"""Bytes without control signs at the start of what may be a text."""
_WIDE = re.compile(rb"\xff\xfe|\xfe\xff|(?:[\t\n\r\x20-\x7e]\0){8}|(?:\0[\t\n\r\x20-\x7e]){8}")
_LETTERS = re.compile(rb"[\t\n\r\x1b\x20-\x7e\x80-\xff]{8,}")
MOST_BYTES = 1 << 26
"""Longer documents are not looked into."""
BUDGET = 11 << 25
WAY_BUDGET = 1 << 28
"""The work that is done in all, and in one way, in bytes that a compiled scanner reads."""
PACKET = 1 << 12
"""More bytes than these may take longer."""
MORE = 2
"""So many times as many findings are worth ranking before the end."""
MONOTONOUS, MONOTONOUS_WORK, LEAST_MONOTONOUS = 64, 3 << 26, 1 << 15
"""Bytes that shrink to one in so many when they are packed are few words again and again, such as a nest: so much work
is enough for them, where there are so many bytes at least."""
MOST_PACKED = 1 << 20
"""So many bytes at the begin are packed to see that."""
EARLY = 1 << 24
"""The work of a look that comes first, so that there is an answer at once."""
CODED_SHARE, ANYWHERE, GENERAL_SHARE = 8, 1 << 26, 16
"""The work of looking for what nobody needs to have met: of codings of all bytes as a share of all, of slips anywhere,
and the most of each of the others as a share of all. Three such shares are kept for them, and one for parts, which the
ways get where parts were looked at before."""
TAKEN_OUT = {
    Cause.BLOCK_REPEATED: Cause.SEGMENT_DOUBLED,
    Cause.SECTOR_ZEROS: Cause.FILL_INSIDE,
    Cause.SECTOR_ONES: Cause.FILL_INSIDE,
}
"""What shows a block that belongs to no value, and what takes it out so that all reads: then nothing stood there."""
LEAST_NODES = 4
"""Where fewer values read before the trouble, reading that goes on behind it tells nothing."""
UNEXPLAINED = 0.3
"""How often it is true that bytes were overwritten or lost where nothing else explains them."""
LEAST_VALUES, LEAST_LONG = 4, 128
"""Fewer values that read, in fewer bytes, tell nothing of who wrote them."""
CUT_GAIN, CUT_ANYWHERE, RESCUE_OF_CUT = 10.0, 0.0, 10.0
"""Bits: that the end is missing is likelier than damage of another kind, most of all at a size where bytes are cut; and
what breaks in the middle is less likely then."""
OWN_SHARE, OWN_BYTES, MOST_OWN = 6, 3 << 12, 3
"""The share of all work that looking for own fields in so many bytes may take, and that is kept for it; and how many
times that it is at most."""
HOPELESS_SHARE = 5
"""The share of all work that is not done in bytes without one plausible value, and half of that of looking for own
fields: hardly anything mends them."""
OWN_FIELDS = 30.0
"""Bits: that a game stored fields of its own among values."""
JUDGED_FRAMES = 64
QUIET = frozenset(
    {
        Cause.NUL_MISSING,
        Cause.LENGTH_COUNTS_NUL,
        Cause.LENGTH_COUNTS_CHARACTERS,
        Cause.LENGTH_OFF,
        Cause.TEXT_UTF16,
        Cause.TEXT_LATIN1,
        Cause.PADDING_MISSING,
    }
)
"""What engines may read without an error."""
LOOKED_AT = ODD | {Code.PADDING_CUT}
"""What no engine writes, wherever it stands, and what it accepts at the end of the data alone."""
NO_DAMAGE = frozenset({Cause.OWN_FIELDS, Cause.SEVERAL_VALUES})
HARDLY, LIKELY, SURE = 0.05, 0.5, 0.9
"""Where most likely nothing is damaged, what is so much less likely is not told; nor is unknown damage that is undone
as what is likely, nor what an engine may refuse beside what is sure to take it away."""
MOST_ODD = 64
MOST_LINTED = 1 << 22

Found = Callable[[Answer], None]
Slips = Callable[[RepairContext, WorkBudget], Iterator[Candidate]]


def diagnose(document: Document, progress: Progress | None = None, found: Found | None = None) -> list[Repair]:
    """What may be wrong with the bytes of a document, and what would mend it.

    Args:
        document: it is not changed.
        progress: told now and then how many candidates were tried; returning False ends the search.
        found: given what is known so far: at once, before anything was tried, and whenever the search has found more.

    Returns:
        The repairs, the best first; those that only tell something last. Nothing where nothing is wrong.
    """
    return list(examine(document, progress, found).repairs)


def examine(
    document: Document, progress: Progress | None = None, found: Found | None = None, work: int = BUDGET
) -> Answer:
    """The same, and whether everything was tried.

    Args:
        document, progress, found: as above.
        work: how much may be done, in bytes that a compiled scanner reads; more in bytes longer than a packet. The
            same work always finds the same.
    """
    with uncollected():
        return Diagnosis(document, progress, found, work).run()


class Diagnosis:
    """One search for what went wrong."""

    def __init__(self, document: Document, progress: Progress | None, found: Found | None, work: int) -> None:
        self.document = document
        self.data = b""
        self.room = ScratchArena(document.pool)
        self.meter = WorkBudget(work, progress, self.room)
        self._work = work
        self.findings = FindingCollector(document, b"", AsIs(), self.meter, self.room, self._tell)
        self._early: FindingCollector | None = None
        self._wholes: FindingCollector | None = None
        self._parts: FindingCollector | None = None
        self.cut = ""
        self._found = found
        self._told: Answer | None = None
        self._ranked = 0
        self._has_begun = False
        self._named: list[Repair] = []
        self._notes: list[Repair] = []
        self._rescue: Repair | None = None
        self._own: tuple[Repair, float] | None = None
        self._mixed: tuple[Repair, float] | None = None
        self._row: OwnFields | None = None
        self._reached = -1
        self._is_hopeless = False

    def run(self) -> Answer:
        """All repairs."""
        document = self.document
        if self._found is not None:
            is_wrong = is_damaged(document)
            self._told = Answer((), is_read=not is_wrong, unexplained=1.0 if is_wrong else None)
            self._found(self._told)
        if document.text is not None:
            from viewer.document.doctor.text_repairs import text_repairs

            try:
                return Answer(tuple(text_repairs(document, document.text, self.meter)))
            except GivenUp:
                return Answer((), STOPPED)
        if _LETTERS.fullmatch(bytes(document.buffer[:LOOKED])) or _WIDE.match(bytes(document.buffer[:LOOKED])):
            from viewer.document.doctor.text_repairs import lost_text_repairs

            try:
                found = lost_text_repairs(document, self.meter)
            except GivenUp:
                return Answer((), STOPPED)
            if found:
                return Answer(tuple(found))
        if document.structure is not None:
            return Answer(tuple(cut_structure(document, document.structure)))
        self._notes = [] if document.wraps.blocked is not None else list(limit_notes(document))
        if not len(document.wraps.outside):
            return Answer((empty_file(),))
        if not len(document.buffer) or document.task is not None:
            return Answer(tuple(self._notes))
        if len(document.buffer) > MOST_BYTES:
            return Answer(tuple(self._notes), LARGE)
        self.data = self.findings.data = bytes(document.buffer[:])
        if self._is_monotonous():
            self._work = self.meter.left = min(self._work, MONOTONOUS_WORK)
        elif len(self.data) > PACKET:
            self.meter.left += (3 if len(self.data) > LEARNED else 1) * self._work // 8
        try:
            self._look()
        except GivenUp:
            self.cut = STOPPED
        answer = self._answer(with_fallbacks=self.cut != STOPPED)
        self.room.leave()
        return answer

    def _is_monotonous(self) -> bool:
        """Whether the bytes are few words again and again."""
        data = self.data[:MOST_PACKED]
        return len(data) >= LEAST_MONOTONOUS and MONOTONOUS * len(zlib.compress(data, 1)) < len(data)

    def _look(self) -> None:
        document, data = self.document, self.data
        stands = AsIs() if document.wraps.blocked is not None else as_is(document, data, self.meter)
        if stands.foreign and any(sign.denies and sign.cause is Cause.OVERWRITTEN for sign in self._signs):
            stands = AsIs()
        self.findings.stands = stands
        self._named = [] if stands.sound else list(wrapped(document, data))
        self._tell()
        values = sum(len(frame.table) for frame in document.frames)
        if stands.sound:
            if values >= LEAST_VALUES or len(data) >= LEAST_LONG:
                self._learn()
            if values > 1 and not self.findings.explain:
                self._look_closer(data)
        if not (stands.sound or self._named):
            self._rescue = rescue(document, data, self.meter.anew(WAY_BUDGET))
            self._mixed = self._engines_mixed(data)
            self._is_hopeless = self._rescue is None and not has_plausible_value(document)
            self.meter.left -= self._own_work + self._is_hopeless * (self._work // HOPELESS_SHARE)
            self._tell()
            self._search(data)

    @cached_property
    def _signs(self) -> list[DamageSign]:
        """What tells damage in bytes that do not read."""
        return damage_signs(self.document, self.data)

    @property
    def _own_work(self) -> int:
        """What is kept for own fields: of longer bytes more, for there are as many places to begin."""
        times = min(MOST_OWN, max(1, len(self.data) // OWN_BYTES))
        return (self._work * times // OWN_SHARE) >> self._is_hopeless

    @property
    def _collectors(self) -> list[FindingCollector]:
        """All that hold something that was found, early looks included."""
        return [each for each in (self.findings, self._early, self._wholes, self._parts) if each is not None]

    def _some(self) -> list[RankedFinding]:
        """What was found."""
        return [each for part in self._collectors for each in part.some]

    def _answer(self, with_fallbacks: bool) -> Answer:
        """What is known."""
        is_read, found = self.findings.stands.is_readable, self._explained(with_fallbacks)
        deep = max((note.confidence for note in self._notes if note.cause is Cause.TOO_DEEP), default=0.0)
        told = deep + sum(each.confidence for each in found)
        unexplained = None if is_read or self._named else max(0.0, round(1 - told, 3))
        repairs = (*self._named, *found, *self._notes_beside(found))
        return Answer(repairs, self.cut, is_read or bool(self._named), unexplained)

    def _explained(self, with_fallbacks: bool) -> tuple[Repair, ...]:
        """What explains the bytes as far as is known, ranked."""
        stands, findings = self.findings.stands, self._some()
        if stands.doubtful:
            findings = [each for each in findings if each.success.candidate.patches]
        if stands.foreign:
            findings = [each for each in findings if not (self._throws_away_values(each) or self._denies_lengths(each))]
        notes = list(self._explanations(with_fallbacks)) if not (stands.is_readable or self._named) else []
        cut = (each for part in self._collectors for each in part.cut)
        notes += [each for each in cut if stands.is_readable and each[1] < stands.bits]
        if self._mixed is not None and stands.is_readable:
            notes.append(self._mixed)
        bits = stands.bits
        if self._own is not None:
            bits = min(bits, self._own[1])
            findings = [self._beside_own_fields(each) for each in findings]
            notes += [self._own] * (not stands.is_readable)
        is_row = self._own is not None and self._row is not None and bool(self._row.fields)
        is_unknown = not (stands.sound or stands.foreign or is_row)
        some = ranked(self.document, self.data, findings, bits, self.findings.edits, notes, is_unknown)
        found = _without_same_edit(cautious(self.document, some))
        if found and found[0].cause in NO_DAMAGE:
            found = tuple(each for each in found if each.confidence >= HARDLY * found[0].confidence)
        return found

    def _notes_beside(self, found: Sequence[Repair]) -> list[Repair]:
        """What an engine may refuse in the values as they read now; hardly that which a likely repair takes away."""
        best = found[0] if found else None
        if not self._notes or best is None or not best.can_be_applied or best.confidence < LIKELY:
            return self._notes
        left = {note.cause for note in limit_notes(preview(self.document, best))}
        most = round(1 - best.confidence, 3) if best.confidence < SURE else 0.0
        told = (
            each if each.cause in left else replace(each, confidence=min(each.confidence, most)) for each in self._notes
        )
        return [each for each in told if each.confidence]

    def _beside_own_fields(self, finding: RankedFinding) -> RankedFinding:
        """What mends one place among a game's own fields: the others are there as well, and may tell this one, too."""
        row, success = self._row, finding.success
        if row is None or self._own is None or len(finding.ground.data) == len(self.data):
            return finding
        if row.framing != finding.ground.way.framing or not row.is_cut_at(success.region):
            return finding  # either these are the values, or those of the row
        told = success.bits + overwritten_bits(self.data, success.candidate)
        return replace(finding, bits=self._own[1] + told - row.told(self.data, success.region))

    def _throws_away_values(self, finding: RankedFinding) -> bool:
        """Whether a repair takes out many sound values that lie behind true lengths: they were stored."""
        gone = [(p.at + len(p.new), p.at + p.size) for p in finding.success.candidate.patches if p.growth < 0]
        frames = self.document.frames
        return any(
            sum(low <= f.span.start and f.span.end <= high for f in frames) >= LEAST_VALUES for low, high in gone
        )

    def _denies_lengths(self, finding: RankedFinding) -> bool:
        """Whether a repair calls many lengths wrong behind which sound values are exactly as long."""
        patches = finding.success.candidate.patches
        changed = {patch.at for patch in patches if not any(each.growth for each in patches)}
        frames = self.document.frames  # all of them are sound, and behind true lengths
        return sum(f.cut.prefix is not None and f.cut.prefix.start in changed for f in frames) >= LEAST_VALUES

    def _own_fields(self, data: bytes) -> tuple[Repair, float] | None:
        """That all of it is sound values among a game's own fields, with what it takes to tell it."""
        document = self.document
        chosen = document.choice.dialect
        if any(sign.denies for sign in self._signs):
            return None
        some = () if chosen is not None else (*(each.dialect for each in document.candidates), *available())
        dialects = list(dict.fromkeys((document.dialect, *some)))
        found = own_fields(data, dialects, self.meter, self._own_work)
        if found is None or (found.fields and document.choice.framing is FramingKind.BARE):
            return None  # who says that there is one value says that there are no fields
        self._row = found
        is_sure = found.is_plain and found.dialect is document.dialect and self.findings.stands.bits == UNKNOWN
        cost = FOREIGN if is_sure else OWN_FIELDS if found.fields else DOUBTFUL
        now = bits_as_is(document, data, Span(0, len(data)), 0) + (untold_bits(document, data) if is_sure else 0.0)
        bits = cost + found.bits - now
        return (own_fields_note(document, found), bits) if bits < self.findings.stands.bits else None

    def _engines_mixed(self, data: bytes) -> tuple[Repair, float] | None:
        """That two engine lines wrote the values, with what it takes to tell it beside the bytes as they are shown."""
        found = engines_mixed(self.document, data, self.meter.anew(EARLY))
        if found is None:
            return None
        now = bits_as_is(self.document, data, Span(0, len(data)), 0) + untold_bits(self.document, data)
        return found[0], found[1] - now

    def _explanations(self, with_fallbacks: bool) -> Iterator[tuple[Repair, float]]:
        """What explains the bytes without undoing it, with what it takes to tell it; unknown damage last."""
        data, unknown = self.data, self.findings.stands.bits
        for part in self._collectors:
            yield from part.cut
        if self._mixed is not None:
            yield self._mixed
        rescue = self._rescue
        is_cut = False
        for each in fallbacks(self.document, data) if with_fallbacks else ():
            is_cut = True
            yield each, unknown - (CUT_GAIN if cut_words(self.document) else CUT_ANYWHERE)
        known = {each.success.candidate.cause for each in self._some() if each.bits <= unknown - GAINED}
        for sign in self._signs:
            if TAKEN_OUT.get(sign.cause) in known:
                continue
            reason = f"{sign.reason} {rescue.reason}" if rescue is not None else sign.reason
            edit = rescue.edit if rescue is not None else None
            before, after = (rescue.before, rescue.after) if rescue is not None else (None, None)
            said = Repair(sign.cause, sign.cause.sentence, reason, sign.true, edit, None, sign.note, before, after)
            yield said, unknown + sign.bits
        if rescue is not None:
            yield replace(rescue, confidence=UNEXPLAINED), unknown + (RESCUE_OF_CUT if is_cut else 0.0)

    def _tell(self) -> None:
        """Tell what is known so far, if nothing was or the findings became many more."""
        if self._found is None or self._told is None or self.findings.stands.sound:
            return
        count = len(self._some())
        is_known = count < max(1, MORE * self._ranked)
        if is_known and self._told.repairs:
            return
        self._ranked = count
        answer = self._answer(with_fallbacks=self._has_begun)
        if answer != self._told:
            self._told = answer
            self._found(answer)

    # Searching

    def _look_closer(self, data: bytes) -> None:
        """Where everything reads: what an engine would not write in texts."""
        way = ReadGuess(self.document.dialect, self.document.framing)
        if len(data) > MOST_LINTED:
            return
        for index, step in enumerate(islice(walk(data, way, self.meter), JUDGED_FRAMES)):
            odd = (
                {d.node for d in self.document.findings.lints(index) if d.code in LOOKED_AT}
                if index < len(self.document.frames)
                else {}
            )
            if not odd:
                continue
            ground = stand(data, way, self.meter, step)
            some = [node for node in (node_at(ground.table, each) for each in sorted(odd)) if node is not None]
            families: list[Iterable[Candidate]] = [
                alike_candidates(ground, some),
                (each for each in text_candidates(ground, some[:MOST_ODD]) if each.cause in QUIET),
                number_candidates(ground),
                count_candidates(ground, self.meter),
                flip_candidates(ground, some[:MOST_ODD]),
            ]
            self._try_all(ground, families)

    def _search(self, data: bytes) -> None:
        is_chosen = self.document.choice.dialect is not None
        if is_chosen:  # by a person, who may be wrong: else the line that reads most of it was taken
            self._read_in_other_lines(data)
        ways = ways_to_read(self.document, data, self.meter)
        self._look_early(data, ways[0])
        self._own = self._own_fields(data)
        self._has_begun = True
        self._tell()
        if len(data) <= (SAMPLE if self._is_hopeless else PACKET):
            self._look_at_wholes()
        if len(data) <= PACKET:
            self._find_parts(data)
        self._learn()
        if self.findings.explain:
            self._early = None
            best = min(self.findings.some, key=lambda each: each.bits)
            self._try_way(data, ways[0])
            if len(data) <= SAMPLE:
                self._take_wholes()  # what shows in many places may as well be one change of all bytes
            self._take_parts(data, is_explained=True)
            if best.success.candidate.places == 1:
                self._try_slips(data, best.ground.way, slip_candidates)  # what shows in one place may as well be one
            return
        kept = 4 * self._work // GENERAL_SHARE
        self.meter.left -= kept
        first = 1 if len(data) > SAMPLE else 0  # of many bytes a change of all comes later: it takes long
        for way in ways[:first]:
            self._try_way(data, way)
        self._take_wholes()
        self.meter.left += kept // 4
        self._take_parts(data)
        for way in ways[first:]:
            if not self._try_way(data, way):
                break
        if not is_chosen:
            self._read_in_other_lines(data)
        self.meter.left += kept - kept // 4
        self._search_generally(data, ways[0])
        if not self.findings.some:  # what mends all bytes goes before what mends some
            self._look_amid(data)

    def _look_early(self, data: bytes, way: ReadGuess) -> None:
        """Try what is likeliest in bytes as they are most likely read: there is an answer before rules are learned.

        It is only told: all of it is tried again when its turn comes.
        """
        meter = self.meter.anew(EARLY)
        ground = survey(data, way, meter) if len(data) <= SAMPLE else None
        if ground is not None:
            self._early = self.findings.apart()
            sift(ground, families(ground, meter), meter, partial(self._early.take, ground))
        self._tell()

    def _learn(self) -> None:
        """Try what encoders do wrong everywhere."""
        learn_rules(self.findings, self._between_rules)

    def _between_rules(self) -> None:
        """Tell what is known while rules are learned; where none explains the bytes, try what changes all of them."""
        self._tell()
        findings = self.findings
        is_next = self._wholes is None and not findings.stands.sound and len(self.data) <= SAMPLE
        if is_next and not findings.explain:
            self._look_at_wholes()

    def _look_at_wholes(self) -> None:
        """Try what changes all bytes before its turn: it takes little time, and in bytes that hold nothing else."""
        self._wholes = self.findings.apart()
        self._try_wholes(self._wholes)
        self._tell()

    def _take_wholes(self) -> None:
        """What is found where all bytes are changed; what was found early has had its turn."""
        early, self._early, self._wholes = self._wholes, None, None
        if early is None:
            self._try_wholes(self.findings)
            return
        self.findings.add(early)
        self._tell()

    def _find_parts(self, data: bytes) -> FindingCollector:
        """Try what mends a part of another nature; it is taken over when its turn comes."""
        parts = self._parts = self.findings.apart()
        with self.meter.at_most(self._work // GENERAL_SHARE):
            parts.cut += cut_values(self.document, data, self.meter)
            for way, candidate in part_candidates(self.document, data, self.meter):
                parts.try_read(way, candidate)
        self._tell()
        return parts

    def _take_parts(self, data: bytes, is_explained: bool = False) -> None:
        """Take over what mends a part; where a rule explains all, it tells the lengths of texts better."""
        parts, self._parts = self._parts or self._find_parts(data), None
        if is_explained:
            parts.some = [each for each in parts.some if each.success.candidate.cause is not Cause.LENGTH_OFF]
        self.findings.add(parts)
        self._tell()

    def _search_generally(self, data: bytes, way: ReadGuess) -> None:
        """Look for what nobody needs to have met, where nothing else explains the bytes; there is no end to that."""
        cut = self.cut
        ground = None if self.findings.are_likely else survey(data, way, self.meter)
        if ground is not None:
            with self.meter.at_most(min(LEARNING, self._work // GENERAL_SHARE)):
                self._try_all(ground, [bugs_of_one(ground, len(self.document.frames), self.meter)])
        if not self.findings.are_likely:
            with self.meter.at_most(self._work // CODED_SHARE):
                for candidate in coded_candidates(data, self.meter):
                    if self.meter.spent:
                        break
                    self.findings.try_whole(candidate)
        for family in (slip_candidates, slips_in_a_row):
            if not self.findings.are_likely:
                self._try_slips(data, way, family)
        self.cut = cut

    def _try_slips(self, data: bytes, way: ReadGuess, family: Slips) -> None:
        """Try slips that may be anything, in bytes that are read in one way."""
        ground = survey(data, way, self.meter)
        if ground is not None and len(nodes(ground)) >= LEAST_NODES:
            with self.meter.at_most(min(ANYWHERE, self._work // GENERAL_SHARE)):
                self._try_all(ground, [family(ground, self.meter)])

    def _look_amid(self, data: bytes) -> None:
        """Try all mistakes in broken values among a game's own bytes."""
        for ground, is_moved in grounds_amid(self.document, data, self.meter):
            self._try_all(ground, [byte_candidates(ground)] if is_moved else families(ground, self.meter))

    def _try_way(self, data: bytes, way: ReadGuess) -> bool:
        """Try all mistakes in bytes that are read in one way; False where other ways are not worth it any more."""
        ground = survey(data, way, self.meter)
        if self.meter.spent:
            self.cut = SHORT
            return False
        if ground is None:
            self._read_otherwise(data, way)
        elif way.weight > UNLIKELY_WAY or ground.start + ground.trouble > self._reached:
            self._reached = max(self._reached, ground.start + ground.trouble)
            self._try_all(ground, families(ground, self.meter))
            self._try_before(ground)
        return way.weight > UNLIKELY_WAY or not self.findings.are_likely

    def _is_current(self, way: ReadGuess) -> bool:
        return way.dialect is self.document.dialect and way.framing == self.document.framing

    def _try_all(self, ground: RepairContext, some: Iterable[Iterable[Candidate]]) -> None:
        """Try all candidates at one place, with a share of the work that is left."""
        with self.meter.at_most(WAY_BUDGET):
            if not sift(ground, self._told_of(some), self.meter, partial(self.findings.take, ground)):
                self.cut = SHORT

    def _told_of(self, some: Iterable[Iterable[Candidate]]) -> Iterator[Iterable[Candidate]]:
        """The same, telling behind each what is known."""
        for family in some:
            yield family
            self._tell()

    def _try_before(self, ground: RepairContext) -> None:
        """Try what moves the frames behind the one before the trouble."""
        before = frame_before(ground, self.meter)
        if before is not None:
            self._try_all(before, families_before(before, self.meter))

    def _try_wholes(self, findings: FindingCollector) -> None:
        """Try what changes all bytes."""
        for candidate in whole_candidates(self.data, self.meter):
            findings.try_whole(candidate)

    def _read_in_other_lines(self, data: bytes) -> None:
        for dialect in available():
            if dialect is not self.document.dialect:
                self._read_otherwise(data, ReadGuess(dialect, self.document.framing, OTHER_LINE))

    def _read_otherwise(self, data: bytes, way: ReadGuess) -> None:
        """The bytes as they are, read in another way."""
        if self._is_current(way) or wrong_step(data, way, self.meter) is not None:
            return
        other = way.dialect is not self.document.dialect
        cause = Cause.OTHER_ENGINE if other else Cause.SEVERAL_VALUES
        if not other and way.framing.kind is FramingKind.STORED:
            cause = Cause.PREFIX_EXTRA
        if not other and way.framing.kind is FramingKind.BARE:
            cause = Cause.PREFIX_MISSING
        first = next(walk(data, way, self.meter), None)
        if first is None:
            return
        ground = stand(data, way, self.meter, first)
        fact = (
            f"{way.dialect.name} reads all of it." if other else f"Read as {way.framing.label} all of it makes sense."
        )
        found = try_on(ground, Candidate(cause, (), fact, framed=True), self.meter)
        if found is not None:
            self.findings.take(ground, found)


def _without_same_edit(repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """The same without unknown damage that is undone as something known and likely is."""
    known = {_bytes_of(each) for each in repairs if each.cause is not Cause.DAMAGED and each.confidence >= LIKELY}
    return tuple(each for each in repairs if each.cause is not Cause.DAMAGED or _bytes_of(each) not in known)


def _bytes_of(repair: Repair) -> frozenset[Splice] | None:
    """What a repair does to bytes, however it is put together."""
    return frozenset(each.trimmed() for each in repair.edit.splices) if repair.edit is not None else None
