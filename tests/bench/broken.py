"""Broken bytes of any size, by shape: the same bytes for the same size, made without an engine.

As a command: the shape (``sound`` for none), its bytes, and the file to write.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random

SAVED = Path(__file__).resolve().parent.parent / "data" / "godot3" / "files" / "medium_1mb.save"
PREFIX = 4
NIL, INT, STRING, DICTIONARY, ARRAY, STRINGS = 0, 2, 4, 18, 19, 23
PACKED = range(20, 28)
RAW = PACKED[0]
HEADS = 16
"""Bytes that the heads of two collections take."""
MOST = 0x7FFFFFFF
RARE = 10_000
"""Of so many bytes one is overwritten in data that is nearly valid."""


def sound(size: int) -> bytes:
    """An array of a real save, again and again, and of as many bytes as are left."""
    save = SAVED.read_bytes()[PREFIX:]
    count = max(1, (size - HEADS) // len(save))
    rest = max(0, size - HEADS - count * len(save))
    filled = struct.pack("<II", RAW, rest) + bytes(rest + 3 & ~3)
    return struct.pack("<II", ARRAY, count + 1) + save * count + filled


def noise(size: int) -> bytes:
    """Random bytes."""
    return Random(1).randbytes(size)


def nearly(size: int) -> bytes:
    """Saves in which one byte of ten thousand is another."""
    chance, data = Random(2), bytearray(sound(size))
    for _ in range(len(data) // RARE):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def one_place(size: int) -> bytes:
    """Saves with eight bytes overwritten in the middle."""
    data = bytearray(sound(size))
    at = len(data) // 2 & ~3
    data[at : at + 8] = Random(3).randbytes(8)
    return bytes(data)


def ones(size: int) -> bytes:
    """All bits set."""
    return b"\xff" * size


def zeros(size: int) -> bytes:
    """Nothing but zeros."""
    return bytes(size)


def largest_counts(size: int) -> bytes:
    """Heads of every type that counts, each with the largest count."""
    heads = b"".join(struct.pack("<II", kind, MOST) for kind in (DICTIONARY, ARRAY, *PACKED))
    return _filled(heads, size)


def wrong_counts(size: int) -> bytes:
    """An array of small values of every type that counts, each with a count that is one too large or too small."""
    small = []
    for k, kind in enumerate((DICTIONARY, ARRAY, *PACKED)):
        good = _small(kind)
        count = struct.unpack_from("<I", good, 4)[0] + (1 if k % 2 else -1)
        small.append(good[:4] + struct.pack("<I", count) + good[8:])
    piece = b"".join(small)
    count = size // len(piece)
    return struct.pack("<II", ARRAY, count * len(small)) + piece * count


def false_texts(size: int) -> bytes:
    """A string array whose count is one too large."""
    text = struct.pack("<I", 9) + b"chapter1\0" + bytes(3)
    count = size // len(text)
    return struct.pack("<II", STRINGS, count + 1) + text * count


def many_texts(size: int) -> bytes:
    """A string array whose count is twice too large."""
    data = false_texts(size)
    return data[:4] + struct.pack("<I", 2 * struct.unpack_from("<I", data, 4)[0]) + data[8:]


def deep(size: int) -> bytes:
    """Arrays of one in each other, and nothing in the innermost."""
    return _filled(struct.pack("<II", ARRAY, 1), size)


def tiny_frames(size: int) -> bytes:
    """Stored values of a few bytes, each broken: its text says it is longer than its frame."""
    return _filled(struct.pack("<IIII", 12, STRING, 40, 0x64636261), size)


def false_prefixes(size: int) -> bytes:
    """Behind one byte, lengths that all reach to the end, and behind each an array that promises as many values."""
    count = (size - 1) // 8
    lengths = (word for k in range(count) for word in (8 * (count - k) - 4, ARRAY))
    return b"\xff" + struct.pack(f"<{2 * count}I", *lengths)


def typed_levels(size: int) -> bytes:
    """Dictionaries in each other that say of what type their keys are, and never end."""
    return _filled(struct.pack("<III", 0x10000 | DICTIONARY, INT, 16), size)


def open_levels(size: int) -> bytes:
    """Dictionaries as the keys of each other, each of which waits for more."""
    return _filled(struct.pack("<II", DICTIONARY, 2), size)


def by_turns(size: int) -> bytes:
    """An array of small dictionaries, every second one with a type that there is not."""
    good = struct.pack("<IIII4sII", DICTIONARY, 1, STRING, 4, b"gold", INT, 42)
    bad = struct.pack("<IIII4sII", DICTIONARY, 1, STRING, 4, b"gold", 0x7E, 42)
    count = size // (len(good) + len(bad))
    return struct.pack("<II", ARRAY, 2 * count) + (good + bad) * count


def byte_lost(size: int) -> bytes:
    """Saves without the byte in the middle."""
    data = sound(size)
    return data[: len(data) // 2] + data[len(data) // 2 + 1 :]


def as_text(size: int) -> bytes:
    """Saves whose bytes above 127 became two each."""
    return sound(size).decode("latin-1").encode()


def swapped(size: int) -> bytes:
    """Saves with the bytes of each word the other way round."""
    words = array("I", sound(size))
    words.byteswap()
    return words.tobytes()


def framed(size: int) -> bytes:
    """One place overwritten, behind a length that is right."""
    data = one_place(size)
    return struct.pack("<I", len(data)) + data


def short_texts(size: int) -> bytes:
    """An array of short texts, the middle one with another length."""
    text = struct.pack("<II", STRING, 2) + b"ab\0\0"
    count = size // len(text)
    before = text * (count // 2)
    return struct.pack("<II", ARRAY, count) + before + text[:4] + b"\x09" + text[5:] + text * (count - count // 2 - 1)


def numbers(size: int) -> bytes:
    """An array of small numbers, the middle one of a type that there is not."""
    number = struct.pack("<II", INT, 7)
    count = size // len(number)
    before = number * (count // 2)
    return struct.pack("<II", ARRAY, count) + before + b"\x7e" + number[1:] + number * (count - count // 2 - 1)


def nulls(size: int) -> bytes:
    """An array of nulls whose count is one too large."""
    count = size // 4
    return struct.pack("<II", ARRAY, count + 1) + bytes(4 * count)


def _filled(piece: bytes, size: int) -> bytes:
    return (piece * (size // len(piece) + 1))[:size]


def _small(kind: int) -> bytes:
    """A value with a few elements."""
    if kind in (DICTIONARY, ARRAY):
        return struct.pack("<II", kind, 2) + struct.pack("<II", INT, 7) * (4 if kind == DICTIONARY else 2)
    if kind == STRINGS:
        return struct.pack("<II", kind, 2) + (struct.pack("<I", 4) + b"abc\0") * 2
    sizes = {20: 1, 21: 4, 22: 4, 24: 8, 25: 12, 26: 16, 27: 4}
    return struct.pack("<II", kind, 4) + bytes(range(1, 1 + 4 * sizes.get(kind, 4)))


SHAPES: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "random": ("random bytes", noise),
    "nearly": ("saves, one byte in 10 000 another", nearly),
    "one-place": ("saves, 8 bytes in one place others", one_place),
    "ff": ("all bits set", ones),
    "zeros": ("all zeros", zeros),
    "counts-max": ("every head with the largest count", largest_counts),
    "counts-off": ("every count one off", wrong_counts),
    "texts": ("string array, count one off", false_texts),
    "texts-twice": ("string array, count doubled", many_texts),
    "deep": ("arrays in arrays", deep),
    "typed-levels": ("typed dictionaries in each other", typed_levels),
    "open-levels": ("dictionaries as keys", open_levels),
    "frames": ("many tiny broken frames", tiny_frames),
    "prefixes": ("lengths that reach to the end", false_prefixes),
    "by-turns": ("every second value broken", by_turns),
    "lost": ("saves, a byte lost", byte_lost),
    "as-text": ("saves, made UTF-8", as_text),
    "swapped": ("saves, words swapped", swapped),
    "framed": ("one frame, 8 bytes in one place others", framed),
    "short-texts": ("short texts, a length wrong", short_texts),
    "numbers": ("numbers, one overwritten", numbers),
    "nulls": ("nulls, count one off", nulls),
}
"""What to break: in words, and what makes so many bytes of it."""


def main() -> None:
    """Write some to a file."""
    shape, size, target = sys.argv[1:]
    make = sound if shape == "sound" else SHAPES[shape][1]
    Path(target).write_bytes(make(int(size)))


if __name__ == "__main__":
    main()
