"""Damage to texts: lengths, fill and encodings."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from document.doctor import material
from document.doctor.damage.case import Case, made, word
from document.doctor.material import Source, TextPlace, Value, reframed, source

from viewer.document.doctor import Cause
from viewer.document.doctor.candidate import Patch


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
    return made(cause, random, some, reframed(some, index, patches), **more)


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
    patches = [Patch(place.at, 4, word(place.length + by))]
    return made(Cause.LENGTH_OFF, random, some, reframed(some, index, patches))


def length_swapped(random: Random) -> Case | None:
    """The length of a text, highest byte first."""
    found = _texts(random, lambda p, raw: 0 < p.length < 1 << 24)
    if found is None:
        return None
    some, index, places = found
    place = random.choice(places)
    swapped = int.from_bytes(word(place.length), "big")
    return made(Cause.LENGTH_SWAPPED, random, some, reframed(some, index, [Patch(place.at, 4, word(swapped))]))


def length_counts_nul(random: Random) -> Case | None:
    def change(place: TextPlace, raw: bytes) -> Patch:
        new = raw + b"\0"
        return Patch(place.at, 4 + place.length + place.fill, word(len(new)) + new + bytes(-len(new) % 4))

    return _on_texts(random, Cause.LENGTH_COUNTS_NUL, lambda p, raw: not p.closed and p.length > 0, change)


def length_counts_characters(random: Random) -> Case | None:
    def change(place: TextPlace, raw: bytes) -> Patch:
        return Patch(place.at, 4, word(len(raw.decode())))

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
        return Patch(place.at, 4 + place.length + place.fill, word(len(new) // units) + new + bytes(-len(new) % 4))

    def wanted(place: TextPlace, raw: bytes) -> bool:
        return place.length > 0 and not place.closed and _has(raw, "utf-8")

    return _on_texts(random, Cause.TEXT_UTF16, wanted, change)


def text_latin1(random: Random) -> Case | None:
    def change(place: TextPlace, raw: bytes) -> Patch:
        new = raw.decode().encode("latin-1")
        return Patch(place.at, 4 + place.length + place.fill, word(len(new)) + new + bytes(-len(new) % 4))

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


def has_closed_texts(value: Value) -> bool:
    """Whether there are string arrays in it, with a text that is not empty."""
    return any(place.closed and place.length > 1 for place in material.text_places(value))


def nul_missing(random: Random) -> Case | None:
    some = source(random, wanted=has_closed_texts)
    index = random.choice([k for k, value in enumerate(some.values) if has_closed_texts(value)])
    value, patches = some.values[index], []
    for place in material.text_places(value):
        raw = value.data[place.start : place.end]
        if place.closed and len(raw) > 1 and raw.endswith(b"\0"):
            new = raw[:-1]
            size = 4 + place.length + place.fill
            patches.append(Patch(place.at, size, word(len(new)) + new + bytes(-len(new) % 4)))
    return made(Cause.NUL_MISSING, random, some, reframed(some, index, patches)) if patches else None
