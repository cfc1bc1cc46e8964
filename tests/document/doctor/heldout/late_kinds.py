"""Late kinds: mistakes of encoders, copying and channels that were written down when the search stood as it does.

They were cut into halves by dice before the doctor had seen a case of them; of :data:`UNSEEN` no case was looked at.
"""

from __future__ import annotations

import base64
from random import Random
from struct import pack

from document.doctor.heldout.encoders import written
from document.doctor.heldout.made import LINES, Made, Maker, source, word
from document.doctor.heldout.strip import LOST, Strip, damaged
from document.doctor.heldout.writer import Writer

from viewer.variant.dialect import TypeRow
from viewer.variant.value import Array

UNSEEN: frozenset[str] = frozenset(
    {
        "chunk-twice-next-lost",
        "decimal-grid",
        "download-filled-with-zeros",
        "floats-with-halves-swapped",
        "line-feeds-as-crlf-from-there",
        "repeated-keys-as-references",
    }
)
"""The half that only judges."""
WITH_FLAG = tuple(line for line in LINES if line != "godot2")
REFERENCE = 1 << 31
SECTOR = 256


# Encoders


class RepeatedKeysAsReferences(Writer):
    """A key that stood before is told by its number, as formats with a table of names do."""

    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        known: dict[str, int] = self.__dict__.setdefault("known", {})
        if is_key and text in known:
            self.header(row)
            self.mark(self.word(REFERENCE | known[text]))
            return
        known.setdefault(text, len(known))
        super().string(row, text, is_key)


class FloatsWithHalvesSwapped(Writer):
    """Floats as registers of 16 bits have them, the upper one first."""

    def real(self, row: TypeRow, data: float) -> None:
        self.header(row)
        self.put(self._swapped(data))

    def reals(self, row: TypeRow, data: tuple[float, ...]) -> None:  # type: ignore[override]
        self.header(row)
        self.put(b"".join(map(self._swapped, data)))

    def _swapped(self, data: float) -> bytes:
        raw = pack("<f", data)
        return raw[2:] + raw[:2]


class OneHeaderForAllElements(Writer):
    """An array has the header of its elements once, where these are of one type."""

    def array(self, row: TypeRow, data: Array) -> None:
        self.head(row, len(data.elements))
        starts = []
        for index, element in enumerate(data.elements):
            starts.append(len(self.out))
            self.element_value(index, element)
        heads = {bytes(self.out[start : start + 4]) for start in starts}
        if len(heads) == 1:
            for start in reversed(starts[1:]):
                self._take_out(start)

    def _take_out(self, start: int) -> None:
        """Take a header out; what was written behind it moves."""
        del self.out[start : start + 4]
        for places in (self.words, self.leaves):
            some = [(a, b) for a, b in places if not a <= start < b]
            places[:] = [(a - 4, b - 4) if a > start else (a, b) for a, b in some]


class CountIsCapacity(Writer):
    """What a hash map or list has room for is written for what is in it."""

    def head(self, row: TypeRow, count: int) -> None:
        super().head(row, 1 << (count - 1).bit_length() if count else 0)


CAUSES: dict[str, type[Writer]] = {
    "repeated-keys-as-references": RepeatedKeysAsReferences,
    "floats-with-halves-swapped": FloatsWithHalvesSwapped,
    "one-header-for-all-elements": OneHeaderForAllElements,
    "count-is-capacity": CountIsCapacity,
}
"""The mistakes of encoders by name."""


def _maker(writer: type[Writer]) -> Maker:
    def make(random: Random) -> Made | None:
        some = source(random, lines=WITH_FLAG)
        data, leaves = written(some, writer)
        return None if data == some.data else Made(data, some, leaves)

    return make


def _offsets(random: Random) -> Made | None:
    """Where the next value begins is written for how long one is, as chunked files do it."""
    some = source(random, framed=True)
    data, leaves, at = b"", [], 0
    for payload in some.payloads:
        start = len(data) + 4
        leaves += [(a, b) for a, b in some.leaves if start <= a < start + len(payload)]
        data += word(start + len(payload)) + payload
        at = start
    return Made(data, some, tuple(leaves)) if at > 4 else None


# Copies


def _crlf_from_there(random: Random, strip: Strip) -> None:
    """What was put behind the first part went through a file in text mode."""
    some = bytes(strip.data)
    at = random.randrange(len(some) // 4, 3 * len(some) // 4)
    for place in reversed([k for k in range(at, len(some)) if some[k] == 10]):
        strip.replace(place, 0, b"\r")


def _filled_with_zeros(random: Random, strip: Strip) -> bool:
    """Room was made for the whole file, and the end of it never came."""
    at = SECTOR * random.randrange(1, len(strip) // SECTOR)
    strip.replace(at, len(strip) - at, bytes(len(strip) - at))
    return LOST


def _chunk_twice(random: Random, strip: Strip) -> bool:
    """A chunk came again in place of the next one."""
    size = random.choice((64, 128, 256))
    at = size * random.randrange(0, len(strip) // size - 1)
    strip.replace(at + size, size, bytes(strip.data[at : at + size]))
    return LOST


def _cut_at_ctrl_z(random: Random, strip: Strip) -> bool:
    """A file was read in text mode, where byte 26 is its end."""
    at = strip.data.find(0x1A, 24)
    if at > 0:
        strip.keep([(0, at)])
    return LOST


def _number_inserted(random: Random, strip: Strip) -> None:
    """Hands in a hex editor that inserts, where a number was to be written over."""
    kinds = {strip.source.dialect.type_number(name) for name in ("int", "float", "real") if _has(strip, name)}
    some = [(a, b) for a, b in strip.source.leaves if b - a == 8 and strip.data[a] in kinds]
    if some:
        end = random.choice(some)[1]
        strip.replace(end - 4, 0, pack("<I", random.randrange(1, 1000)))


def _has(strip: Strip, name: str) -> bool:
    return name in strip.source.dialect.by_name


# Channels of text


def _grid(random: Random) -> Made:
    """Bytes as a library for arrays prints them."""
    some = source(random, framed=False)
    rows = [some.data[at : at + 18] for at in range(0, len(some.data), 18)]
    lines = [" ".join(f"{byte:3}" for byte in row) for row in rows]
    return Made(("[" + "\n ".join(lines) + "]\n").encode(), some, tuple(some.leaves))


def _pieces(random: Random) -> Made | None:
    """Each piece was encoded by itself, with its own fill."""
    some = source(random, framed=False, least=60)
    size = random.choice((32, 50, 100))
    pieces = [some.data[at : at + size] for at in range(0, len(some.data), size)]
    text = b"".join(map(base64.b64encode, pieces))
    return None if text == base64.b64encode(some.data) else Made(text, some, tuple(some.leaves))


MAKERS: dict[str, Maker] = {
    **{name: _maker(writer) for name, writer in CAUSES.items()},
    "prefix-is-offset-of-next": _offsets,
    "line-feeds-as-crlf-from-there": damaged(_crlf_from_there, 300),
    "download-filled-with-zeros": damaged(_filled_with_zeros, 600),
    "chunk-twice-next-lost": damaged(_chunk_twice, 400),
    "cut-at-ctrl-z": damaged(_cut_at_ctrl_z, 200),
    "number-inserted-not-over": damaged(_number_inserted),
    "decimal-grid": _grid,
    "base64-pieces-joined": _pieces,
}
"""The kinds by name."""
