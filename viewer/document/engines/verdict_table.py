"""The table of verdicts: for a terminal, and for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.document.engines.conditions import DIES, FREES, OVERFLOWS, SWELLS
from viewer.document.engines.verdicts import EngineVerdict


def verdict_rows(found: Sequence[EngineVerdict]) -> Iterator[tuple[str, str, str, str]]:
    """The engine, the call, what it does, and why, a row a verdict."""
    for verdict in found:
        yield verdict.engine.name, verdict.call_name, verdict.label, why(verdict)


def reading(found: Sequence[EngineVerdict]) -> str:
    """What all these verdicts rest on: ``read as one value with a length in front, a guess``; empty for nothing."""
    passed = found[0].passed if found else None
    return f"read as {passed.words}" if passed is not None else ""


def oddities(count: int) -> str:
    """How many things an engine accepts that it would not write, in a sentence."""
    things = "thing in it is" if count == 1 else "things in it are"
    return f"{count} {things} accepted silently, though not what it would write."


def stopping(verdict: EngineVerdict) -> str:
    """By which condition an engine stops, in a sentence; empty where it does not."""
    if not verdict.condition:
        return ""
    if verdict.condition in (DIES, OVERFLOWS, FREES, SWELLS):
        return f"Its decoder {verdict.condition}."
    error = f" and returns {verdict.error_name}" if verdict.error_name else ""
    return f"Its decoder stops at: {verdict.condition}{error}."


def why(verdict: EngineVerdict, placed: bool = False) -> str:
    """Where and why, in one line, without the place if that is told already; empty where there is nothing to say."""
    words = [] if verdict.outcome.is_good else ["" if placed else _place(verdict), verdict.text]
    if verdict.condition:
        words.append(f"[{verdict.condition}{' → ' if verdict.error_name else ''}{verdict.error_name}]")
    if verdict.oddities:
        words.append(oddities(verdict.oddities))
    return " ".join(word for word in (*words, *verdict.notes) if word)


def _place(verdict: EngineVerdict) -> str:
    if verdict.span is None:
        return ""
    path = "…" if verdict.path is None else verdict.path
    return f"at 0x{verdict.span.start:X}" + (f" ({path}):" if path else ":")


def verdict_lines(found: Sequence[EngineVerdict]) -> Iterator[str]:
    """The table as lines of text."""
    rows = list(verdict_rows(found))
    widths = [max((len(row[k]) for row in rows), default=0) for k in range(3)]
    for *cells, reason in rows:
        padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        yield "  ".join((*padded, reason)).rstrip()


def verdict_json(verdict: EngineVerdict) -> dict[str, object]:
    """One verdict for other programs."""
    span, passed = verdict.span, verdict.passed
    return {
        "engine": verdict.engine.key,
        "name": verdict.engine.name,
        "call": verdict.call_name,
        "framing": None if passed is None else passed.framing.kind.value,
        "framing_is_guess": passed is not None and passed.is_guess,
        "objects": verdict.allow_objects,
        "outcome": verdict.outcome.value,
        "condition": verdict.condition or None,
        "error": verdict.error_name or None,
        "span": None if span is None else [span.start, span.end],
        "path": verdict.path or None,
        "code": None if verdict.code is None else verdict.code.slug,
        "text": verdict.text,
        "oddities": verdict.oddities,
        "notes": list(verdict.notes),
        "evidence": verdict.engine.evidence.value,
        "basis": verdict.engine.basis,
    }
