"""Godot 2's images as pixels that a screen can show, where their format is a plain one."""

from __future__ import annotations

from enum import Enum

from viewer.base.record import dataclass
from viewer.base.words import grouped
from viewer.variant.dialect import image_formats
from viewer.variant.lint.image_size import MAX_SIDE, fits
from viewer.variant.value import Image

MOST_PIXELS = 1 << 24
"""Larger pictures are not drawn."""


class PixelLayout(Enum):
    """How pixels lie; the value is bytes a pixel."""

    GREY = 1
    RGB = 3
    RGBA = 4


DRAWN = {
    "GRAYSCALE": (1, PixelLayout.GREY),
    "INTENSITY": (1, PixelLayout.GREY),
    "GRAYSCALE_ALPHA": (2, PixelLayout.RGBA),
} | {
    "RGB": (3, PixelLayout.RGB),
    "RGBA": (4, PixelLayout.RGBA),
}


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels of the first level: ``width * height`` of them in *layout*, row by row without gaps."""

    width: int
    height: int
    layout: PixelLayout
    pixels: bytes


def format_name(number: int) -> str:
    """The name of a pixel format, its number where it has none."""
    names = image_formats()
    return names[number] if 0 <= number < len(names) else f"format {number}"


def picture(image: Image) -> Picture | str:
    """The picture of an image, or one sentence why there is none."""
    name = format_name(image.format)
    if not image.data:
        return "The image is empty."
    if name not in DRAWN:
        return f"Pixels of the format {name} are not drawn here."
    if not (0 < image.width <= MAX_SIDE and 0 < image.height <= MAX_SIDE):
        return f"The engine draws no image of {grouped(image.width)} by {grouped(image.height)} pixels."
    if image.width * image.height > MOST_PIXELS:
        return "The image is too large to be drawn here."
    size, layout = DRAWN[name]
    needed = image.width * image.height * size
    if len(image.data) < needed:
        return f"There are {grouped(len(image.data))} bytes of pixels, and the first level needs {grouped(needed)}."
    raw = image.data[:needed]
    return Picture(image.width, image.height, layout, _grey_alpha(raw) if size == 2 else raw)


def doubt(image: Image) -> str:
    """One sentence where the engine would read the numbers and make an empty image of them, else empty."""
    if fits(format_name(image.format), image.width, image.height, image.mipmaps, len(image.data)):
        return ""
    return "These numbers do not fit the length of the pixels: the engine reads an empty image."


def _grey_alpha(raw: bytes) -> bytes:
    out = bytearray(2 * len(raw))
    for k in range(3):
        out[k::4] = raw[::2]
    out[3::4] = raw[1::2]
    return bytes(out)
