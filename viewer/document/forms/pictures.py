"""Godot 2's images as its editor shows them: the picture, and what the engine would doubt."""

from __future__ import annotations

from viewer.base.words import grouped
from viewer.document.visuals.pixel_formats import Picture, drawn
from viewer.variant.dialect import image_formats
from viewer.variant.lint.image_size import MAX_SIDE, fits
from viewer.variant.value import Image


def format_name(number: int) -> str:
    """The name of a pixel format, its number where it has none."""
    names = image_formats()
    return names[number] if 0 <= number < len(names) else f"format {number}"


def picture(image: Image) -> Picture | str:
    """The picture of an image, or one sentence why there is none."""
    if image.data and not (0 < image.width <= MAX_SIDE and 0 < image.height <= MAX_SIDE):
        return f"The engine draws no image of {grouped(image.width)} by {grouped(image.height)} pixels."
    return drawn(format_name(image.format), image.width, image.height, image.data)


def doubt(image: Image) -> str:
    """One sentence where the engine would read the numbers and make an empty image of them, else empty."""
    if fits(format_name(image.format), image.width, image.height, image.mipmaps, len(image.data)):
        return ""
    return "These numbers do not fit the length of the pixels: the engine reads an empty image."
