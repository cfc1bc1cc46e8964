"""Pixels of the engines' formats become what a screen shows; the packed ones as godot3-server and Godot 4.6 say."""

from __future__ import annotations

import struct

import pytest

from viewer.document.visuals.pixel_formats import (
    FORMATS_BY_NAME,
    GODOT2_NAMES,
    Picture,
    PixelLayout,
    drawn,
    level_sizes,
    stored,
)

WORD = b"\x21\x43"
RGBA = bytes((10, 20, 30, 40))


def shown(name: str, data: bytes) -> tuple[float, ...]:
    """The one pixel of a picture."""
    found = drawn(name, 1, 1, data)
    assert isinstance(found, Picture)
    code = {PixelLayout.RGBA_FLOAT: "4f", PixelLayout.RGBA_HALF: "4e"}.get(found.layout)
    return struct.unpack("<" + code, found.pixels) if code else tuple(found.pixels)


def test_one_pixel_of_each_format() -> None:
    assert shown("Lum8", b"\x21") == (0x21,)
    assert shown("LumAlpha8", WORD) == (0x21, 0x21, 0x21, 0x43)
    assert shown("Red8", b"\x21") == (0x21, 0, 0)
    assert shown("RedGreen", WORD) == (0x21, 0x43, 0)
    assert shown("RGB8", b"abc") == tuple(b"abc")
    assert shown("BGRA8", b"abcd") == tuple(b"cbad")
    assert shown("ARGB8", b"abcd") == tuple(b"bcda")
    assert shown("RGBA4444", WORD) == (0x44, 0x33, 0x22, 0x11)
    assert shown("RGBA5551", WORD) == (round(8 * 255 / 31), round(12 * 255 / 31), round(16 * 255 / 31), 255)
    assert shown("RGB565", WORD) == (round(8 * 255 / 31), round(25 * 255 / 63), round(255 / 31), 255)
    assert shown("RGBE9995", b"\x21\x43\x65\x87") == (1.12890625, 0.62890625, 1.84765625, 1.0)
    assert shown("RGFloat", struct.pack("<2f", 0.5, 2.0)) == (0.5, 2.0, 0.0, 1.0)
    assert shown("RGBHalf", struct.pack("<3e", 0.5, 2.0, 1.0)) == (0.5, 2.0, 1.0, 1.0)


@pytest.mark.parametrize("name", FORMATS_BY_NAME)
def test_each_format_fills_its_layout(name: str) -> None:
    found = drawn(name, 3, 2, bytes(6 * FORMATS_BY_NAME[name].size))
    assert isinstance(found, Picture)
    assert len(found.pixels) == 6 * found.layout.value


def test_what_cannot_be_drawn_is_one_sentence() -> None:
    assert drawn("RGBA8", 1, 1, b"") == "The image is empty."
    assert "not drawn here" in str(drawn("DXT5 RGBA8", 4, 4, bytes(16)))
    assert "too large" in str(drawn("RGBA8", 1 << 30, 1 << 30, bytes(4)))
    assert "nothing to draw" in str(drawn("RGBA8", -1, 5, bytes(4)))
    assert "needs 16" in str(drawn("RGBA8", 2, 2, bytes(15)))


@pytest.mark.parametrize("name", ["RGBA8", "RGB8", "RG8", "R8", "BGRA8", "ARGB8", "L8", "LA8", "RGBAFloat", "RGBAHalf"])
def test_pixels_that_are_stored_are_shown_again(name: str) -> None:
    raw = stored(name, RGBA)
    assert raw is not None
    again = shown(name, raw)
    scale = 255 if isinstance(again[0], float) else 1
    wanted = (
        (30,) if name == "L8" else (30, 30, 30, 40) if name == "LA8" else (*RGBA[: int(FORMATS_BY_NAME[name].size)],)
    )
    wanted = RGBA if name.startswith("RGBA") or name in ("BGRA8", "ARGB8") else wanted
    assert [round(number * scale) for number in again][: len(wanted)] == list(wanted)


def test_other_formats_are_not_stored() -> None:
    assert stored("DXT1 RGB8", RGBA) is None
    assert stored("RGBA4444", RGBA) is None
    assert stored("RGBA", RGBA) == RGBA
    assert set(GODOT2_NAMES.values()) <= set(FORMATS_BY_NAME)


def test_levels_end_with_one_pixel() -> None:
    assert level_sizes(5, 2) == [(5, 2), (2, 1), (1, 1)]
    assert level_sizes(1, 1) == [(1, 1)]
