"""Length fix-ups: after raw bytes were put in or taken out, what would make lengths, fill and prefixes true again.

Nothing is mended unasked. :class:`UnfixedEdits` are taken before each raw edit from what is known of the bytes then;
the splices of every change carry them along; whenever something in them is untrue, there is a :class:`FixupOffer`.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.frames import PREFIX_MAX
from viewer.container.frames import prefix as read_prefix
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.splice import Edit, Splice
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.elements import element_size
from viewer.variant.header import INT_MAX
from viewer.variant.items import Part, Role
from viewer.variant.table import NodeTable

# Counted runs: bytes that a length word before them counts, followed through raw edits.
#
# A text, the data of an image, the elements of a packed array: a word that says how many, the bytes, fill up to a
# multiple of four. Once bytes were put in or taken out the word is wrong, and what is scanned then says nothing of
# where the run ends; so a run is found in the table before the edit, and its places are moved along from then on.

ALIGNED, PACKED_TIGHT = 4, 1
TEXTS = ("text", "bytes")


@dataclass(frozen=True, slots=True)
class CountedRun:
    """Bytes with the word that counts them; offsets in the layer.

    Args:
        word: where the length or count word stands, four bytes right before the content.
        content: the bytes that it counts.
        end: the end of the fill behind them.
        unit: bytes that count one.
        align: the fill goes up to a multiple of so many bytes.
        name: what the content is called: ``text``, ``name``, ``data``, ``PoolByteArray``.
    """

    word: int
    content: Span
    end: int
    unit: int
    align: int
    name: str

    def fill(self, size: int) -> int:
        """How many bytes of fill belong behind *size* bytes of content."""
        return -size % self.align

    def takes(self, splice: Splice) -> bool:
        """Whether a splice changes bytes of the run behind its word, and no others."""
        start, end = splice.offset, splice.offset + len(splice.removed)
        if start == end == self.end > self.content.end:
            return False
        return self.content.start <= start and end <= self.end

    def after(self, splice: Splice) -> CountedRun | None:
        """The run in the bytes that a splice leaves, None where the splice took its borders away."""
        start, end, growth = splice.offset, splice.offset + len(splice.removed), splice.growth
        if growth == 0:
            return self
        if self.takes(splice):
            return replace(self, content=self._content_after(start, end, len(splice.inserted)), end=self.end + growth)
        if start >= self.end:
            return self
        if end > self.word:
            return None
        return replace(self, word=self.word + growth, content=self.content.shifted(growth), end=self.end + growth)

    def _content_after(self, start: int, end: int, inserted: int) -> Span:
        lost = max(0, min(end, self.content.end) - start)
        gained = inserted if start <= self.content.end else 0
        return Span(self.content.start, self.content.end - lost + gained)

    def told(self, buffer: Buffer) -> int:
        """The bytes of content that the word tells of."""
        return u32(buffer, self.word) * self.unit

    def is_right(self, buffer: Buffer) -> bool:
        """Whether the word tells the content's size, and the fill is as long as it should be."""
        size = len(self.content)
        return self.told(buffer) == size and self.end - self.content.end == self.fill(size)


def find(document: Document, splice: Splice) -> CountedRun | None:
    """The run that a splice, which is still to be done, changes; None where it changes none or more than one.

    At a border between two runs the bytes belong to the one before: a person who types on behind a text makes the text
    longer. In a file with a structure none is offered: lengths alone would not make it true, its offsets change too.
    """
    if document.structure is not None:
        return None
    places = [splice.offset - 1, splice.offset] if not splice.removed else [splice.offset]
    for place in places:
        for run in _runs_at(document, place) if place >= 0 else ():
            if run.takes(splice):
                return run
    return None


def _runs_at(document: Document, offset: int) -> Iterator[CountedRun]:
    """The runs of the node that holds a byte; of a packed string array only the string there."""
    found = document.node_at(offset)
    if found is None:
        return
    frame, node = found
    table, local = frame.table, offset - frame.start
    row = table.row(node)
    if row is not None and row.kind is Kind.PACKED_STRINGS and not table.is_name(node):
        parts = _string_at(table, node, local)
    elif row is not None and row.kind is Kind.INPUT_EVENT and not table.is_name(node):
        return
    else:
        parts = items.parts(table, node)
    for run in _runs(table, node, parts):
        yield replace(
            run, word=run.word + frame.start, content=run.content.shifted(frame.start), end=run.end + frame.start
        )


def _string_at(table: NodeTable, node: int, local: int) -> list[Part]:
    """Length, text and fill of the string of a packed array that holds a byte."""
    found = items.part_at(table, node, local)
    if found is None or not found.name.startswith("["):
        return []
    stem = found.name.partition("@")[0]
    return [
        part
        for name in (f"{stem}@length", stem, f"{stem}@padding")
        if (part := items.part(table, node, name)) is not None
    ]


def _runs(table: NodeTable, node: int, parts: list[Part]) -> Iterator[CountedRun]:
    """The runs among the parts of a node; offsets from the start of the frame."""
    row = table.row(node)
    is_packed = row is not None and row.kind is Kind.PACKED and not table.is_name(node)
    unit = element_size(row, table.header(node)) if row is not None and is_packed else 1
    old_path = row is not None and row.kind is Kind.NODE_PATH and any(part.name == "length" for part in parts)
    for number, word in enumerate(parts):
        counts = word.name == "count" if is_packed else word.name.endswith("length")
        if word.role is not Role.LENGTH or not counts:
            continue
        following = parts[number + 1 : number + 3]
        content = Span(word.span.end, word.span.end)
        name = row.name if row is not None and is_packed else _name(word.name)
        if following and following[0].name == "data":
            name = "data"
        if following and following[0].role is Role.VALUE and (is_packed or following[0].type in TEXTS):
            content = following.pop(0).span
        end = following[0].span.end if following and following[0].role is Role.PADDING else content.end
        yield CountedRun(word.span.start, content, end, unit, PACKED_TIGHT if old_path else ALIGNED, name)


def _name(word: str) -> str:
    """What the content behind a length word is called in a sentence."""
    if word == "length" or word.startswith("["):
        return "text"
    return "name" if word.startswith(("name", "subname")) else word.removesuffix("_length").replace("_", " ")


PREFIX = 4


@dataclass(frozen=True, slots=True)
class TrackedPayload:
    """The bytes of a frame, followed through raw edits; offsets in the layer.

    Args:
        span: the payload.
        prefix: where its length prefix stands, None where there is none, or one that was never true.
        big_endian: the byte order of the prefix.
    """

    span: Span
    prefix: int | None
    big_endian: bool

    @property
    def start(self) -> int:
        """Where the frame begins, with its prefix."""
        return self.span.start if self.prefix is None else self.prefix

    def after(self, splice: Splice, taken: bool) -> TrackedPayload | None:
        """The payload in the bytes that a splice leaves, None where the splice took its borders away.

        Args:
            splice: what was done.
            taken: whether a run of this payload takes it: what is put behind the last byte then belongs to the payload.
        """
        start, end, growth = splice.offset, splice.offset + len(splice.removed), splice.growth
        behind = start >= self.span.end and not taken
        if growth == 0 or behind:
            return self
        if start >= self.span.start and end <= self.span.end:
            return replace(self, span=Span(self.span.start, self.span.end + growth))
        if end <= self.start:
            prefix = None if self.prefix is None else self.prefix + growth
            return replace(self, span=self.span.shifted(growth), prefix=prefix)
        return None

    def is_right(self, buffer: Buffer) -> bool:
        """Whether the prefix tells the payload's length; true where there is none."""
        return self.prefix is None or read_prefix(buffer, self.prefix, self.big_endian) == len(self.span)


@dataclass(frozen=True, slots=True)
class UnfixedEdits:
    """The runs and frames that raw edits have changed."""

    runs: tuple[CountedRun, ...] = ()
    payloads: tuple[TrackedPayload, ...] = ()

    def before(self, document: Document, splice: Splice) -> UnfixedEdits:
        """With what *splice*, which is still to be done, changes: it is found in the document as it is now.

        Where the bytes are broken by an earlier edit that is not mended, nothing behind it is believed.
        """
        if splice.growth == 0 or any(run.takes(splice) for run in self.runs):
            return self
        kept = replace(self, runs=tuple(run for run in self.runs if not run.is_right(document.buffer)))
        payload = next((payload for payload in kept.payloads if _holds(payload, splice)), None)
        believed = payload is None or not any(run.word < splice.offset for run in kept._within(payload))
        run = find(document, splice) if believed else None
        known = () if payload is not None else _payload_at(document, splice, run)
        kept = replace(kept, payloads=tuple(p for p in kept.payloads if p is payload or kept._matters(p, document)))
        starts = {p.span.start for p in kept.payloads}
        known = tuple(p for p in known if p.span.start not in starts)
        return UnfixedEdits(kept.runs + ((run,) if run is not None else ()), kept.payloads + known)

    def after(self, splices: tuple[Splice, ...]) -> UnfixedEdits:
        """The same in the bytes that the splices leave."""
        found = self
        for splice in splices:
            runs = [(run, run.after(splice)) for run in found.runs]
            taking = [run for run in found.runs if run.takes(splice)]
            payloads = (p.after(splice, any(p.span.covers(_whole(r)) for r in taking)) for p in found.payloads)
            found = UnfixedEdits(
                tuple(moved for _, moved in runs if moved is not None),
                tuple(moved for moved in payloads if moved is not None),
            )
        return found

    def _within(self, payload: TrackedPayload) -> list[CountedRun]:
        return [run for run in self.runs if payload.span.covers(_whole(run))]

    def _matters(self, payload: TrackedPayload, document: Document) -> bool:
        return not payload.is_right(document.buffer) or bool(self._within(payload))


@dataclass(frozen=True, slots=True)
class FixupOffer:
    """What is untrue, in a sentence, and what would put it right.

    Args:
        sentence: what raw edits made untrue.
        action: words for putting it right, empty where that cannot be done.
        edit: puts it right, None where that cannot be done.
        is_prefix: whether nothing but the length before the value is untrue.
    """

    sentence: str
    action: str
    edit: Edit | None
    is_prefix: bool = False


def mend(document: Document, wound: UnfixedEdits) -> Edit | None:
    """The edit that makes the lengths, fill and prefixes of *wound* true; None where they are, or cannot be.

    Raises:
        EditError: a length would leave its range.
    """
    buffer = document.buffer
    runs = _wrong(document, wound)
    if any(len(run.content) % run.unit for run in runs):
        return None
    splices = [splice for run in runs for splice in _run_splices(buffer, run)]
    for payload in wound.payloads:
        growth = sum(
            splice.growth for run in wound._within(payload) if run in runs for splice in _run_splices(buffer, run)
        )
        splices += _prefix_splices(buffer, payload, len(payload.span) + growth)
    splices.sort(key=_place, reverse=True)
    return Edit(_action(document, wound, runs), tuple(splices)) if splices else None


def healed(document: Document, wound: UnfixedEdits) -> UnfixedEdits:
    """What *wound* is after its mending, told by the document before it."""
    growths = {
        run.content.end: run.fill(len(run.content)) - (run.end - run.content.end) for run in _wrong(document, wound)
    }

    def shift(place: int) -> int:
        return sum(growth for at, growth in growths.items() if at <= place)

    runs = []
    for run in wound.runs:
        by = shift(run.word)
        own = growths.get(run.content.end, 0)
        runs.append(replace(run, word=run.word + by, content=run.content.shifted(by), end=run.end + by + own))
    payloads = []
    for payload in wound.payloads:
        by, until = shift(payload.start), shift(payload.span.end)
        prefix = None if payload.prefix is None else payload.prefix + by
        payloads.append(replace(payload, span=Span(payload.span.start + by, payload.span.end + until), prefix=prefix))
    return UnfixedEdits(tuple(runs), tuple(payloads))


def _wrong(document: Document, wound: UnfixedEdits) -> list[CountedRun]:
    return [run for run in wound.runs if not run.is_right(document.buffer)]


def offer(document: Document, wound: UnfixedEdits) -> FixupOffer | None:
    """What to tell a person about *wound*; None where nothing is untrue."""
    buffer = document.buffer
    runs = _wrong(document, wound)
    payloads = [payload for payload in wound.payloads if not payload.is_right(buffer)]
    if not runs and not payloads:
        return None
    sentence = _run_sentence(buffer, runs[-1]) if runs else _prefix_sentence(buffer, payloads[-1])
    more = max(0, len(runs) - 1) if runs else len(payloads) - 1
    sentence += f" The same is true in {more} more place{'s' * (more > 1)}." if more else ""
    try:
        edit = mend(document, wound)
    except EditError as error:
        return FixupOffer(str(error), "", None)
    return FixupOffer(sentence, _action(document, wound, runs) if edit is not None else "", edit, not runs)


def _whole(run: CountedRun) -> Span:
    return Span(run.word, run.end)


def _holds(payload: TrackedPayload, splice: Splice) -> bool:
    return payload.span.start <= splice.offset < payload.span.end


def _payload_at(document: Document, splice: Splice, run: CountedRun | None) -> tuple[TrackedPayload, ...]:
    """The frame that a splice changes, as it is before."""
    index = document.frame_at(run.word if run is not None else splice.offset)
    if index < 0:
        return ()
    frame, cut = document.frames[index], document.frames[index].cut
    is_true = cut.prefix is not None and frame.prefix_is_true(document.buffer, document.framing)
    prefix = cut.prefix.start if is_true and cut.prefix is not None else None
    return (TrackedPayload(cut.payload, prefix, document.framing.big_endian),)


# What is written


def _place(splice: Splice) -> int:
    return splice.offset


def _run_splices(buffer: Buffer, run: CountedRun) -> list[Splice]:
    size = len(run.content)
    if size // run.unit > INT_MAX:
        raise EditError(f"A length counts up to {INT_MAX}.")
    found = _word(buffer, run.word, (size // run.unit).to_bytes(4, "little"))
    there = bytes(buffer[run.content.end : run.end])
    if len(there) != run.fill(size):
        found.append(Splice(run.content.end, there, bytes(run.fill(size))))
    return found


def _prefix_splices(buffer: Buffer, payload: TrackedPayload, size: int) -> list[Splice]:
    if payload.prefix is None:
        return []
    if size > PREFIX_MAX:
        raise EditError("A value with a length prefix takes less than 4 GiB.")
    return _word(buffer, payload.prefix, size.to_bytes(4, "big" if payload.big_endian else "little"))


def _word(buffer: Buffer, at: int, new: bytes) -> list[Splice]:
    old = bytes(buffer[at : at + 4])
    return [Splice(at, old, new).trimmed()] if old != new else []


# Words


def _run_sentence(buffer: Buffer, run: CountedRun) -> str:
    difference = len(run.content) - run.told(buffer)
    if run.unit > 1 and len(run.content) % run.unit:
        return _torn(run)
    if not difference:
        there, belong = run.end - run.content.end, run.fill(len(run.content))
        right = f"{belong or 'none'} belong{'s' * (belong == 1)}"
        return f"The {run.name} has {count_bytes(there)} of padding where {right}."
    if run.name.endswith("Array"):
        number, word = abs(difference) // run.unit, "more" if difference > 0 else "fewer"
        noun = "byte" if run.unit == 1 else "element"
        return f"The {run.name} has {number} {noun}{'s' * (number != 1)} {word} than its count says."
    word = "longer" if difference > 0 else "shorter"
    return f"The {run.name} is {count_bytes(abs(difference))} {word} than its length says."


def _torn(run: CountedRun) -> str:
    over = len(run.content) % run.unit
    return f"An element of this {run.name} takes {run.unit} bytes: insert {run.unit - over} more, or remove {over}."


def _prefix_sentence(buffer: Buffer, payload: TrackedPayload) -> str:
    assert payload.prefix is not None
    difference = len(payload.span) - read_prefix(buffer, payload.prefix, payload.big_endian)
    word = "longer" if difference > 0 else "shorter"
    return f"The value is {count_bytes(abs(difference))} {word} than its length prefix says."


def _action(document: Document, wound: UnfixedEdits, runs: list[CountedRun]) -> str:
    """What is put right, in two or three words."""
    if not runs:
        return "Fix length prefix"
    run = runs[-1]
    length = "count" if run.name.endswith("Array") else "length"
    right = run.told(document.buffer) == len(run.content)
    fill = run.end - run.content.end != run.fill(len(run.content))
    return "Fix padding" if right else f"Fix {length} and padding" if fill else f"Fix {length}"
