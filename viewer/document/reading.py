"""Reading: from bytes to frames and tables. A task can be done at once or, since it changes nothing, in a thread."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, TypeAlias

from viewer.base.buffer import Buffer, BufferWindow, in_memory, window
from viewer.base.progress import Cancelled, Progress, Work
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.container.frames import BARE, CONCATENATED, FILL, MOST_FRAMES, STORED, Cut, Framing, FramingKind, cut
from viewer.container.layer import SourceText
from viewer.document.detection.attempt import JUDGED, precision_of
from viewer.document.detection.detect import DetectionCandidate, detect
from viewer.document.pieces.framing import Frame, FrameReader, LateFrames, frames, gaps, uncollected, unusual
from viewer.document.readers.known import structure_of
from viewer.document.splice import Splice, kept_runs
from viewer.document.wraps import UnwrapOptions, Wraps
from viewer.variant.columns import Pool
from viewer.variant.dialect import Dialect, Precision, first, load, load_text_values
from viewer.variant.scan import COMPILED
from viewer.variant.table import NodeTable

if TYPE_CHECKING:  # most files are nothing but values
    from viewer.document.pieces.message import Message, MessageField
    from viewer.document.readers.file_structure import Structure
    from viewer.variant.string_table import StringTable

# Cutting again after an edit: only what it reached, as long as the rest would come out the same.
#
# Cutting goes from front to back and knows nothing but where it is. So frames well before the first changed byte stay,
# unless they were searched for, behind foreign bytes or because a length lies, which may look at all bytes; and as
# soon as a frame lies where one did before, behind the last changed byte, all others follow as they did.

LOOKED_AHEAD = 2
"""A frame may depend on the one behind it, and a gap begins where a frame could not be."""


def recut(
    old: Sequence[Frame], splices: Sequence[Splice], buffer: Buffer, framing: Framing, reader: FrameReader
) -> list[Frame]:
    """The frames of a buffer, as :func:`viewer.document.pieces.framing.frames` would cut it.

    Tables of *old* are used again and read from *buffer* from now on; *reader* need not know them.

    Args:
        old: all frames before the splices, cut in the same framing and dialect.
        splices: what changed since, in order.
        buffer: the bytes after it.
        framing: how values follow each other.
        reader: of these bytes.
    """
    if _is_new(old, splices, framing):
        return frames(buffer, framing, reader)
    stay, later, growth = _beside(old, splices)
    begin = old[stay - 1].cut.payload.end if stay else 0
    fresh: list[Frame] = []
    for found in cut(buffer, framing, reader.measure, None, MOST_FRAMES - stay, begin, reader.goes_on):
        while later < len(old) and old[later].span.start + growth < found.span.start:
            later += 1
        if later < len(old) and old[later].span.shifted(growth) == found.span:
            break
        fresh.append(Frame(found, reader.table(found.payload)))
    else:
        later = len(old)
    if stay + len(fresh) + len(old) - later > MOST_FRAMES:
        return frames(buffer, framing, reader)
    with uncollected():
        return [*_moved(old[:stay], 0, buffer), *fresh, *_moved(old[later:], growth, buffer)]


def reached(old: Sequence[Frame], splices: Sequence[Splice], size: int, framing: Framing) -> int:
    """About how many of *size* bytes :func:`recut` must look at."""
    if _is_new(old, splices, framing):
        return size
    stay, later, growth = _beside(old, splices)
    begin = old[stay - 1].cut.payload.end if stay else 0
    return (old[later].span.start + growth if later < len(old) else size) - begin


def _is_new(old: Sequence[Frame], splices: Sequence[Splice], framing: Framing) -> bool:
    """Whether everything must be cut anew."""
    return framing.kind is FramingKind.BARE or not splices or len(old) >= MOST_FRAMES


def _beside(old: Sequence[Frame], splices: Sequence[Splice]) -> tuple[int, int, int]:
    """How many frames stay, the first one behind the splices, and by how many bytes that and all others move."""
    reach, growth = _reach(splices), sum(splice.growth for splice in splices)
    stay = bisect_left(old, reach.start - FILL, key=lambda frame: frame.span.end + 1)
    later = bisect_left(old, reach.end - growth, key=lambda frame: frame.span.start)
    return _in_step(old, stay - LOOKED_AHEAD), later, growth


def _in_step(old: Sequence[Frame], most: int) -> int:
    """How many frames follow each other from the start of the buffer on, at most so many, none of them searched for.

    The one before a frame that was searched for may depend on the same bytes.
    """
    at = 0
    for count in range(most):
        cut = old[count].cut
        if cut.searched or (cut.prefix or cut.payload).start != at:
            return max(0, count - 1)
        at = cut.payload.end
    return max(0, most)


def _reach(splices: Iterable[Splice]) -> Span:
    """The bytes after the splices outside of which nothing changed but its place; it may be empty."""
    start = end = -1
    for splice in splices:
        removed_end = splice.offset + len(splice.removed)
        start = splice.offset if start < 0 else min(start, splice.offset)
        end = max(end, removed_end) + splice.growth
    return Span(start, end)


def _moved(found: Sequence[Frame], growth: int, buffer: Buffer) -> list[Frame]:
    """Frames that lie *growth* bytes further on, their tables reading from *buffer*."""
    whole: Buffer = memoryview(buffer) if in_memory(buffer) else window(buffer)
    moved = [_shifted(frame, growth) for frame in found] if growth else list(found)
    for frame in moved:
        payload = frame.cut.payload
        table = frame.table
        table.buffer = (
            whole[payload.start : payload.end]
            if isinstance(whole, memoryview)
            else window(whole, payload.start, payload.end)
        )
    return moved


def _shifted(frame: Frame, growth: int) -> Frame:
    cut = frame.cut
    prefix = cut.prefix and cut.prefix.shifted(growth)
    return Frame(Cut(prefix, cut.payload.shifted(growth), cut.searched), frame.table)


MOST_RUNS = 1 << 9
"""A structure of which only more runs of bytes than so many stayed the same is read as if it were new."""


def _kept_tables(
    cuts: Sequence[Cut], old: Sequence[Frame], splices: Sequence[Splice], structure: Structure, buffer: Buffer
) -> Iterator[NodeTable | None]:
    """For each of some values, its table where no splice reached its bytes; it reads from *buffer* from now on.

    A table tells of the bytes of its value, of the dialect, and of how many names the file has. One with findings may
    depend on what lies behind it and is made anew.
    """
    runs = _stayed(old, splices, buffer)
    if not runs:
        yield from repeat(None, len(cuts))
        return
    known = {frame.cut.payload.start: frame for frame in map(old.__getitem__, unusual(old))}
    whole = None if in_memory(buffer) else BufferWindow(buffer, 0, len(buffer))
    names, run, held = structure.names, 0, _Names(structure)
    for each in cuts:
        start, end = each.payload.start, each.payload.end
        while run < len(runs) - 1 and runs[run][0].end < end:
            run += 1
        kept, by = runs[run]
        frame = known.get(start - by) if kept.start <= start and end <= kept.end else None
        if frame is None or frame.cut.payload.end + by != end or not held.serves(frame.table):
            yield None
            continue
        table, table.names = frame.table, names
        table.buffer = whole.within(start, end) if whole is not None else window(buffer, start, end)
        yield table


def _stayed(old: Sequence[Frame], splices: Sequence[Splice], buffer: Buffer) -> list[tuple[Span, int]]:
    """The bytes that splices left, where they are now and how far from where they were; none where that says little."""
    if not splices or not old:
        return []
    runs = kept_runs(len(buffer) - sum(splice.growth for splice in splices), splices)
    return runs if len(runs) <= MOST_RUNS else []


class _Names:
    """Whether tables would come out the same in a file of this structure, asked of very many."""

    def __init__(self, structure: Structure) -> None:
        self._dialect = structure.dialect
        self._names = structure.names
        self._last: StringTable | None = None
        self._is_same = structure.names is None

    def serves(self, table: NodeTable) -> bool:
        """Whether this one would: a table with findings may depend on what lies behind it."""
        return not table.diagnostics and self.are_read_as(table.dialect, table.names)

    def are_read_as(self, dialect: Dialect, before: StringTable | None) -> bool:
        """Whether what was read in a dialect, with names, would come out the same."""
        if dialect is not self._dialect:
            return False
        after = self._names
        if before is not self._last:
            self._last = before
            self._is_same = before is not None and after is not None and len(before) == len(after)
        return self._is_same if before is not None else after is None


AT_ONCE = 3 << 23 if COMPILED else 1 << 20
"""So many bytes are read before a person notices; more are better read beside the window."""
Explain: TypeAlias = "Callable[[bytes], Message]"
"""Says what the bytes of a packet are."""
USUAL, USUAL_OF_4 = "godot3", "godot4"
"""In which dialect a packet without a value is said to be, and one of Godot 4."""
FINDING = 6
"""How much longer it takes where the way to read them must be found first."""


Found: TypeAlias = "Callable[[ReadMode, Structure | None], None]"
"""Is told how bytes are read, and the structure of a file that has one."""
LITTLE = 0.02
"""A share of the bytes that may be explained less if they were read so before."""


@dataclass(frozen=True, slots=True)
class Preferred:
    """How the same file was read before.

    Args:
        dialect, precision, framing: how.
        is_settled: whether these are the bytes that were read so; else they are asked whether they still read so.
    """

    dialect: Dialect
    precision: Precision
    framing: Framing
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a person fixed instead of leaving it to be found; None is found. The wraps are only taken off once.

    *big_endian* speaks of the length prefixes of stored values only.
    *layout* is the key of one that the profile of a game names: it reads a file that nothing else tells.
    What was read in a *preferred* way before is read so again where nothing else is fixed and the bytes allow it.
    """

    dialect: Dialect | None = None
    precision: Precision | None = None
    framing: FramingKind | None = None
    opening: UnwrapOptions = field(default_factory=UnwrapOptions)
    big_endian: bool | None = None
    preferred: Preferred | None = None
    layout: str = ""

    @property
    def leaves_all_open(self) -> bool:
        """Whether dialect, precision, framing and byte order are to be found."""
        return self.dialect is None and self.precision is None and self.framing is None and self.big_endian is None


@dataclass(frozen=True, slots=True)
class ReadMode:
    """How bytes are read: one of *candidates*, all ways that were tried, the best first; none for what a text gave."""

    candidates: tuple[DetectionCandidate, ...]
    dialect: Dialect
    precision: Precision
    framing: Framing
    is_of_text: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a task.

    Args:
        way: how the bytes were read.
        frames: the values, in order; *gaps* what lies between them.
        fields: in a packet, and in a file with a structure, what these gaps are.
        value_names: what that calls its values.
        message: what a packet says.
        structure: what a reader made of the file, None where its values stand by themselves.
        wraps: what was taken off the file where of its text only the beginning was read before.
    """

    way: ReadMode
    frames: Sequence[Frame]
    gaps: list[Span]
    fields: tuple[MessageField, ...] = ()
    message: Message | None = None
    value_names: Sequence[str] = ()
    structure: Structure | None = None
    wraps: Wraps | None = None


def way_of_text(text: SourceText | None) -> ReadMode | None:
    """How the bytes are read that were made of a text: there is but one way. None where there is no text."""
    if text is None:
        return None
    return ReadMode((), load_text_values(text.dialect), Precision.SINGLE, CONCATENATED if text.is_list else BARE, True)


def unread(choice: ReadOptions) -> ReadMode:
    """How bytes are said to be read until somebody has looked at them."""
    dialect = choice.dialect or first()
    return ReadMode((), dialect, choice.precision or Precision.SINGLE, BARE)


def _cut_of(piece: MessageField) -> Cut:
    """A value of a structure, with the length in front of it where it has one."""
    prefix = piece.children[0].span if piece.children else None
    return Cut(prefix, piece.span if prefix is None else Span(prefix.end, piece.span.end))


@dataclass(frozen=True, slots=True)
class ReadJob:
    """Bytes to be read.

    Args:
        buffer: all of them.
        choice: what not to look for.
        way: how to read them where that is settled; None is found.
        last: the frames as they were read last, in the same way.
        since: what was spliced since then.
        pool: memory for new tables.
        explain: cuts a packet; others are cut by their framing.
        name: what the file is called, which may tell its layout.
        begun: the wraps of the file where of its text only the beginning was read, which *buffer* was made of.
    """

    buffer: Buffer
    choice: ReadOptions
    way: ReadMode | None
    last: Sequence[Frame] = ()
    since: tuple[Splice, ...] = ()
    pool: Pool = field(default_factory=Pool)
    explain: Explain | None = None
    name: str = ""
    begun: Wraps | None = None

    @property
    def size(self) -> int:
        """About how many bytes must be looked at."""
        size = len(self.buffer)
        return FINDING * size if self.way is None else reached(self.last, self.since, size, self.way.framing)

    def run(
        self,
        progress: Progress | None = None,
        found: Found | None = None,
        work: Work | None = None,
    ) -> Reading:
        """Do it.

        Args:
            progress: told the offset reached now and then; returning False gives up.
            found: told how the bytes are read as soon as that is known, before they all are, and the structure of a
                file that has one.
            work: told what is done; what it raises ends the reading.

        Raises:
            Cancelled: *progress* gave up.
            MemoryError: there is no room for the tables.
        """
        if self.begun is not None:
            if found is not None and self.way is not None:
                found(self.way, None)
            return self._whole(self.begun.read_whole(self.choice.opening), progress, work)
        if self.explain is not None:
            return self._explained(self.explain(bytes(self.buffer[:])))
        with uncollected():
            structure = structure_of(self.buffer, self.name, self.choice.layout) if self._may_be_structured else None
            if structure is not None and structure.is_resource:
                return self._structured(structure, progress, work, found)
        if structure is None:
            return self._plain(progress, found, work)
        if structure.is_partial or (structure.is_conditional and not structure.values):
            plain = replace(self, last=(), since=())._plain(progress, None, work)
            is_sound = all(frame.sound and frame.gap is None for frame in plain.frames)
            if structure.is_partial and not is_sound:
                return plain  # what is left over is damage, of which a layout knows nothing
            if structure.is_conditional and is_sound and plain.frames and not plain.gaps:
                return plain  # every byte belongs to a value, which nobody says of other files
        return self._structured(structure, progress, work)

    def _whole(self, wraps: Wraps, progress: Progress | None, work: Work | None) -> Reading:
        """All values of a text that was begun before, or of it as bytes where it is no such text to the end."""
        inside, way = wraps.inside, way_of_text(wraps.text)
        if wraps.blocked is not None:
            return Reading(unread(self.choice), [], [Span(0, len(inside))], wraps=wraps)
        return replace(replace(self, buffer=inside, way=way, begun=None).run(progress, None, work), wraps=wraps)

    def _plain(self, progress: Progress | None, found: Found | None, work: Work | None) -> Reading:
        """Values by themselves, among bytes that belong to none."""
        way = self.way or self._found(work)
        if found is not None:
            found(way, None)
        reader = FrameReader(self.buffer, way.dialect, progress, self.pool, recovers=True, work=work)
        cut = recut(self.last, self.since, self.buffer, way.framing, reader)
        if reader.stopped:
            raise Cancelled
        return Reading(way, cut, gaps(cut, len(self.buffer)))

    @property
    def _may_be_structured(self) -> bool:
        """Whether nobody said that the bytes are to be read as values."""
        return (
            (self.way is None or not self.way.is_of_text)
            and self.choice.dialect is None
            and self.choice.framing is None
        )

    def _structured(
        self, structure: Structure, progress: Progress | None, work: Work | None, found: Found | None = None
    ) -> Reading:
        """A file that a reader has cut."""
        if found is not None and structure.values:
            precision = self.choice.precision or Precision.SINGLE
            found(ReadMode((), structure.dialect, precision, CONCATENATED), structure)
        from viewer.document.readers.file_structure import ResourcePieces

        reader = FrameReader(self.buffer, structure.dialect, progress, self.pool, work=work, names=structure.names)
        fields = structure.fields
        frames: Sequence[Frame]

        def kept(cuts: Sequence[Cut]) -> Iterator[NodeTable | None]:
            return _kept_tables(cuts, self.last, self.since, structure, self.buffer)

        with uncollected():
            if structure.names is not None:
                pieces = structure.pieces
                places = pieces.places if isinstance(pieces, ResourcePieces) else (array("Q"), array("Q"))
                last = self.last if isinstance(self.last, LateFrames) else None
                is_same = last is not None and _Names(structure).are_read_as(last.dialect, last.names)
                runs = _stayed(self.last, self.since, self.buffer) if is_same else []
                frames = reader.resources(*places, kept, last, runs)
            else:
                cuts = [_cut_of(piece) for piece in structure.values]
                tables = (
                    reader.table(each.payload) if table is None else table
                    for each, table in zip(cuts, kept(cuts), strict=True)
                )
                frames = list(map(Frame, cuts, tables))
        if reader.stopped:
            raise Cancelled
        if structure.names is not None and any(frames[number].table.diagnostics for number in unusual(frames)):
            from viewer.document.readers.resource_lint import forgive_tails

            forgive_tails(frames, self.buffer, structure.names)
        precision = Precision.SINGLE
        if structure.resources is None:
            precision = precision_of(structure.dialect, [frame.table for frame in frames[:JUDGED]])
        is_stored = structure.names is None and any(each.children for each in structure.values)
        framing = STORED if is_stored else CONCATENATED
        way = ReadMode((), structure.dialect, self.choice.precision or precision, framing)
        return Reading(way, frames, [piece.span for piece in fields], fields, None, structure.value_names, structure)

    def _explained(self, message: Message) -> Reading:
        """A packet, cut as its message says."""
        from viewer.document.pieces.message import FieldRole, Protocol, leaves

        usual = USUAL_OF_4 if message.protocol is Protocol.GODOT4 else USUAL
        dialect = message.dialect or self.choice.dialect or load(usual)
        way = ReadMode((), dialect, self.choice.precision or Precision.SINGLE, CONCATENATED)
        reader = FrameReader(self.buffer, dialect, pool=self.pool)
        found, fields, names = [], [], []
        for piece in leaves(message.pieces):
            if piece.role is FieldRole.VALUE:
                found.append(Frame(Cut(None, piece.span), reader.table(piece.span)))
                names.append(piece.name)
            elif len(piece.span):
                fields.append(piece)
        return Reading(way, found, [piece.span for piece in fields], tuple(fields), message, tuple(names))

    def _found(self, work: Work | None) -> ReadMode:
        choice = self.choice
        candidates = detect(self.buffer, choice.dialect, choice.precision, choice.framing, choice.big_endian, work)
        again = self._again(candidates[0], work)
        if again is not None:
            rest = [each for each in candidates if (each.dialect, each.framing) != (again.dialect, again.framing)]
            candidates = [again, *rest]
        best = candidates[0]
        return ReadMode(tuple(candidates), best.dialect, best.precision, best.framing)

    def _again(self, best: DetectionCandidate, work: Work | None) -> DetectionCandidate | None:
        """The way in which the file was read before, where it is allowed and explains about as much as the best."""
        choice, way = self.choice, self.choice.preferred
        if way is None or choice.dialect not in (None, way.dialect) or choice.framing not in (None, way.framing.kind):
            return None
        precision = choice.precision or way.precision
        is_stored = way.framing.kind is FramingKind.STORED
        if is_stored and choice.big_endian not in (None, way.framing.big_endian):
            return None
        ways = detect(self.buffer, way.dialect, precision, way.framing.kind, way.framing.big_endian, work)
        found = next((each for each in ways if each.framing == way.framing), None)
        if found is None or not (way.is_settled or found.explained >= best.explained - LITTLE):
            return None
        return replace(found, reason=f"it was read so before; {found.reason}")
