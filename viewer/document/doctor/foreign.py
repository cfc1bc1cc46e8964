"""What is no stored value at all, named by how it begins; and wraps that were not taken off."""

from __future__ import annotations

import json

from viewer.buffer import Buffer
from viewer.container.codecs import CODECS
from viewer.container.layer import WrapError
from viewer.container.secret import Secret

OTHER = "It holds no stored values: open the file that the game saved."
WHOLE_TEXT = "Open the file that the game saved, or copy all of a text in base64 or hex."
PICTURE = "It is a picture, and holds no stored values."
SIGNS: tuple[tuple[bytes, str, str], ...] = (
    (b"RSRC", "a binary resource or scene of Godot (.res, .scn)", "Load it with ResourceLoader."),
    (b"RSCC", "a compressed resource or scene of Godot", "Load it with ResourceLoader."),
    (b"GDPC", "a package of a Godot game (.pck)", "Take its files out first; the values may be in one of them."),
    (b"GDSC", "a compiled script of Godot", OTHER),
    (b"GST2", "a texture of Godot 4 (.ctex)", PICTURE),
    (b"GDST", "a texture of Godot 3 (.stex)", PICTURE),
    (b"[gd_scene", "a text scene of Godot (.tscn)", "Load it with ResourceLoader."),
    (b"[gd_resource", "a text resource of Godot (.tres)", "Load it with ResourceLoader."),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", PICTURE),
    (b"\xff\xd8\xff", "a JPEG image", PICTURE),
    (b"GIF8", "a GIF image", PICTURE),
    (b"RIFF", "a WebP image or WAV sound", OTHER),
    (b"OggS", "an Ogg sound or film", OTHER),
    (b"PK\x03\x04", "a ZIP archive", "Unpack it; the values may be in one of its files."),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it; the values may be in one of its files."),
    (b"SQLite format 3\0", "an SQLite database", "Open it with a tool for SQLite."),
    (b"%PDF", "a PDF document", OTHER),
    (b"\x7fELF", "a program for Linux", OTHER),
    (b"MZ", "a program for Windows", OTHER),
)
MOST_TEXT = 1 << 16
READABLE = 0.97


def named(data: Buffer) -> tuple[str, str] | None:
    """What bytes are by how they begin, and what to do with them; None where nothing is known of them."""
    begin = bytes(data[:512])
    for sign, name, advice in SIGNS:
        if begin.startswith(sign) and (len(sign) > 2 or _is_program(begin)):
            return name, advice
    return _text(bytes(data[:MOST_TEXT]), len(data) > MOST_TEXT)


def _is_program(begin: bytes) -> bool:
    return b"This program" in begin


def _text(raw: bytes, more: bool) -> tuple[str, str] | None:
    try:
        shown = raw.decode("utf-8-sig", "ignore" if more else "strict")
    except UnicodeDecodeError:
        return None
    plain = sum(sign.isprintable() or sign in "\r\n\t" for sign in shown)
    if len(shown) < 8 or "\0" in shown or plain < READABLE * len(shown):
        return None
    if shown.lstrip()[:1] in ("{", "[") and (more or _is_json(shown)):
        return "JSON text", "`variant-viewer encode` makes stored values of it."
    if shown.lstrip().startswith("[") and "]" in shown and "=" in shown:
        return "a text of sections and settings, such as ConfigFile writes", "Load it with ConfigFile."
    return "plain text", WHOLE_TEXT


def _is_json(shown: str) -> bool:
    try:
        json.loads(shown)
    except (ValueError, RecursionError):
        return False
    return True


def codec_of(data: Buffer, secret: Secret | None) -> tuple[str, bytes] | None:
    """The wrap around bytes, and what is inside; None where there is none, or it cannot be opened."""
    for codec in CODECS:
        if not codec.probe(data):
            continue
        try:
            inside = codec.unwrap(data, secret, 1 << 24).inside
        except WrapError:
            continue
        return codec.name, inside
    return None
