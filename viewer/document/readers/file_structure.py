"""Structure: what a reader makes of a file, and what an edit of it must keep true."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from viewer.base.diagnostic import Diagnostic
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.document.pieces.message import FieldForm, FieldRole, MessageField
from viewer.variant.dialect import Dialect
from viewer.variant.hops import moved_places, put_words
from viewer.variant.string_table import StringTable
from viewer.variant.value import Reference

if TYPE_CHECKING:  # few files have one
    from viewer.document.readers.checksums import ChecksumWord

Thing = TypeVar("Thing")
EXTERNAL, INTERNAL, STRINGS = "external resources", "internal resources", "strings"
"""What the tables of a binary resource are called."""
RESOURCE = "resource"
"""The kind of structures that the engine's ResourceLoader reads."""


def is_damaged_text(raw: bytes) -> bool:
    """Whether no engine writes these bytes as a name: no NUL ends them, one stands inside, or they are not UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return True
    return bool(raw) and raw.find(b"\0") != len(raw) - 1


@dataclass(frozen=True, slots=True)
class OffsetWord:
    """A number in the file that says where something begins: what grows before that moves it.

    Args:
        span: where the number stands.
        target: where that is, in bytes from the start of the layer.
        big_endian: the order of its bytes.
        base: where it counts from.
    """

    span: Span
    target: int
    big_endian: bool = False
    base: int = 0

    def written(self, target: int, base: int = 0) -> bytes:
        """The number for another place."""
        return (target - base).to_bytes(len(self.span), "big" if self.big_endian else "little")


@dataclass(frozen=True, slots=True)
class FillRun:
    """Bytes that only fill the room up to a multiple: what grows before them changes how many they are.

    Args:
        span: where they are.
        align: to a multiple of so many bytes they go.
        part: the part of the file in which they lie, from whose start that counts.
    """

    span: Span
    align: int
    part: Span


@dataclass(frozen=True, slots=True)
class LengthWord:
    """A number in the file that says how many bytes a run has, and lies elsewhere: what grows in the run changes it.

    Args:
        span: where the number stands.
        run: the bytes that it counts.
        big_endian: the order of its bytes.
        is_varint: whether it takes as many bytes as it needs.
    """

    span: Span
    run: Span
    big_endian: bool = False
    is_varint: bool = False

    def written(self, number: int) -> bytes:
        """Another number in its place.

        Raises:
            OverflowError: it cannot hold it.
        """
        if self.is_varint and number >= 0:
            from viewer.base.varint import varint_bytes  # few files have one

            return varint_bytes(number)
        return number.to_bytes(len(self.span), "big" if self.big_endian else "little")

    def says(self, raw: bytes) -> int:
        """What its bytes say."""
        if self.is_varint:
            from viewer.base.varint import varint_at

            return (varint_at(raw) or (0, 0))[0]
        return int.from_bytes(raw, "big" if self.big_endian else "little")


@dataclass(frozen=True, slots=True)
class EntryRun:
    """Entries one behind the other, and the number that says how many they are.

    Args:
        word: where the number stands, and how it is written.
        entries: where each lies.
    """

    word: LengthWord
    entries: tuple[Span, ...]


class OffsetWords(Sequence[OffsetWord]):
    """Very many numbers of 64 bits that say where something begins, each read when somebody asks for it.

    Args:
        starts: where they stand, in order.
        targets: what each says.
        big_endian: the order of their bytes.
    """

    def __init__(self, starts: array[int], targets: array[int], big_endian: bool) -> None:
        self.starts = starts
        self.targets = targets
        self._big_endian = big_endian

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, place: int) -> OffsetWord: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[OffsetWord, ...]: ...
    def __getitem__(self, place: int | slice) -> OffsetWord | tuple[OffsetWord, ...]:
        if isinstance(place, slice):
            return tuple(map(self.__getitem__, range(*place.indices(len(self)))))
        start = self.starts[place]
        return OffsetWord(Span(start, start + 8), self.targets[place], self._big_endian)

    def moved(self, ends: Sequence[int], moved: Sequence[int], size: int) -> tuple[array[int], array[int]]:
        """The places of the numbers that must change, and what they say then, without an object for each number.

        Args:
            ends, moved, size: as for :func:`moved_offsets`.

        Raises:
            OverflowError: one would be less than zero.
        """
        count = len(self.starts)
        found, now = array("I", bytes(4 * count)), array("Q", bytes(8 * count))
        changed = moved_places(self.targets, array("q", ends), array("q", moved), size, found, now)
        if changed < 0:
            raise OverflowError
        del found[changed:], now[changed:]
        return found, now

    def written(self, number: int) -> bytes:
        """A number as they are written."""
        order: Literal["big", "little"] = "big" if self._big_endian else "little"
        return number.to_bytes(8, order)

    def run_of(self, data: bytearray, low: int, found: array[int], now: array[int]) -> None:
        """Write some of them into a run of bytes that begins at *low*.

        Args:
            data: the bytes.
            low: where they begin.
            found: which of the numbers.
            now: what they say.
        """
        if not self._big_endian:
            put_words(data, low, self.starts, found, now)
            return
        for place, number in zip(found, now, strict=True):
            at = self.starts[place] - low
            data[at : at + 8] = self.written(number)


def moved_offsets(
    offsets: Sequence[OffsetWord], ends: Sequence[int], moved: Sequence[int], size: int
) -> Iterator[tuple[int, bytes]]:
    """The numbers that must change where bytes grow: where each stands, with its new bytes.

    Args:
        offsets: the numbers; what says zero, or more than *size*, says nothing.
        ends: where bytes that grow end, in order; *moved* by how much what lies behind so many of these moves.
        size: the length of the layer.
    """

    def growth(target: int) -> int:
        return moved[bisect_right(ends, target)] if 0 < target <= size else 0

    if isinstance(offsets, OffsetWords):
        for place, number in zip(*offsets.moved(ends, moved, size), strict=True):
            yield offsets.starts[place], offsets.written(number)
        return
    for offset in offsets:
        by, base = growth(offset.target), offset.base + growth(offset.base)
        if by != base - offset.base:
            yield offset.span.start, offset.written(offset.target + by, base)


class LateFields(Sequence[MessageField]):
    """The parts of a table of very many entries, each entry made when somebody asks for it.

    Args:
        starts: where each entry begins.
        make: makes one of its place and its start.
        before, behind: the parts around the entries.
    """

    def __init__(
        self,
        starts: array[int],
        make: Callable[[int, int], MessageField],
        before: Sequence[MessageField] = (),
        behind: Sequence[MessageField] = (),
    ) -> None:
        self._starts = starts
        self._make = make
        self._before = before
        self._behind = behind

    def between(self, before: Sequence[MessageField], behind: Sequence[MessageField]) -> LateFields:
        """The same entries with these parts around them."""
        return LateFields(self._starts, self._make, before, behind)

    def __len__(self) -> int:
        return len(self._before) + len(self._starts) + len(self._behind)

    @overload
    def __getitem__(self, place: int) -> MessageField: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[MessageField, ...]: ...
    def __getitem__(self, place: int | slice) -> MessageField | tuple[MessageField, ...]:
        if isinstance(place, slice):
            return tuple(map(self.__getitem__, range(*place.indices(len(self)))))
        if not -len(self) <= place < len(self):
            raise IndexError(f"There is no part {place}.")
        number = place % len(self) - len(self._before)
        if number < 0:
            return self._before[number]
        if number >= len(self._starts):
            return self._behind[number - len(self._starts)]
        return self._make(number, self._starts[number])


class LateNames(Sequence[str]):
    """Very many names, each read when somebody asks for it.

    Args:
        count: how many.
        name: gives one of them by its place.
    """

    def __init__(self, count: int, name: Callable[[int], str]) -> None:
        self._count = count
        self._name = name

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(map(self.__getitem__, range(*place.indices(self._count))))
        if not -self._count <= place < self._count:
            raise IndexError(f"There is no name {place}.")
        return self._name(place % self._count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class LateMapping(Mapping[int, Thing]):
    """What is found for numbers, found out when somebody asks for the first of them.

    Args:
        make: finds out all of it.
        quick: finds out what is found for one number, or None where that takes all of it.
    """

    def __init__(
        self, make: Callable[[], dict[int, Thing]], quick: Callable[[int], Thing | None] = lambda _: None
    ) -> None:
        self._make = make
        self._quick = quick
        self._found: dict[int, Thing] | None = None

    @property
    def _all(self) -> dict[int, Thing]:
        if self._found is None:
            self._found = self._make()
        return self._found

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    def __getitem__(self, number: int) -> Thing:
        found = self._quick(number) if self._found is None else None
        return self._all[number] if found is None else found


class ResourcePieces(LateFields):
    """The pieces of a binary resource: fields before and behind its resources, and these.

    Args:
        begins, ends: where each resource lies, in order.
        names: what they are called.
        before, behind: the fields.
    """

    def __init__(
        self,
        begins: array[int],
        ends: array[int],
        names: LateNames,
        before: Sequence[MessageField],
        behind: Sequence[MessageField],
    ) -> None:
        super().__init__(begins, self._value, before, behind)
        self.places = begins, ends
        self.names = names
        self.fields = (*before, *behind)

    def _value(self, number: int, start: int) -> MessageField:
        return MessageField(Span(start, self.places[1][number]), self.names[number], "", FieldRole.VALUE)

    @property
    def values(self) -> LateFields:
        """The resources alone."""
        return self.between((), ())

    def behind_field(self, field: MessageField) -> ResourcePieces:
        """The same behind one field more."""
        return ResourcePieces(*self.places, self.names, (field, *self._before), self._behind)


@dataclass(frozen=True, slots=True)
class Resources:
    """The other resources that values of a file may name.

    Args:
        internal: what a person calls those in the file, by the number that references have.
        external: type and path of each of those outside.
        frames: the frame of each internal one.
        refuses: whether the engine refuses a reference to an internal one that there is not.
        has_uids: whether those outside have ids.
    """

    internal: Mapping[int, str]
    external: tuple[tuple[str, str], ...]
    frames: Mapping[int, int]
    refuses: bool = True
    has_uids: bool = False

    def named(self, reference: Reference) -> str:
        """What a reference names, empty where it names nothing."""
        if reference.path:
            return reference.path
        if reference.number in self.internal and reference.kind.name == "INTERNAL":
            return self.internal[reference.number]
        known = reference.kind.name == "EXTERNAL" and reference.number < len(self.external)
        return self.external[reference.number][1] if known else ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A file that is more than values: its bytes by name.

    Args:
        kind: what it is, as the command line names it: ``resource``.
        title: what it is, for a person.
        dialect: how its values lie.
        pieces: fields and values, in byte order; they tile the layer.
        main: the number, among the values, of the one that a person opened the file for.
        names: the strings that names in the values are places in.
        offsets: the numbers that say where something begins.
        findings: what is wrong outside the values.
        resources: what references in the values name.
        is_searched: whether fields were looked for, so that bytes that are left over may be damage.
        is_conditional: whether nothing but what its fields say tells the file, so that values have precedence.
        lengths: the numbers that say how long something is that they do not stand right in front of.
        counted: the runs of entries whose number is told.
        checksums: those that must follow if they are true.
        fills: the bytes that fill the room up to a multiple.
        sources: of a layout, which of its fields stands at an offset, by the numbers that lead to it.
    """

    kind: str
    title: str
    dialect: Dialect
    pieces: Sequence[MessageField]
    main: int = 0
    names: StringTable | None = None
    offsets: Sequence[OffsetWord] = ()
    findings: tuple[Diagnostic, ...] = ()
    resources: Resources | None = None
    is_searched: bool = False
    is_conditional: bool = False
    lengths: tuple[LengthWord, ...] = ()
    counted: tuple[EntryRun, ...] = ()
    checksums: tuple[ChecksumWord, ...] = ()
    fills: tuple[FillRun, ...] = ()
    sources: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def is_resource(self) -> bool:
        """Whether the engine's ResourceLoader reads it."""
        return self.kind == RESOURCE

    @property
    def is_partial(self) -> bool:
        """Whether bytes are left over among the fields that were looked for."""
        return self.is_searched and any(piece.role is FieldRole.OPAQUE for piece in self.pieces)

    @property
    def values(self) -> Sequence[MessageField]:
        """The pieces that are values, in order; the length in front of one is its child."""
        if isinstance(self.pieces, ResourcePieces):
            return self.pieces.values
        return [piece for piece in self.pieces if piece.role is FieldRole.VALUE]

    @property
    def fields(self) -> tuple[MessageField, ...]:
        """The pieces that are none."""
        if isinstance(self.pieces, ResourcePieces):
            return self.pieces.fields
        return tuple(piece for piece in self.pieces if piece.role is not FieldRole.VALUE)

    @property
    def value_names(self) -> Sequence[str]:
        """What the values are called."""
        if isinstance(self.pieces, ResourcePieces):
            return self.pieces.names
        return tuple(piece.name for piece in self.values)


def locked_pieces(pieces: tuple[MessageField, ...], following: Set[Span]) -> tuple[MessageField, ...]:
    """Pieces of which those are marked so that follow from others; *following* says where these stand."""
    forms: dict[FieldForm, FieldForm] = {}  # few, of very many pieces

    def locked(piece: MessageField) -> MessageField:
        if piece.children and piece.role is FieldRole.FIELD:
            if not isinstance(piece.children, tuple):
                return piece  # made late, and so marked already
            inside = tuple(map(locked, piece.children))
            return MessageField(piece.span, piece.name, piece.text, piece.role, inside, piece.form)
        if piece.form is None or piece.form.is_locked or piece.span not in following:
            return piece
        form = forms.get(piece.form) or forms.setdefault(piece.form, replace(piece.form, is_locked=True))
        return MessageField(piece.span, piece.name, piece.text, piece.role, piece.children, form)

    return tuple(map(locked, pieces)) if following else pieces
