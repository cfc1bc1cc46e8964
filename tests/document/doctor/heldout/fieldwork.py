"""Fieldwork: what people told of: encoders written anew, edits by hand, writers in each other's way."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from struct import pack

from document.doctor.heldout import ports
from document.doctor.heldout.made import Leaf, Made, Maker, Source, source, word
from document.doctor.heldout.ports import WITH_FLAG
from document.doctor.heldout.strip import LOST, Strip, damaged
from document.doctor.heldout.writer import Writer

from viewer.variant.dialect import FLAG_64, Dialect, TypeRow
from viewer.variant.encode import encode
from viewer.variant.value import Dictionary, Value

HELD_BACK: frozenset[str] = frozenset(
    {
        "all-as-bincode", "bit-stuck-in-each-word", "count-behind-elements", "double-over-float",
        "elements-share-one-header", "header-bytes-uninitialised", "hex-sign-extended",
        "json-of-typed-array", "keys-as-string-names-of-godot4", "math-ids-of-godot3", "nested-header-doubled",
        "node-path-without-mark", "padding-as-for-nul", "pair-removed-count-not", "payloads-big-endian",
        "powershell-redirected", "scalars-of-union-size", "sql-escaped", "text-edited-frame-length-not",
        "truncated-under-writer", "two-writers-in-turns", "websocket-masked", "zero-runs-squeezed",
        "zip-without-directory",
    }
)  # fmt: skip
"""Half of the kinds, chosen by coin: nothing may be learned from these."""


# Hands and programs that edit

Change = tuple[int, int, bytes]
"""At a place, in place of so many bytes, others."""


def _changed(some: Source, changes: Sequence[Change], lengths: bool = True) -> Strip:
    """The bytes with some changes; the lengths of stored values follow, unless they shall not."""
    strip, every, at = Strip(some), list(changes), 0
    if some.framed and lengths:
        for payload in some.payloads:
            end = at + 4 + len(payload)
            grown = sum(len(new) - size for place, size, new in changes if at + 4 <= place <= end)
            if grown:
                every.append((at, 4, word(len(payload) + grown)))
            at = end
    for place, size, new in sorted(every, reverse=True):
        strip.replace(place, size, new)
    return strip


def _right(some: Source, *changes: Change) -> tuple[bytes, ...]:
    return (bytes(_changed(some, changes).data),)


def _of_type(some: Source, name: str) -> list[Leaf]:
    """Where values of a type lie whose header has no flag."""
    header = word(some.dialect.type_number(name))
    return [(start, end) for start, end in some.leaves if some.data[start : start + 4] == header]


def _texts(some: Source) -> list[tuple[int, int]]:
    """Where texts lie that are not empty, and of how many bytes."""
    found = [
        (start + 8, int.from_bytes(some.data[start + 4 : start + 8], "little")) for start, _ in _of_type(some, "String")
    ]
    return [(at, size) for at, size in found if size]


class Places(Writer):
    """Where dictionaries and their pairs lie.

    Attributes:
        dictionaries: where the count lies, what it is, and where the last pair ends.
        pairs: where the count lies, what it is, and where the pair begins and ends.
    """

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.dictionaries: list[tuple[int, int, int]] = []
        self.pairs: list[tuple[int, int, int, int]] = []
        self.open: list[tuple[int, int]] = []

    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.open.append((len(self.out) + 4, len(data.pairs)))
        super().dictionary(row, data)
        self.dictionaries.append((*self.open.pop(), len(self.out)))

    def pair(self, key: Value, value: Value) -> None:
        start = len(self.out)
        super().pair(key, value)
        self.pairs.append((*self.open[-1], start, len(self.out)))


def _places(random: Random, some: Source) -> tuple[Places, int]:
    """The places in one of the values, and where that value begins."""
    chosen, at = random.randrange(len(some.values)), 0
    for payload in some.payloads[:chosen]:
        at += 4 + len(payload)
    found = Places(some.dialect)
    found.value(some.values[chosen])
    return found, at + (4 if some.framed else 0)


def _pair_added(random: Random) -> Made | None:
    some = source(random, least=100)
    places, at = _places(random, some)
    if not places.dictionaries:
        return None
    count_at, count, end = random.choice(places.dictionaries)
    new = encode(Value("String", random.choice(("cheats", "lives", "unlocked"))), some.dialect)
    new += encode(Value("int", random.randrange(1, 100)), some.dialect)
    added = (at + end, 0, new)
    return _changed(some, [added]).made(also=_right(some, added, (at + count_at, 4, word(count + 1))))


def _pair_removed(random: Random) -> Made | None:
    some = source(random, least=100)
    places, at = _places(random, some)
    if not places.pairs:
        return None
    count_at, count, start, end = random.choice(places.pairs)
    removed = (at + start, end - start, b"")
    right = _right(some, removed, (at + count_at, 4, word(count - 1)))
    return _changed(some, [removed]).made(known=False, also=right)


def _int_grown(random: Random) -> Made | None:
    """An editor writes a number that needs eight bytes, and leaves the header."""
    some = source(random, lines=WITH_FLAG)
    ints = _of_type(some, "int")
    if not ints:
        return None
    start, _ = random.choice(ints)
    grown = (start + 4, 4, pack("<q", random.choice((1 << 32, 9_999_999_999, random.randrange(1 << 31, 1 << 45)))))
    header = (start, 4, word(some.dialect.type_number("int") | FLAG_64))
    return _changed(some, [grown]).made(known=False, also=_right(some, header, grown))


def _frame_length_not(random: Random) -> Made | None:
    """A text, its length and its fill are changed, and not the length of the value that it is in."""
    some = source(random, framed=True)
    texts = _texts(some)
    if not texts:
        return None
    at, size = random.choice(texts)
    new = some.data[at : at + size] + b" of the old king"[: random.randrange(5, 17)]
    edited = (at - 4, 4 + size + -size % 4, word(len(new)) + new + bytes(-len(new) % 4))
    return _changed(some, [edited], lengths=False).made(known=False, also=_right(some, edited))


def _double_over_float(random: Random) -> Made | None:
    """A trainer takes a number for a longer one, and writes over what stands behind it."""
    some = source(random)
    floats = [start for start, end in _of_type(some, "float") if end + 4 <= len(some.data)]
    if not floats:
        return None
    double = (random.choice(floats) + 4, 8, pack("<d", random.choice((100.0, 9999.0, 0.25))))
    return _changed(some, [double], lengths=False).made(known=False)


def _nul_past_text(random: Random) -> Made | None:
    """A text that fills its place to the end is copied there with its zero."""
    some = source(random)
    ends = [at + size for at, size in _texts(some) if not size % 4 and at + size < len(some.data)]
    ends = [at for at in ends if some.data[at]]
    return _changed(some, [(random.choice(ends), 1, b"\0")], lengths=False).made() if ends else None


def _conflict(random: Random) -> Made | None:
    """A program that merges lines of text leaves both sides of what it cannot merge."""
    some = source(random)
    ints = _of_type(some, "int")
    if not ints:
        return None
    changed = (random.choice(ints)[0] + 4, 4, word(random.randrange(1, 99_999)))
    (theirs,) = _right(some, changed)
    mine, other = re.findall(rb"[^\n]*\n|[^\n]+$", some.data), re.findall(rb"[^\n]*\n|[^\n]+$", theirs)
    if mine == other:
        return None
    least = min(len(mine), len(other))
    before = next((k for k in range(least) if mine[k] != other[k]), least)
    behind = next((k for k in range(least - before) if mine[-1 - k] != other[-1 - k]), least - before)
    start, end = (sum(map(len, lines)) for lines in (mine[:before], mine[: len(mine) - behind]))
    side = b"".join(other[before : len(other) - behind])
    strip = Strip(some)
    ending = b"" if some.data[start:end].endswith(b"\n") else b"\n"
    last = b"" if side.endswith(b"\n") else b"\n"
    strip.replace(end, 0, ending + b"=======\n" + side + last + b">>>>>>> origin/main\n")
    strip.replace(start, 0, b"<<<<<<< HEAD\n")
    return strip.made(also=(theirs,))


# Writers in each other's way


def _in_turns(random: Random) -> Made | None:
    """Two programs append to one file, and each flushes when its buffer is full."""
    some = source(random, framed=True, least=150)
    other = source(random, framed=True, least=150, lines=(some.dialect.key,)).data
    size = random.choice((64, 100, 128))
    strip = Strip(some)
    starts = range(0, len(other), size)
    for at in reversed(starts):
        strip.replace(min(len(some.data), at + size), 0, other[at : at + size])
    return strip.made(also=(some.data + other, other + some.data))


def _truncated_under_writer(random: Random) -> Made | None:
    """A second program empties the file and writes; the first goes on where it was, and zeros fill the hole."""
    some = source(random, least=400)
    other = source(random, framed=some.framed, lines=(some.dialect.key,)).data
    at = random.randrange(200, len(some.data) - 60)
    strip = Strip(some)
    strip.replace(0, at, other[:at].ljust(at, b"\0"))
    return strip.made(known=False)


def _over_longer(random: Random) -> Made | None:
    """A shorter value is stored in the place of a longer one, whose end stays."""
    some = source(random, framed=True)
    frames = [word(len(each)) + each for each in some.payloads]
    pairs = [(a, b) for a, old in enumerate(frames) for b, new in enumerate(frames) if len(old) > len(new) + 8]
    if not pairs:
        return None
    old, new = random.choice(pairs)
    at, size = sum(map(len, frames[:old])), len(frames[old])
    strip = Strip(some)
    strip.replace(at, size, frames[new] + frames[old][len(frames[new]) :])
    return strip.made(known=False, also=(b"".join([*frames[:old], frames[new], *frames[old + 1 :]]),))


# Transports and storage


def _squeezed(random: Random, strip: Strip) -> bool:
    """Of zeros one behind another one stays."""
    data = bytes(strip.data)
    strip.keep([(at, at + 1) for at in range(len(data)) if data[at] or not at or data[at - 1]])
    return LOST


def _bad_utf8(random: Random, strip: Strip) -> bool:
    """A column of text takes what is before the first byte that is no text."""
    try:
        strip.data.decode()
    except UnicodeDecodeError as error:
        if error.start > 8:
            strip.keep([(0, error.start)])
    return LOST


def _begun_again(random: Random, strip: Strip) -> None:
    """A transfer broke, and the second one began anew behind what was there."""
    strip.keep([(0, random.randrange(8, len(strip) - 8) | 1), (0, len(strip))])


def _stuck(random: Random, strip: Strip) -> bool:
    """One line of a bus is always on, or always off."""
    size, bit, is_on = random.choice((2, 4)), 1 << random.randrange(8), random.random() < 0.5
    for at in range(random.randrange(size), len(strip), size):
        new = strip.data[at] | bit if is_on else strip.data[at] & ~bit
        if new != strip.data[at]:
            strip.replace(at, 1, bytes([new]))
    return LOST


def _sql(random: Random, strip: Strip) -> None:
    marks = {0: b"0", 10: b"n", 13: b"r", 26: b"Z", 34: b'"', 39: b"'", 92: b"\\"}
    strip.translate({byte: b"\\" + mark for byte, mark in marks.items()})


def _multipart(random: Random, strip: Strip) -> None:
    boundary = f"------------------------{random.randrange(1 << 64):016x}"
    name = random.choice(("save.dat", "slot1.sav", "state.bin"))
    strip.replace(len(strip), 0, f"\r\n--{boundary}--\r\n".encode())
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    strip.replace(0, 0, (head + "Content-Type: application/octet-stream\r\n\r\n").encode())


def _websocket(random: Random) -> Made:
    """Each value as a browser sends it, head and mask and all."""
    some = source(random)
    data = b""
    for payload in some.payloads:
        size, mask = len(payload), random.randbytes(4)
        data += bytes([0x82, 0x80 | size]) if size < 126 else b"\x82\xfe" + pack(">H", size)
        data += mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
    return Made(data, some, (), True, (b"".join(some.payloads),))


def _powershell(random: Random, strip: Strip) -> bool:
    """What one program wrote to another went through a shell that pipes text."""
    lines = re.split("\r\n|\r|\n", bytes(strip.data).decode("cp437"))
    strip.replace(0, len(strip), b"\xff\xfe" + "".join(f"{line}\r\n" for line in lines).encode("utf-16-le"))
    return len(lines) > 1


def _zip_cut(random: Random) -> Made:
    """A file of an archive that broke off before the directory at its end."""
    some = source(random)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("save.dat"), some.data, zipfile.ZIP_DEFLATED)
        end = archive.start_dir
    return Made(out.getvalue()[:end], some, tuple(some.leaves))


# Channels of text


def _told(print_it: Callable[[bytes, Random], tuple[str, bool]]) -> Maker:
    def make(random: Random) -> Made | None:
        some = source(random, framed=False, least=60)
        text, known = print_it(some.data, random)
        return Made(text.encode(), some, tuple(some.leaves) if known else (), known)

    return make


def _smart_quotes(data: bytes, random: Random) -> tuple[str, bool]:
    text = repr(data)
    open_, close = ("\N{LEFT SINGLE QUOTATION MARK}", "\N{RIGHT SINGLE QUOTATION MARK}")
    if text[1] == '"':
        open_, close = ("\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}")
    return f"b{open_}{text[2:-1]}{close}", True


def _spreadsheet(data: bytes, random: Random) -> tuple[str, bool]:
    """Words of hex in cells: what looks like a number becomes one."""
    cells, known = [], True
    for at in range(0, len(data), 4):
        cell = data[at : at + 4].hex()
        if cell.isdigit():
            cell = str(int(cell))
        elif re.fullmatch(r"\d+e\d+", cell) and float(cell) < 1e300:
            cell, known = f"{float(cell):.2E}", False
        cells.append(cell)
    rows = ["\t".join(cells[at : at + 8]) for at in range(0, len(cells), 8)]
    return "".join(f"{row}\r\n" for row in rows), known


def _out_of_order(data: bytes, random: Random) -> tuple[str, bool]:
    """The lines of a dump, as a log that does not wait has them."""
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{at:08x}  {row[:8].hex(' '):<23}  {row[8:].hex(' '):<23}  |{shown}|\n")
    lines.sort(key=lambda line: int(line[:8], 16) + random.randrange(40))
    place = random.randrange(len(lines) - 1)
    if lines == sorted(lines):
        lines[place : place + 2] = reversed(lines[place : place + 2])
    return "".join(lines), True


def _sign_extended(data: bytes, random: Random) -> tuple[str, bool]:
    """Bytes that C took for signed ones when it printed them."""
    return " ".join(f"{byte:02x}" if byte < 128 else f"ffffff{byte:02x}" for byte in data), True


def _typed_array(data: bytes, random: Random) -> tuple[str, bool]:
    return json.dumps({str(at): byte for at, byte in enumerate(data)}, separators=(",", ":")), True


MAKERS: dict[str, Maker] = {
    **ports.MAKERS,
    "pair-added-count-not": _pair_added,
    "pair-removed-count-not": _pair_removed,
    "int-grown-without-flag": _int_grown,
    "text-edited-frame-length-not": _frame_length_not,
    "double-over-float": _double_over_float,
    "nul-written-past-text": _nul_past_text,
    "merge-conflict-marks": _conflict,
    "two-writers-in-turns": _in_turns,
    "truncated-under-writer": _truncated_under_writer,
    "record-over-longer-one": _over_longer,
    "zero-runs-squeezed": damaged(_squeezed, 60),
    "cut-at-bad-utf8": damaged(_bad_utf8, 100, False),
    "begun-again-behind": damaged(_begun_again, 60),
    "bit-stuck-in-each-word": damaged(_stuck, 60),
    "sql-escaped": damaged(_sql),
    "multipart-body": damaged(_multipart),
    "websocket-masked": _websocket,
    "powershell-redirected": damaged(_powershell),
    "zip-without-directory": _zip_cut,
    "python-bytes-smart-quotes": _told(_smart_quotes),
    "hex-through-spreadsheet": _told(_spreadsheet),
    "hexdump-lines-out-of-order": _told(_out_of_order),
    "hex-sign-extended": _told(_sign_extended),
    "json-of-typed-array": _told(_typed_array),
}
"""The kinds by name."""
