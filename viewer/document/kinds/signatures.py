"""Signatures: kinds of files by bytes at fixed places, read from a resource; and checks where these say too little."""

from __future__ import annotations

import json
import re
import struct
import tomllib
import zlib as deflate
from collections.abc import Callable, Mapping
from functools import cache

from viewer.base import assets
from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass

# Checks: lengths, versions and counts that must fit together.


LOOK = 1 << 12
LOOK_FAR = 1 << 16
MOST_ITEMS = 1 << 10
"""So many items of a serialized text are followed."""


def _u16(data: Buffer, at: int, order: str = "<") -> int:
    raw = bytes(data[at : at + 2])
    return int(struct.unpack(f"{order}H", raw)[0]) if len(raw) == 2 else -1


def _u32(data: Buffer, at: int, order: str = "<") -> int:
    raw = bytes(data[at : at + 4])
    return int(struct.unpack(f"{order}I", raw)[0]) if len(raw) == 4 else -1


# Godot's own


def _godot_package(data: Buffer) -> bool:
    return 0 <= _u32(data, 4) <= 8 and 0 <= _u32(data, 8) <= 16


# Pictures


def _jpeg(data: Buffer) -> bool:
    return len(data) > 3 and (0xC0 <= data[3] <= 0xCF or 0xD8 <= data[3] <= 0xEF or data[3] == 0xFE)


def _bmp(data: Buffer) -> bool:
    return _u32(data, 14) in (12, 40, 52, 56, 64, 108, 124) and 14 < _u32(data, 10) <= len(data)


def _icon(data: Buffer) -> bool:
    count = _u16(data, 4)
    if not 0 < count <= 256 or len(data) < 6 + 16 * count:
        return False
    starts = [(_u32(data, 6 + 16 * at + 12), _u32(data, 6 + 16 * at + 8)) for at in range(count)]
    return all(start >= 6 + 16 * count and size and start + size <= len(data) for start, size in starts)


def _pnm(data: Buffer) -> bool:
    return re.match(rb"P[1-6]\s+(?:#[^\n]*\n\s*)*\d+\s+\d+\s", bytes(data[:256])) is not None


def _gtk_icons(data: Buffer) -> bool:
    return _u16(data, 0, ">") == 1 and 12 <= _u32(data, 4, ">") <= len(data) and 12 <= _u32(data, 8, ">") <= len(data)


# Sounds and films


def _riff(data: Buffer) -> bool:
    return bytes(data[8:12]).isalnum() and _u32(data, 4) <= len(data)


def _id3(data: Buffer) -> bool:
    return len(data) > 10 and data[3] in (2, 3, 4) and all(byte < 0x80 for byte in bytes(data[6:10]))


def _mpeg_audio(data: Buffer) -> bool:
    """Three frames of sound, each where the one before ends."""
    at, found = 0, 0
    while found < 3:
        size = _mpeg_frame(bytes(data[at : at + 4]))
        if not size:
            return False
        at, found = at + size, found + 1
    return True


_RATES = (
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
)


def _mpeg_frame(head: bytes) -> int:
    """Bytes of a frame of layer 3, 0 where there is none."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0 or head[1] & 6 != 2:
        return 0
    version, rate, speed = head[1] >> 3 & 3, head[2] >> 4, head[2] >> 2 & 3
    if version == 1 or rate in (0, 15) or speed == 3:
        return 0
    is_first = version == 3
    hertz = (44100, 48000, 32000)[speed] >> (0 if is_first else 1 if version == 2 else 2)
    return (144 if is_first else 72) * 1000 * _RATES[is_first][rate] // hertz + (head[2] >> 1 & 1)


def _iso_media(data: Buffer) -> bool:
    return 8 <= _u32(data, 0, ">") <= 256 and bytes(data[8:12]).isascii()


def _flash(data: Buffer) -> bool:
    return len(data) > 8 and 0 < data[3] < 60 and _u32(data, 4) > 8


# Fonts


def _sfnt(data: Buffer) -> bool:
    """A directory of tables that lie in the file."""
    count = _u16(data, 4, ">")
    if not 0 < count < 100 or len(data) < 12 + 16 * count:
        return False
    entries = [bytes(data[12 + 16 * at : 28 + 16 * at]) for at in range(count)]
    return all(entry[:4].isascii() and int.from_bytes(entry[8:12], "big") <= len(data) for entry in entries)


# Archives


def _names_in_zip(data: Buffer) -> bytes:
    return bytes(data[:LOOK_FAR]) + bytes(data[max(0, len(data) - LOOK_FAR) :])


def _apk(data: Buffer) -> bool:
    names = _names_in_zip(data)
    return b"AndroidManifest.xml" in names and b"classes.dex" in names


def _jar(data: Buffer) -> bool:
    return b"META-INF/MANIFEST.MF" in _names_in_zip(data)


def _office(data: Buffer) -> bool:
    return b"[Content_Types].xml" in _names_in_zip(data)


def _open_document(data: Buffer) -> bool:
    return bytes(data[30:38]) == b"mimetype" and b"application/" in bytes(data[38:80])


def _bzip2(data: Buffer) -> bool:
    return bytes(data[4:10]) in (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")


def _lzip(data: Buffer) -> bool:
    return len(data) > 6 and data[4] in (0, 1)


def _lzma(data: Buffer) -> bool:
    size = int.from_bytes(bytes(data[5:13]), "little")
    return len(data) > 13 and (size == (1 << 64) - 1 or len(data) // 2 < size < 1 << 40) and not data[13]


def _compress(data: Buffer) -> bool:
    return len(data) > 3 and data[2] & 0x60 == 0 and 9 <= data[2] & 0x1F <= 16


def _zlib(data: Buffer) -> bool:
    head = bytes(data[:2])
    if len(head) < 2 or head[0] & 15 != 8 or head[0] > 0x78 or int.from_bytes(head, "big") % 31:
        return False
    try:
        return len(deflate.decompressobj().decompress(bytes(data[:LOOK]), LOOK)) >= min(LOOK, len(data)) // 4 > 0
    except deflate.error:
        return False


# Programs


def _pe(data: Buffer) -> bool:
    head = _u32(data, 60)
    return b"This program" in bytes(data[:512]) or (
        0 < head < LOOK_FAR and bytes(data[head : head + 2]) in (b"PE", b"NE", b"LE")
    )


def _java_class(data: Buffer) -> bool:
    return 45 <= _u16(data, 6, ">") < 100 and _u16(data, 8, ">") > 1


def _luajit(data: Buffer) -> bool:
    return len(data) > 5 and data[3] in (1, 2)


# Databases and tables


def _leveldb(data: Buffer) -> bool:
    return len(data) >= 48 and bytes(data[len(data) - 8 : len(data)]) == bytes.fromhex("57fb808b247547db")


def _terminfo(data: Buffer) -> bool:
    names, bools, numbers, strings, size = (_u16(data, at) for at in (2, 4, 6, 8, 10))
    wide = 4 if data[0] == 0x1E else 2
    least = 12 + names + bools + wide * numbers + 2 * strings + size
    return 0 < names < 512 and bools < 128 and least <= len(data) + 2 and b"\0" in bytes(data[12 : 12 + names])


def _mime_cache(data: Buffer) -> bool:
    return all(40 <= _u32(data, at, ">") < len(data) for at in range(4, 40, 4))


def _icu(data: Buffer) -> bool:
    return 16 <= _u16(data, 0) <= 1024 and len(data) > 32


def _unity(data: Buffer) -> bool:
    """The header of serialized files: sizes in big-endian words that fit, and a version with words in it."""
    is_new = _u32(data, 8, ">") >= 22
    size = int.from_bytes(bytes(data[24:32]), "big") if is_new else _u32(data, 4, ">")
    version = re.search(rb"[0-9]{1,4}\.[0-9]{1,2}\.[0-9]{1,2}[abfp][0-9]{1,2}\0", bytes(data[16:96]))
    return size == len(data) and version is not None


def _unreal_pak(data: Buffer) -> bool:
    return bytes.fromhex("e1126f5a") in bytes(data[max(0, len(data) - 256) : len(data)])


# Serialized by other languages


def _marshal(data: Buffer) -> bool:
    return len(data) > 3 and data[2] in b'{}[o:"IUuTFilf0/eS' and (data[2] not in b"{[" or bytes(data[3:4]) != b"\0")


def _nbt(data: Buffer) -> bool:
    """A compound with a name, and a first tag in it with a name that is a text."""
    size = _u16(data, 1, ">")
    at = 3 + size
    if size > 256 or at + 3 > len(data) or not 0 <= data[at] <= 12:
        return False
    name = bytes(data[at + 3 : at + 3 + _u16(data, at + 1, ">")])
    return data[len(data) - 1] == 0 and 0 < len(name) <= 256 and name.isascii() and name.decode("ascii").isprintable()


def _pickle(data: Buffer) -> bool:
    if len(data) < 4 or not 2 <= data[1] <= 5 or data[len(data) - 1] != ord("."):
        return False
    return data[1] < 4 or (data[2] == 0x95 and int.from_bytes(bytes(data[3:11]), "little") <= len(data))


def _bson(data: Buffer) -> bool:
    """A document whose length is that of the file, and which has a first name that is a text."""
    if _u32(data, 0) != len(data) or len(data) < 8 or data[len(data) - 1] or data[4] not in (*range(1, 20), 0x7F, 0xFF):
        return False
    name = bytes(data[5:261]).partition(b"\0")[0]
    return 0 < len(name) < 128 and all(32 <= byte < 127 for byte in name)


def _msgpack(data: Buffer) -> bool:
    """A map or list whose first items are followed to the end, or far, without an odd one."""
    if not len(data) or not (0x81 <= data[0] <= 0x8F or 0x91 <= data[0] <= 0x9F or data[0] in (0xDC, 0xDD, 0xDE, 0xDF)):
        return False
    raw = bytes(data[:LOOK_FAR])
    at, left, items, words = 0, 1, 0, 0
    while left and items < MOST_ITEMS:
        found = _msgpack_item(raw, at)
        if found is None:
            return len(data) > LOOK_FAR and items > 16
        at, more, is_text = found
        left += more - 1
        items, words = items + 1, words + is_text
    return words > 0 and items >= 4 and (at == len(data) if not left else True)


_MSGPACK_SIZES = {
    0xC0: 1,
    0xC2: 1,
    0xC3: 1,
    0xCA: 5,
    0xCB: 9,
    0xCC: 2,
    0xCD: 3,
    0xCE: 5,
    0xCF: 9,
    0xD0: 2,
    0xD1: 3,
    0xD2: 5,
    0xD3: 9,
    0xD4: 3,
    0xD5: 4,
    0xD6: 6,
    0xD7: 10,
    0xD8: 18,
}
_MSGPACK_LENGTHS = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}


def _msgpack_item(raw: bytes, at: int) -> tuple[int, int, bool] | None:
    """Where an item ends, how many items are in it, and whether it is a text; None where it is none."""
    if at >= len(raw):
        return None
    code = raw[at]
    if code < 0x80 or code >= 0xE0:
        return at + 1, 0, False
    if code < 0x90:
        return at + 1, 2 * (code & 15), False
    if code < 0xA0:
        return at + 1, code & 15, False
    if code < 0xC0:
        return _msgpack_text(raw, at + 1, code & 31)
    if code in _MSGPACK_SIZES:
        return at + _MSGPACK_SIZES[code], 0, False
    width = _MSGPACK_LENGTHS.get(code, 0)
    length = int.from_bytes(raw[at + 1 : at + 1 + width], "big")
    if not width:
        return None
    if code >= 0xDC:
        return at + 1 + width, length * (2 if code >= 0xDE else 1), False
    if code in (0xD9, 0xDA, 0xDB):
        return _msgpack_text(raw, at + 1 + width, length)
    return (at + 1 + width + length, 0, False) if at + 1 + width + length <= len(raw) else None


def _msgpack_text(raw: bytes, at: int, length: int) -> tuple[int, int, bool] | None:
    text = raw[at : at + length]
    try:
        return (at + length, 0, length > 1) if len(text) == length and text.decode().isprintable() else None
    except UnicodeDecodeError:
        return None


_PHP = late_pattern(rb'(?:a:\d+:\{|O:\d+:"[\w\\]+":\d+:\{|s:\d+:")')


def _php(data: Buffer) -> bool:
    return _PHP.match(bytes(data[:256])) is not None


# Keys


def _ssh_key(data: Buffer) -> bool:
    return re.match(rb"ssh-(?:rsa|dss|ed25519) AAAA", bytes(data[:32])) is not None


def _pgp(data: Buffer) -> bool:
    """A packet of a key or an encrypted message, which the file has room for, in a known version."""
    head = bytes(data[:6])
    if len(head) < 6 or not head[0] & 0x80:
        return False
    if head[0] & 0x40:
        kind, size, body = (
            head[0] & 63,
            (head[1] if head[1] < 192 else (head[1] - 192 << 8) + head[2] + 192),
            2 + (head[1] >= 192),
        )
    else:
        width = (1, 2, 4, 0)[head[0] & 3]
        kind, size, body = head[0] >> 2 & 15, int.from_bytes(head[1 : 1 + width], "big"), 1 + width
    return kind in (1, 3, 5, 6) and 16 <= size <= len(data) - body and data[body] in (3, 4)


def _der(data: Buffer) -> bool:
    return _u16(data, 2, ">") + 4 == len(data) and len(data) > 8 and data[4] in (0x02, 0x30)


def is_json(text: str) -> bool:
    """Whether a text is JSON from its first to its last sign."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


CHECKS: dict[str, Callable[[Buffer], bool]] = {
    "godot_package": _godot_package,
    "jpeg": _jpeg,
    "bmp": _bmp,
    "icon": _icon,
    "pnm": _pnm,
    "gtk_icons": _gtk_icons,
    "riff": _riff,
    "id3": _id3,
    "mpeg_audio": _mpeg_audio,
    "iso_media": _iso_media,
    "flash": _flash,
    "sfnt": _sfnt,
    "apk": _apk,
    "jar": _jar,
    "office": _office,
    "open_document": _open_document,
    "bzip2": _bzip2,
    "lzip": _lzip,
    "lzma": _lzma,
    "compress": _compress,
    "zlib": _zlib,
    "pe": _pe,
    "java_class": _java_class,
    "luajit": _luajit,
    "leveldb": _leveldb,
    "terminfo": _terminfo,
    "mime_cache": _mime_cache,
    "icu": _icu,
    "unity": _unity,
    "unreal_pak": _unreal_pak,
    "marshal": _marshal,
    "nbt": _nbt,
    "pickle": _pickle,
    "bson": _bson,
    "msgpack": _msgpack,
    "php": _php,
    "ssh_key": _ssh_key,
    "pgp": _pgp,
    "der": _der,
}
"""By their names in the resource."""


# Signatures.


# The kind of a file, as a person is told of it.


@dataclass(frozen=True, slots=True)
class FileKind:
    """What bytes are that hold no stored values.

    Args:
        name: in a user's words, with its article.
        fact: which bytes tell so, a clause.
        advice: what to do with them, one sentence.
        is_sure: whether these bytes are this and nothing else.
    """

    name: str
    fact: str
    advice: str
    is_sure: bool = True

    @property
    def sentence(self) -> str:
        """The whole: what it is, what tells so, and what to do."""
        return f"This {'is' if self.is_sure else 'seems to be'} {self.name}: {self.fact}. {self.advice}"


MOST_SHOWN = 12
"""Bytes of a signature that are shown."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to know a kind.

    Args:
        name, advice: of the kind.
        at: where the bytes lie.
        pattern: what they are; *size* how many.
        first: the first byte of all such bytes, -1 for any.
        check: the name of what must hold too, empty for nothing.
        weak: whether so little tells it that no value may be plausible.
    """

    name: str
    advice: str
    at: int
    pattern: re.Pattern[bytes]
    size: int
    first: int
    check: str
    weak: bool

    def fits(self, data: Buffer) -> bool:
        """Whether these bytes have it."""
        if len(data) < self.at + max(self.size, 1):
            return False
        if self.pattern.fullmatch(bytes(data[self.at : self.at + self.size])) is None:
            return False
        return not self.check or CHECKS[self.check](data)

    def kind(self, data: Buffer) -> FileKind:
        """The kind of bytes that have it."""
        shown = bytes(data[self.at : self.at + min(self.size, MOST_SHOWN)])
        words = f"“{shown.decode('ascii')}”" if shown.isascii() and shown.decode().isprintable() else ""
        if not shown:
            fact = "its lengths and numbers fit together from the first byte on"
        elif self.at:
            fact = f"at 0x{self.at:X} it has {words or shown.hex(' ').upper()}"
        else:
            fact = f"it begins with {words or shown.hex(' ').upper()}"
        return FileKind(self.name, fact, self.advice, not self.weak)


@cache
def signatures() -> tuple[Signature, ...]:
    """All of them, in the order in which they are tried."""
    table = tomllib.loads(assets.text("kinds.toml"))
    return tuple(_signature(entry, table["advice"]) for entry in table["kind"])


@cache
def strong_signatures(first: int) -> tuple[Signature, ...]:
    """Those of bytes that can be nothing else and begin with this one."""
    return tuple(each for each in signatures() if not each.weak and each.first in (-1, first))


def advice(key: str) -> str:
    """What to do, by its key in the resource."""
    return str(_advice()[key])


@cache
def _advice() -> Mapping[str, str]:
    found: Mapping[str, str] = tomllib.loads(assets.text("kinds.toml"))["advice"]
    return found


def _signature(entry: Mapping[str, str | int | bool], sentences: Mapping[str, str]) -> Signature:
    if "text" in entry:
        words = [f"{byte:02X}" for byte in str(entry["text"]).encode("ascii")]
    else:
        words = str(entry.get("bytes", "")).split()
    pattern = b"".join(b"." if word == "??" else re.escape(bytes.fromhex(word)) for word in words)
    return Signature(
        str(entry["name"]),
        sentences[str(entry["advice"])],
        int(entry.get("at", 0)),
        re.compile(pattern, re.DOTALL),
        len(words),
        int(words[0], 16) if words and words[0] != "??" and not entry.get("at") else -1,
        str(entry.get("check", "")),
        bool(entry.get("weak", False)),
    )
