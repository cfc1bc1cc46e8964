"""Pixel formats of the engines: how many bytes a pixel takes, and what a screen can show of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from enum import Enum
from struct import pack, unpack_from
from typing import Any

from viewer.base.record import dataclass
from viewer.base.words import grouped

MOST_PIXELS = 1 << 25
"""Larger pictures are not drawn: they would take 128 MiB and more."""
MOST_SLOW = 1 << 18
"""Pixels of a format that is worked out one number at a time."""
HALF_ONE = 0x3C00
CHUNK = 1 << 16


class PixelLayout(Enum):
    """How pixels lie; the value is bytes a pixel."""

    GREY = 1
    RGB = 3
    RGBA = 4
    RGBA_HALF = 8
    RGBA_FLOAT = 16


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels of the first level: ``width * height`` of them in *layout*, row by row without gaps."""

    width: int
    height: int
    layout: PixelLayout
    pixels: bytes


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """One format.

    Args:
        name: what people call it; engines have names of their own.
        size: bytes a pixel.
        layout: how the pixels lie that *spread* makes.
        spread: makes them of the raw bytes; None where these lie so already.
        is_slow: whether that takes long for a large picture.
    """

    name: str
    size: int
    layout: PixelLayout
    spread: Callable[[bytes], bytes] | None = None
    is_slow: bool = False


def _bytes_spread(order: str) -> Callable[[bytes], bytes]:
    """Spreads channels of a byte: *order* says for red, green, blue and alpha which byte each is; a ``.`` is 0."""

    def spread(raw: bytes) -> bytes:
        size = max(int(sign, 36) - 9 for sign in order if sign.isalpha())
        count = len(raw) // size
        out = bytearray(len(order) * count)
        for k, sign in enumerate(order):
            if sign.isalpha():
                out[k :: len(order)] = raw[int(sign, 36) - 10 :: size]
        return bytes(out)

    return spread


def _words_spread(code: str, channels: int, full: float) -> Callable[[bytes], bytes]:
    """Spreads channels of two or four bytes to four of them; a missing one is 0, alpha *full*."""

    def spread(raw: bytes) -> bytes:
        words: array[Any] = array(code, raw)
        count = len(words) // channels
        out: array[Any] = array(code, bytes(4 * count * words.itemsize))
        for k in range(channels):
            out[k::4] = words[k::channels]
        out[3::4] = array(code, [full]) * count
        return out.tobytes()

    return spread


def _packed_spread(bits: tuple[tuple[int, int], ...]) -> Callable[[bytes], bytes]:
    """Spreads channels of a 16-bit word; *bits* are place and width of red, green, blue and perhaps alpha."""

    def spread(raw: bytes) -> bytes:
        words = array("H", raw)
        out = bytearray(b"\xff") * (4 * len(words))
        tables = [_scaled(words, place, width) for place, width in bits]
        for start in range(0, len(words), CHUNK):  # a thread that draws may go on in between
            some = words[start : start + CHUNK]
            for k, table in enumerate(tables):
                out[4 * start + k : 4 * (start + len(some)) : 4] = bytes(map(table.__getitem__, some))
        return bytes(out)

    return spread


def _scaled(words: array[int], place: int, width: int) -> dict[int, int]:
    """What some bits of each word that there is are as a byte."""
    full = (1 << width) - 1
    return {word: round((word >> place & full) * 255 / full) for word in set(words)}


def _e9995(raw: bytes) -> bytes:
    """Three channels of nine bits that share an exponent of five."""
    out = array("f")
    for (word,) in (unpack_from("<I", raw, at) for at in range(0, len(raw) - 3, 4)):
        scale = 2.0 ** ((word >> 27) - 24)
        out.extend(((word & 511) * scale, (word >> 9 & 511) * scale, (word >> 18 & 511) * scale, 1.0))
    return out.tobytes()


_GREY, _RGB, _RGBA = PixelLayout.GREY, PixelLayout.RGB, PixelLayout.RGBA
_FLOAT, _HALF = PixelLayout.RGBA_FLOAT, PixelLayout.RGBA_HALF
_ALL = (
    PixelFormat("L8", 1, _GREY),
    PixelFormat("LA8", 2, _RGBA, _bytes_spread("aaab")),
    PixelFormat("R8", 1, _RGB, _bytes_spread("a..")),
    PixelFormat("RG8", 2, _RGB, _bytes_spread("ab.")),
    PixelFormat("RGB8", 3, _RGB),
    PixelFormat("RGBA8", 4, _RGBA),
    PixelFormat("BGRA8", 4, _RGBA, _bytes_spread("cbad")),
    PixelFormat("ARGB8", 4, _RGBA, _bytes_spread("bcda")),
    PixelFormat("RGBA4444", 2, _RGBA, _packed_spread(((12, 4), (8, 4), (4, 4), (0, 4)))),
    PixelFormat("RGBA5551", 2, _RGBA, _packed_spread(((11, 5), (6, 5), (1, 5), (0, 1)))),
    PixelFormat("RGB565", 2, _RGBA, _packed_spread(((11, 5), (5, 6), (0, 5)))),
    PixelFormat("RFloat", 4, _FLOAT, _words_spread("f", 1, 1.0)),
    PixelFormat("RGFloat", 8, _FLOAT, _words_spread("f", 2, 1.0)),
    PixelFormat("RGBFloat", 12, _FLOAT, _words_spread("f", 3, 1.0)),
    PixelFormat("RGBAFloat", 16, _FLOAT),
    PixelFormat("RHalf", 2, _HALF, _words_spread("H", 1, HALF_ONE)),
    PixelFormat("RGHalf", 4, _HALF, _words_spread("H", 2, HALF_ONE)),
    PixelFormat("RGBHalf", 6, _HALF, _words_spread("H", 3, HALF_ONE)),
    PixelFormat("RGBAHalf", 8, _HALF),
    PixelFormat("RGBE9995", 4, _FLOAT, _e9995, is_slow=True),
)
FORMATS_BY_NAME = {each.name: each for each in _ALL}
RAW_FORMATS = (
    "RGBA8",
    "RGB8",
    "L8",
    "LA8",
    "BGRA8",
    "ARGB8",
    "R8",
    "RG8",
    "RGBA4444",
    "RGB565",
    "RGBA5551",
    "RFloat",
    "RGBAFloat",
    "RHalf",
    "RGBAHalf",
)
"""What bytes of no known format may be, the likeliest first."""
ENGINE_NAMES = {"Lum8": "L8", "LumAlpha8": "LA8", "Red8": "R8", "RedGreen": "RG8"}
"""The names that Image's dictionary has for formats which people call otherwise."""
GODOT2_NAMES = {"GRAYSCALE": "L8", "INTENSITY": "L8", "GRAYSCALE_ALPHA": "LA8", "RGB": "RGB8", "RGBA": "RGBA8"}


def pixel_format(name: str) -> PixelFormat | None:
    """A format by the name that an engine or a person has for it; None for what is not drawn here."""
    return FORMATS_BY_NAME.get(ENGINE_NAMES.get(name, GODOT2_NAMES.get(name, name)))


def drawn(name: str, width: int, height: int, data: bytes) -> Picture | str:
    """The picture of raw pixels, or one sentence why there is none."""
    if not data:
        return "The image is empty."
    found = pixel_format(name)
    if found is None:
        return f"Pixels of the format {name} are not drawn here."
    if width < 1 or height < 1:
        return f"An image of {grouped(width)} by {grouped(height)} pixels has nothing to draw."
    if width * height > (MOST_SLOW if found.is_slow else MOST_PIXELS):
        return "The image is too large to be drawn here."
    needed = width * height * found.size
    if len(data) < needed:
        return f"There are {grouped(len(data))} bytes of pixels, and the first level needs {grouped(needed)}."
    raw = bytes(data[:needed])
    return Picture(width, height, found.layout, raw if found.spread is None else found.spread(raw))


# Back: pixels of eight bits a channel in a format of the engines.


def stored(name: str, rgba: bytes) -> bytes | None:
    """Pixels of four bytes in a format of whole bytes a channel; None for all other formats."""
    found = pixel_format(name)
    if found is None:
        return None
    match found.name:
        case "RGBA8":
            return rgba
        case "RGB8":
            return _picked(rgba, (0, 1, 2))
        case "RG8":
            return _picked(rgba, (0, 1))
        case "R8":
            return rgba[::4]
        case "BGRA8":
            return _picked(rgba, (2, 1, 0, 3))
        case "ARGB8":
            return _picked(rgba, (3, 0, 1, 2))
        case "L8":
            return _grey(rgba)
        case "LA8":
            out = bytearray(len(rgba) // 2)
            out[::2], out[1::2] = _grey(rgba), rgba[3::4]
            return bytes(out)
        case "RGBAFloat":
            return array("f", [byte / 255 for byte in rgba]).tobytes() if len(rgba) <= 4 * MOST_SLOW else None
        case "RGBAHalf":
            halves = [pack("<e", byte / 255) for byte in range(256)]
            return b"".join(map(halves.__getitem__, rgba)) if len(rgba) <= 4 * MOST_SLOW else None
        case _:
            return None


def _picked(rgba: bytes, channels: tuple[int, ...]) -> bytes:
    out = bytearray(len(rgba) // 4 * len(channels))
    for k, channel in enumerate(channels):
        out[k :: len(channels)] = rgba[channel::4]
    return bytes(out)


def _grey(rgba: bytes) -> bytes:
    """The brightest channel of each pixel, as the engines do it."""
    return bytes(map(max, rgba[::4], rgba[1::4], rgba[2::4]))


def level_sizes(width: int, height: int) -> list[tuple[int, int]]:
    """Width and height of each level of a picture with all its smaller ones, the picture itself first."""
    sizes = [(width, height)]
    while sizes[-1] != (1, 1):
        width, height = max(1, width >> 1), max(1, height >> 1)
        sizes.append((width, height))
    return sizes
