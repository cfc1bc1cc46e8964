"""What Godot 4.6 wraps, we edit and wrap again: it opens the file, reads what was intended, and all else as before."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import corpus
import pytest
from document.engine4_save import BAG, HERO, ITEMS, PACKED, Case, after, at, edited, opened, stored, values
from engine4 import Framing, Godot, Request

from viewer.container.frames import FramingKind
from viewer.container.layer import Secret
from viewer.document.document import CannotWrap, Document
from viewer.document.edits.fragment import written
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.edits.slots import FILE, Slot
from viewer.document.edits.structure import delete, duplicate, insert, to_bare, to_stored
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

pytestmark = pytest.mark.engine4

KEY = bytes(range(32))
EDITS = {
    "a number": Case(lambda d: set_literal(d, at(d, *HERO, "gold"), "5000000000"), {(*HERO, "gold"): "5000000000"}),
    "a long text": Case(
        lambda d: set_literal(d, at(d, *HERO, "name"), '"' + "Zoë " * 3000 + '"'),
        {(*HERO, "name"): '"' + "Zoë " * 3000 + '"'},
    ),
    "elements": Case(
        lambda d: delete(d, [at(d, *ITEMS, 0), at(d, *PACKED, "ints", 1)]),
        {ITEMS: '["two", [3], {"four": 4}, null, &"six", 7.5]', (*PACKED, "ints"): "PackedInt32Array(1, 3)"},
    ),
    "a whole frame": Case(lambda d: set_literal(d, at(d, *BAG), "{}"), {BAG: "{}"}),
}


@dataclass(frozen=True)
class Wrap:
    """How the engine writes and opens a file, and what we need to open it."""

    opened: str
    secret: bytes = b""
    framing: Framing = "stored"

    @property
    def ours(self) -> Secret | None:
        if self.opened == "password":
            return Secret.of_password(self.secret.decode())
        return Secret(self.secret) if self.opened == "key" else None


WRAPS = {
    "plain": Wrap("plain"),
    "plain, prefixes big-endian": Wrap("plain", framing="big-endian"),
    "FastLZ": Wrap("compressed:0"),
    "Deflate": Wrap("compressed:1"),
    "Zstd": Wrap("compressed:2"),
    "GZip": Wrap("compressed:3"),
    "Zstd, prefixes big-endian": Wrap("compressed:2", framing="big-endian"),
    "a password": Wrap("password", b"secret"),
    "an empty password": Wrap("password"),
    "a password in Unicode": Wrap("password", "Schlüssel 漢字 😀".encode()),
    "a key": Wrap("key", KEY),
    "a key, prefixes big-endian": Wrap("key", KEY, "big-endian"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("wrap", WRAPS.values(), ids=WRAPS)
def test_an_edit_inside_a_wrap_is_read_back(godot4: Godot, wrap: Wrap, edit: Case) -> None:
    raw = godot4.written(values(godot4)[:4], wrap.framing, wrap.opened, wrap.secret)
    document = opened(raw, wrap.ours)
    assert bytes(document.to_be_written()[:]) == raw
    data = edited(document, edit)
    assert data[:4] == raw[:4] or wrap.opened == "plain"
    before, found = godot4.read(
        [Request(each, wrap.framing, opened=wrap.opened, secret=wrap.secret) for each in (raw, data)]
    )
    assert found.fault == ""
    assert found.all_shown == after(godot4, before.all_shown, edit.then)


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("size", [0, 1, 4083, 4084, 4085, 8180, 8181, 20000])
@pytest.mark.parametrize("kind", ["zeros", "noise"])
def test_bytes_of_any_length_fill_the_blocks_of_a_compressed_file(
    godot4: Godot, mode: int, size: int, kind: str
) -> None:
    """Also where they end with a block: 12 bytes of prefix, header and count lie before them."""
    content = bytes(size) if kind == "zeros" else random.Random(size).randbytes(size)
    raw = godot4.written([b"\2\0\0\0\5\0\0\0"], opened=f"compressed:{mode}")
    document = Document(raw, choice=ReadOptions(load("godot4")))
    document.apply(set_value(document, Item(0), Value("PackedByteArray", content)))
    (found,) = godot4.read([Request(bytes(document.to_be_written()[:]), opened=f"compressed:{mode}")])
    assert found.fault == ""
    shown = size.to_bytes(4, "little") + content + bytes(-size % 4)
    assert found.value == {"PackedByteArray": shown.hex()}


def test_brotli_is_read_by_the_engine_and_saved_as_zstd_if_told_so(godot4: Godot) -> None:
    saved = next(file for file in corpus.wrapped("godot4") if "brotli" in file.path.name)
    raw = saved.path.read_bytes()
    document = Document.open(saved.path)
    (before,) = godot4.read([Request(raw, opened="compressed:4")])
    document.apply(set_literal(document, Item(0), "{}"))
    with pytest.raises(CannotWrap):
        document.to_be_written()
    document.use_other_wraps()
    (found,) = godot4.read([Request(bytes(document.to_be_written()[:]), opened="compressed:2")])
    assert (before.fault, found.fault) == ("", "")
    assert found.all_shown == [{"Dictionary": []}, *before.all_shown[1:]]


def test_the_first_version_of_encrypted_files_is_refused_by_godot_4(godot4: Godot) -> None:
    """Such a file is of the line of Godot 3, and saved as such: it is not for Godot 4, whatever its values are."""
    row = next(row for row in corpus.broken_wraps("godot4") if row["id"] == "gdec_v1_file_from_godot3_family")
    raw, key = bytes.fromhex(row["hex"]), bytes.fromhex(row["open_mode"].removeprefix("key:"))
    document = Document(raw, choice=ReadOptions(opening=UnwrapOptions(secret=Secret(key))))
    assert document.dialect.key == "pandemonium4"
    document.apply(duplicate(document, [Item(0)]))
    for data in (raw, bytes(document.to_be_written()[:])):
        (found,) = godot4.read([Request(data, opened="key", secret=key)])
        assert (found.refused, data[:8]) == (True, raw[:8])


# Without a wrap


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_between_values_without_lengths_is_read_back(godot4: Godot, edit: Case) -> None:
    raw = b"".join(values(godot4))
    document = opened(raw)
    assert document.framing.kind is FramingKind.CONCATENATED
    before, found = godot4.read([Request(each, "concatenated") for each in (raw, edited(document, edit))])
    assert found.fault == ""
    assert found.all_shown == after(godot4, before.all_shown, edit.then)


@pytest.mark.parametrize("number", range(5))
def test_an_edit_of_a_single_value_is_read_back(godot4: Godot, number: int) -> None:
    raw = values(godot4)[number]
    document = opened(raw)
    edit = Case(lambda d: insert(d, Slot(0, 0, 0), [written(d, "[1]", '"first"')]), {})
    before, found = godot4.read([Request(each, "bare") for each in (raw, edited(document, edit))])
    assert found.fault == ""
    assert found.value == {
        "Dictionary": [[{"String": "first"}, {"Array": [{"int": "1"}]}], *before.value["Dictionary"]]
    }


def test_lengths_come_and_go(godot4: Godot) -> None:
    raw = values(godot4)[0]
    document = opened(raw)
    document.apply(to_stored(document))
    with_length = bytes(document.buffer[:])
    document.apply(to_bare(document))
    assert bytes(document.buffer[:]) == raw
    bare, behind = godot4.read([Request(raw, "bare"), Request(with_length)])
    assert (bare.fault, behind.fault) == ("", "")
    assert bare.values == behind.values


FRAMES: dict[str, tuple[Callable[[Document], object], Callable[[list[object]], object]]] = {
    "deleted": (lambda d: d.apply(delete(d, [Item(1)])), lambda v: v.pop(1)),
    "doubled": (lambda d: d.apply(duplicate(d, [Item(2)])), lambda v: v.insert(2, v[2])),
    "inserted": (lambda d: d.apply(insert(d, Slot(FILE, 0, 0), [written(d, "null")])), lambda v: v.insert(0, None)),
}


@pytest.mark.parametrize("framing", ["stored", "big-endian", "concatenated"])
@pytest.mark.parametrize("change", FRAMES.values(), ids=FRAMES)
def test_values_of_a_file_come_and_go(godot4: Godot, framing: Framing, change: tuple[Callable, Callable]) -> None:
    ours, model = change
    raws = values(godot4)
    raw = b"".join(raws) if framing == "concatenated" else stored(raws, ">" if framing == "big-endian" else "<")
    document = opened(raw)
    ours(document)
    before, found = godot4.read([Request(each, framing) for each in (raw, bytes(document.buffer[:]))])
    wanted = before.all_shown
    model(wanted)
    assert found.fault == ""
    assert found.all_shown == wanted


# Double precision


DOUBLES = (
    "Vector2(0.5, -2)", "Rect2(1, 2, 3, 4)", "Vector3(1, 2, 3)", "Transform2D(1, 0, 0, 1, 5, 6)", "Vector4(1, 2, 3, 4)",
    "Plane(0, 1, 0, 5)", "Quaternion(0, 0, 0, 1)", "AABB(1, 2, 3, 4, 5, 6)", "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
    "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)", "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
    "PackedVector2Array(1, 2, 3, 4)", "PackedVector3Array(1, 2, 3)", "PackedVector4Array(1, 2, 3, 4)",
)  # fmt: skip


@pytest.mark.parametrize("text", DOUBLES)
def test_doubles_are_read_by_an_engine_of_single_precision(godot4: Godot, text: str) -> None:
    dialect = load("godot4")
    raw = encode(parse_literal(text, dialect, precision=Precision.DOUBLE), dialect, Precision.DOUBLE)
    assert raw[2] == 1
    single, double = *godot4.texts([text]), *godot4.read([Request(raw, "bare", forms=True)])
    assert double.fault == ""
    assert (double.value, double.end) == (single.value, len(raw))
    assert double.values[0].data == encode(parse_literal(text, dialect), dialect)


def test_an_edit_of_a_file_of_double_precision_keeps_it_and_is_read_back(godot4: Godot) -> None:
    saved = next(file for file in corpus.files("godot4-double") if file.path.name.startswith("plain_multi"))
    document = Document.open(saved.path)
    (before,) = godot4.read([Request(saved.path.read_bytes())])
    assert (document.precision, before.fault) == (Precision.DOUBLE, "")
    document.apply(insert(document, Slot(FILE, 0, 0), [written(document, "Vector3(0.1, 0.2, 0.3)")]))
    (found,) = godot4.read([Request(bytes(document.buffer[:]))])
    assert found.fault == ""
    assert bytes(document.buffer[4:8]) == bytes.fromhex("09000100")
    assert found.all_shown == [godot4.texts(["Vector3(0.1, 0.2, 0.3)"])[0].value, *before.all_shown]
