"""Another picture in the place of one: one edit, in the form that was there, and the engines read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpus import DATA
from document.visuals.picture_values import BYTE_ARRAYS, image_data, image_object, png, save
from engine import Request as Request3
from engine import loaded, read_back
from engine4 import Godot
from engine4 import Request as Request4

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.visuals.found_picture import PictureForm, found_picture
from viewer.document.visuals.picture_replacing import NewPicture, PictureReplacement, replaced_picture
from viewer.variant.read import read
from viewer.variant.value import Image, Value

FILE = png(2, 2, b"\x00\xff\x00\x00\x00\xff\x00" + b"\x00\x00\x00\xff\x10\x20\x30")
NEW = bytes.fromhex("ff0000ff 00ff00ff 0000ffff 102030ff")


def new(width: int = 2, height: int = 2, form: PictureForm = PictureForm.PNG) -> NewPicture:
    def scaled(across: int, down: int) -> bytes:
        return NEW if (across, down) == (2, 2) else bytes((9, 9, 9, 255)) * (across * down)

    return NewPicture(width, height, scaled, lambda form: b"as " + form.value.encode(), (form, FILE))


def put(document: Document, path: str, picture: NewPicture) -> PictureReplacement:
    found = found_picture(document, parse_path(document, path))
    assert found is not None
    made = replaced_picture(document, found, picture)
    document.apply(made.edit)
    return made


def value(document: Document, path: str) -> Value:
    item = parse_path(document, path)
    return read(document.frames[0].table, item.node)


def test_a_picture_file_takes_the_place_of_one_of_the_same_form() -> None:
    document = save(face=Value("PoolByteArray", png()), after=Value("int", 7))
    before = bytes(document.buffer[:])
    made = put(document, "[0].face", new())
    assert value(document, "[0].face").data == FILE
    assert value(document, "[0].after").data == 7
    assert made.remarks == (
        "The picture was 2 \u00d7 1 pixels and becomes 2 \u00d7 2: a game may expect the size that it had.",
    )
    assert document.history.undo_label == "Replace picture [0].face"
    document.undo()
    assert bytes(document.buffer[:]) == before


def test_a_picture_of_another_form_is_stored_in_the_old_one() -> None:
    document = save(face=Value("PoolByteArray", png()))
    made = put(document, "[0].face", new(form=PictureForm.JPEG))
    assert value(document, "[0].face").data == b"as png"
    assert made.remarks[-1] == "The picture came as JPEG and is stored as PNG, as the one before."


def test_an_image_gets_pixels_of_its_format_with_its_mipmaps() -> None:
    document = save(image=image_data("godot3", "RGB8", bytes(4 * 3 * 3 + 9), mipmaps=True))
    put(document, "[0].image", new())
    shown = {str(key.data): each.data for key, each in value(document, "[0].image").data.pairs}  # type: ignore[union-attr]
    data = bytes.fromhex("ff0000 00ff00 0000ff 102030 090909")
    assert shown == {"width": 2, "height": 2, "format": "RGB8", "mipmaps": True, "data": data}


def test_a_format_that_cannot_be_written_becomes_the_plain_one() -> None:
    document = save(image=image_data("godot3", "DXT5 RGBA8", bytes(16)))
    made = put(document, "[0].image", new())
    assert value(document, "[0].image.format").data == "RGBA8"
    assert made.remarks[-1] == "The pixels were DXT5 RGBA8 and become RGBA8, which every engine of this line reads."


def test_that_a_format_without_colours_loses_them_is_told() -> None:
    document = save("godot2", icon=Value("Image", Image(0, 0, 2, 2, bytes(4))))
    assert put(document, "[0].icon", new()).remarks == (
        "The pixels stay GRAYSCALE, which has no colours: each becomes as grey as its brightest channel.",
    )
    grey = NewPicture(2, 2, lambda across, down: bytes((9, 9, 9, 255)) * (across * down), lambda form: None)
    assert put(document, "[0].icon", grey).remarks == ()


def test_godot_2_images_are_replaced_whole() -> None:
    document = save("godot2", icon=Value("Image", Image(9, 1, 4, 4, bytes(12))))
    put(document, "[0].icon", new())
    assert value(document, "[0].icon").data == Image(4, 1, 2, 2, NEW + bytes((9, 9, 9, 255)))


# The engines


def replaced_save(line: str) -> Document:
    """A save in which two pictures were replaced: a PNG, and the pixels of an Image with mipmaps."""
    image = image_object(line, name="RGBA8", data=bytes(4 * (12 + 2 + 1)), mipmaps=True)
    document = save(line, face=Value(BYTE_ARRAYS[line], png()), image=image)
    put(document, "[0].face", new())
    put(document, "[0].image", new())
    return document


PLAIN = {"width": 2, "height": 2, "format": "RGBA8", "mipmaps": True, "data": NEW + bytes((9, 9, 9, 255))}


def plain(shown: Any) -> Any:
    """What an engine told, as Python has it."""
    if not isinstance(shown, dict):
        return shown
    name, data = next(iter(shown.items()))
    match name:
        case "Dictionary":
            return {plain(key): plain(each) for key, each in data}
        case "int":
            return int(data)
        case "PoolByteArray":
            return bytes.fromhex(data)
        case "PackedByteArray":  # as it is written: a count, the bytes, the fill
            raw = bytes.fromhex(data)
            return raw[4 : 4 + int.from_bytes(raw[:4], "little")]
        case "Object":
            return shown["fields"] if "fields" in shown else data and data["props"]
        case _:
            return data


@pytest.mark.engine
def test_godot_3_reads_replaced_pictures() -> None:
    (answer,) = read_back([Request3(bytes(replaced_save("godot3").buffer[:]), "get_var", objects=True)])
    assert answer.error is None
    shown = plain(answer.value)
    assert shown["face"] == FILE
    assert dict(map(plain, pair) for pair in shown["image"])["data"] == PLAIN


@pytest.mark.engine
def test_godot_3_loads_a_resource_with_a_replaced_picture(tmp_path: Path) -> None:
    document = Document.open(DATA / "resources" / "godot3" / "engine_image.res")
    put(document, "[0]", new())
    (resources,) = loaded([bytes(document.buffer[:])], tmp_path)
    assert resources is not None
    properties = dict(map(plain, pair) for pair in resources[0]["properties"])
    assert properties["data"] == PLAIN | {"mipmaps": False, "data": NEW}


@pytest.mark.engine4
def test_godot_4_reads_replaced_pictures(godot4: Godot) -> None:
    (answer,) = godot4.read([Request4(bytes(replaced_save("godot4").buffer[:]), objects=True)])
    assert answer.fault == ""
    shown = plain(answer.value)
    assert shown["face"] == FILE
    assert dict(map(plain, pair) for pair in shown["image"])["data"] == PLAIN
