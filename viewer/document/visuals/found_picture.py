"""Which picture a value is: a picture file in a byte array, Godot 2's Image, or the Image of Godot 3 and 4."""

from __future__ import annotations

from viewer.base.buffer import Buffer, window
from viewer.base.record import dataclass
from viewer.base.words import counted
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.document.visuals.picture_signs import PictureForm, PictureHead, picture_head, sides_text, svg_refusal
from viewer.document.visuals.pixel_formats import MOST_PIXELS, RAW_FORMATS, Picture, drawn, pixel_format
from viewer.variant.dialect import NAMED, Kind, image_formats
from viewer.variant.elements import element_count
from viewer.variant.items import Item, whole_parts
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import ObjectFull

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
    head = picture_head(payload) if len(payload) >= 8 else None
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
    return f"{counted(rest, 'byte')} behind the picture" if rest > 0 else ""
