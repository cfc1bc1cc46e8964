"""Machines: what disks, networks and programs that take bytes for text do to them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from random import Random

from document.doctor.heldout.made import Made, Maker, Source, source, word
from document.doctor.heldout.strip import LOST, Damage, Strip, damaged

SEGMENT = 1460


def _block(random: Random, strip: Strip, size: int) -> int:
    """Where a whole block lies that is not the first."""
    return size * random.randrange(1, max(2, len(strip) // size))


# Disks


def _filled(size: int, byte: int) -> Damage:
    def damage(random: Random, strip: Strip) -> bool:
        at = _block(random, strip, size)
        end = min(len(strip), at + size)
        strip.replace(at, end - at, bytes([byte]) * (end - at))
        return LOST

    return damage


def _swapped(size: int) -> Damage:
    def damage(random: Random, strip: Strip) -> None:
        count = len(strip) // size
        one, other = sorted(random.sample(range(count), 2))
        order = list(range(count))
        order[one], order[other] = other, one
        strip.keep([*((size * k, size * k + size) for k in order), (size * count, len(strip))])

    return damage


def _repeated(size: int) -> Damage:
    def damage(random: Random, strip: Strip) -> None:
        at = _block(random, strip, size)
        strip.keep([(0, at), (at - size, at), (at, len(strip))])

    return damage


def _old_block(random: Random, strip: Strip) -> bool:
    """A block holds what another block holds."""
    at = _block(random, strip, 512)
    end = min(len(strip), at + 512)
    strip.replace(at, end - at, bytes(strip.data[: end - at]))
    return LOST


def _older_tail(random: Random, strip: Strip) -> None:
    older = source(random, framed=strip.source.framed, least=len(strip) + 200, lines=(strip.source.dialect.key,))
    strip.replace(len(strip), 0, older.data[len(strip) :])


def _full_buffer(random: Random, strip: Strip) -> None:
    size = next(size for size in (256, 1024, 4096, 8192, 1 << 20) if size > len(strip))
    strip.replace(len(strip), 0, bytes(size - len(strip)))


def _filled_buffer(random: Random, strip: Strip) -> None:
    size = -len(strip) % 256 or 256
    strip.replace(len(strip), 0, bytes([random.choice((0xCD, 0xFF, 0x20))]) * size)


def _cut(size: int) -> Damage:
    def damage(random: Random, strip: Strip) -> bool:
        strip.keep([(0, size)])
        return LOST

    return damage


def _cut_anywhere(random: Random, strip: Strip) -> bool:
    strip.keep([(0, random.randrange(len(strip) // 4, len(strip) - 1))])
    return LOST


def _start_lost(random: Random, strip: Strip) -> bool:
    strip.keep([(512, len(strip))])
    return LOST


def _overwritten(random: Random, strip: Strip) -> bool:
    size = random.randrange(6, 60)
    at = random.randrange(8, max(9, len(strip) - size))
    strip.replace(at, size, bytes(random.randrange(256) for _ in range(min(size, len(strip) - at))))
    return LOST


def _text_over(random: Random, strip: Strip) -> bool:
    message = b"ERROR: connection reset by peer (104)\n"
    at = random.randrange(8, max(9, len(strip) - len(message)))
    strip.replace(at, len(message), message[: len(strip) - at])
    return LOST


def _text_between(random: Random, strip: Strip) -> None:
    at = random.randrange(8, len(strip))
    strip.replace(at, 0, b"\nWARNING: save took 52 ms\n")


# Memory


def _flipped(count: int) -> Damage:
    """Bits are flipped in words that tell how bytes are read."""

    def damage(random: Random, strip: Strip) -> None:
        words = strip.source.words
        for start, _ in random.sample(words, min(count, len(words))):
            at = start + random.choice((0, 0, 0, 1, 2, 3))
            strip.replace(at, 1, bytes([strip.data[at] ^ 1 << random.randrange(8)]))

    return damage


def _flipped_prefix(random: Random, strip: Strip) -> None:
    strip.replace(1, 1, bytes([strip.data[1] ^ 1 << random.randrange(8)]))


def _bytes_changed(random: Random, strip: Strip, change: Callable[[int], int]) -> None:
    strip.replace(0, len(strip), bytes(change(byte) for byte in strip.data))


def _nibbles(random: Random, strip: Strip) -> None:
    _bytes_changed(random, strip, lambda byte: byte >> 4 | (byte & 15) << 4)


def _bits_backwards(random: Random, strip: Strip) -> None:
    _bytes_changed(random, strip, lambda byte: int(f"{byte:08b}"[::-1], 2))


def _inverted(random: Random, strip: Strip) -> None:
    _bytes_changed(random, strip, lambda byte: byte ^ 0xFF)


def _added(random: Random, strip: Strip) -> None:
    by = random.randrange(1, 256)
    _bytes_changed(random, strip, lambda byte: byte + by & 0xFF)


def _xor_four(random: Random, strip: Strip) -> None:
    key = bytes(random.randrange(1, 256) for _ in range(4))
    strip.replace(0, len(strip), bytes(byte ^ key[at % 4] for at, byte in enumerate(strip.data)))


def _backwards(random: Random, strip: Strip) -> None:
    strip.replace(0, len(strip), bytes(reversed(strip.data)))


def _words64(random: Random, strip: Strip) -> None:
    """All 64-bit words are swapped."""
    data = bytes(strip.data)
    strip.replace(0, len(strip), b"".join(data[at : at + 8][::-1] for at in range(0, len(data), 8)))


# Networks


def _segment(change: str) -> Damage:
    def damage(random: Random, strip: Strip) -> bool:
        a, b = SEGMENT, min(2 * SEGMENT, len(strip))
        stretches = {
            "lost": [(0, a), (b, len(strip))],
            "doubled": [(0, b), (a, len(strip))],
            "swapped": [(a, b), (0, a), (b, len(strip))],
        }[change]
        strip.keep(stretches)
        return change == "lost"

    return damage


def _two_mixed(random: Random, strip: Strip) -> None:
    """Another sender's bytes got between two pieces of these."""
    other = source(random, framed=False, lines=(strip.source.dialect.key,))
    at = 4 * random.randrange(2, len(strip) // 4)
    strip.replace(at, 0, other.data)


# Text


def _through(read: str, write: str = "utf-8") -> Damage:
    """Bytes were read as characters of one code page and written in another."""

    def damage(random: Random, strip: Strip) -> bool:
        table, lost = {}, False
        for byte in range(128, 256):
            text = bytes([byte]).decode(read, errors="replace")
            lost |= text == "\ufffd" and byte in strip.data
            table[byte] = text.encode(write, errors="replace")
        strip.translate(table)
        return lost

    return damage


def _translated(table: dict[int, bytes], lost: bool = False) -> Damage:
    def damage(random: Random, strip: Strip) -> bool:
        strip.translate(table)
        return lost

    return damage


def _trimmed(random: Random, strip: Strip) -> bool:
    size = len(strip.data.rstrip(b"\0\t\n\r "))
    strip.keep([(0, size)])
    return False


def _before(new: bytes) -> Damage:
    def damage(random: Random, strip: Strip) -> None:
        strip.replace(0, 0, new)

    return damage


def _behind(new: bytes) -> Damage:
    def damage(random: Random, strip: Strip) -> None:
        strip.replace(len(strip), 0, new)

    return damage


# Compressed


def _inside(some: Source, data: bytes, known: bool = True, leaves: bool = True) -> Made:
    return Made(data, some, tuple(some.leaves) if leaves else (), known)


def _gzip_end(random: Random) -> Made:
    some = source(random)
    return _inside(some, gzip.compress(some.data, mtime=0)[:-8])


def _gzip_cut(random: Random) -> Made:
    some = source(random, least=1500)
    data = gzip.compress(some.data, mtime=0)
    return _inside(some, data[: 3 * len(data) // 4], known=False, leaves=False)


def _gzip_sum(random: Random) -> Made:
    some = source(random)
    data = gzip.compress(some.data, mtime=0)
    return _inside(some, data[:-8] + bytes(byte ^ 0x55 for byte in data[-8:-4]) + data[-4:])


def _gzip_behind(random: Random) -> Made:
    some = source(random)
    return _inside(some, gzip.compress(some.data, mtime=0) + bytes(random.randrange(256) for _ in range(40)))


def _zlib_sum(random: Random) -> Made:
    some = source(random)
    data = zlib.compress(some.data)
    return _inside(some, data[:-4] + bytes(4))


def _zlib_size(random: Random) -> Made:
    some = source(random)
    return _inside(some, word(len(some.data)) + zlib.compress(some.data))


def _zlib_each(random: Random) -> Made:
    """Each stored value is compressed by itself behind its length."""
    some = source(random, framed=True)
    packed = [zlib.compress(payload) for payload in some.payloads]
    return _inside(some, b"".join(word(len(each)) + each for each in packed), leaves=False)


# Siblings


def _child_lost(random: Random, strip: Strip) -> bool:
    leaves = strip.source.leaves
    start, end = random.choice(leaves)
    strip.keep([(0, start), (end, len(strip))])
    return LOST


def _child_twice(random: Random, strip: Strip) -> None:
    leaves = strip.source.leaves
    some = random.randrange(len(leaves))
    strip.keep([(0, leaves[some][1]), leaves[some], (leaves[some][1], len(strip))])


def _children_joined(random: Random, strip: Strip) -> bool:
    """The head of one value and the rest of a later one."""
    leaves = strip.source.leaves
    index = random.randrange(len(leaves) - 1)
    strip.keep([(0, leaves[index][0] + 4), (leaves[index + 1][1] - 4, len(strip))])
    return LOST


MAKERS: dict[str, Maker] = {
    "sector-of-zeros-512": damaged(_filled(512, 0), 1600),
    "sector-of-ones-512": damaged(_filled(512, 0xFF), 1600),
    "sector-of-zeros-4096": damaged(_filled(4096, 0), 9000),
    "blocks-swapped-512": damaged(_swapped(512), 1600),
    "block-repeated-512": damaged(_repeated(512), 1600),
    "block-of-another-place": damaged(_old_block, 1600),
    "tail-of-older-save": damaged(_older_tail),
    "buffer-filled-with-zeros": damaged(_full_buffer),
    "buffer-filled-with-constant": damaged(_filled_buffer),
    "cut-at-512": damaged(_cut(512), 700),
    "cut-at-4096": damaged(_cut(4096), 4400),
    "cut-anywhere": damaged(_cut_anywhere),
    "start-lost-512": damaged(_start_lost, 1600),
    "range-overwritten": damaged(_overwritten, 200),
    "message-written-over": damaged(_text_over, 200),
    "message-written-between": damaged(_text_between, 100),
    "one-bit-flip-in-words": damaged(_flipped(1)),
    "three-bits-flipped": damaged(_flipped(3), 300),
    "bit-flip-in-prefix": damaged(_flipped_prefix, 0, True),
    "nibbles-swapped": damaged(_nibbles),
    "bits-backwards": damaged(_bits_backwards),
    "bytes-inverted": damaged(_inverted),
    "number-added-to-bytes": damaged(_added),
    "xor-four-bytes": damaged(_xor_four),
    "bytes-backwards": damaged(_backwards),
    "words64-swapped": damaged(_words64),
    "segment-lost": damaged(_segment("lost"), 4400),
    "segment-doubled": damaged(_segment("doubled"), 4400),
    "segments-swapped": damaged(_segment("swapped"), 4400),
    "other-packet-between": damaged(_two_mixed, 100, False),
    "code-page-437": damaged(_through("cp437")),
    "code-page-koi8": damaged(_through("koi8-r")),
    "code-page-1251": damaged(_through("cp1251")),
    "latin-1-as-utf16": damaged(_through("latin-1", "utf-16-le")),
    "question-marks": damaged(_translated(dict.fromkeys(range(128, 256), b"?"), lost=True)),
    "high-bytes-dropped": damaged(_translated(dict.fromkeys(range(128, 256), b""), lost=True)),
    "controls-dropped": damaged(_translated(dict.fromkeys(range(1, 32), b""), lost=True)),
    "nuls-as-spaces": damaged(_translated({0: b" "}, lost=True)),
    "nuls-as-c080": damaged(_translated({0: b"\xc0\x80"})),
    "line-feeds-as-returns": damaged(_translated({10: b"\r"}, lost=True), 600),
    "line-feeds-dropped": damaged(_translated({10: b""}, lost=True), 600),
    "tabs-as-spaces": damaged(_translated({9: b"    "}), 300),
    "line-feeds-as-crlf-twice": damaged(_translated({10: b"\r\r\n"}), 600),
    "blanks-trimmed": damaged(_trimmed),
    "utf8-mark-before": damaged(_before(b"\xef\xbb\xbf")),
    "line-feed-behind": damaged(_behind(b"\n")),
    "every-byte-as-utf16": damaged(_translated({byte: bytes([byte, 0]) for byte in range(256)})),
    "gzip-without-end": _gzip_end,
    "gzip-cut": _gzip_cut,
    "gzip-sum-wrong": _gzip_sum,
    "gzip-with-bytes-behind": _gzip_behind,
    "zlib-sum-wrong": _zlib_sum,
    "zlib-behind-size": _zlib_size,
    "zlib-each-value": _zlib_each,
    "child-lost": damaged(_child_lost, 100),
    "child-twice": damaged(_child_twice, 100),
    "children-joined": damaged(_children_joined, 100),
}
"""The kinds by name."""
