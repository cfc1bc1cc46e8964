"""Which picture a value is: files in byte arrays, the Images of each engine line, raw pixels by guesses."""

from __future__ import annotations

import pytest
from document.visuals.picture_values import BYTE_ARRAYS, PIXELS, bag, image_data, image_object, png, save

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.visuals.found_picture import (
    FoundPicture,
    RawGuess,
    found_picture,
    picture_bytes,
    picture_pixels,
    raw_guesses,
    refusal,
)
from viewer.document.visuals.picture_signs import PictureForm
from viewer.document.visuals.pixel_formats import Picture, PixelLayout
from viewer.variant.value import Image, Value


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
