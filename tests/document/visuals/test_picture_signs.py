"""Picture files are told by their first bytes, with the size that these say, and nothing is taken on trust."""

from __future__ import annotations

import random

import pytest
from document.visuals.picture_values import png

from viewer.document.visuals.picture_signs import PictureForm, PictureHead, picture_head, svg_area, svg_refusal

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
