"""Pictures in values, and picture files by their first bytes."""

from __future__ import annotations

import random

import pytest
from document.visuals.picture_values import BYTE_ARRAYS, PIXELS, bag, image_data, image_object, png, save

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.visuals.found_picture import (
    FoundPicture,
    PictureForm,
    PictureHead,
    RawGuess,
    found_picture,
    picture_bytes,
    picture_head,
    picture_pixels,
    raw_guesses,
    refusal,
    svg_area,
    svg_refusal,
)
from viewer.document.visuals.pixel_formats import Picture, PixelLayout
from viewer.variant.value import Image, Value

SVG = b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- > --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"/>'
HEADS = {
    png(640, 480): PictureHead(PictureForm.PNG, 640, 480),
    b"GIF89a\x10\x00\x20\x00": PictureHead(PictureForm.GIF, 16, 32),
    b"BM" + bytes(12) + b"\x28\0\0\0" + b"\x10\0\0\0" + b"\xf0\xff\xff\xff" + bytes(40): PictureHead(
        PictureForm.BMP, 16, 16
    ),
    b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x20\0\x10": PictureHead(PictureForm.JPEG, 16, 32),
    b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x0f\0\0\x1f\0\0": PictureHead(PictureForm.WEBP, 16, 32),
    b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (15 | 31 << 14).to_bytes(4, "little"): PictureHead(PictureForm.WEBP, 16, 32),
    b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + b"\x10\0\x20\0": PictureHead(PictureForm.WEBP, 16, 32),
    SVG: PictureHead(PictureForm.SVG, 24, 12),
    b'<svg width="30.5" height="20px">': PictureHead(PictureForm.SVG, 30, 20),
    b"<svg/>": None,
    b"<svgs>": None,
    b"<html>": None,
    b"BMW is a car and no picture, whatever comes": None,
    b"": None,
}


@pytest.mark.parametrize("raw", HEADS)
def test_the_first_bytes_say_form_and_size(raw: bytes) -> None:
    assert picture_head(raw) == HEADS[raw]


def test_bytes_of_any_kind_never_raise() -> None:
    chance = random.Random(1)
    for raw in HEADS:
        for _ in range(200):
            broken = bytearray(raw[: chance.randrange(len(raw) + 1)])
            for _ in range(chance.randrange(4) if broken else 0):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            picture_head(bytes(broken))
    assert picture_head(b"<!---->" * 9000) is None


def test_only_an_svg_that_draws_from_itself_alone_is_drawn() -> None:
    assert svg_refusal(SVG) == ""
    assert svg_refusal(b'<svg><use href="#a"/><rect fill="url(#b)"/></svg>') == ""
    assert "files" in svg_refusal(b'<svg><image xlink:href="file:///etc/passwd"/></svg>')
    assert "files" in svg_refusal(b'<svg><image href="https://a.b/c.png"/></svg>')
    assert "files" in svg_refusal(b"<svg><style>@import 'a.css'</style></svg>")
    assert "entities" in svg_refusal(b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')
    assert "UTF-8" in svg_refusal(b'<?xml version="1.0" encoding="UTF-7"?><svg/>')
    assert "too often" in svg_refusal(b"<svg>" + b'<use href="#a"/>' * 13 + b"</svg>")
    assert "too many parts" in svg_refusal(b"<svg>" + b"<g/>" * 8000)
    assert "filter" in svg_refusal(b"<svg><filter/></svg>")
    assert "too long" in svg_refusal(b"<svg>" + bytes(1 << 20))


def test_the_more_an_svg_draws_the_smaller_it_is_drawn() -> None:
    assert svg_area(b"<svg></svg>") == 250_000_000
    assert svg_area(b"<svg>" + b"<circle/>" * 9999) == 50_000
    assert svg_area(b"<svg>" + b'<use href="#a"/>' * 9) == 500_000_000 // 270


def at(document: Document, path: str) -> FoundPicture:
    found = found_picture(document, parse_path(document, path))
    assert found is not None
    return found


@pytest.mark.parametrize("line", BYTE_ARRAYS)
def test_a_picture_file_in_a_byte_array_is_found(line: str) -> None:
    document = save(line, face=Value(BYTE_ARRAYS[line], png()), other=Value(BYTE_ARRAYS[line], b"12345678"))
    found = at(document, "[0].face")
    assert (found.form, found.width, found.height, found.words) == (PictureForm.PNG, 2, 1, "PNG, 2 \u00d7 1")
    assert picture_bytes(document, found) == png()
    assert at(document, "[0].face[3]") == found
    assert found_picture(document, parse_path(document, "[0].other")) is None
    raw = found_picture(document, parse_path(document, "[0].other"), raw=True)
    assert raw is not None
    assert raw.is_raw


@pytest.mark.parametrize("line", BYTE_ARRAYS)
@pytest.mark.parametrize("path", ["[0].image", "[0].image.data", "[0].image.data.data"])
def test_an_image_object_is_found_from_each_of_its_values(line: str, path: str) -> None:
    document = save(line, image=image_object(line))
    found = at(document, path)
    assert (found.format, found.width, found.height, found.is_raw) == ("RGBA8", 4, 3, False)
    assert picture_pixels(document, found) == Picture(4, 3, PixelLayout.RGBA, PIXELS)


def test_godot_2_has_images_of_its_own() -> None:
    document = save("godot2", icon=Value("Image", Image(3, 0, 2, 1, b"abcdef")))
    found = at(document, "[0].icon")
    assert (found.format, found.words) == ("RGB", "RGB, 2 \u00d7 1")
    assert picture_pixels(document, found) == Picture(2, 1, PixelLayout.RGB, b"abcdef")


def test_the_same_name_means_other_bits_in_godot_4() -> None:
    shown = []
    for line in BYTE_ARRAYS:
        document = save(line, image=image_data(line, "RGBA5551", b"\x21\x43" * 3, width=1))
        picture = picture_pixels(document, at(document, "[0].image"))
        assert isinstance(picture, Picture)
        shown.append(picture.pixels[:3])
    assert shown == [bytes((66, 99, 132)), bytes((66, 101, 8))]


def test_a_dictionary_that_is_no_image_is_none() -> None:
    document = save(size=bag(width=Value("int", 1), height=Value("int", 1), format=Value("int", 1), data=Value("Nil")))
    assert found_picture(document, parse_path(document, "[0].size")) is None
    assert found_picture(document, parse_path(document, "[0].size.width")) is None


def test_sizes_that_are_only_told_are_refused() -> None:
    huge = png(60_000, 60_000)
    document = save(face=Value("PoolByteArray", huge), image=image_data("godot3", width=1 << 30))
    found = at(document, "[0].face")
    assert "60\u202f000 \u00d7 60\u202f000 pixels: too many" in refusal(document, found)
    assert "too large" in str(picture_pixels(document, at(document, "[0].image")))


def test_the_likeliest_size_of_raw_pixels_comes_first() -> None:
    rows = (bytes((x, y, (x + y) // 2, 255)) for y in range(48) for x in range(64))
    assert raw_guesses(b"".join(rows))[0] == RawGuess("RGBA8", 64, 48)
    grey = bytes((x * 2 + y) % 256 for y in range(64) for x in range(64))
    assert raw_guesses(grey)[0] == RawGuess("L8", 64, 64)
    assert raw_guesses(b"") == []
    assert raw_guesses(bytes(7)) == []
