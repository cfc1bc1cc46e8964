"""Which picture a value is: a picture file in a byte array, Godot 2's Image, or the Image of Godot 3 and 4."""

from __future__ import annotations

import re
import struct
from enum import Enum

from viewer.base.buffer import Buffer, window
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.words import counted, grouped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.document.visuals.pixel_formats import MOST_PIXELS, RAW_FORMATS, Picture, drawn, pixel_format
from viewer.variant.dialect import NAMED, Kind, image_formats
from viewer.variant.elements import element_count
from viewer.variant.items import Item, whole_parts
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import ObjectFull

# Picture files by their first bytes: which form, and how large they say the picture is. Nothing is decoded.


HEAD = 1 << 16
"""Bytes that are looked at; a JPEG tells its size behind what cameras write in front."""
MOST_SEGMENTS = 500
SHORTEST = 8
"""Bytes; fewer hold no picture."""
FIRST_BYTES = b"\x89GB\xffR<"
"""What a picture file begins with, but for an SVG behind white space."""
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


# Pictures in values.


MOST_BYTES = 1 << 28
"""Longer pictures are not read."""
MOST_PAIRS = 12
"""A dictionary of more pairs is no Image."""
IMAGE_KEYS = ("width", "height", "format", "data")
IMAGE_CLASS = "Image"
DATA = "data"
RGBA5551 = "RGBA5551"


@dataclass(frozen=True, slots=True)
class FoundPicture:
    """A value that is a picture, or may be raw pixels.

    Args:
        item: the value: a byte array, Godot 2's Image, or the dictionary of an Image.
        data: the byte array with the picture file or the pixels; Godot 2's Image has none.
        form: of a picture file; None for pixels.
        format: of pixels, as the engine names it; empty for a picture file, and where nothing tells it.
        width, height: in pixels, as stated; 0 where nothing tells them.
        has_mipmaps: whether smaller levels follow the first one.
        length: bytes of the picture file or the pixels.
    """

    item: Item
    data: Item | None
    form: PictureForm | None
    format: str
    width: int
    height: int
    has_mipmaps: bool
    length: int

    @property
    def is_raw(self) -> bool:
        """Whether these are bytes that nothing says to be a picture."""
        return self.form is None and not self.format

    @property
    def words(self) -> str:
        """What it is, in a few words: ``PNG, 64 x 48``."""
        name = self.form.words if self.form is not None else self.format or "bytes"
        size = sides_text(self.width, self.height) if self.width and self.height else ""
        return ", ".join(filter(None, (name, size, "with mipmaps" if self.has_mipmaps else "")))


def picture_file_words(table: NodeTable, node: int) -> str:
    """Which picture file a byte array is, in a few words: ``PNG picture, 64 x 48``; empty where it is none."""
    payload = _payload(table, node)
    head = picture_head(payload) if len(payload) >= SHORTEST and payload[0] in FIRST_BYTES else None
    if head is None:
        return ""
    size = f", {sides_text(head.width, head.height)}" if head.width and head.height else ""
    return f"{head.form.words} picture{size}"


def found_picture(document: Document, item: Item, raw: bool = False) -> FoundPicture | None:
    """The picture that the value of an item is or lies in; None where it is none.

    Args:
        document: what is open.
        item: a value or a part of one.
        raw: whether a byte array without the signs of a picture counts, too.
    """
    frame = outline.node_frame(document, item)
    row = outline.type_row(document, item)
    if frame is None or row is None or frame.table.is_name(item.node):
        return None
    table, node = frame.table, item.node
    if row.kind is Kind.PACKED and row.narrow_size == 1:
        around = table.parent[node] if node else -1
        engines = _dictionary(document, Item(item.frame, around)) if around >= 0 else None
        whole = engines is not None and engines.data == Item(item.frame, node)
        return engines if whole else _file(document, Item(item.frame, node), raw)
    if row.kind is Kind.IMAGE:
        return _godot2(frame, Item(item.frame, node))
    if row.kind is Kind.DICTIONARY:
        return _dictionary(document, Item(item.frame, node))
    if row.kind in NAMED:
        return _object(document, Item(item.frame, node))
    return None


def picture_of_bytes(document: Document, item: Item) -> FoundPicture | None:
    """The picture that a byte array or an Image is; None for all that holds other values."""
    row = outline.type_row(document, item)
    is_bytes = row is not None and (row.kind is Kind.PACKED or row.kind is Kind.IMAGE)
    return found_picture(document, item) if is_bytes else None


def picture_bytes(document: Document, found: FoundPicture) -> bytes:
    """The picture file, or the pixels; at most :data:`MOST_BYTES` of them."""
    frame = outline.frame_of(document, found.item)
    assert frame is not None
    if found.data is None:
        parts = {part.name: part for part in whole_parts(frame.table, found.item.node)}
        span = parts[DATA].span
        return bytes(frame.table.buffer[span.start : min(span.end, span.start + MOST_BYTES)])
    return bytes(_payload(frame.table, found.data.node)[:MOST_BYTES])


def picture_pixels(document: Document, found: FoundPicture) -> Picture | str:
    """The pixels of an engine's image, or one sentence why there is none to show."""
    name = found.format
    if name == RGBA5551 and "PackedByteArray" in document.dialect.by_name:
        name = "RGB565"  # Godot 4 has other bits under the old name
    return drawn(name, found.width, found.height, picture_bytes(document, found))


def refusal(document: Document, found: FoundPicture) -> str:
    """Why a picture file is not to be decoded, as one sentence; empty for one that may be."""
    if found.length > MOST_BYTES:
        return "The picture is too long to be read."
    if found.form is not None and found.width * found.height > MOST_PIXELS:
        return f"The picture says that it has {sides_text(found.width, found.height)} pixels: too many to be drawn."
    if found.form is PictureForm.SVG:
        return svg_refusal(picture_bytes(document, found))
    return ""


def _payload(table: NodeTable, node: int) -> Buffer:
    """The bytes of a byte array."""
    start = table.start[node] + 8
    return window(table.buffer, start, start + element_count(table, node))


def _file(document: Document, item: Item, raw: bool) -> FoundPicture | None:
    frame = outline.frame_of(document, item)
    assert frame is not None
    payload = _payload(frame.table, item.node)
    head = picture_head(payload) if len(payload) >= SHORTEST else None
    if head is None and not (raw and len(payload)):
        return None
    head = head or PictureHead(PictureForm.PNG)
    form = head.form if picture_head(payload) is not None else None
    return FoundPicture(item, item, form, "", head.width, head.height, False, len(payload))


def _godot2(frame: Frame, item: Item) -> FoundPicture | None:
    parts = {part.name: part for part in whole_parts(frame.table, item.node)}
    numbers = [parts[name].value if name in parts else None for name in ("format", "mipmaps", "width", "height")]
    if DATA not in parts or not all(isinstance(number, int) for number in numbers):
        return None
    number, mipmaps, width, height = numbers
    names = image_formats()
    assert isinstance(number, int)
    assert isinstance(width, int)
    assert isinstance(height, int)
    name = names[number] if 0 <= number < len(names) else f"number {number}"
    return FoundPicture(item, None, None, name, width, height, bool(mipmaps), len(parts[DATA].span))


def _dictionary(document: Document, item: Item) -> FoundPicture | None:
    """The dictionary that an Image of Godot 3 and 4 keeps its picture in."""
    frame, row = outline.frame_of(document, item), outline.type_row(document, item)
    if frame is None or row is None or row.kind is not Kind.DICTIONARY:
        return None
    table = frame.table
    children = table.children(item.node)
    if not 2 * len(IMAGE_KEYS) <= len(children) <= 2 * MOST_PAIRS:
        return None
    values = {outline.key_text(table, key): value for key, value in zip(children[::2], children[1::2], strict=False)}
    if not all(name in values for name in IMAGE_KEYS):
        return None
    width, height, name = (read_shallow(table, values[key]).data for key in ("width", "height", "format"))
    data = table.row(values[DATA])
    if data is None or data.kind is not Kind.PACKED or data.narrow_size != 1:
        return None
    if not (isinstance(width, int) and isinstance(height, int) and isinstance(name, str)):
        return None
    mipmaps = read_shallow(table, values["mipmaps"]).data if "mipmaps" in values else False
    inner = Item(item.frame, values[DATA])
    length = element_count(table, inner.node)
    return FoundPicture(item, inner, None, name, width, height, bool(mipmaps), length)


def _object(document: Document, item: Item) -> FoundPicture | None:
    """An Image as an object or resource: its property ``data`` is the dictionary."""
    frame = outline.frame_of(document, item)
    assert frame is not None
    table = frame.table
    data = read_shallow(table, item.node).data
    if not isinstance(data, ObjectFull) or data.class_name != IMAGE_CLASS:
        return None
    children = table.children(item.node)[: 2 * MOST_PAIRS]
    for key, value in zip(children[::2], children[1::2], strict=False):
        if _name(table, key) == DATA:
            return _dictionary(document, Item(item.frame, value))
    return None


def _name(table: NodeTable, node: int) -> str:
    data = read_shallow(table, node).data
    return data if isinstance(data, str) else ""


# Raw pixels: which sizes a number of bytes could be.


@dataclass(frozen=True, slots=True)
class RawGuess:
    """A format and a size that take exactly so many bytes."""

    format: str
    width: int
    height: int

    @property
    def words(self) -> str:
        """What it says."""
        return f"{self.format}, {sides_text(self.width, self.height)}"


RATIOS = ((1, 1), (16, 9), (4, 3), (2, 1), (3, 2), (16, 10), (1, 2), (9, 16), (3, 4))
MOST_GUESSES = 12
SAMPLES = 3000
FULL = 510.0


def raw_guesses(data: bytes) -> list[RawGuess]:
    """The sizes that bytes of pixels most probably have, the likeliest first: neighbours are alike in a picture."""
    length = len(data)
    found: dict[RawGuess, float] = {}
    for place, name in enumerate(RAW_FORMATS[:4]):
        shown = pixel_format(name)
        assert shown is not None
        pixels, rest = divmod(length, shown.size)
        if rest or not 1 <= pixels <= MOST_PIXELS:
            continue
        for width in _widths(pixels):
            guess = RawGuess(name, width, pixels // width)
            found.setdefault(guess, _roughness(data, shown.size, width) + place)
    return sorted(found, key=found.__getitem__)[:MOST_GUESSES]


def _widths(pixels: int) -> list[int]:
    """Widths that so many pixels may have: those of usual shapes first, then powers of two."""
    usual = []
    for across, down in RATIOS:
        width = round((pixels * across / down) ** 0.5)
        if width and pixels % width == 0 and width * down == pixels // width * across:
            usual.append(width)
    powers = [1 << power for power in range(3, 13) if not pixels % (1 << power)]
    return usual + [width for width in powers if pixels // width >= 4 and width // 8 <= pixels // width <= width * 8]


def _roughness(data: bytes, size: int, width: int) -> float:
    """How much pixels differ from those right and below of them, 0 to 510, by a few thousand of them."""
    row = size * width
    last = len(data) - row - size
    if last <= 0:
        return FULL
    places = range(0, last, max(1, last // SAMPLES) | 1)
    return sum(abs(data[at] - data[at + size]) + abs(data[at] - data[at + row]) for at in places) / len(places)


def fitting_height(name: str, width: int, length: int) -> int:
    """So many rows of *width* pixels are there; 0 where there is not one."""
    shown = pixel_format(name)
    return length // (shown.size * width) if shown is not None and width > 0 else 0


def leftover(name: str, width: int, height: int, length: int) -> str:
    """What of the bytes such a picture does not use, in words; empty where it uses all."""
    shown = pixel_format(name)
    rest = length - width * height * shown.size if shown is not None else 0
    return f"{counted(rest, 'byte')} after the picture" if rest > 0 else ""
