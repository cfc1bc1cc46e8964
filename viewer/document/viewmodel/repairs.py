"""What is said of a repair, and of the engine that refuses the bytes as they are."""

from __future__ import annotations

from collections.abc import Callable

from viewer.base.record import dataclass
from viewer.base.unseen import printable
from viewer.base.words import counted, grouped_in
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.engines.lines import EngineLine, Evidence, lines
from viewer.document.engines.verdict_table import reading, stopping
from viewer.document.engines.verdicts import EngineVerdict, Outcome, verdicts
from viewer.document.splice import Edit
from viewer.variant.dialect import Dialect

WORD = 4
MOST = 1 << 24
"""Larger documents are not put before an engine unasked."""
MAY_SHOW = ", may show anything"


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
    return Headline(words, detail.strip(), verdict.outcome is Outcome.ACCEPTS)


def engine_of(dialect: Dialect) -> EngineLine | None:
    """The engine line that stands for a dialect: one that was run before one that was only read about."""
    found = [line for line in lines() if line.dialect.key == dialect.key]
    return min(found, key=lambda line: line.evidence is not Evidence.RUN, default=None)


def reason(repair: Repair) -> str:
    """Why a repair is believed; signs from the file that do not print are written as their escapes."""
    return grouped_in(printable(repair.reason))


def effect(repair: Repair) -> str:
    """How much a repair changes, in a few words; empty for one that changes nothing."""
    words = [_edit_effect(repair.edit)] if repair.edit is not None and repair.edit.splices else []
    if repair.choice is not None:
        words.append(f"read as {choice_words(repair)}" if words else f"Read as {choice_words(repair)}")
    kept = keeping(repair)
    return ", ".join(words) + (f"; {kept}" if words and kept else kept)


def keeping(repair: Repair) -> str:
    """How many of the values that can be read now a repair leaves, in a few words; empty where nobody counted them."""
    if repair.keeps is None or repair.loses is None:
        return ""
    now = repair.keeps + repair.loses
    if not now:
        return ""
    if not repair.loses:
        return "keeps the value" if now == 1 else f"keeps all {now:,} values"
    return f"loses {repair.loses:,} of {counted(now, 'value')}"


def _edit_effect(edit: Edit) -> str:
    growth = sum(splice.growth for splice in edit.splices)
    if growth:
        verb = "put in" if growth > 0 else "taken out"
        return f"{counted(abs(growth), 'byte')} {verb}, the rest moves"
    changed = sum(len(splice.trimmed().inserted) for splice in edit.splices)
    places = len(edit.splices)
    if places == 1 and changed <= WORD:
        return "1 word, nothing else moves" if changed > 1 else "1 byte, nothing else moves"
    where = "" if places == 1 else f" at {counted(places, 'place')}"
    return f"{counted(changed, 'byte')} change{'s' if changed == 1 else ''}{where}, nothing else moves"


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
    return " · ".join(name for name in names if name) or "found anew"
