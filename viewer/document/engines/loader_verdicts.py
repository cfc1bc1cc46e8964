"""What engines do with a file that is no Variant file: their own loader reads it, and no ``get_var``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.document.document import Document
from viewer.document.engines.lines import EngineCall, EngineLine
from viewer.document.engines.verdicts import EngineVerdict, Outcome
from viewer.document.finding_path import finding_path
from viewer.document.readers.file_structure import RESOURCE, Structure

RUN = {"godot3": "godot3.2", "godot4": "godot4.6"}
"""The engine line whose loader of binary resources was run, by the engine that wrote a file."""
DEADLY = frozenset({Code.NAME_INDEX})
"""Findings of which an engine dies."""
FATEFUL = frozenset({Code.COUNT_TOO_LARGE, Code.LENGTH_TOO_LONG, Code.RESOURCE_COUNT})
"""Findings after which an engine reads on, into whatever memory it is given."""
OTHER_LOADER = "{title}: the engine's own loader reads this; what it would refuse is not known here."
NEWER = "It was written by Godot 4: an engine refuses files of a later major version."
OLDER = "It was written by Godot 3: what Godot 4 makes of such files is not known here."
NOT_RUN = "Only {run} was put before such files; of others it is not known."
NO_RESOURCES = "How this engine loads binary resources is not known here."


def loader_verdicts(document: Document, structure: Structure, engines: Iterable[EngineLine]) -> Iterator[EngineVerdict]:
    """What each engine line would do with a file that has a structure.

    Args:
        document: the file.
        structure: what its reader made of it.
        engines: the lines to ask.
    """
    errors = [found for found in document.findings.all() if found.severity is Severity.ERROR]
    for engine in engines:
        if structure.kind != RESOURCE:
            yield _unsure(engine, OTHER_LOADER.format(title=structure.title))
        else:
            yield _verdict(document, structure, engine, errors)


def _unsure(engine: EngineLine, text: str) -> EngineVerdict:
    return EngineVerdict(engine, EngineCall.LOADER, False, Outcome.UNSURE, text=text)


def _verdict(document: Document, structure: Structure, engine: EngineLine, errors: list[Diagnostic]) -> EngineVerdict:
    writer = structure.dialect.key.partition("-")[0]
    line = engine.dialect.key.partition(".")[0]
    if line not in RUN:
        return _unsure(engine, NO_RESOURCES)
    if line != writer:
        if line < writer:
            return EngineVerdict(engine, EngineCall.LOADER, False, Outcome.REFUSES, text=NEWER)
        return _unsure(engine, OLDER)
    if engine.key != RUN[writer]:
        return _unsure(engine, NOT_RUN.format(run=RUN[writer].replace("godot", "Godot ")))
    if not errors:
        return EngineVerdict(engine, EngineCall.LOADER, False, Outcome.ACCEPTS, notes=tuple(_warned(document)))
    first = errors[0]
    deadly = next((found for found in errors if found.code in DEADLY), None)
    shown = deadly or first
    outcome = Outcome.DIES if deadly else Outcome.UNSURE if first.code in FATEFUL else Outcome.REFUSES
    path = finding_path(document, shown)
    return EngineVerdict(
        engine, EngineCall.LOADER, False, outcome, "", None, shown.span, shown.frame, path, shown.code, shown.message
    )


def _warned(document: Document) -> Iterator[str]:
    """What an engine does without a word, once each."""
    found = (each.message for each in document.findings.all() if each.severity is Severity.WARNING)
    yield from dict.fromkeys(found)
