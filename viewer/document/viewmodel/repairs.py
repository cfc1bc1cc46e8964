"""What is said of a repair, and of the engine that refuses the bytes as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viewer.base.record import dataclass
from viewer.base.unseen import printable
from viewer.base.words import counted, grouped, grouped_in
from viewer.document.doctor.causes import LIMITS, Cause
from viewer.document.doctor.kept import COPIES
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.edits.length_fixups import FixupOffer
from viewer.document.engines.lines import EngineLine, Evidence, lines
from viewer.document.engines.verdicts import EngineVerdict, reading, stopping, verdicts
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import Dialect

WORD = 4
MOST = 1 << 24
"""Larger documents are not put before an engine unasked."""
MAY_SHOW = ", may show anything"
OF_OTHERS = COPIES - {Cause.DAMAGED}
"""What takes out values that stand there twice, or are of another packet or save."""
SOMETHING_ELSE, LEAST_REST = "Something else", 0.1
"""What is said beside repairs of what else may have happened, from that share on."""
WAS_TRUE = "That was true until bytes were inserted or removed here."


@dataclass(frozen=True, slots=True)
class Headline:
    """What the engine that the bytes are read in says of them: a few words, and all of it."""

    words: str
    detail: str
    is_good: bool


def headline(document: Document, progress: Callable[[int], bool] | None = None) -> Headline | None:
    """What the engine line of the document does with it, None for a large one or a dialect of nobody.

    Raises:
        Stopped: *progress* returned False.
    """
    engine = engine_of(document.dialect)
    if engine is None or len(document.buffer) > MOST:
        return None
    return told(verdicts(document, engines=(engine,), progress=progress)[0])


def told(verdict: EngineVerdict) -> Headline:
    """A verdict in a few words."""
    why = verdict.error_name or verdict.condition
    more = MAY_SHOW if verdict.reads_past else f" ({why})" if verdict.error_name else ""
    words = f"{verdict.engine.name}: {verdict.label}{more}"
    place = f" At 0x{verdict.span.start:X}." if verdict.span is not None else ""
    rests_on = reading((verdict,))
    call = f"{verdict.call_name}{f', {rests_on}' if rests_on else ''}."
    detail = " ".join(
        part for part in (f"{grouped_in(verdict.text)}{place}", stopping(verdict), grouped_in(call)) if part
    )
    detail = " ".join((detail.strip(), *(verdict.notes if verdict.gets else ()))).strip()
    return Headline(words, detail, verdict.is_good)


def engine_of(dialect: Dialect) -> EngineLine | None:
    """The engine line that stands for a dialect: one that was run before one that was only read about."""
    found = [line for line in lines() if line.dialect.key == dialect.key]
    return min(found, key=lambda line: line.evidence is not Evidence.RUN, default=None)


def with_own(offer: FixupOffer | None, repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """Repairs, and before them the one that undoes what a person's own edit made untrue: that needs no guess."""
    if offer is None or offer.edit is None:
        return repairs
    cause = Cause.PREFIX_OFF if offer.is_prefix else Cause.LENGTH_OFF
    own, does = Repair(cause, offer.sentence, WAS_TRUE, 1.0, offer.edit), _bytes_of(offer.edit)
    return own, *(each for each in repairs if each.edit is None or _bytes_of(each.edit) != does)


def _bytes_of(edit: Edit) -> set[Splice]:
    """What an edit does to bytes, however it is put together."""
    return {splice.trimmed() for splice in edit.splices}


def reason(repair: Repair) -> str:
    """Why a repair is believed; signs from the file that do not print are written as their escapes."""
    return grouped_in(printable(repair.reason))


def is_rest_told(repairs: Sequence[Repair], unexplained: float | None) -> bool:
    """Whether it is said how likely it is that none of the repairs tells what happened."""
    return any(each.cause not in LIMITS for each in repairs) and (unexplained or 0.0) >= LEAST_REST


def effect(repair: Repair) -> str:
    """How much a repair changes, in a few words; empty for one that changes nothing."""
    words = (
        [_edit_effect(repair.edit)] if repair.edit is not None and (repair.edit.splices or repair.edit.bases) else []
    )
    if repair.choice is not None:
        words.append(f"read as {choice_words(repair)}" if words else f"Read as {choice_words(repair)}")
    kept = _keeping_briefly(repair)
    return ", ".join(words) + (f"; {kept}" if words and kept else kept)


def keeping(repair: Repair) -> str:
    """How many of the values that can be read now a repair leaves, in a few words; empty where nobody counted them."""
    if repair.keeps is None or repair.loses is None:
        return ""
    now = repair.keeps + repair.loses
    if not now:
        return ""
    if not repair.loses:
        return "keeps the value" if now == 1 else f"keeps all {grouped(now)} values"
    which = "the value" if now == 1 else f"{grouped(repair.loses)} of {counted(now, 'value')}"
    if is_misread(repair):
        return f"finds {which} misread"
    return f"leaves out {which}" if is_of_others(repair) else f"loses {which}"


def is_misread(repair: Repair) -> bool:
    """Whether most of the values that a repair does not leave were never stored: their bytes stay, and are others."""
    by_rule = repair.support is not None and repair.support.rules > 0
    return by_rule or 2 * repair.takes_out < (repair.loses or 0)


def is_of_others(repair: Repair) -> bool:
    """Whether what a repair takes out is no part of the value that was stored."""
    splices = repair.edit.splices if repair.edit is not None else ()
    return repair.cause in OF_OTHERS and sum(splice.growth for splice in splices) < 0


def _keeping_briefly(repair: Repair) -> str:
    """The same beside the bytes, where room is short: "keeps all 9 readable" says that more may be read afterwards."""
    words = keeping(repair)
    return words.replace("the value", "the readable value").replace(" values", " readable") if words else ""


def _edit_effect(edit: Edit) -> str:
    if edit.bases is not None:
        old, new = (wraps.text for wraps in edit.bases)
        return "" if old is None or new is None else text_effect(old.outside, new.outside)
    taken = -sum(min(0, splice.growth) for splice in edit.splices)
    put = sum(max(0, splice.growth) for splice in edit.splices)
    if taken and put:
        return f"{counted(taken, 'byte')} removed, {grouped(put)} inserted, the rest moves"
    if taken or put:
        return f"{counted(taken or put, 'byte')} {'removed' if taken else 'inserted'}, the rest moves"
    changed = sum(len(splice.trimmed().inserted) for splice in edit.splices)
    places = len(edit.splices)
    if places == 1 and changed <= WORD:
        return "1 word, nothing else moves" if changed > 1 else "1 byte, nothing else moves"
    where = "" if places == 1 else f" at {counted(places, 'place')}"
    return f"{counted(changed, 'byte')} change{'s' if changed == 1 else ''}{where}, nothing else moves"


def text_effect(old: bytes, new: bytes) -> str:
    """What becomes of a text, in characters and lines; the lines between the first change and the last one count."""
    change = Splice(0, old, new).trimmed()
    first, stop = old.rfind(b"\n", 0, change.offset) + 1, change.offset + len(change.removed)
    stop = len(old) if (end := old.find(b"\n", stop)) < 0 else end
    number = old.count(b"\n", 0, first) + 1
    was, now = (_lines(text[first : size - len(old) + stop]) for text, size in ((old, len(old)), (new, len(new))))
    if len(was) != len(now):
        verb = "inserted" if len(now) > len(was) else "removed"
        return f"{counted(abs(len(now) - len(was)), 'line')} {verb}, from line {number} on"
    pairs = [(number + k, *pair) for k, pair in enumerate(zip(was, now, strict=True)) if pair[0] != pair[1]]
    if len(pairs) > 1:
        return f"{counted(len(pairs), 'line')} change"
    return "".join(f"{_in_characters(*_differing(one, other))} line {line}" for line, one, other in pairs)


def _lines(text: bytes) -> list[str]:
    return text.decode("utf-8", "replace").split("\n")


def _differing(one: str, other: str) -> tuple[int, int]:
    """How many characters of two lines differ; where one is longer, all between what is the same at both ends."""
    if len(one) == len(other):
        changed = sum(a != b for a, b in zip(one, other, strict=True))
        return changed, changed
    front = _same(one, other)
    back = _same(one[front:][::-1], other[front:][::-1])
    return len(one) - front - back, len(other) - front - back


def _same(one: str, other: str) -> int:
    """How many characters at the start are the same."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _in_characters(taken: int, put: int) -> str:
    if not taken:
        return f"{counted(put, 'character')} inserted into"
    if not put:
        return f"{counted(taken, 'character')} removed from"
    if taken == put:
        return "1 character changes in" if put == 1 else f"{counted(put, 'character')} change in"
    return f"{counted(taken, 'character')} become{'s' if taken == 1 else ''} {grouped(put)} in"


def choice_words(repair: Repair) -> str:
    """How the bytes are to be read after a repair that says so."""
    choice = repair.choice
    assert choice is not None
    names = [
        choice.dialect.name if choice.dialect is not None else "",
        choice.precision.value if choice.precision is not None else "",
        choice.framing.value if choice.framing is not None else "",
        ", ".join(choice.opening.codecs or ()),
    ]
    return " · ".join(name for name in names if name) or "found again"
