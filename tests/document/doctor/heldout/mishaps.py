"""Mishaps: what hands in hex editors, transports, storage and channels of text do, beside the machines' damage."""

from __future__ import annotations

import base64
from collections.abc import Callable
from random import Random
from struct import pack

from document.doctor.heldout.encoders import BoolByteAndNullByte, PackedInt16, TextPaddedTo8, written
from document.doctor.heldout.made import Leaf, Made, Maker, Source, source, word
from document.doctor.heldout.strip import LOST, Damage, Strip, damaged
from document.doctor.heldout.writer import Writer

ROW = 16


def _rows(strip: Strip) -> int:
    return len(strip) // ROW


# Hands in hex editors


def _row_deleted(random: Random, strip: Strip) -> bool:
    at = ROW * random.randrange(1, _rows(strip))
    strip.keep([(0, at), (at + ROW, len(strip))])
    return LOST


def _row_twice(random: Random, strip: Strip) -> None:
    at = ROW * random.randrange(1, _rows(strip))
    strip.keep([(0, at), (at - ROW, at), (at, len(strip))])


def _rows_swapped(random: Random, strip: Strip) -> None:
    at = ROW * random.randrange(1, _rows(strip))
    strip.keep([(0, at - ROW), (at, at + ROW), (at - ROW, at), (at + ROW, len(strip))])


def _pasted_between(random: Random, strip: Strip) -> None:
    """Bytes of one place are pasted at another between the others."""
    size, at = random.randrange(6, 40), random.randrange(8, len(strip) - 8)
    start = random.randrange(0, max(1, len(strip) - size))
    strip.replace(at, 0, bytes(strip.data[start : start + size]))


def _pasted_over(random: Random, strip: Strip) -> bool:
    size, at = random.randrange(6, 24), random.randrange(8, len(strip) - 24)
    start = random.randrange(0, max(1, len(strip) - size))
    strip.replace(at, size, bytes(strip.data[start : start + size]))
    return LOST


def _moved(random: Random, strip: Strip) -> None:
    size = 4 * random.randrange(2, 9)
    one, other = sorted(4 * random.randrange(1, len(strip) // 4) for _ in range(2))
    if other - one < size:
        return
    strip.keep([(0, one), (one + size, other), (one, one + size), (other, len(strip))])


def _digit_lost(random: Random, strip: Strip) -> bool:
    """One digit of a hex text is lost: all behind it moves by half a byte."""
    text, at = strip.data.hex(), random.randrange(16, 2 * len(strip) - 16)
    new = bytes.fromhex(text[:at] + text[at + 1 :] + "0")
    strip.replace(at // 2, len(strip) - at // 2, new[at // 2 :])
    return LOST


def _words(strip: Strip) -> list[Leaf]:
    """Words that tell how the bytes are read, and that are others from the last byte to the first."""
    some = strip.data
    return [(a, b) for a, b in strip.source.words if some[a:b] != some[a:b][::-1] and a > 3]


def _one_word_swapped(random: Random, strip: Strip) -> None:
    some = _words(strip)
    if some:
        start, end = random.choice(some)
        strip.replace(start, end - start, bytes(strip.data[start:end][::-1]))


def _word_zeroed(random: Random, strip: Strip) -> None:
    some = _words(strip)
    if some:
        start, end = random.choice(some)
        strip.replace(start, end - start, bytes(end - start))


def _word_of_ones(random: Random, strip: Strip) -> None:
    some = _words(strip)
    if some:
        start, end = random.choice(some)
        strip.replace(start, end - start, b"\xff" * (end - start))


def _word_doubled(random: Random, strip: Strip) -> None:
    start, end = random.choice(_words(strip) or strip.source.words)
    strip.keep([(0, end), (start, end), (end, len(strip))])


def _word_lost(random: Random, strip: Strip) -> None:
    start, end = random.choice(_words(strip) or strip.source.words)
    strip.keep([(0, start), (end, len(strip))])


def _texts(some: Source) -> list[tuple[int, int]]:
    """Where texts of values lie that are not empty, and how long they are."""
    data, string = some.data, some.dialect.type_number("String")
    found = []
    for start, _ in some.leaves:
        if int.from_bytes(data[start : start + 4], "little") == string:
            size = int.from_bytes(data[start + 4 : start + 8], "little")
            if size > 4:
                found.append((start + 8, size))
    return found


def _with_text(some: Source, at: int, size: int, new: bytes) -> bytes:
    """The bytes where another text, with its length and fill, takes the place of one; lengths of frames follow."""
    data = some.data
    end = at + size + -size % 4
    made = data[: at - 4] + word(len(new)) + new + bytes(-len(new) % 4) + data[end:]
    grown = len(made) - len(data)
    if not some.framed or not grown:
        return made
    start = 0
    for payload in some.payloads:
        if start < at < start + 4 + len(payload):
            return made[:start] + word(len(payload) + grown) + made[start + 4 :]
        start += 4 + len(payload)
    return made


def _text_changed(change: Callable[[Random, bytes], bytes]) -> Maker:
    """A text is typed anew, and nothing else is put right."""

    def make(random: Random) -> Made | None:
        some = source(random)
        texts = _texts(some)
        if not texts:
            return None
        at, size = random.choice(texts)
        new = change(random, some.data[at : at + size])
        strip = Strip(some)
        strip.replace(at, size, new)
        return strip.made(also=(_with_text(some, at, size, new),))

    return make


def _longer(random: Random, text: bytes) -> bytes:
    return text + b"abcdefghi jkl"[: random.randrange(1, 13)]


def _shorter(random: Random, text: bytes) -> bytes:
    return text[: -random.randrange(1, len(text) - 1)] if text.isascii() and len(text) > 2 else text


def _value_over_header(random: Random, strip: Strip) -> None:
    """A new number of an int is written over its header."""
    number = strip.source.dialect.type_number("int")
    some = [start for start, end in strip.source.leaves if strip.data[start] == number and end - start == 8]
    if some:
        strip.replace(random.choice(some), 4, word(random.randrange(100, 9999)))


def _lengths_off(random: Random, strip: Strip) -> None:
    """Two texts, each with a length that is one off."""
    some = _texts(strip.source)
    if len(some) > 1:
        for at, size in random.sample(some, 2):
            strip.replace(at - 4, 4, word(size + random.choice((-1, 1))))


def _lost_and_put_in(random: Random, strip: Strip) -> bool:
    first, second = sorted(random.randrange(8, len(strip) - 4) for _ in range(2))
    strip.replace(second, 0, b"?")
    strip.replace(first, 1, b"")
    return LOST


# Transports


def _garbage_between(random: Random, strip: Strip) -> None:
    at = random.randrange(8, len(strip) - 4)
    strip.replace(at, 0, random.randbytes(random.randrange(5, 17)))


def _run_lost(random: Random, strip: Strip) -> bool:
    size = random.randrange(4, 17)
    at = random.randrange(8, len(strip) - size)
    strip.keep([(0, at), (at + size, len(strip))])
    return LOST


def _run_overwritten(random: Random, strip: Strip) -> bool:
    size = random.randrange(3, 13)
    strip.replace(random.randrange(8, len(strip) - size), size, random.randbytes(size))
    return LOST


def _chunked(random: Random, strip: Strip) -> None:
    """As HTTP sends what it does not know the length of."""
    size, data = random.choice((64, 128, 256)), bytes(strip.data)
    starts = range(0, len(data), size)
    for at in reversed(starts):
        end = min(len(data), at + size)
        strip.replace(end, 0, b"\r\n")
        strip.replace(at, 0, f"{end - at:x}\r\n".encode())
    strip.replace(len(strip), 0, b"0\r\n\r\n")


def _counted_pieces(random: Random, strip: Strip) -> None:
    size = random.choice((32, 62, 63, 64))
    for count, at in reversed(list(enumerate(range(0, len(strip), size)))):
        strip.replace(at, 0, bytes([count & 0xFF]))


def _piece_headers(random: Random, strip: Strip) -> None:
    """Each piece stands behind its number and its length, as two words of two bytes."""
    size, total = random.choice((128, 200, 256)), len(strip)
    for count, at in reversed(list(enumerate(range(0, total, size)))):
        strip.replace(at, 0, pack("<HH", count, min(size, total - at)))


def _escaped(table: dict[int, bytes], before: bytes = b"", behind: bytes = b"") -> Damage:
    def damage(random: Random, strip: Strip) -> None:
        strip.translate(table)
        strip.replace(len(strip), 0, behind)
        strip.replace(0, 0, before)

    return damage


def _cobs(random: Random, strip: Strip) -> None:
    out = bytearray()
    for piece in bytes(strip.data).split(b"\0"):
        while len(piece) >= 254:
            out += b"\xff" + piece[:254]
            piece = piece[254:]
        out += bytes([len(piece) + 1]) + piece
    strip.replace(0, len(strip), bytes(out) + b"\0")


def _halves_swapped(random: Random, strip: Strip) -> None:
    half = len(strip) // 8 * 4
    strip.keep([(half, len(strip)), (0, half)])


def _rotated(random: Random, strip: Strip) -> None:
    at = random.randrange(8, len(strip) - 8)
    strip.keep([(at, len(strip)), (0, at)])


def _bits_moved(random: Random, strip: Strip) -> None:
    """A serial line slips by one bit."""
    size = len(strip)
    new = (int.from_bytes(strip.data, "big") << 1).to_bytes(size + 1, "big")
    strip.replace(0, size, new[1:] if not new[0] else new)


def _lost_each(random: Random, strip: Strip) -> bool:
    step = random.choice((64, 128, 256))
    for at in reversed(range(step, len(strip), step)):
        strip.replace(at, 1, b"")
    return LOST


def _planes(random: Random, strip: Strip) -> None:
    """First all even bytes, then all odd ones."""
    strip.replace(0, len(strip), bytes(strip.data[::2] + strip.data[1::2]))


# Streams


def _frames(make: Callable[[Random, list[bytes]], list[bytes]], known: bool = True) -> Maker:
    """Bytes of stored values, each of which still lies behind its length, in pieces."""

    def make_one(random: Random) -> Made | None:
        some = source(random, framed=True)
        if len(some.payloads) < 3:
            return None
        data = b"".join(make(random, [word(len(each)) + each for each in some.payloads]))
        strip = Strip(some)
        at = 0
        leaves = []
        for each in some.payloads:
            place = data.find(each)
            if place >= 0:
                leaves += [
                    (place + a - at - 4, place + b - at - 4) for a, b in some.leaves if at <= a < at + 4 + len(each)
                ]
            at += 4 + len(each)
        return Made(data, strip.source, tuple(sorted(set(leaves))), known)

    return make_one


def _first_without(random: Random, frames: list[bytes]) -> list[bytes]:
    return [frames[0][4:], *frames[1:]]


def _one_without(random: Random, frames: list[bytes]) -> list[bytes]:
    at = random.randrange(1, len(frames))
    return [*frames[:at], frames[at][4:], *frames[at + 1 :]]


def _frame_cut(random: Random, frames: list[bytes]) -> list[bytes]:
    at = random.randrange(0, len(frames) - 1)
    kept = random.randrange(8, max(9, len(frames[at]) - 1))
    return [*frames[:at], frames[at][:kept], *frames[at + 1 :]]


def _lonely_length(random: Random, frames: list[bytes]) -> list[bytes]:
    at = random.randrange(1, len(frames))
    return [*frames[:at], word(4 * random.randrange(3, 90)), *frames[at:]]


def _empty_between(random: Random, frames: list[bytes]) -> list[bytes]:
    return [piece for frame in frames for piece in (frame, bytes(4))]


def _lengths_of_next(random: Random, frames: list[bytes]) -> list[bytes]:
    lengths = [frame[:4] for frame in frames]
    return [length + frame[4:] for length, frame in zip([*lengths[1:], lengths[0]], frames, strict=True)]


def _lengths_first(random: Random, frames: list[bytes]) -> list[bytes]:
    """All lengths, then all values."""
    return [*(frame[:4] for frame in frames), *(frame[4:] for frame in frames)]


def _length_of_all(random: Random, frames: list[bytes]) -> list[bytes]:
    total = word(sum(map(len, frames)))
    return [total, *frames]


def _count_first(random: Random, frames: list[bytes]) -> list[bytes]:
    return [word(len(frames)), *frames]


# Storage


def _head_zeroed(random: Random, strip: Strip) -> bool:
    strip.replace(0, 16, bytes(16))
    return LOST


def _heap_filled(random: Random, strip: Strip) -> bool:
    size = 8 * random.randrange(2, 9)
    at = 8 * random.randrange(1, max(2, (len(strip) - size) // 8))
    strip.replace(at, min(size, len(strip) - at), b"\xcd" * min(size, len(strip) - at))
    return LOST


def _pointer(random: Random, strip: Strip) -> bool:
    at = 8 * random.randrange(1, len(strip) // 8)
    strip.replace(at, 8, pack("<Q", 0x7F00_0000_0000 | random.randrange(1 << 36)))
    return LOST


def _sector_dropped(random: Random, strip: Strip) -> bool:
    at = 512 * random.randrange(1, len(strip) // 512)
    strip.keep([(0, at), (at + 512, len(strip))])
    return LOST


def _tail_first(random: Random, strip: Strip) -> None:
    """The last 256 bytes were written once more at the end, as by a retry."""
    strip.keep([(0, len(strip)), (len(strip) - 256, len(strip))])


# Channels of text


def _told(print_it: Callable[[bytes, Random], str], known: bool = True) -> Maker:
    def make(random: Random) -> Made:
        some = source(random, framed=False)
        return Made(print_it(some.data, random).encode(), some, tuple(some.leaves) if known else (), known)

    return make


def _gdb(data: bytes, random: Random) -> str:
    out, at = [], 0
    while at < len(data):
        end = at
        while end < len(data) and data[end] == data[at]:
            end += 1
        if end - at > 10:
            out.append(f"0x{data[at]:x} <repeats {end - at} times>")
            at = end
        else:
            out.append(f"0x{data[at]:x}")
            at += 1
    return "$1 = {" + ", ".join(out) + "}"


def _ocr(data: bytes, random: Random) -> str:
    return data.hex(" ").upper().replace("0", "O").replace("1", "l")


def _letter_dropped(data: bytes, random: Random) -> str:
    text = base64.b64encode(data).decode()
    at = random.randrange(8, len(text) - 8)
    return text[:at] + text[at + 1 :]


def _as_words(data: bytes, random: Random) -> str:
    data += bytes(-len(data) % 4)
    return "[" + ", ".join(str(int.from_bytes(data[at : at + 4], "little")) for at in range(0, len(data), 4)) + "]"


def _utf8_twice(random: Random, strip: Strip) -> None:
    strip.replace(0, len(strip), bytes(strip.data).decode("latin-1").encode().decode("latin-1").encode())


# Two at once


def _encoded_and(writer: type[Writer], more: Callable[[bytes, Random], bytes], known: bool = True) -> Maker:
    def make(random: Random) -> Made | None:
        some = source(random, framed=False)
        data, leaves = written(some, writer)
        if data == some.data:
            return None
        new = more(data, random)
        kept = tuple(leaf for leaf in leaves if new[: leaf[1]] == data[: leaf[1]])
        return Made(new, some, kept, known)

    return make


MAKERS: dict[str, Maker] = {
    "row-deleted": damaged(_row_deleted, 100),
    "row-twice": damaged(_row_twice, 100),
    "rows-swapped": damaged(_rows_swapped, 100),
    "pasted-between": damaged(_pasted_between, 100),
    "pasted-over": damaged(_pasted_over, 100),
    "stretch-moved": damaged(_moved, 100),
    "hex-digit-lost-from-there": damaged(_digit_lost, 100),
    "one-word-swapped": damaged(_one_word_swapped, 60),
    "one-word-zeroed": damaged(_word_zeroed, 60),
    "one-word-all-ones": damaged(_word_of_ones, 60),
    "one-word-doubled": damaged(_word_doubled, 60),
    "one-word-lost": damaged(_word_lost, 60),
    "text-made-longer": _text_changed(_longer),
    "text-made-shorter": _text_changed(_shorter),
    "number-over-header": damaged(_value_over_header, 60),
    "two-lengths-off": damaged(_lengths_off, 120),
    "byte-lost-byte-put-in": damaged(_lost_and_put_in, 60),
    "garbage-between": damaged(_garbage_between, 60),
    "run-lost": damaged(_run_lost, 80),
    "run-overwritten": damaged(_run_overwritten, 80),
    "http-chunked": damaged(_chunked, 150),
    "counter-before-pieces": damaged(_counted_pieces, 150),
    "piece-headers": damaged(_piece_headers, 300),
    "slip-escaped": damaged(_escaped({0xC0: b"\xdb\xdc", 0xDB: b"\xdb\xdd"}, b"\xc0", b"\xc0")),
    "hdlc-escaped": damaged(_escaped({0x7E: b"\x7d\x5e", 0x7D: b"\x7d\x5d", 0: b"\x7d\x20"}, b"\x7e", b"\x7e")),
    "ff-doubled": damaged(_escaped({0xFF: b"\xff\xff"}), 400),
    "zeros-as-digits": damaged(_escaped({0: b"0"})),
    "control-pictures": damaged(_escaped({byte: chr(0x2400 + byte).encode() for byte in range(32)})),
    "cobs": damaged(_cobs),
    "halves-swapped": damaged(_halves_swapped, 60),
    "rotated": damaged(_rotated, 60),
    "bits-moved-by-one": damaged(_bits_moved),
    "byte-lost-in-steps": damaged(_lost_each, 300),
    "even-then-odd-bytes": damaged(_planes, 60),
    "first-length-lost": _frames(_first_without),
    "one-length-lost": _frames(_one_without),
    "frame-cut-amid": _frames(_frame_cut, known=False),
    "lonely-length": _frames(_lonely_length),
    "empty-frames-between": _frames(_empty_between),
    "lengths-of-next": _frames(_lengths_of_next),
    "lengths-first": _frames(_lengths_first),
    "length-of-all-before": _frames(_length_of_all),
    "count-of-values-before": _frames(_count_first),
    "head-zeroed": damaged(_head_zeroed, 100),
    "range-of-cd": damaged(_heap_filled, 200),
    "pointer-over": damaged(_pointer, 100),
    "sector-dropped": damaged(_sector_dropped, 1600),
    "tail-written-again": damaged(_tail_first, 600),
    "gdb-repeats": _told(_gdb),
    "hex-by-ocr": _told(_ocr),
    "base64-letter-dropped": _told(_letter_dropped, known=False),
    "list-of-words": _told(_as_words),
    "made-utf8-twice": damaged(_utf8_twice, 100),
    "bool-byte-and-cut": _encoded_and(
        BoolByteAndNullByte, lambda data, random: data[: random.randrange(len(data) // 2, len(data) - 4)], known=False
    ),
    "padded-to-8-in-base64": _encoded_and(TextPaddedTo8, lambda data, random: base64.b64encode(data)),
    "packed-16-and-garbage-behind": _encoded_and(
        PackedInt16, lambda data, random: data + random.randbytes(random.randrange(5, 30))
    ),
}
"""The kinds by name."""
