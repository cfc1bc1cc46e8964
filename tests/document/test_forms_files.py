"""Values exported to files and imported from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.export.forms import FORMS, FormError, form
from viewer.document.export.forms.copying import MOST_VALUE, check_size, export_file, import_file, translated
from viewer.document.path import parse_path
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.value import Value

SAVE = bytes.fromhex("12000000 01000000 04000000 04000000 676f6c64 02000000 63000000")  # {"gold": 99}


@pytest.fixture
def document() -> Document:
    return Document(SAVE)


@pytest.mark.parametrize("key", ["", *(found.key for found in FORMS)])
def test_what_is_exported_is_imported_in_whichever_form(key: str, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "value"
    assert export_file(form(key) if key else None, document, Item(0, 0), path) == ()
    value, lost = translated(import_file(None, document, path), document.dialect, document.precision)
    assert encode(value, document.dialect) == SAVE
    assert not lost


@pytest.mark.parametrize("key", [found.key for found in FORMS])
def test_what_is_exported_is_imported_in_its_form(key: str, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "value"
    export_file(form(key), document, Item(0, 0), path)
    assert encode(import_file(form(key), document, path).content, document.dialect) == SAVE  # type: ignore[arg-type]


def test_an_export_tells_what_is_lost(tmp_path: Path) -> None:
    document = Document(bytes.fromhex("05000000 0000803f 00000040"))
    lost = export_file(form("json"), document, Item(0, 0), tmp_path / "v.json")
    assert lost == ("the type Vector2 (written as a text)",)


def test_an_export_that_fails_leaves_the_old_file(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text("old", encoding="utf-8")
    broken = Document(bytes.fromhex("04000000 64000000 6162"))
    with pytest.raises(FormError, match="broken"):
        export_file(form("json"), broken, Item(0, 0), path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_one_sentence(document: Document, tmp_path: Path) -> None:
    with pytest.raises(FormError, match=r"v\.json” cannot be written: .*Nothing was changed"):
        export_file(form("json"), document, Item(0, 0), tmp_path / "missing" / "v.json")


def test_a_missing_file_is_one_sentence(document: Document, tmp_path: Path) -> None:
    with pytest.raises(FormError, match="“x” cannot be read"):
        import_file(None, document, tmp_path / "x")


def test_a_file_of_other_bytes_says_which_byte_is_wrong(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"\xff\x00\x00\x00\xfe")
    with pytest.raises(FormError, match="at 0x0: Type number 255 does not exist"):
        import_file(None, document, path)


def test_a_value_of_another_engine_line_is_translated_with_its_loss(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("Vector2i(1, 2)", encoding="utf-8")
    value, lost = translated(import_file(None, document, path), document.dialect, document.precision)
    assert value == Value("Vector2", (1.0, 2.0))
    assert len(lost) == 1


def test_an_item_inside_is_exported_alone(document: Document, tmp_path: Path) -> None:
    export_file(form("literal3"), document, parse_path(document, "[0].gold"), tmp_path / "x")
    assert (tmp_path / "x").read_text(encoding="utf-8") == "99"


def test_what_is_too_long_is_refused_with_a_way_out(document: Document) -> None:
    with pytest.raises(FormError, match="too many to be written as Plain JSON; select a smaller value instead"):
        check_size(form("json"), document, Span(0, MOST_VALUE + 1))
    with pytest.raises(FormError, match="too many to be written as Hex; export it to a file instead"):
        check_size(form("hex"), document, Span(0, 1 << 25))
