"""Retelling: the ways to read one text that an encoder with a habit wrote, and how an engine would have written it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from viewer.document.doctor.habits import Habit, right_fill
from viewer.document.doctor.part import Raw
from viewer.document.doctor.patch import Patch, Patches, word

MOST_TEXT = 1 << 16
BREAKS = "\n\t\r"


class Unlike(Exception):
    """The bytes are not what such an encoder writes."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One way to read a text.

    Args:
        end: where what follows begins.
        patches: what makes it right.
        spares: whether it is right as it is, although the habit would have written it otherwise.
    """

    end: int
    patches: Patches = ()
    spares: bool = False


class Reading(Protocol):
    """What is being read."""

    data: Raw
    size: int
    habit: Habit
    is_fill_judged: bool


def tellings(reading: Reading, at: int, length: int, closed: bool) -> Iterator[Telling]:
    """The ways to read the text whose length stands at *at*, the likeliest first."""
    habit, body = reading.habit, at + 4
    if habit.changes_text(closed):
        changed = _changed(reading, at, length, closed)
        if changed is not None:
            yield changed
        if _is_right(reading, body, length) and not (changed is not None and habit.is_certain):
            yield from fills(reading, body, length, spares=changed is not None)
    elif _is_right(reading, body, length):
        yield from fills(reading, body, length)


def _is_right(reading: Reading, body: int, length: int) -> bool:
    raw = reading.data[body : body + length]
    return len(raw) == length <= MOST_TEXT and _is_utf8(raw)


def _changed(reading: Reading, at: int, length: int, closed: bool) -> Telling | None:
    """The text as the habit wrote it, None where that makes no difference or no sense."""
    habit, body = reading.habit, at + 4
    size = _size_of(reading, length, body, closed)
    raw = reading.data[body : body + size]
    if len(raw) != size or size > MOST_TEXT:
        return None
    new = _retold(habit, raw, closed)
    if new is None or (new == raw and size == length):
        return None
    fill = (habit.fill or right_fill)(length if habit.characters and habit.units == 0 else size)
    end = body + size + fill
    if end > reading.size or any(reading.data[body + size : end]):
        return None
    patches = (word(at, len(new)), Patch(body, size + fill, new + bytes(right_fill(len(new)))))
    return Telling(end, patches)


def _retold(habit: Habit, raw: bytes, closed: bool) -> bytes | None:
    """The text as an engine would have written it, None where it is none."""
    if habit.nul < 0:
        return raw + b"\0" if raw and raw[-1] and _is_utf8(raw) else None
    if habit.nul and not closed:
        return raw[:-1] if raw.find(b"\0") == len(raw) - 1 > 0 and _is_utf8(raw) else None
    if habit.coding == "utf-8":
        return raw if _is_utf8(raw) else None
    if _is_utf8(raw) and (habit.coding == "latin-1" or 0 not in raw):
        return None
    try:
        shown = raw.decode(habit.coding)
    except UnicodeDecodeError:
        return None
    plain = all(sign.isprintable() or sign in BREAKS for sign in shown.rstrip("\0"))
    return shown.encode() if plain else None


def _size_of(reading: Reading, length: int, body: int, closed: bool) -> int:
    """How many bytes a text takes whose length says *length*."""
    habit = reading.habit
    if length > reading.size:
        raise Unlike
    if not habit.characters:
        return length * max(1, habit.units)
    at = body
    for _ in range(length):
        lead = reading.data[at]
        at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    return at - body


def fills(reading: Reading, body: int, size: int, spares: bool = False) -> Iterator[Telling]:
    """The ways to read the fill behind *size* bytes that are right; the longest that is all zeros first."""
    right, end = right_fill(size), body + size
    usual = (reading.habit.fill or right_fill)(size)
    for there in sorted({right, usual}, reverse=True):
        stop = end + there
        judged = there != right or (reading.is_fill_judged and (spares or usual != right))
        if stop > reading.size or (judged and any(reading.data[end:stop])):
            continue
        patches = (Patch(end, there, bytes(right)),) if there != right else ()
        yield Telling(stop, patches, spares or (there == right and usual != right))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
