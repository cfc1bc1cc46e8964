"""A wrapped save, edited inside and wrapped again, is opened by the real engine, which reads the intended value."""

from __future__ import annotations

from typing import Any

import engine
import pytest
from corpus import SavedFile
from corpus import wrapped as all_wrapped
from engine import Request

from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.outline import row_item
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal

pytestmark = pytest.mark.engine

TEXT = '{ "edited": [ 1, "a longer text than there was before", Vector2( 1, 2 ) ] }'


def container(saved: SavedFile) -> dict[str, Any]:
    found = saved.sidecar.get("container")
    return found if isinstance(found, dict) else {}


def wrapped() -> list[SavedFile]:
    """The saves of Godot 3 in a compressed or encrypted file that hold a value."""
    return [saved for saved in all_wrapped("godot3") if container(saved).get("kind") in ("encrypted", "compressed")]


def request(saved: SavedFile, data: bytes) -> Request:
    """Let the engine open it as it was written."""
    about = container(saved)
    if about["kind"] == "compressed":
        return Request(data, "get_var_all", opened="compressed")
    if "password" in about:
        return Request(data, "get_var_all", opened="pass", secret=about["password"].encode())
    return Request(data, "get_var_all", opened="key", secret=bytes.fromhex(about["key_hex"]))


def opened(saved: SavedFile) -> Document:
    about = container(saved)
    secret = None
    if about["kind"] == "encrypted":
        secret = Secret.of_password(about["password"]) if "password" in about else Secret.of_hex(about["key_hex"])
    return Document.open(saved.path, ReadOptions(opening=UnwrapOptions(secret=secret)))


def test_every_mode_is_opened_with_the_intended_value_after_an_edit() -> None:
    intended = engine.read_back([Request(engine.encode([TEXT])[0])])[0].value
    tried: list[tuple[SavedFile, list[Any]]] = []
    requests: list[Request] = []
    for saved in wrapped():
        document = opened(saved)
        if not document.frames or document.explained < 1 or "incompressible" in saved.path.name:
            continue  # other calls than store_var wrote it
        before = engine.read_back([request(saved, saved.path.read_bytes())])[0].values
        index = len(document.frames) // 2
        document.apply(set_value(document, row_item(document, Item(index, 0)), parse_literal(TEXT, document.dialect)))
        tried.append((saved, [intended if k == index else value for k, value in enumerate(before)]))
        requests.append(request(saved, bytes(document.to_be_written()[:])))
    modes = {container(saved).get("mode", container(saved)["kind"]) for saved, _ in tried}
    print(f"\n{len(tried)} files in the modes {sorted(map(str, modes))}")
    assert len(tried) >= 20
    for (saved, expected), answer in zip(tried, engine.read_back(requests), strict=True):
        assert answer.error is None, saved
        assert list(answer.values) == expected, saved
