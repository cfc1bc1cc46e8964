"""Picture files by their first bytes: which form, and how large they say the picture is. Nothing is decoded."""

from __future__ import annotations

import re
import struct
from enum import Enum

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.words import grouped

HEAD = 1 << 16
"""Bytes that are looked at; a JPEG tells its size behind what cameras write in front."""
MOST_SEGMENTS = 500
START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Segments of a JPEG that tell its size."""
LONE = frozenset((0x01, *range(0xD0, 0xD9)))
"""Segments of a JPEG without a length."""
PNG = b"\x89PNG\r\n\x1a\n"
BEFORE_ROOT = ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!DOCTYPE", b">"))
SVG_LENGTH = late_pattern(rb"""\s(width|height)\s*=\s*["']\s*([0-9]{1,6}(?:\.[0-9]*)?)\s*(?:px)?\s*["']""")
SVG_BOX = late_pattern(rb"""\sviewBox\s*=\s*["']\s*\S+\s+\S+\s+([0-9.]{1,9})[\s,]+([0-9.]{1,9})\s*["']""")


TIMES = "\u00d7"


def sides_text(width: int, height: int) -> str:
    """Width and height as people write them."""
    return f"{grouped(width)} {TIMES} {grouped(height)}"


class PictureForm(Enum):
    """A form of picture files; the value is the word that Qt has for it."""

    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"
    BMP = "bmp"
    GIF = "gif"
    SVG = "svg"

    @property
    def words(self) -> str:
        """What people call it."""
        return "WebP" if self is PictureForm.WEBP else self.name

    @property
    def suffix(self) -> str:
        """How names of such files end."""
        return ".jpg" if self is PictureForm.JPEG else f".{self.value}"


@dataclass(frozen=True, slots=True)
class PictureHead:
    """What the first bytes of a picture file say; a side is 0 where they do not tell it."""

    form: PictureForm
    width: int = 0
    height: int = 0


def picture_head(buffer: Buffer) -> PictureHead | None:
    """What a picture file says at its beginning; None for bytes that are none."""
    first = bytes(buffer[:32])
    if first.startswith(PNG):
        return PictureHead(PictureForm.PNG, *_sides(">II", first, 16 if first[12:16] == b"IHDR" else 32))
    if first.startswith((b"GIF87a", b"GIF89a")):
        return PictureHead(PictureForm.GIF, *_sides("<HH", first, 6))
    if first.startswith(b"BM") and first[6:10] == bytes(4) and len(first) >= 26:
        return _bmp(first)
    if first.startswith(b"\xff\xd8\xff"):
        return _jpeg(bytes(buffer[:HEAD]))
    if first.startswith(b"RIFF") and first[8:12] == b"WEBP":
        return _webp(first)
    if first[:1] in b"<\xef \t\r\n" and first:
        return _svg(bytes(buffer[:HEAD]))
    return None


def _sides(form: str, raw: bytes, at: int) -> tuple[int, int]:
    """Width and height at a place, 0 and 0 where the bytes end before."""
    if at + struct.calcsize(form) > len(raw):
        return 0, 0
    width, height = struct.unpack_from(form, raw, at)
    return width, height


def _bmp(first: bytes) -> PictureHead | None:
    size = int.from_bytes(first[14:18], "little")
    if size == 12:
        return PictureHead(PictureForm.BMP, *_sides("<HH", first, 18))
    if not 40 <= size <= 124:
        return None
    width, height = _sides("<ii", first, 18)
    return PictureHead(PictureForm.BMP, abs(width), abs(height))


def _jpeg(raw: bytes) -> PictureHead:
    at = 2
    for _ in range(MOST_SEGMENTS):
        if at + 4 > len(raw) or raw[at] != 0xFF:
            break
        sign = raw[at + 1]
        if sign in START_OF_FRAME:
            height, width = _sides(">HH", raw, at + 5)
            return PictureHead(PictureForm.JPEG, width, height)
        at += 1 if sign == 0xFF else 2 if sign in LONE else 2 + int.from_bytes(raw[at + 2 : at + 4], "big")
    return PictureHead(PictureForm.JPEG)


def _webp(first: bytes) -> PictureHead:
    chunk = first[12:16]
    if chunk == b"VP8X" and len(first) >= 30:
        width, height = (1 + int.from_bytes(first[at : at + 3], "little") for at in (24, 27))
        return PictureHead(PictureForm.WEBP, width, height)
    if chunk == b"VP8L" and len(first) >= 25:
        bits = int.from_bytes(first[21:25], "little")
        return PictureHead(PictureForm.WEBP, 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if chunk == b"VP8 " and len(first) >= 30:
        width, height = _sides("<HH", first, 26)
        return PictureHead(PictureForm.WEBP, width & 0x3FFF, height & 0x3FFF)
    return PictureHead(PictureForm.WEBP)


def _svg(raw: bytes) -> PictureHead | None:
    at = _root(raw)
    if at < 0:
        return None
    tag = raw[at:].partition(b">")[0]
    sides = {found[1]: float(found[2]) for found in SVG_LENGTH.finditer(tag)}
    if len(sides) < 2:
        box = SVG_BOX.search(tag)
        if box is None:
            return PictureHead(PictureForm.SVG)
        try:
            sides = {b"width": float(box[1]), b"height": float(box[2])}
        except ValueError:
            return PictureHead(PictureForm.SVG)
    return PictureHead(PictureForm.SVG, round(sides[b"width"]), round(sides[b"height"]))


def _root(raw: bytes) -> int:
    """Where the element svg begins, behind declarations and comments only; -1 where something else does."""
    at = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    while True:
        at = len(raw) - len(raw[at:].lstrip())
        if raw.startswith(b"<svg", at):
            return at if raw[at + 4 : at + 5].strip() in (b"", b">") else -1
        for start, end in BEFORE_ROOT:
            if raw.startswith(start, at):
                behind = raw.find(end, at + len(start))
                break
        else:
            return -1
        if behind < 0:
            return -1
        at = behind + len(end)


# What of an SVG is safe to be drawn.

MOST_SVG = 1 << 20
MOST_USES = 12
"""So many uses of other elements: three of them may make three times as much to draw."""
MOST_TAGS = 8000
MOST_WORK = 500_000_000
"""Elements times pixels of an SVG: about half a second."""
FOREIGN = late_pattern(rb"""(?:href|src)\s*=\s*["'](?!\s*\#)|url\(\s*["']?(?!\s*["']?\#)|@import""", re.IGNORECASE)
COSTLY = late_pattern(
    rb"<\s*(?:\w+:)?(filter|pattern|foreignObject|script|animate\w*)\b|(stroke-dasharray)", re.IGNORECASE
)
USE = late_pattern(rb"<\s*(?:\w+:)?use\b")


def svg_refusal(raw: bytes) -> str:
    """Why an SVG is not drawn, as one sentence; empty for one that is: small, and drawn from itself alone."""
    if len(raw) > MOST_SVG:
        return "This SVG is too long to be drawn."
    declared = (
        raw[:256].partition(b"?>")[0].lower() if raw[:16].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?") else b""
    )
    if b"\x00" in raw or (b"encoding" in declared and b"utf-8" not in declared):
        return "This SVG is not in UTF-8, so it is not drawn."
    doctypes = raw.split(b"<!DOCTYPE", 2)[1:]
    if b"<!ENTITY" in raw or len(doctypes) > 1 or any(b"[" in each.partition(b">")[0] for each in doctypes):
        return "This SVG defines entities, so it is not drawn."
    if FOREIGN.search(raw) is not None:
        return "This SVG brings in other files, so it is not drawn."
    costly = COSTLY.search(raw)
    if costly is not None:
        return f"This SVG uses {(costly[1] or costly[2]).decode()}, which is not drawn here."
    if raw.count(b"<") > MOST_TAGS:
        return "This SVG has too many parts to be drawn."
    if len(USE.findall(raw)) > MOST_USES:
        return "This SVG repeats its parts too often to be drawn."
    return ""


def svg_area(raw: bytes) -> int:
    """So many pixels an SVG may be drawn on, so that it takes no time to speak of whatever its elements are."""
    drawn = raw.count(b"<") * 3 ** (len(USE.findall(raw)) / 3)
    return max(1, int(MOST_WORK / max(1.0, drawn)))
