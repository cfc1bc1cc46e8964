"""The sub-command that says what went wrong with bytes that do not read, and mends them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from viewer.base.diagnostic import Severity
from viewer.base.unseen import escaped, printable
from viewer.base.words import counted
from viewer.cli.file_access import exit_code, one_of_several, open_document, remark_wraps, save, write
from viewer.cli.input import STDIN, Problem, call
from viewer.container.frames import FramingKind
from viewer.document.doctor import DOUBTFUL, Answer, ByteSample, Cause, Repair, diagnose, examine, preview
from viewer.document.doctor.causes import LIMITS
from viewer.document.doctor.repair import SHORT
from viewer.document.doctor.strange_values import strange_values
from viewer.document.document import Document
from viewer.document.engines.lines import EngineCall
from viewer.document.engines.lines import lines as lines_of_engines
from viewer.document.engines.verdicts import passed_by, usual_call, verdicts
from viewer.document.readers.file_structure import RESOURCE
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.repairs import (
    MOST,
    SOMETHING_ELSE,
    choice_words,
    engine_of,
    is_misread,
    is_of_others,
    is_rest_told,
    keeping,
)

HEALTHY, HEALTHY_INSIDE = "Nothing seems to be wrong.", "Nothing seems to be wrong with the values inside."
UNEXPLAINED = "Something is wrong, as `check` says, but nothing that was tried explains it."
UNREAD = "These bytes are more than the values that were found in them, and nothing that was tried explains the others."
SOUND_SO_FAR = "The values that were found are sound."
MORE_LIKELY = "It is likelier ({}) that something else happened. What may be:"
UNSURE = "Nothing that was tried explains these bytes well. What may be, though it is unlikely:"
UNLIKELY = "If the game refuses these bytes anyway:"
LEAST_SHARE, LIKELY, SURE = 0.005, 0.5, 0.9
"""What is rounded to no percent; beside what is as likely that is left out, and that the search was cut short."""
FORK = "an engine that began as Godot 3"
OTHER_ENGINE = "If the game runs on Godot, say so: --dialect godot3 or --dialect godot4."
MOST_LINTED = 1 << 20
"""In so many bytes it is looked for what no engine writes."""
FRAMINGS = {
    FramingKind.BARE: ", bare: one value without a length in front",
    FramingKind.STORED: ", stored: each value after its length",
    FramingKind.CONCATENATED: ", concatenated: one value after another, without lengths",
}
BARE_ROW = (
    "The values are sound, but begin one behind the other at {} without lengths between them: get_var() expects four "
    "bytes before each that count it, and a call that is given bytes reads the first value alone."
)
GAPS = "{} to no value{}: fields of the game's own, or what is left of something."
STRANGE = "Hardly any game stores what is here: {}."
MOST_PLACES, MOST_STRANGE = 4, 2
"""So many places of values, and so many strange values, are told."""
FORMS = {
    "base64 with blanks for “+”": "A blank stands for “+”, as if an address or a form was decoded: send “+” as %2B.",
    "text with escapes": "A text that shows the bytes was written, as Go's %q does: write the bytes themselves.",
    "Python bytes": "A text that shows the bytes was written, as Python's repr does: write the bytes themselves.",
}
"""What made a form that is hardly meant."""
CUT_OFF = frozenset({Cause.END_MISSING, Cause.CUT_AT_NUL, Cause.ZEROS_TRIMMED})
FOREIGN = frozenset({Cause.NO_VARIANT})
OWN = frozenset({Cause.OWN_FIELDS, Cause.SEVERAL_VALUES})
HARMLESS = LIMITS | OWN
"""What a game stored in its own way; and what leaves the bytes sound."""


def doctor(wanted: argparse.Namespace) -> int:
    """``doctor FILE... [--call NAME] [--json] [--apply N] [-o OUT]``: 0 if mended, else as ``check``."""
    if not wanted.files:
        raise Problem("doctor needs a FILE.")
    if wanted.apply is None and wanted.out is not None:
        raise Problem("doctor writes what a repair makes of the bytes: name its number with --apply N.")
    if wanted.apply is not None:
        return _mend(wanted)
    return max(one_of_several(partial(_examine, wanted), name, wanted.choice) for name in wanted.files)


def _mend(wanted: argparse.Namespace) -> int:
    """Write one file as one of its repairs leaves it."""
    if len(wanted.files) > 1:
        raise Problem("--apply repairs one FILE: name one.")
    wanted.file = wanted.files[0]
    document = open_document(wanted.file, wanted.choice)
    _apply(wanted, document, _chosen(list(examine(document).repairs), wanted.apply))
    return 0


def _examine(wanted: argparse.Namespace, name: str, fixed: ReadOptions) -> int:
    """Print the answer for one file."""
    document = open_document(name, fixed)
    answer = examine(document)
    code = exit_code(document)
    if wanted.json:
        told = {**answer_json(name, answer, is_wrong=bool(code)), **_call_json(document, call(wanted))}
        print(json.dumps(told, ensure_ascii=False))
        return code
    if len(wanted.files) > 1:
        print(f"{printable(name)}:")
    best = next((each for each in answer.repairs[:1] if each.can_be_applied and each.confidence >= LIKELY), None)
    around = list(_wrap_line(document))
    answered = _told(answer, bool(code), _healthy(document, bool(around), answer.cut))
    first = _first_error(document) if code and not _is_likely(answer) else ()
    about = _mended_line(document, best, wanted) if best else _call_line(document, call(wanted), answer.repairs)
    is_sound = verdict(answer, bool(code)) == "sound" and not answer.repairs
    odd = (*_gap_line(document), *_odd_line(document), *_strange_line(document)) if is_sound else ()
    is_open = wanted.choice.dialect is None and verdict(answer, bool(code)) != "foreign"
    for line in (*around, *answered, *odd, *first, about, *((OTHER_ENGINE,) if is_open and FORK in about else ())):
        print(line)
    is_as_it_is = not code and all(repair.choice is None for repair in answer.repairs[:1])
    if is_as_it_is and verdict(answer, is_wrong=False) in ("sound", "unknown"):
        for line in _less(document, call(wanted)):
            print(line)
    return code


def _healthy(document: Document, is_wrapped: bool, cut: str) -> str:
    """What is said first where nothing seems to be wrong."""
    if document.text is None and document.structure is None:
        count = len(document.frames)
        if document.framing.kind is FramingKind.CONCATENATED and count > 1:
            starts = [f"0x{frame.start:X}" for frame in document.frames[:MOST_PLACES]]
            more = f" and {counted(count - MOST_PLACES, 'place')} more" if count > MOST_PLACES else ""
            return BARE_ROW.format(", ".join(starts) + more)
    return SOUND_SO_FAR if cut else HEALTHY_INSIDE if is_wrapped else HEALTHY


def _gap_line(document: Document) -> Iterator[str]:
    """What lies between the values."""
    if document.text is not None or document.structure is not None or not document.gaps:
        return
    first, rest = document.gaps[0], sum(map(len, document.gaps[1:]))
    words = f"{counted(len(first), 'byte')} at 0x{first.start:X} belong{'s' * (len(first) == 1)}"
    yield GAPS.format(words, f", nor do {counted(rest, 'byte')} elsewhere" if rest else "")


def _strange_line(document: Document) -> Iterator[str]:
    """What reads, but that hardly any game stores."""
    if document.text is not None or document.structure is not None or len(document.buffer) > MOST_LINTED:
        return
    found = [f"{each.words} at 0x{each.offset:X}" for each in islice(strange_values(document), MOST_STRANGE + 1)]
    if found:
        more = ", and more" if len(found) > MOST_STRANGE else ""
        yield STRANGE.format(f"{', '.join(found[:MOST_STRANGE])}{more}")


def _is_likely(answer: Answer) -> bool:
    """Whether something explains what is wrong."""
    return any(each.confidence > DOUBTFUL for each in answer.repairs)


def _first_error(document: Document) -> Iterator[str]:
    """Where an engine stops, for those whom nothing else helps."""
    errors = [found for found in document.findings.known() if found.severity is Severity.ERROR]
    first = min(errors, key=lambda found: found.span.start, default=None)
    if first is not None:
        yield f"An engine stops at 0x{first.span.start:X}: {printable(first.message)}"


def _warnings(document: Document) -> int:
    return sum(found.severity is Severity.WARNING for found in document.findings.all())


def _odd_line(document: Document) -> Iterator[str]:
    """That there are warnings where nothing is wrong."""
    if document.gaps or document.text is not None or document.structure is not None:
        return
    if len(document.buffer) <= MOST_LINTED and (odd := _warnings(document)):
        yield f"An engine reads it without an error; `check` lists {counted(odd, 'warning')}."


def _wrap_line(document: Document) -> Iterator[str]:
    """What lies around the values, which a game has to take off, too."""
    wraps = [layer.form.label if layer.form is not None else layer.codec for layer in document.layers[1:]]
    if wraps and document.text is None:
        inside = " inside ".join(map(printable, wraps[::-1]))
        yield f"The form is: {inside}. A game needs the bytes themselves: `unwrap` writes them to a file."
        yield from (advice for label, advice in FORMS.items() if label in wraps)


def _less(document: Document, named: EngineCall | None) -> Iterator[str]:
    """What a game gets where that is less than lies there."""
    engine = engine_of(document.dialect)
    if engine is None or document.text is not None or document.structure is not None or len(document.buffer) > MOST:
        return
    found = verdicts(document, named, engines=(engine,))[0]
    if found.gets:
        yield f"Read this way, the game gets less than is there: {' '.join(found.notes)}"


def _call_line(document: Document, named: EngineCall | None, repairs: Sequence[Repair]) -> str:
    """Which call of the engine this is about, and how the bytes were read for it, without any of the repairs."""
    if document.text is not None:
        return f"This is about {document.text.label}: “check” says what is wrong in which line."
    if document.structure is not None and document.structure.kind != RESOURCE:
        return f"This is about the layout of such a file: {printable(document.structure.title)}."
    if document.structure is not None:
        return f"This is about the engine's own loader of such a file: {printable(document.structure.title)}."
    words = _call_json(document, named)
    about = f"{words['call']} of {_engine_name(document)}, read as {words['read_as']}."
    is_repair = any(repair.can_be_applied for repair in repairs[:1])
    return f"{'Without a repair this' if is_repair else 'This'} is about {about}"


def _mended_line(document: Document, repair: Repair, wanted: argparse.Namespace) -> str:
    """Which call of the engine reads the bytes once they are repaired, where nothing else is wrong."""
    mended = preview(document, repair)
    if mended.text is not None or mended.structure is not None or exit_code(mended):
        return _call_line(document, call(wanted), (repair,))
    words = _call_json(mended, call(wanted))
    return f"After repair 1, {words['call']} of {_engine_name(mended)} reads it: {words['read_as']}."


def _engine_name(document: Document) -> str:
    """The engine line by its name, and what it is if it is not called Godot."""
    name = document.dialect.name
    return name if name.startswith("Godot") else f"{name} ({FORK})"


def _call_json(document: Document, named: EngineCall | None) -> dict[str, object]:
    """The same for other programs."""
    if document.text is not None:
        return {"call": None, "read_as": document.text.label, "framing_is_guess": False}
    if document.structure is not None:
        name = "ResourceLoader.load" if document.structure.kind == RESOURCE else None
        return {"call": name, "read_as": document.structure.title, "framing_is_guess": False}
    passed, engine = passed_by(document), engine_of(document.dialect) or lines_of_engines()[-1]
    name = engine.call_name(named or usual_call(document), passed.has_length)
    return {"call": name, "read_as": passed.words, "framing_is_guess": passed.is_guess}


def answer_json(name: str, answer: Answer, is_wrong: bool) -> dict[str, object]:
    """The answer as one object: the file, a verdict in a word or two, and the offers, the best first.

    Args:
        name: what the file is called.
        answer: what the doctor found.
        is_wrong: whether an engine refuses something.
    """
    return {
        "file": escaped(name),
        "verdict": verdict(answer, is_wrong),
        "offers": [_offer(repair) for repair in answer.repairs],
        "unexplained": answer.unexplained,
        **({"cut_short": answer.cut} if answer.cut else {}),
    }


def verdict(answer: Answer, is_wrong: bool) -> str:
    """``sound``, ``damaged``, ``cut off``, ``foreign`` or ``unknown``."""
    likely = [each for each in answer.repairs if each.confidence > DOUBTFUL]
    causes = {each.cause for each in likely[:1]}
    if causes & FOREIGN:
        return "foreign"
    if causes & CUT_OFF:
        return "cut off"
    if any(each.can_be_applied or each.cause not in HARMLESS for each in likely):
        return "damaged"
    if not is_wrong and (answer.is_read or causes & OWN):
        return "sound"
    return "damaged" if is_wrong and answer.repairs else "unknown"


def _offer(repair: Repair) -> dict[str, object]:
    splices = repair.edit.splices if repair.edit is not None else ()
    offer: dict[str, object] = {
        "cause": repair.name,
        "sentence": repair.sentence,
        "reason": escaped(" ".join(part for part in (repair.reason, repair.note) if part)),
        "probability": round(repair.confidence, 3),
        "keeps": repair.keeps,
        "loses": repair.loses,
        "splices": [[each.offset, len(each.removed), each.inserted.hex()] for each in splices],
    }
    if repair.choice is not None:
        offer["read_as"] = choice_words(repair)
    return offer


def _told(answer: Answer, is_wrong: bool, healthy: str) -> Iterator[str]:
    """The answer for a terminal.

    Args:
        answer: what the doctor found.
        is_wrong: whether an engine refuses something.
        healthy: what is said where nothing is wrong.
    """
    repairs = answer.repairs
    if verdict(answer, is_wrong) == "sound":
        yield healthy
        yield from (UNLIKELY,) if repairs else ()
    elif answer.cut in ("", SHORT) and not _is_likely(answer):
        yield UNSURE if repairs else UNEXPLAINED if is_wrong else UNREAD
    elif is_rest_told(repairs, answer.unexplained) and (answer.unexplained or 0.0) > LIKELY:
        yield MORE_LIKELY.format(f"{answer.unexplained:.0%}")
    seen: dict[str, int] = {}
    shown = _worth_telling(repairs)
    for number, repair in enumerate(repairs[:shown], 1):
        yield from lines(number, repair, seen.setdefault(repair.sentence, number))
    if (answer.unexplained or 0.0) <= LIKELY and is_rest_told(repairs, answer.unexplained):
        yield f"{SOMETHING_ELSE} ({answer.unexplained:.0%})."
    if answer.cut and not (answer.cut == SHORT and repairs and repairs[0].confidence >= SURE):
        yield answer.cut


def _worth_telling(repairs: Sequence[Repair]) -> int:
    """How many repairs are told: beside a likely one those are left out at the end that hardly anything speaks for."""
    shown = len(repairs)
    while shown > 1 and repairs[0].confidence >= LIKELY and repairs[shown - 1].confidence <= LEAST_SHARE:
        shown -= 1
    return shown


def lines(number: int, repair: Repair, first: int = 0) -> Iterator[str]:
    """One repair for a terminal.

    Args:
        number: which one it is.
        repair: what is told.
        first: the number of the first one that says the same; 0 or its own where that is this one.
    """
    share = "<1%" if repair.confidence <= LEAST_SHARE else f"{repair.confidence:.0%}"
    sentence = repair.sentence
    if number > 1 and repair.cause in LIMITS:
        sentence = f"Besides, {sentence[:1].lower()}{sentence[1:]}"
    yield f"{number}. {sentence} ({repair.name}, {share})"
    if 0 < first < number:
        yield f"   This is the mistake of {first}, but it is undone in another way:"
    yield f"   {printable(repair.reason)}"
    if is_misread(repair) and repair.loses:
        now, verb = repair.loses + (repair.keeps or 0), "is" if repair.loses == 1 else "are"
        which = "the value" if now == 1 else f"{repair.loses:,} of the {counted(now, 'value')}"
        yield f"   If so, {which} that can be read now {verb} wrong."
    elif keeping(repair):
        others = "; what goes is no part of what was stored" if is_of_others(repair) and repair.loses else ""
        yield f"   It {keeping(repair)} that can be read now{others}."
    if repair.before is not None and repair.after is not None:
        gone, come = _size_there(repair, repair.before)
        yield f"   {_sample(repair.before, gone)} -> {_shown(repair.after, come)}{_more_places(repair)}"
    if repair.choice is not None and repair.choice.dialect is not None:
        framing = FRAMINGS[repair.choice.framing] if repair.choice.framing is not None else ""
        yield f"   Read it as {repair.choice.dialect.name}{framing}."
    if repair.note:
        yield f"   {repair.note}"


def _sample(sample: ByteSample, size: int) -> str:
    return f"{sample.place or f'0x{sample.offset:X}'}: {_shown(sample, size)}"


def _shown(sample: ByteSample, size: int) -> str:
    """The bytes of a sample; how many they are where more than these change in one place."""
    if sample.place or size <= len(sample.text.split()):
        return sample.text or "nothing"
    return f"{sample.text} … ({size:,} bytes)" if sample.text else "nothing"


def _more_places(repair: Repair) -> str:
    """In how many places a repair changes bytes, but for what is shown."""
    if repair.edit is None or repair.before is None:
        return ""
    shown = range(repair.before.offset, repair.before.offset + max(1, len(repair.before.text.split())))
    more = sum(splice.offset not in shown for splice in repair.edit.splices)
    return f" (and in {counted(more, 'place')} more)" if more > 0 else ""


def _size_there(repair: Repair, sample: ByteSample) -> tuple[int, int]:
    """How many bytes go, and how many come, where a sample shows a change."""
    behind = sample.offset + max(1, len(sample.text.split()))
    changes = [each.trimmed() for each in repair.edit.splices] if repair.edit is not None else []
    there = next((each for each in changes if sample.offset <= each.offset < behind), None)
    return (0, 0) if there is None else (len(there.removed), len(there.inserted))


def _chosen(repairs: list[Repair], text: str) -> Repair:
    """The repair with a number.

    Raises:
        Problem: there is none, or it changes no bytes.
    """
    if not repairs:
        raise Problem("There is nothing to apply: no repair was found.")
    digits = text.isascii() and text.isdigit() and len(text) < 4
    number = int(text) if digits else 0
    if not 1 <= number <= len(repairs):
        raise Problem(f"--apply is the number of a repair, 1 to {len(repairs)}, not “{text[:20]}”.")
    repair = repairs[number - 1]
    if repair.edit is None:
        raise Problem(f"Repair {number} changes no bytes: {repair.note or repair.reason}")
    return repair


def _apply(wanted: argparse.Namespace, document: Document, repair: Repair) -> None:
    """Write the bytes as a repair leaves them, wrapped as they were; in place with a ``.bak`` without ``-o``."""
    if wanted.file == STDIN and wanted.out is None:
        raise Problem("Standard input cannot be changed in place: name a file after -o.")
    assert repair.edit is not None
    left = diagnose(preview(document, repair))
    document.apply(repair.edit)
    if wanted.out is not None:
        write(wanted.out, document.to_be_written())
    else:
        save(document)
    remark_wraps(document)
    if any(each.can_be_applied for each in left):
        print("variant-viewer: something else is wrong too; look at it with doctor again.", file=sys.stderr)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"doctor": doctor}
"""The sub-commands by name."""
