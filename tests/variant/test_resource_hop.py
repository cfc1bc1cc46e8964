"""Values of binary resources are hopped over, compiled or not, as they are read one by one."""

from __future__ import annotations

import gzip
import json
import random
from array import array
from collections.abc import Iterator
from typing import Any

import corpus
import pytest
import twins
from variant.test_compiled import told

import viewer.variant.scan as installed
from viewer.base.buffer import Buffer, window
from viewer.document.readers.resource_file import read_resource
from viewer.variant.dialect import load_resource_values
from viewer.variant.string_table import StringTable

LINES = ("godot3", "godot4")
PLAIN, HOPS = twins.plain("viewer.variant.scan"), twins.plain("viewer.variant.hops")
SEED, EACH = 77, 20


def resources(line: str) -> list[bytes]:
    folder = corpus.DATA / "resources" / line
    return [path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".res", ".scn")]


def malformed(line: str) -> Iterator[bytes]:
    with gzip.open(corpus.DATA / "resources" / line / "malformed.jsonl.gz", "rt", encoding="utf-8") as rows:
        yield from (bytes.fromhex(json.loads(row)["hex"]) for row in rows)


def assert_same(raw: Buffer, patch: pytest.MonkeyPatch) -> None:
    """The same tables with the hop as it is, as plain Python, and with every head read by itself."""
    structure = read_resource(raw)
    for value in structure.values:
        inside = window(raw, value.span.start, value.span.end)
        found = []
        for module, hop in ((installed, installed.hop_resource), (PLAIN, HOPS.hop_resource), (PLAIN, _stay)):
            patch.setattr(module, "hop_resource", hop)
            found.append(told(module.scan(inside, structure.dialect, names=structure.names)))
        assert found[0] == found[1] == found[2]


def _stay(*_: object) -> None:
    """Hop nowhere, so that every head is read by itself."""


def spoiled(raw: bytes, some: random.Random) -> bytes:
    """The bytes with some of them changed."""
    data = bytearray(raw)
    for _ in range(some.randint(1, 4)):
        data[some.randrange(len(data))] = some.choice((0, 1, 2, 3, 24, 128, 255, some.randrange(256)))
    if some.random() < 0.3:
        at = some.randrange(len(data) - 4)
        data[at : at + 4] = some.choice((b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\xff\xff\xff\xff", b"\x40\0\0\0"))
    return bytes(data)


@pytest.mark.parametrize("line", LINES)
def test_every_resource_whole_and_spoiled(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    some = random.Random(SEED)
    for raw in resources(line):
        assert_same(raw, monkeypatch)
        for _ in range(EACH):
            assert_same(spoiled(raw, some), monkeypatch)


@pytest.mark.parametrize("line", LINES)
def test_every_broken_resource(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for raw in malformed(line):
        assert_same(raw, monkeypatch)


class Slices:
    """A buffer that is not in memory."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def __len__(self) -> int:
        return len(self._raw)

    def __getitem__(self, at: Any) -> Any:
        return self._raw[at]


def word(number: int) -> bytes:
    return number.to_bytes(4, "little")


def text(found: str) -> bytes:
    raw = found.encode() + b"\0"
    return word(len(raw)) + raw


def long_resource(count: int) -> bytes:
    """One resource with a dictionary of so many texts and numbers."""
    pairs = b"".join(word(5) + text(f"kéy {k}") + word(3) + word(k) for k in range(count))
    return text("Resource") + word(1) + word(0) + word(26) + word(count) + pairs


@pytest.mark.parametrize("module", [installed, PLAIN], ids=["installed", "plain"])
def test_a_resource_that_is_not_in_memory_is_read_through_windows(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PLAIN, "hop_resource", HOPS.hop_resource)
    raw, dialect = long_resource(3000), load_resource_values("godot4")
    names = StringTable(raw, array("Q", (0,)), "lenient")
    whole = module.scan(raw, dialect, names=names)
    assert not whole.diagnostics
    assert len(whole) == 3 + 2 * 3000
    assert told(module.scan(Slices(raw), dialect, names=names)) == told(whole)


def test_ordinary_values_are_not_read_one_by_one() -> None:
    raw = long_resource(3000)
    table = installed.scan(raw, load_resource_values("godot4"), names=StringTable(raw, array("Q", (0,)), "lenient"))
    assert table.checked < 10
