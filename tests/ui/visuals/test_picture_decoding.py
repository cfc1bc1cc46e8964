"""Pictures are decoded within bounds, and what is wrong with one is a sentence."""

from __future__ import annotations

import random

import pytest
from document.visuals.picture_values import png
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from viewer.document.visuals.found_picture import PictureForm, picture_head
from viewer.document.visuals.pixel_formats import Picture, PixelLayout
from viewer.ui.visuals.picture_decoding import as_file, decoded, new_picture, of_pixels, rgba

pytestmark = pytest.mark.usefixtures("qapp")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="#f00"/></svg>'


def image() -> QImage:
    found = QImage(6, 4, QImage.Format.Format_RGBA8888)
    found.fill(QColor(200, 100, 50))
    return found


@pytest.mark.parametrize("form", [PictureForm.PNG, PictureForm.JPEG, PictureForm.WEBP, PictureForm.BMP])
def test_what_is_written_is_read_again(form: PictureForm) -> None:
    raw = as_file(image(), form)
    assert raw is not None
    head = picture_head(raw)
    assert head is not None
    assert (head.form, head.width, head.height) == (form, 6, 4)
    again = decoded(raw, form)
    assert isinstance(again, QImage)
    assert abs(again.pixelColor(3, 2).red() - 200) < 8


def test_an_svg_is_drawn_from_itself_alone() -> None:
    found = decoded(SVG, PictureForm.SVG)
    assert isinstance(found, QImage)
    assert (found.width(), found.height(), found.pixelColor(4, 2).name()) == (8, 4, "#ff0000")
    assert "files" in str(decoded(SVG.replace(b"<rect", b'<image href="a.png"/><rect'), PictureForm.SVG))
    large = decoded(SVG.replace(b'width="8" height', b'width="900000" height', 1), PictureForm.SVG)
    assert isinstance(large, QImage)
    assert large.width() == 512


def test_a_size_that_is_only_stated_is_refused_before_anything_is_decoded() -> None:
    assert "60\u202f000 \u00d7 60\u202f000 pixels: too many" in str(decoded(png(60_000, 60_000), PictureForm.PNG))


def test_broken_pictures_are_told_in_a_sentence(qapp: QApplication) -> None:
    chance = random.Random(2)
    for form in (PictureForm.PNG, PictureForm.JPEG, PictureForm.WEBP, PictureForm.GIF):
        raw = as_file(image(), form) or b"GIF89a" + bytes(40)
        for _ in range(30):
            broken = bytearray(raw[: chance.randrange(12, len(raw))])
            for _ in range(3):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            found = decoded(bytes(broken), form)
            assert isinstance(found, QImage) or (found.endswith(".") and found.count(".") == 1)


def test_raw_pixels_become_an_image_of_its_own_bytes() -> None:
    found = of_pixels(Picture(2, 1, PixelLayout.RGB, b"\xff\0\0\0\xff\0"))
    assert rgba(found) == b"\xff\0\0\xff\0\xff\0\xff"


def test_a_new_picture_brings_its_file_and_its_pixels() -> None:
    new = new_picture(png())
    assert not isinstance(new, str)
    assert (new.width, new.height, new.file) == (2, 1, (PictureForm.PNG, png()))
    assert new.scaled(2, 1) == b"\xff\0\0\xff\0\0\xff\xff"[:4] + new.scaled(2, 1)[4:]
    assert len(new.scaled(1, 1)) == 4
    assert new.encoded(PictureForm.GIF) is None
    assert "not a picture" in str(new_picture(b"hello"))
