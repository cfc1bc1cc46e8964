"""What bytes are that hold no stored values: a kind with a signature, a text, one byte over and over, or noise."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable
from math import log, log2

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.document.kinds.signatures import FileKind, advice, is_json, signatures, strong_signatures

# Kinds of text, by how it begins and what is in all its lines.

MOST_TEXT = 1 << 16
LEAST = 4
"""Bytes of a text that is none by accident."""
READABLE = 0.97
LINES = 64
"""So many lines say what the others are."""
READ_AS_TEXT = ("json", "settings")
"""Advice for texts that open as trees, where they are in UTF-8."""
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_XML = late_pattern(r"\s*<\?xml|\s*<!DOCTYPE|\s*<!--|\s*<[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>", re.I)
_SECTION = late_pattern(r"^\s*\[[^\]\n]+\]\s*$", re.M)
_SETTING = late_pattern(r"^\s*[\w./-]+\s*[=:]\s*\S?")
_KEY = late_pattern(r"^\s*(?:- )?[\w\"'./ -]+:(?:\s|$)|^\s*- |^\s*#|^---|^\s*$")
_SCRIPT = late_pattern(r"#!\s*(\S+)")
_GDSCRIPT = late_pattern(r"^(?:extends |class_name |@tool|@export|func \w+\(|signal )", re.M)
_C = late_pattern(r"^\s*(?:#include|#ifndef|#define|#pragma|/\*|//)", re.M)
_PO = late_pattern(r'^msgid\s+"', re.M)
_STARTS: tuple[tuple[str, str, str], ...] = (
    ("[gd_scene", "a text scene of Godot (.tscn)", "resource"),
    ("[gd_resource", "a text resource of Godot (.tres)", "resource"),
    ("[remap]", "the settings of an import of Godot (.import)", "settings"),
    ("; Engine configuration file", "the settings of a Godot project (project.godot)", "settings"),
    ("config_version=", "the settings of a Godot project (project.godot)", "settings"),
    ("---\n", "a document in YAML", "text"),
    ("%YAML", "a document in YAML", "text"),
    ("solid ", "a model in STL", "other"),
    ("diff --git", "a patch", "text"),
)


def text_kind(data: Buffer) -> FileKind | None:
    """The kind of a text, None where bytes are none."""
    raw = bytes(data[:MOST_TEXT])
    found = _decoded(raw, len(data) > len(raw))
    if found is None:
        return None
    text, encoding = found
    name, key = _named(text, len(data) > len(raw))
    if key in READ_AS_TEXT and encoding.startswith(("UTF-16", "UTF-32")):
        key = "wide"
    size = "its first bytes are" if len(data) > len(raw) else "all of its bytes are"
    return FileKind(name, f"{size} text in {encoding}", advice(key))


def _decoded(raw: bytes, cut: bool) -> tuple[str, str] | None:
    """A text and its encoding, None where there is none."""
    for bom, name, shown in _ENCODINGS:
        if raw.startswith(bom):
            return _as_text(raw[len(bom) :], name, f"{shown} with a mark", cut)
    if len(raw) < LEAST:
        return None
    zeros = [raw[at::4].count(0) for at in range(4)]
    quarter = len(raw) // 4
    if quarter and min(zeros[1:]) >= quarter and not zeros[0]:
        return _as_text(raw, "utf-32-le", "UTF-32", cut)
    if quarter and min(zeros[:3]) >= quarter and not zeros[3]:
        return _as_text(raw, "utf-32-be", "UTF-32", cut)
    if 2 * quarter >= 4 and 2 * (zeros[1] + zeros[3]) >= len(raw) * 0.8 and not zeros[0] + zeros[2]:
        return _as_text(raw, "utf-16-le", "UTF-16", cut)
    if 2 * quarter >= 4 and 2 * (zeros[0] + zeros[2]) >= len(raw) * 0.8 and not zeros[1] + zeros[3]:
        return _as_text(raw, "utf-16-be", "UTF-16", cut)
    return _as_text(raw, "utf-8", "ASCII" if raw.isascii() else "UTF-8", cut) or _as_latin(raw)


def _as_text(raw: bytes, name: str, shown: str, cut: bool) -> tuple[str, str] | None:
    decoder = codecs.getincrementaldecoder(name)()
    try:
        text = decoder.decode(raw, final=not cut)
    except UnicodeDecodeError:
        return None
    plain = sum(map(_is_plain, text))
    return (text, shown) if text and "\0" not in text and plain >= READABLE * len(text) else None


def _as_latin(raw: bytes) -> tuple[str, str] | None:
    """A text of an old encoding: mostly ASCII, and the rest letters of one part of the world."""
    odd = sum(byte >= 0x80 for byte in raw)
    plain = all(byte in b"\t\n\r\f" or 0x20 <= byte < 0x7F or byte >= 0x80 for byte in raw)
    return (raw.decode("latin-1"), "an old encoding such as Latin-1") if plain and odd * 4 <= len(raw) else None


def _is_plain(sign: str) -> bool:
    return sign.isprintable() or sign in "\r\n\t\f\ufeff"


def _named(text: str, more: bool) -> tuple[str, str]:
    """The name of a text, and the key of the advice."""
    begin = text.lstrip()
    for start, name, key in _STARTS:
        if begin.startswith(start):
            return name, key
    for is_kind, name, key in _KINDS:
        if is_kind(begin, more):
            return name, key
    return "plain text", "text"


def _is_json_text(text: str, more: bool) -> bool:
    if text[:1] not in ("{", "["):
        return False
    return is_json(text) or (more and re.match(r'[{\[]\s*(?:["{\[\d]|true|false|null)', text) is not None)


def _is_html(text: str, more: bool) -> bool:
    return re.match(r"(?:<!--.*?-->\s*)?(?:<!DOCTYPE html|<html)", text, re.I | re.S) is not None


def _is_svg(text: str, more: bool) -> bool:
    return _XML.match(text) is not None and "<svg" in text[: 1 << 12]


def _lines(text: str) -> list[str]:
    return text.splitlines()[:LINES]


def _is_csv(text: str, more: bool) -> bool:
    lines = [line for line in _lines(text) if line]
    return len(lines) > 2 and any(
        lines[0].count(sign) > 1 and len({line.count(sign) for line in lines[:-1]}) == 1 for sign in (",", ";", "\t")
    )


def _settings(text: str) -> bool:
    lines = [line for line in _lines(text) if line.strip() and line.lstrip()[:1] not in "#;[!"]
    return bool(lines) and sum(_SETTING.match(line) is not None for line in lines) >= 0.8 * len(lines)


def _is_ini(text: str, more: bool) -> bool:
    return _SECTION.search(text) is not None and _settings(text)


def _is_yaml(text: str, more: bool) -> bool:
    lines = _lines(text)
    keys = sum(bool(line.strip()) and _KEY.match(line) is not None for line in lines)
    return keys > 2 and keys >= 0.9 * sum(bool(line.strip()) for line in lines)


_KINDS: tuple[tuple[Callable[[str, bool], bool], str, str], ...] = (
    (_is_json_text, "JSON text", "json"),
    (_is_html, "a web page (HTML)", "text"),
    (_is_svg, "an SVG image", "picture"),
    (lambda text, more: _XML.match(text) is not None and ">" in text, "a document in XML", "text"),
    (lambda text, more: _PO.search(text[: 1 << 13]) is not None, "translations for gettext (.po)", "text"),
    (lambda text, more: _SCRIPT.match(text) is not None, "a script", "text"),
    (lambda text, more: _GDSCRIPT.search(text[: 1 << 12]) is not None, "a script of Godot (.gd)", "text"),
    (lambda text, more: _C.match(text) is not None, "a program's source text", "text"),
    (_is_ini, "a text of sections and settings, such as ConfigFile writes (INI, TOML)", "settings"),
    (_is_csv, "a table as text (CSV)", "text"),
    (_is_yaml, "a document in YAML", "text"),
)


# What bytes are that hold no stored values: a kind with a signature, a text, one byte over and over, or noise.

NAMING_SAMPLE = 1 << 16
LEAST_NOISE = 512
"""Fewer bytes are too few to tell noise."""
SLACK = 0.12
"""Bits a byte that noise may have less than chance gives it: what is compressed has a little order left."""


def strong_kind(data: Buffer) -> FileKind | None:
    """The kind of bytes that nothing else can be, None where there is none."""
    first = data[0] if len(data) else -1
    return next((each.kind(data) for each in strong_signatures(first) if each.fits(data)), None)


def weak_kind(data: Buffer) -> FileKind | None:
    """The kind that bytes seem to be which hold no value, None where nothing is known of them."""
    weak = (each.kind(data) for each in signatures() if each.weak and each.fits(data))
    return _filled(data) or next(weak, None) or text_kind(data) or _noise(data)


def file_kind(data: Buffer) -> FileKind | None:
    """The kind of bytes that hold no value, None where nothing is known of them."""
    return strong_kind(data) or weak_kind(data)


def _filled(data: Buffer) -> FileKind | None:
    """Whether one byte fills all, as where nothing was written or a disk lost it."""
    begin = bytes(data[:NAMING_SAMPLE])
    if len(begin) < 8 or begin.count(begin[0]) < len(begin) or begin[0] not in (0, 0xFF):
        return None
    if any(
        bytes(data[at : at + NAMING_SAMPLE]).count(begin[0]) < min(NAMING_SAMPLE, len(data) - at)
        for at in range(NAMING_SAMPLE, len(data), NAMING_SAMPLE)
    ):
        return None
    name = "only zeros" if not begin[0] else "only bytes of 0xFF"
    return FileKind(name, f"there is nothing else in its {len(data)} bytes", advice("empty"))


def _noise(data: Buffer) -> FileKind | None:
    """Whether bytes are spread as evenly as chance does it."""
    middle = max(0, len(data) // 2 - NAMING_SAMPLE // 2)
    sample = bytes(data[middle : middle + NAMING_SAMPLE])
    size = len(sample)
    if size < LEAST_NOISE:
        return None
    bits = -sum(count / size * log2(count / size) for count in Counter(sample).values())
    if bits < 8 - 255 / (2 * size * log(2)) - SLACK:
        return None
    fact = f"its bytes are spread as evenly as chance does it, {bits:.2f} bits of 8 each"
    return FileKind("compressed or encrypted data of an unknown kind", fact, advice("random"), is_sure=False)
