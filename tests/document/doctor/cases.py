"""Cases: undamaged bytes, damaged in one known way; one function for each cause."""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from struct import pack, unpack_from

import corpus
from document.doctor import material
from document.doctor.material import Source, TextPlace, Value, children, reframed, source

from viewer.container.frames import BARE, STORED, FramingKind
from viewer.document.doctor import Cause
from viewer.document.doctor.patch import Patch, patched
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.document.wraps import Opening
from viewer.variant.dialect import FLAG_64, Kind, available, load
from viewer.variant.scan import scan

MOST_TRIES = 40


@dataclass(frozen=True, slots=True)
class Case:
    """Damaged bytes.

    Args:
        cause: what was done.
        data: the damaged bytes.
        expected: the bytes that mending should give.
        choice: how they are opened.
        also: causes that the bytes cannot tell from this one.
        lost: places in *expected* that hold bytes which nobody can know.
        only_note: whether nothing can be mended.
        reads_as: the key of the dialect that the mended bytes are to be read in, empty where that stays.
    """

    cause: Cause
    data: bytes
    expected: bytes
    choice: Choice = field(default_factory=Choice)
    also: frozenset[Cause] = frozenset()
    lost: frozenset[int] = frozenset()
    only_note: bool = False
    reads_as: str = ""

    def is_restored(self, found: bytes) -> bool:
        """Whether these are the undamaged bytes, but for those that nobody can know."""
        if len(found) != len(self.expected):
            return False
        return all(a == b or k in self.lost for k, (a, b) in enumerate(zip(found, self.expected, strict=True)))


Damage = Callable[[Random], Case | None]


def cases(cause: Cause, count: int, seed: int = 1) -> Iterator[Case]:
    """So many different cases of one cause; fewer where there are not so many."""
    random = Random(f"{cause.slug} {seed}")
    seen: set[tuple[bytes, object]] = set()
    for _ in range(MOST_TRIES * count):
        if len(seen) == count:
            return
        case = DAMAGES[cause](random)
        changed = case is not None and (case.data != case.expected or case.reads_as)
        if case is not None and changed and (case.data, case.choice.dialect) not in seen and _is_seen(case):
            seen.add((case.data, case.choice.dialect))
            yield case


def _is_seen(case: Case) -> bool:
    """Whether anything in the bytes tells of the damage: what reads as well as before is no damage."""
    if case.only_note or not case.data:
        return True
    document = Document(case.data, choice=case.choice)
    whole = document.frames and not document.gaps and document.wraps.blocked is None
    if not whole or any(f.gap is not None or not f.sound for f in document.frames):
        return True
    return len(document.diagnostics()) > len(Document(case.expected, choice=case.choice).diagnostics())


def _opened(random: Random, source: Source, framing: bool = False) -> Choice:
    """Opened by somebody who knows the engine line, or by somebody who does not."""
    kind = source.framing.kind if framing else None
    return Choice(source.dialect if random.random() < 0.5 else None, None, kind)


def _made(cause: Cause, random: Random, source: Source, data: bytes, **more: object) -> Case:
    return Case(cause, data, source.data, _opened(random, source), **more)  # type: ignore[arg-type]


def _word(number: int) -> bytes:
    return number.to_bytes(4, "little")


# Frames


def prefix_missing(random: Random) -> Case | None:
    some = source(random, STORED)
    at = some.start(random.randrange(len(some.values))) - 4
    data = some.data[:at] + some.data[at + 4 :]
    return Case(Cause.PREFIX_MISSING, data, some.data, _opened(random, some, framing=True))


def prefix_extra(random: Random) -> Case | None:
    some = source(random, BARE)
    data = _word(len(some.data)) + some.data
    return Case(Cause.PREFIX_EXTRA, data, some.data, _opened(random, some, framing=True))


def prefix_doubled(random: Random) -> Case | None:
    some = source(random, STORED)
    index = random.randrange(len(some.values))
    at, length = some.start(index) - 4, len(some.values[index].data)
    data = some.data[:at] + _word(length + random.choice((0, 4))) + some.data[at:]
    return _made(Cause.PREFIX_DOUBLED, random, some, data, also=frozenset({Cause.PREFIX_EXTRA}))


def _rewritten(random: Random, cause: Cause, change: Callable[[int], int], least: int, everywhere: bool) -> Case:
    some = source(random, STORED, random.choice((2, 3, 5)) if least > 1 else 0)
    chosen = range(len(some.values)) if everywhere else [random.randrange(len(some.values))]
    patches = [Patch(some.start(k) - 4, 4, _word(change(len(some.values[k].data)))) for k in chosen]
    return _made(cause, random, some, patched(some.data, patches))


def prefix_swapped(random: Random) -> Case | None:
    def swapped(length: int) -> int:
        return int.from_bytes(_word(length), "big")

    return _rewritten(random, Cause.PREFIX_SWAPPED, swapped, 2, False)


def prefix_counts_itself(random: Random) -> Case | None:
    return _rewritten(random, Cause.PREFIX_COUNTS_ITSELF, lambda n: n + 4, 1, random.random() < 0.5)


def prefix_off(random: Random) -> Case | None:
    by = random.choice((-8, -4, -2, -1, 1, 2, 3, 8, 12))
    return _rewritten(random, Cause.PREFIX_OFF, lambda n: max(0, n + by), 1, False)


def several_values(random: Random) -> Case | None:
    some = source(random, STORED, random.choice((2, 3)))
    if random.random() < 0.5:
        raw = b"".join(value.data for value in some.values)
        return Case(Cause.SEVERAL_VALUES, _word(len(raw)) + raw, some.data, _opened(random, some))
    raw = b"".join(value.data for value in some.values)
    choice = Choice(some.dialect, None, FramingKind.BARE)
    return Case(Cause.SEVERAL_VALUES, raw, raw + b"", choice, reads_as="concatenated")


def value_cut(random: Random) -> Case | None:
    some = source(random, STORED, 1)
    raw = some.values[0].data
    at = random.randrange(4, len(raw) - 4)
    data = _word(at) + raw[:at] + _word(len(raw) - at) + raw[at:]
    return _made(Cause.VALUE_CUT, random, some, data)


# Engine lines and widths


def other_engine(random: Random) -> Case | None:
    some = source(random)
    other = random.choice([line for line in available() if line is not some.dialect])
    choice = Choice(other, None, some.framing.kind)
    document = Document(some.data, choice=choice)
    if document.frames and all(f.sound and f.gap is None for f in document.frames) and not document.gaps:
        return None
    return Case(Cause.OTHER_ENGINE, some.data, some.data, choice, reads_as=some.dialect.key)


def other_precision(random: Random) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    table, patches = value.table, []
    for node in table.nodes:
        row, header = table.row(node), table.header(node)
        if row is None or not row.real or row.kind not in (Kind.FIXED, Kind.PACKED):
            continue
        start = table.start[node]
        if row.has_wide:
            patches.append(Patch(start, 4, _word(header ^ FLAG_64)))
        else:
            body = start + (4 if row.kind is Kind.FIXED else 8)
            raw = value.data[body : table.end(node)]
            patches += [Patch(body + k, 4, pack("<d", unpack_from("<f", raw, k)[0])) for k in range(0, len(raw), 4)]
    return _made(Cause.OTHER_PRECISION, random, some, reframed(some, index, patches)) if patches else None


def _flag(random: Random, cause: Cause, is_set: bool) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    table = some.values[index].table
    places = [
        table.start[node]
        for node in table.nodes
        if (row := table.row(node)) is not None
        and row.name in ("int", "float")
        and row.has_wide
        and bool(table.header(node) & FLAG_64) is is_set
    ]
    if not places:
        return None
    at = random.choice(places)
    header = int.from_bytes(some.values[index].data[at : at + 4], "little")
    return _made(cause, random, some, reframed(some, index, [Patch(at, 4, _word(header ^ FLAG_64))]))


def flag_missing(random: Random) -> Case | None:
    return _flag(random, Cause.FLAG_MISSING, True)


def flag_extra(random: Random) -> Case | None:
    return _flag(random, Cause.FLAG_EXTRA, False)


# Texts


def _texts(random: Random, wanted: Callable[[TextPlace, bytes], bool]) -> tuple[Source, int, list[TextPlace]] | None:
    """A source, one of its frames, and one or all texts in it that are wanted."""
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    places = [p for p in material.text_places(value) if wanted(p, value.data[p.start : p.end])]
    if not places:
        return None
    return some, index, places if random.random() < 0.4 else [random.choice(places)]


def _on_texts(
    random: Random,
    cause: Cause,
    wanted: Callable[[TextPlace, bytes], bool],
    change: Callable[[TextPlace, bytes], Patch],
    everywhere: bool = True,
    **more: object,
) -> Case | None:
    found = _texts(random, wanted)
    if found is None:
        return None
    some, index, places = found
    places = places if everywhere else places[:1]
    data = some.values[index].data
    patches = [change(place, data[place.start : place.end]) for place in places]
    return _made(cause, random, some, reframed(some, index, patches), **more)


def padding_missing(random: Random) -> Case | None:
    return _on_texts(random, Cause.PADDING_MISSING, lambda p, raw: p.fill > 0, lambda p, raw: Patch(p.end, p.fill, b""))


def padding_extra(random: Random) -> Case | None:
    return _on_texts(
        random,
        Cause.PADDING_EXTRA,
        lambda p, raw: p.fill == 0 and p.length > 0,
        lambda p, raw: Patch(p.end, 0, bytes(4)),
    )


def padding_wrong(random: Random) -> Case | None:
    if random.random() < 0.4:
        return _on_texts(
            random,
            Cause.PADDING_WRONG,
            lambda p, raw: -p.length % 8 != p.fill,
            lambda p, raw: Patch(p.end, p.fill, bytes(-p.length % 8)),
            also=frozenset({Cause.PADDING_EXTRA}),
        )
    by = random.choice((-1, 1, 2, -2))
    also = frozenset({Cause.PADDING_EXTRA, Cause.PADDING_MISSING})
    return _on_texts(
        random,
        Cause.PADDING_WRONG,
        lambda p, raw: p.fill + by > 0,
        lambda p, raw: Patch(p.end, p.fill, bytes(p.fill + by)),
        everywhere=False,
        also=also,
    )


def length_off(random: Random) -> Case | None:
    by = random.choice((-8, -5, -4, -3, -2, 2, 3, 4, 5, 8, 16, 100))
    found = _texts(random, lambda p, raw: p.length > 1 and p.length + by > 0)
    if found is None:
        return None
    some, index, places = found
    place = random.choice(places)
    patches = [Patch(place.at, 4, _word(place.length + by))]
    return _made(Cause.LENGTH_OFF, random, some, reframed(some, index, patches))


def length_swapped(random: Random) -> Case | None:
    """The length of a text, highest byte first."""
    found = _texts(random, lambda p, raw: 0 < p.length < 1 << 24)
    if found is None:
        return None
    some, index, places = found
    place = random.choice(places)
    swapped = int.from_bytes(_word(place.length), "big")
    return _made(Cause.LENGTH_SWAPPED, random, some, reframed(some, index, [Patch(place.at, 4, _word(swapped))]))


def length_counts_nul(random: Random) -> Case | None:
    def change(place: TextPlace, raw: bytes) -> Patch:
        new = raw + b"\0"
        return Patch(place.at, 4 + place.length + place.fill, _word(len(new)) + new + bytes(-len(new) % 4))

    return _on_texts(random, Cause.LENGTH_COUNTS_NUL, lambda p, raw: not p.closed and p.length > 0, change)


def length_counts_characters(random: Random) -> Case | None:
    def change(place: TextPlace, raw: bytes) -> Patch:
        return Patch(place.at, 4, _word(len(raw.decode())))

    return _on_texts(random, Cause.LENGTH_COUNTS_CHARACTERS, lambda p, raw: _is_wide(raw), change)


def _is_wide(raw: bytes) -> bool:
    try:
        return len(raw.decode()) != len(raw)
    except UnicodeDecodeError:
        return False


def text_utf16(random: Random) -> Case | None:
    units = random.choice((1, 2))

    def change(place: TextPlace, raw: bytes) -> Patch:
        new = raw.decode().encode("utf-16-le")
        return Patch(place.at, 4 + place.length + place.fill, _word(len(new) // units) + new + bytes(-len(new) % 4))

    def wanted(place: TextPlace, raw: bytes) -> bool:
        return place.length > 0 and not place.closed and _has(raw, "utf-8")

    return _on_texts(random, Cause.TEXT_UTF16, wanted, change)


def text_latin1(random: Random) -> Case | None:
    def change(place: TextPlace, raw: bytes) -> Patch:
        new = raw.decode().encode("latin-1")
        return Patch(place.at, 4 + place.length + place.fill, _word(len(new)) + new + bytes(-len(new) % 4))

    def wanted(place: TextPlace, raw: bytes) -> bool:
        return _is_wide(raw) and not _has(raw.decode().encode("latin-1", "replace"), "utf-8") and _is_latin(raw)

    return _on_texts(random, Cause.TEXT_LATIN1, wanted, change)


def _has(raw: bytes, coding: str) -> bool:
    try:
        raw.decode(coding)
    except UnicodeDecodeError:
        return False
    return True


def _is_latin(raw: bytes) -> bool:
    return all(ord(sign) < 256 for sign in raw.decode())


def nul_missing(random: Random) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value, patches = some.values[index], []
    for place in material.text_places(value):
        raw = value.data[place.start : place.end]
        if place.closed and len(raw) > 1 and raw.endswith(b"\0"):
            new = raw[:-1]
            size = 4 + place.length + place.fill
            patches.append(Patch(place.at, size, _word(len(new)) + new + bytes(-len(new) % 4)))
    return _made(Cause.NUL_MISSING, random, some, reframed(some, index, patches)) if patches else None


# Collections


def _counted(random: Random, cause: Cause, sign: int) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    node = random.choice(material.collections(value, (*material.COLLECTIONS, Kind.PACKED)) or [-1])
    if node < 0:
        return None
    row = value.table.row(node)
    packed = row is not None and row.kind is Kind.PACKED
    at = value.table.start[node] + 4 if packed else material.count_place(value, node)
    count = int.from_bytes(value.data[at : at + 4], "little")
    by = sign * random.choice((1, 1, 1, 2, 3))
    if not 0 <= (count & 0x7FFFFFFF) + by < 0x7FFFFFFF:
        return None
    also = frozenset({Cause.CHILD_DUPLICATED}) if sign < 0 else frozenset()
    return _made(cause, random, some, reframed(some, index, [Patch(at, 4, _word(count + by))]), also=also)


def count_too_large(random: Random) -> Case | None:
    return _child_removed(random) if random.random() < 0.4 else _counted(random, Cause.COUNT_TOO_LARGE, 1)


def count_too_small(random: Random) -> Case | None:
    return _counted(random, Cause.COUNT_TOO_SMALL, -1)


def _child(random: Random) -> tuple[Source, int, int, tuple[int, int]] | None:
    """A source, a frame, a collection in it, and one child or pair of it."""
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    nodes = [node for node in material.collections(value) if len(children(value, node)) > 0]
    if not nodes:
        return None
    node = random.choice(nodes)
    return some, index, node, random.choice(children(value, node))


def _child_removed(random: Random) -> Case | None:
    found = _child(random)
    if found is None:
        return None
    some, index, node, (start, end) = found
    value = some.values[index]
    at = material.count_place(value, node)
    count = int.from_bytes(value.data[at : at + 4], "little")
    gone = [Patch(start, end - start, b"")]
    expected = reframed(some, index, [Patch(at, 4, _word(count - 1)), *gone])
    return replace(_made(Cause.COUNT_TOO_LARGE, random, some, reframed(some, index, gone)), expected=expected)


def child_duplicated(random: Random) -> Case | None:
    found = _child(random)
    if found is None:
        return None
    some, index, _, (start, end) = found
    raw = some.values[index].data[start:end]
    return _made(Cause.CHILD_DUPLICATED, random, some, reframed(some, index, [Patch(end, 0, raw)]))


def key_without_value(random: Random) -> Case | None:
    some = source(random)
    index = random.randrange(len(some.values))
    value = some.values[index]
    table = value.table
    pairs = [
        (child, child + 1)
        for node in material.collections(value, (Kind.DICTIONARY,))
        for child in table.children(node)[::2]
    ]
    if not pairs:
        return None
    _, child = random.choice(pairs)
    start, end = table.start[child], table.end(child)
    data = reframed(some, index, [Patch(start, end - start, b"")])
    expected = reframed(some, index, [Patch(start, end - start, bytes(4))])
    return replace(_made(Cause.KEY_WITHOUT_VALUE, random, some, data), expected=expected)


# Around the value


def packet_header(random: Random) -> Case | None:
    some = source(random, BARE)
    target = random.choice((0, 1, random.randrange(2, 1 << 31)))
    head = _word(random.randrange(1, 1 << 31)) + _word(target)
    if random.random() < 0.5:
        node = _word(random.randrange(1, 40))
        head += b"\0" + node + random.choice((b"hit", b"move_to", b"set_name", b"sync")) + b"\0\x01"
    choice = Choice(some.dialect if random.random() < 0.5 else None, None, FramingKind.BARE)
    return Case(Cause.PACKET_HEADER, head + some.data, some.data, choice)


def wrapped(random: Random) -> Case | None:
    some = source(random)
    wraps = (gzip.compress, zlib.compress, base64.b64encode, lambda raw: raw.hex().encode())
    data = random.choice(wraps)(some.data)
    return Case(Cause.WRAPPED, data, some.data, Choice(opening=Opening(())))


def no_variant(random: Random) -> Case | None:
    number = random.randrange(10000)
    some = (
        f'[gd_scene load_steps={number} format=3]\n\n[node name="Main" type="Node2D"]\n'.encode(),
        f'[gd_resource type="Theme" format=2]\n\n[resource]\nsize = {number}\n'.encode(),
        b"\x89PNG\r\n\x1a\n" + bytes([0, 0, 0, 13]) + b"IHDR" + random.randbytes(64),
        b"RSRC" + bytes(8) + random.randbytes(40),
        f'{{"gold": {number}, "name": "Ann"}}'.encode(),
        f'[player]\ngold={number}\nname="Ann"\n'.encode(),
        b"PK\x03\x04" + random.randbytes(60),
        b"OggS" + random.randbytes(60),
    )
    data = random.choice(some)
    return Case(Cause.NO_VARIANT, data, b"", only_note=True)


# Bytes


def byte_order(random: Random) -> Case | None:
    some = source(random)
    data = some.data
    return _made(Cause.BYTE_ORDER, random, some, b"".join(data[k : k + 4][::-1] for k in range(0, len(data), 4)))


def _place(random: Random, some: Source) -> int:
    index = random.randrange(len(some.values))
    return some.start(index) + random.randrange(len(some.values[index].data))


def byte_lost(random: Random) -> Case | None:
    some = source(random)
    at, size = _place(random, some), random.choice((1, 1, 1, 2, 3))
    data = some.data[:at] + some.data[at + size :]
    gone = frozenset(range(at, at + size)) if any(some.data[at : at + size]) else frozenset()
    return _made(Cause.BYTE_LOST, random, some, data, lost=gone)


def byte_inserted(random: Random) -> Case | None:
    some = source(random)
    at, size = _place(random, some), random.choice((1, 1, 1, 2, 3))
    return _made(Cause.BYTE_INSERTED, random, some, some.data[:at] + random.randbytes(size) + some.data[at:])


def made_utf8(random: Random) -> Case | None:
    some = source(random)
    return _made(Cause.MADE_UTF8, random, some, some.data.decode("latin-1").encode())


def made_crlf(random: Random) -> Case | None:
    some = source(random)
    return _made(Cause.MADE_CRLF, random, some, some.data.replace(b"\n", b"\r\n"))


def cut_at_nul(random: Random) -> Case | None:
    some = source(random, BARE)
    data = some.data.partition(b"\0")[0]
    choice = Choice(some.dialect)
    return Case(Cause.CUT_AT_NUL, data, b"", choice, only_note=True) if data else None


def zeros_trimmed(random: Random) -> Case | None:
    some = source(random)
    return _made(Cause.ZEROS_TRIMMED, random, some, some.data.rstrip(b"\0"))


def packets_mixed(random: Random) -> Case | None:
    form = random.choice(("inside", "before", "behind"))
    if form == "inside":
        some = source(random, STORED, 1)
        other = source(random, STORED, 1)
        at = random.randrange(8, len(some.data) - 4)
        return _made(Cause.PACKETS_MIXED, random, some, some.data[:at] + other.data + some.data[at:])
    some, other = source(random, BARE), source(random, BARE)
    if some.dialect is not other.dialect:
        return None
    if form == "before":
        at = random.randrange(4, len(other.data) - 4)
        return _made(Cause.PACKETS_MIXED, random, some, other.data[:at] + some.data)
    if len(other.data) <= len(some.data) + 4:
        return None
    data = some.data + other.data[len(some.data) :]
    return Case(Cause.PACKETS_MIXED, data, some.data, _opened(random, some, framing=True))


# What the bytes cannot help


def objects_not_allowed(random: Random) -> Case | None:
    engine = random.choice(("godot4", "godot3", "pandemonium4"))
    line = load(engine)
    rows = [row for row in corpus.vectors(engine) if row.get("full_objects")]
    data = corpus.vector_bytes(random.choice(rows)) if rows else b""
    table = scan(data, line)
    objects = [n for n in table.nodes if (row := table.row(n)) is not None and row.kind is Kind.OBJECT]
    if all(table.header(node) & FLAG_64 for node in objects):
        return None
    choice = Choice(line, None, FramingKind.BARE)
    return Case(Cause.OBJECTS_NOT_ALLOWED, data, data + b"-", choice, only_note=True)


def too_deep(random: Random) -> Case | None:
    line = load(random.choice(("godot4", "godot4.0", "pandemonium4", "pandemonium5")))
    head = _word(line.type_number("Array")) + _word(1)
    data = head * random.randrange(1025, 1400) + _word(2) + _word(random.randrange(1000))
    return Case(Cause.TOO_DEEP, data, b"", Choice(line), only_note=True)


def too_large(random: Random) -> Case | None:
    line = load(random.choice(("godot3", "godot4")))
    number = line.type_number("PoolByteArray" if line.key == "godot3" else "PackedByteArray")
    size = (8 << 20) + 4 * random.randrange(1, 1 << 16)
    data = _word(number) + _word(size) + bytes(size)
    return Case(Cause.TOO_LARGE, data, b"", Choice(line, None, FramingKind.BARE), only_note=True)


def newer_feature(random: Random) -> Case | None:
    value: Value = random.choice([value for value in material.values() if value.dialect.key == "godot4"])
    table = value.table
    if not any(table.header(n) >> 16 & 0xF and n in material.collections(value) for n in table.nodes):
        return None
    return Case(Cause.NEWER_FEATURE, value.data, b"", Choice(value.dialect), only_note=True)


DAMAGES: dict[Cause, Damage] = {
    cause: globals()[cause.slug.replace("-", "_")] for cause in Cause if cause is not Cause.END_MISSING
}
"""How each cause comes about."""
