"""Another picture in the place of one: one edit, in the form and format that the value had."""

from __future__ import annotations

from collections.abc import Callable

from viewer.base.record import dataclass, replace
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.edits.slots import EditError
from viewer.document.path import item_path
from viewer.document.splice import Edit, EditLabel
from viewer.document.visuals.found_picture import FoundPicture, PictureForm, sides_text
from viewer.document.visuals.pixel_formats import level_sizes, pixel_format, stored
from viewer.variant.dialect import image_formats
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Dictionary, Image, Value

PLAIN = "RGBA8"
GODOT2_PLAIN = "RGBA"
COLOURLESS = frozenset({"L8", "LA8"})


@dataclass(frozen=True, slots=True)
class NewPicture:
    """A decoded picture that is to be stored.

    Args:
        width, height: in pixels.
        scaled: its pixels in RGBA, four bytes each, scaled to a width and height.
        encoded: the picture as a file of a form; None where that form cannot be written.
        file: the picture file as it came, and its form.
    """

    width: int
    height: int
    scaled: Callable[[int, int], bytes]
    encoded: Callable[[PictureForm], bytes | None]
    file: tuple[PictureForm, bytes] | None = None


@dataclass(frozen=True, slots=True)
class PictureReplacement:
    """What a replacing would do: the edit, and sentences about what a person should know before."""

    edit: Edit
    remarks: tuple[str, ...]


def replaced_picture(document: Document, found: FoundPicture, new: NewPicture) -> PictureReplacement:
    """What puts *new* in the place of a picture.

    Raises:
        EditError: it cannot be stored there.
    """
    remarks = []
    if found.width and found.height and (found.width, found.height) != (new.width, new.height):
        remarks.append(
            f"The picture was {sides_text(found.width, found.height)} pixels and becomes"
            f" {sides_text(new.width, new.height)}: a game may expect the size that it had."
        )
    if found.form is not None:
        value, more = _file(document, found, new)
    elif found.data is None:
        value, more = _godot2(document, found, new)
    elif found.is_raw:
        raise EditError(
            "These bytes do not say how the pixels are laid out; export them, or choose a picture file's value."
        )
    else:
        value, more = _dictionary(document, found, new)
    edit = set_value(document, found.item, value)
    label = EditLabel("Replace picture {}", (item_path(document, found.item),))
    return PictureReplacement(replace(edit, words=label), (*remarks, *more))


def _now(document: Document, item: Item) -> Value:
    frame = outline.frame_of(document, item)
    assert frame is not None
    return read(frame.table, item.node)


def _file(document: Document, found: FoundPicture, new: NewPicture) -> tuple[Value, tuple[str, ...]]:
    row = outline.type_row(document, found.item)
    assert row is not None
    assert found.form is not None
    if new.file is not None and new.file[0] is found.form:
        return Value(row.name, new.file[1]), ()
    raw = new.encoded(found.form)
    if raw is not None:
        if new.file is None:
            return Value(row.name, raw), ()
        said = f"The picture came as {new.file[0].words} and is stored as {found.form.words}, as the one before."
        return Value(row.name, raw), (said,)
    if new.file is None:
        raise EditError(f"A picture cannot be written as {found.form.words} here.")
    said = f"The picture was {found.form.words} and becomes {new.file[0].words}: not every game reads both."
    return Value(row.name, new.file[1]), (said,)


def _pixels(name: str, mipmaps: bool, new: NewPicture) -> bytes | None:
    levels = level_sizes(new.width, new.height) if mipmaps else [(new.width, new.height)]
    found = [stored(name, new.scaled(*level)) for level in levels]
    return None if None in found else b"".join(each for each in found if each is not None)


def _in_format(name: str, plain: str, mipmaps: bool, new: NewPicture) -> tuple[str, bytes, tuple[str, ...]]:
    """The format and the pixels that are stored: of the same format, else of the plain one."""
    data = _pixels(name, mipmaps, new)
    if data is not None:
        return name, data, _faded(name, new)
    data = _pixels(plain, mipmaps, new)
    assert data is not None
    return plain, data, (f"The pixels were {name} and become {plain}, which every engine of this line reads.",)


def _faded(name: str, new: NewPicture) -> tuple[str, ...]:
    """What is to be known of a format that cannot hold the colours of a picture."""
    found = pixel_format(name)
    pixels = new.scaled(new.width, new.height) if found is not None and found.name in COLOURLESS else b""
    if pixels[::4] == pixels[1::4] == pixels[2::4]:
        return ()
    return (f"The pixels stay {name}, which has no colours: each becomes as grey as its brightest channel.",)


def _dictionary(document: Document, found: FoundPicture, new: NewPicture) -> tuple[Value, tuple[str, ...]]:
    value = _now(document, found.item)
    assert isinstance(value.data, Dictionary)
    name, data, remarks = _in_format(found.format, PLAIN, found.has_mipmaps, new)
    now: dict[str, int | str | bytes] = {"width": new.width, "height": new.height, "format": name, "data": data}
    pairs = tuple(
        (key, Value(each.type, now[key.data]) if isinstance(key.data, str) and key.data in now else each)
        for key, each in value.data.pairs
    )
    return Value(value.type, replace(value.data, pairs=pairs)), remarks


def _godot2(document: Document, found: FoundPicture, new: NewPicture) -> tuple[Value, tuple[str, ...]]:
    name, data, remarks = _in_format(found.format, GODOT2_PLAIN, found.has_mipmaps, new)
    mipmaps = len(level_sizes(new.width, new.height)) - 1 if found.has_mipmaps else 0
    image = Image(image_formats().index(name), mipmaps, new.width, new.height, data)
    return Value("Image", image), remarks
