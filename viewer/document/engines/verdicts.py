"""Verdicts: what each engine line would do with a document, or with plain bytes; and the table of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice, zip_longest

from viewer.base.buffer import Buffer, window
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.progress import Progress
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.base.words import counted
from viewer.container.frames import BARE, Framing, FramingKind
from viewer.document.document import Document
from viewer.document.engines.conditions import DIES, FREES, OVERFLOWS, SWELLS, EngineError
from viewer.document.engines.lines import EngineCall, EngineLine, concept, lines
from viewer.document.engines.ruling import DecoderStop, Ruling, embedded, rule
from viewer.document.finding_path import finding_path
from viewer.document.readers.file_structure import RESOURCE, Structure
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.columns import Pool
from viewer.variant.dialect import FLAG_64, TypeRow
from viewer.variant.literal.preview import preview
from viewer.variant.paths.path_walk import PathBook
from viewer.variant.scan import scan
from viewer.variant.table import NONE, NodeTable

# Where two engines read different values out of the same bytes.

COMPARED = 1 << 18
"""So many values, the first ones, are compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first value that is another one.

    Args:
        offset: where it begins, from the start of the frame.
        node: its id in the table of the engine that is asked, -1 where that has no value there.
        ours, theirs: the types as the two call them, empty for no value.
    """

    offset: int
    node: int
    ours: str
    theirs: str

    @property
    def words(self) -> str:
        """What is different, as a person would say it."""
        if not self.theirs:
            return f"no value here, where {self.ours} is shown"
        return f"{self.theirs} here, not {self.ours}" if self.ours else f"{self.theirs} here, where no value begins"


def difference(ours: NodeTable, theirs: NodeTable) -> Difference | None:
    """The first value that *theirs* reads otherwise than *ours*, None where there is none among the first ones."""
    if _same_columns(ours, theirs) and _same_rows(ours, theirs):
        return None
    pairs = zip_longest(_values(ours), _values(theirs))
    for mine, other in islice(pairs, COMPARED):
        if mine is None or other is None or mine[1:] != other[1:]:
            return _told(ours, theirs, mine, other)
    return None


_Value = tuple[int, int, str]
"""A node, where it begins, and what it is."""


def _told(ours: NodeTable, theirs: NodeTable, mine: _Value | None, other: _Value | None) -> Difference | None:
    if mine is not None and (other is None or mine[1] < other[1]):
        return Difference(mine[1], -1, _name(ours, mine[0]), "")
    if other is None:
        return None
    same = mine is not None and mine[1] == other[1]
    return Difference(other[1], other[0], _name(ours, mine[0]) if mine and same else "", _name(theirs, other[0]))


def _same_columns(ours: NodeTable, theirs: NodeTable) -> bool:
    return ours.start.cast("B") == theirs.start.cast("B") and ours.parent.cast("B") == theirs.parent.cast("B")


def _same_rows(ours: NodeTable, theirs: NodeTable) -> bool:
    """Whether both number the types alike."""
    mine, other = ours.dialect.rows, theirs.dialect.rows
    return len(mine) == len(other) and all(
        _kind(a, flags) == _kind(b, flags) for a, b in zip(mine, other, strict=True) for flags in (0, FLAG_64)
    )


def _values(table: NodeTable) -> Iterator[_Value]:
    """All values in the order of their bytes."""
    parent, first, start = table.parent, table.first, table.start
    node = 0 if len(table) else -1
    while node >= 0:
        yield node, start[node], _meaning(table, node)
        child = first[node]
        node = child if child and parent[child] == node else _following(table, node)


def _following(table: NodeTable, node: int) -> int:
    parent = table.parent
    while node:
        if node + 1 < len(parent) and parent[node + 1] == parent[node]:
            return node + 1
        node = parent[node]
        if node == NONE:
            return -1
    return -1


def _meaning(table: NodeTable, node: int) -> str:
    if table.start[node] + 4 > len(table.buffer):
        return ""
    row = table.row(node)
    return "" if row is None else "name" if table.is_name(node) else _kind(row, table.header(node))


def _kind(row: TypeRow, header: int) -> str:
    """A type without what it is called in an engine line, and what its first number is under this header."""
    fields = row.fields(header)
    return f"{concept(row.name)} {row.kind.value} {fields[0].type if fields else ''}"


def _name(table: NodeTable, node: int) -> str:
    row = table.row(node) if table.start[node] + 4 <= len(table.buffer) else None
    return (
        "an unknown type"
        if row is None
        else f"an {row.name}"
        if row.name[0] in "AEIOUaeiou" or row.name == "RID"
        else f"a {row.name}"
    )


MOST_FRAMES = 2000
"""So many frames are put before each engine; the rest is not looked at."""
MOST_CLASSES = 8
LENGTH = 4
"""Bytes of the length before a value."""
SHORT_VALUE = 40
"""Letters."""
NULL = "null"
READS_PAST = "reads past the end"
ROUNDED = "Some numbers are of 64 bits: a build with single precision rounds them to 32."


class Outcome(Enum):
    """What an engine does: the value is its word in reports, *label* what a person reads."""

    ACCEPTS = "accepts"
    DIFFERS = "differs"
    REFUSES = "refuses"
    DIES = "dies"
    UNSURE = "unsure"

    @property
    def label(self) -> str:
        """A short phrase."""
        return _LABELS[self]

    @property
    def is_good(self) -> bool:
        """Whether a game gets the value that is shown."""
        return self is Outcome.ACCEPTS


_LABELS = {
    Outcome.ACCEPTS: "reads it",
    Outcome.DIFFERS: "reads other values",
    Outcome.REFUSES: "refuses it",
    Outcome.DIES: "dies of it",
    Outcome.UNSURE: "cannot be told",
}


@dataclass(frozen=True, slots=True)
class CallInput:
    """What a game is taken to pass to its calls.

    Args:
        framing: how the values follow each other.
        values: how many there are.
        start: where the first one begins, with its length; a game must have read to there.
        is_guess: whether that was found from the bytes, so that it may be otherwise.
    """

    framing: Framing = BARE
    values: int = 1
    start: int = 0
    is_guess: bool = False

    @property
    def has_length(self) -> bool:
        """Whether a length stands in front of each value."""
        return self.framing.kind is FramingKind.STORED

    @property
    def words(self) -> str:
        """``one value with a length in front, a guess``."""
        count = "one value" if self.values == 1 else "no value" if not self.values else f"{self.values} values"
        each = " of each" if self.values > 1 else ""
        order = ", big-endian" if self.framing.big_endian else ""
        how = {
            FramingKind.STORED: f"{count} with a length in front{each}{order}",
            FramingKind.BARE: f"{count} without a length",
            FramingKind.CONCATENATED: f"{count} without lengths",
        }[self.framing.kind]
        place = f", from 0x{self.start:X} on" if self.start else ""
        return how + place + (", a guess" if self.is_guess else "")


@dataclass(frozen=True, slots=True)
class EngineVerdict:
    """What one engine line does.

    Args:
        engine: the line.
        call: how the game reads.
        allow_objects: whether it allows objects.
        outcome: what happens.
        condition: the condition that fails, in the engine's own words; empty where none does.
        error: what the engine returns then, None where it reads on or dies.
        span: the bytes it is about, as offsets in the layer; None where there are none.
        frame: the frame they are in, -1 for none.
        path: the value they belong to as this engine reads it; None where it would be too long.
        code: our finding for the same, None where bytes are not to blame.
        text: what happens, in one sentence.
        oddities: how many things it accepts that it would not write; at most a hundred of a frame are counted.
        notes: what else there is to know, one sentence each.
        passed: which bytes the calls get; None where nobody knows.
        gets: what a game gets from the first byte on, where that is less than what lies there; empty else.
    """

    engine: EngineLine
    call: EngineCall
    allow_objects: bool
    outcome: Outcome
    condition: str = ""
    error: EngineError | None = None
    span: Span | None = None
    frame: int = -1
    path: str | None = ""
    code: Code | None = None
    text: str = ""
    oddities: int = 0
    notes: tuple[str, ...] = ()
    passed: CallInput | None = None
    gets: str = ""

    @property
    def call_name(self) -> str:
        """The call as a game writes it."""
        return self.engine.call_name(self.call, self.passed is None or self.passed.has_length)

    @property
    def reads_past(self) -> bool:
        """Whether the engine reads on behind the last byte, so that the game may get anything."""
        return self.outcome is Outcome.UNSURE and self.code is Code.PREFIX_TOO_LONG

    @property
    def is_good(self) -> bool:
        """Whether a game gets all the values that are shown."""
        return self.outcome.is_good and not self.gets

    @property
    def label(self) -> str:
        """What happens, in a short phrase."""
        if self.gets and self.outcome is Outcome.ACCEPTS:
            start = self.passed.start if self.passed is not None else 0
            return f"reads it from 0x{start:X} on" if start else f"reads {self.gets if self.gets == NULL else 'a part'}"
        return READS_PAST if self.reads_past else self.outcome.label

    @property
    def error_name(self) -> str:
        """The name of the engine's error, empty for none."""
        return self.error.name if self.error is not None else ""


@dataclass(frozen=True, slots=True)
class _Piece:
    """What a game passes to one call: the value's bytes, where they begin, how we read them."""

    index: int
    start: int
    buffer: Buffer
    table: NodeTable | None
    prefix: Span | None = None
    stated: int = -1


def verdicts(
    subject: Document | Buffer,
    call: EngineCall | None = None,
    allow_objects: bool = False,
    engines: Iterable[EngineLine] | None = None,
    progress: Progress | None = None,
) -> list[EngineVerdict]:
    """What each engine line would do.

    Args:
        subject: a document, each frame of which is read by a call of its own, or the bytes of one value.
        call: how the game reads; None for what goes with the framing.
        allow_objects: whether the game allows objects.
        engines: the lines to ask, None for all.
        progress: told an offset now and then; returning False stops.

    Raises:
        Stopped: *progress* returned False.
    """
    asked = list(lines() if engines is None else engines)
    if not isinstance(subject, Document):
        pieces = [_Piece(-1, 0, subject, None)]
        return _each(asked, call or EngineCall.BYTES, allow_objects, pieces, progress, CallInput())
    if subject.wraps.blocked is not None:
        text = f"Nobody knows what is inside: {subject.wraps.blocked}"
        return [
            EngineVerdict(each, call or EngineCall.BYTES, allow_objects, Outcome.UNSURE, text=text) for each in asked
        ]
    if subject.wraps.text is not None:
        text = f"This is {subject.wraps.text.label}: engines read the text, and not the bytes made of it here."
        return [
            EngineVerdict(each, call or EngineCall.BYTES, allow_objects, Outcome.UNSURE, text=text) for each in asked
        ]
    if subject.structure is not None:
        return list(loader_verdicts(subject, subject.structure, asked))
    way = call or usual_call(subject)
    is_stored = subject.framing.kind is FramingKind.STORED
    if way is EngineCall.FILE and not is_stored:  # the call asks for lengths
        again = ReadOptions(subject.dialect, subject.precision, FramingKind.STORED, UnwrapOptions(()))
        subject = Document(subject.buffer, choice=again)
    found = _each(asked, way, allow_objects, list(_pieces(subject, way)), progress, passed_by(subject))
    return [_with_start(each, subject, progress) for each in found]


def _with_start(found: EngineVerdict, document: Document, progress: Progress | None) -> EngineVerdict:
    """A verdict with what a game gets that reads from the first byte on, where values seem to begin behind it."""
    passed, buffer = found.passed, document.buffer
    if passed is None or not passed.start or not passed.is_guess or not passed.has_length or len(buffer) < LENGTH:
        return found
    stated = int.from_bytes(bytes(buffer[:LENGTH]), "big" if passed.framing.big_endian else "little")
    if stated > len(buffer) - LENGTH:
        gets = "a length that reaches beyond the end of the file"
    else:
        ruling = rule(found.engine, window(buffer, LENGTH, LENGTH + stated), found.allow_objects, progress, Pool())
        error = ruling.stop.condition.error if ruling.stop is not None else None
        gets = NULL if error is None else f"{NULL}, with the error {error.name}"
        if ruling.stop is None:
            gets = _in_words(ruling.table)
    note = f"A game that reads from the first byte on gets {gets} there."
    return replace(found, gets=gets, notes=(*found.notes, note))


def _in_words(table: NodeTable) -> str:
    """The value of a table, as short as can be."""
    row = table.row(0)
    if row is None or row.name == "Nil":
        return NULL
    shown = preview(table, 0, SHORT_VALUE)
    return f"a value of type {row.name} ({' '.join(word for word in (shown.count, shown.text) if word)})"


def usual_call(document: Document) -> EngineCall:
    """The call that goes with the framing of a document."""
    return EngineCall.FILE if document.framing.kind is FramingKind.STORED else EngineCall.BYTES


def passed_by(document: Document) -> CallInput:
    """What a game is taken to pass to its calls, as a document is read."""
    cut = document.frames[0].cut if document.frames else None
    start = 0 if cut is None else cut.payload.start if cut.prefix is None else cut.prefix.start
    is_guess = (document.choice.framing is None or start > 0) and document.message is None
    return CallInput(document.framing, len(document.frames), start, is_guess)


def _each(
    asked: list[EngineLine],
    call: EngineCall,
    allow_objects: bool,
    pieces: list[_Piece],
    progress: Progress | None,
    passed: CallInput,
) -> list[EngineVerdict]:
    """The verdict of each line; one that reads as the line before does is not asked again."""
    out: list[EngineVerdict] = []
    for engine in asked:
        last = out[-1] if out else None
        if last is not None and engine.reads_like(last.engine):
            out.append(replace(last, engine=engine, text=last.text.replace(last.engine.name, engine.name)))
        else:
            found = _judged(engine, call, allow_objects, pieces, progress, passed.values)
            out.append(replace(found, passed=passed))
    return out


def _pieces(document: Document, call: EngineCall) -> Iterator[_Piece]:
    """What the calls of a game get."""
    plain = document.plain
    if not plain.frames:
        yield _Piece(-1, 0, document.buffer, None)
    order = "big" if plain.way.framing.big_endian else "little"
    for index, frame in enumerate(plain.frames[:MOST_FRAMES]):
        prefix = frame.cut.prefix if call is not EngineCall.BYTES else None
        stated = -1
        if prefix is not None:
            stated = int.from_bytes(bytes(document.buffer[prefix.start : prefix.end]), order)  # type: ignore[arg-type]
        payload = frame.cut.payload
        raw = window(document.buffer, payload.start, payload.end)
        yield _Piece(index, payload.start, raw, _unguessed(frame.table, raw), prefix, stated)


def _unguessed(table: NodeTable, raw: Buffer) -> NodeTable:
    """The values up to the first error; what is guessed behind it no engine reads."""
    return table if table.guess is None else scan(raw, table.dialect)


def _judged(
    engine: EngineLine,
    call: EngineCall,
    allow_objects: bool,
    pieces: list[_Piece],
    progress: Progress | None,
    frames: int,
) -> EngineVerdict:
    """The first piece that is not read as it is shown decides."""
    pool = Pool()
    oddities, notes = 0, list[str]()
    fates: Counter[str] = Counter()
    is_narrowed = False
    gets = ""
    classes: dict[str, None] = {}
    for piece in pieces:
        early = _prefix_verdict(engine, call, allow_objects, piece)
        if early is not None:
            return early
        ruling = rule(engine, piece.buffer, allow_objects, progress, pool)
        rounded = [odd for odd in ruling.oddities if odd.code is Code.NARROWED]
        is_narrowed |= bool(rounded)
        oddities += len(ruling.oddities) - len(rounded)
        fates.update(str(odd.facts["fate"]) for odd in ruling.oddities if odd.code is Code.WRONG_ELEMENT_TYPE)
        stop = ruling.stop
        if stop is not None:
            return _stopped(engine, call, allow_objects, piece, ruling, stop, oddities)
        found = difference(piece.table, ruling.table) if piece.table is not None else None
        if found is not None:
            return _different(engine, call, allow_objects, piece, ruling, found, oddities)
        rest = len(piece.buffer) - ruling.table.end_of_data
        if rest > 0 and not gets:
            gets = _in_words(ruling.table)
            notes.append(f"It gets {gets}, and leaves {counted(rest, 'byte')} after it unread.")
        if allow_objects:
            classes.update(dict.fromkeys(_classes(ruling.table)))
    if classes:
        those = "this class" if len(classes) == 1 else "these classes"
        notes.append(f"It must know {those}, and be able to make such objects: {', '.join(classes)}.")
    if is_narrowed:
        notes.append(ROUNDED)
    if fates:
        notes.append(_of_other_types(engine, fates))
    if frames > len(pieces):
        notes.append(f"Only the first {len(pieces)} of {frames} values were given to it.")
    text = f"{engine.name} reads these values." if frames != 1 else f"{engine.name} reads this value."
    return EngineVerdict(
        engine, call, allow_objects, Outcome.ACCEPTS, text=text, oddities=oddities, notes=tuple(notes), gets=gets
    )


def _of_other_types(engine: EngineLine, fates: Counter[str]) -> str:
    """What becomes of values that are not of the type which their collection states."""
    converted = fates["always"] + (fates["later"] if engine.converts else 0)
    dropped = fates.total() - converted
    count = f"{fates.total()} values are" if fates.total() > 1 else "1 value is"
    does = [f"{word} {number}" for word, number in (("converts", converted), ("drops", dropped)) if number]
    return f"{count} not of the type that their collection states: it {' and '.join(does)}."


def _prefix_verdict(engine: EngineLine, call: EngineCall, allow: bool, piece: _Piece) -> EngineVerdict | None:
    """What a length that promises too much does."""
    if piece.prefix is None or piece.stated <= len(piece.buffer):
        return None
    at = {"span": piece.prefix, "frame": piece.index, "path": f"[{piece.index}]@prefix", "code": Code.PREFIX_TOO_LONG}
    if call is EngineCall.FILE and not engine.checks_files and piece.stated < 1 << 31:
        text = "It reads past the end of the file: for the bytes that are missing, the game gets what was in memory."
        return EngineVerdict(engine, call, allow, Outcome.UNSURE, text=text, **at)  # type: ignore[arg-type]
    condition = "err != OK" if call is EngineCall.STREAM else "buff.size() != len"
    text = "The length reaches beyond the end of the file: the game gets null."
    return EngineVerdict(engine, call, allow, Outcome.REFUSES, condition, None, text=text, **at)  # type: ignore[arg-type]


def _stopped(
    engine: EngineLine, call: EngineCall, allow: bool, piece: _Piece, ruling: Ruling, stop: DecoderStop, oddities: int
) -> EngineVerdict:
    outcome = Outcome.DIES if stop.condition.is_fatal else Outcome.REFUSES
    return EngineVerdict(
        engine,
        call,
        allow,
        outcome,
        stop.condition.text,
        stop.condition.error,
        stop.span.shifted(piece.start),
        piece.index,
        _path(piece, ruling.table, stop.node, stop.part),
        stop.code,
        stop.message,
        oddities,
    )


def _different(
    engine: EngineLine, call: EngineCall, allow: bool, piece: _Piece, ruling: Ruling, found: Difference, oddities: int
) -> EngineVerdict:
    at = piece.start + found.offset
    path = _path(piece, ruling.table, found.node, "") if found.node >= 0 else ""
    text = f"It reads {found.words}."
    span = Span(at, min(at + 4, piece.start + len(piece.buffer)))
    return EngineVerdict(engine, call, allow, Outcome.DIFFERS, "", None, span, piece.index, path, None, text, oddities)


def _path(piece: _Piece, table: NodeTable, node: int, part: str) -> str | None:
    name = f"[{max(piece.index, 0)}]"
    return name if not 0 <= node < len(table) else PathBook(table, name).path(node, part)


def _classes(table: NodeTable) -> Iterator[str]:
    """The names of the classes of embedded objects, a few."""
    for node, _ in zip(embedded(table), range(MOST_CLASSES), strict=False):
        at = table.start[node] + 4
        length = int.from_bytes(bytes(table.buffer[at : at + 4]), "little")
        if 0 < length < 256:
            yield bytes(table.buffer[at + 4 : at + 4 + length]).decode("utf-8", "replace")


# Files that are no Variant files: their own loader reads them, and no ``get_var``.


RUN = {"godot3": "godot3.2", "godot4": "godot4.6"}
"""The engine line whose loader of binary resources was run, by the engine that wrote a file."""
DEADLY = frozenset({Code.NAME_INDEX})
"""Findings of which an engine dies."""
FATEFUL = frozenset({Code.COUNT_TOO_LARGE, Code.LENGTH_TOO_LONG, Code.RESOURCE_COUNT})
"""Findings after which an engine reads on, into whatever memory it is given."""
OTHER_LOADER = "{title}: the engine's own loader reads this; what it would refuse is not known here."
NEWER = "It was written by Godot 4: an engine refuses files of a later major version."
OLDER = "It was written by Godot 3: what Godot 4 makes of such files is not known here."
NOT_RUN = "Only {run} was tried with such files; for others it is not known."
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


# The table, for a terminal and for other programs.


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
