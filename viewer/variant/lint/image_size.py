"""How many bytes the pixels of Godot 2's Image take, by format, size and mipmaps."""

from __future__ import annotations

from viewer.base.record import dataclass

MAX_SIDE = 16384
"""The engine takes no image wider or higher than this, in pixels."""


@dataclass(frozen=True, slots=True)
class Pixels:
    """One pixel format: *bits* a pixel, bytes of *palette* in front, smallest mipmap side in pixels."""

    bits: int
    palette: int = 0
    least: int = 1


FORMATS = {
    "GRAYSCALE": Pixels(8),
    "INTENSITY": Pixels(8),
    "GRAYSCALE_ALPHA": Pixels(16),
    "RGB": Pixels(24),
    "RGBA": Pixels(32),
    "INDEXED": Pixels(8, 768),
    "INDEXED_ALPHA": Pixels(8, 1024),
    "YUV_422": Pixels(16),
    "YUV_444": Pixels(24),
    "BC1": Pixels(4, 0, 4),
    "BC2": Pixels(8, 0, 4),
    "BC3": Pixels(8, 0, 4),
    "BC4": Pixels(4, 0, 4),
    "BC5": Pixels(8, 0, 4),
    "ETC": Pixels(4, 0, 4),
}
"""Formats whose size is known for every side; the others are taken as they are."""


def fits(name: str, width: int, height: int, mipmaps: int, length: int) -> bool:
    """Whether *length* bytes are the pixels of such an image; True for a format whose size is not known.

    Args:
        name: the format's name.
        width, height: in pixels; an image without data has none.
        mipmaps: levels beyond the first.
        length: bytes of pixel data.
    """
    if not length:
        return width == height == mipmaps == 0
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        return False
    pixels = FORMATS.get(name)
    if pixels is None or _is_cut(pixels, width, height):
        return True
    return length == pixels.palette + sum(_levels(pixels, width, height, mipmaps))


def _is_cut(pixels: Pixels, width: int, height: int) -> bool:
    """Whether a side is no whole number of blocks: then the size is not known."""
    return bool(width % pixels.least or height % pixels.least)


def _levels(pixels: Pixels, width: int, height: int, mipmaps: int) -> list[int]:
    """Bytes of each level; those from the smallest on are alike and stand in one entry."""
    sizes: list[int] = []
    for level in range(mipmaps + 1):
        size = width * height * pixels.bits // 8
        if width <= pixels.least and height <= pixels.least:
            return [*sizes, size * (mipmaps + 1 - level)]
        sizes.append(size)
        width, height = max(pixels.least, width >> 1), max(pixels.least, height >> 1)
    return sizes
