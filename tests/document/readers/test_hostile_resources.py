"""Binary resources that contradict themselves: each place is told, the rest is shown, and nothing is raised."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from document.readers.made_resources import ARRAY, DATA, INTERNAL, OBJECT, block, many, resource, word
from document.readers.resource_edits import files
from document.readers.test_resource_file import use

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.document.readers.file_structure import OffsetWords

SEED = 2024
LINES = ("godot3", "godot4")
HUGE = (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x40000000)


def offsets(raw: bytes) -> tuple[list[int], list[int]]:
    """Where the offsets of the resources stand, and what they say."""
    structure = Document(raw).structure
    assert structure is not None
    assert isinstance(structure.offsets, OffsetWords)
    return list(structure.offsets.starts), list(structure.offsets.targets)


def moved(raw: bytes, places: list[int], targets: list[int]) -> bytes:
    """A file whose offsets say something else."""
    out = bytearray(raw)
    for place, target in zip(places, targets, strict=True):
        out[place : place + 8] = target.to_bytes(8, "little")
    return bytes(out)


def misled(raw: bytes) -> Iterator[bytes]:
    """The same file with offsets that lead backwards, into each other, to one place, and out of the file."""
    places, targets = offsets(raw)
    yield moved(raw, places, targets[::-1])
    yield moved(raw, places, [targets[0]] * len(targets))
    yield moved(raw, places, [target + 5 for target in targets])
    yield moved(raw, places, list(range(len(targets))))
    yield moved(raw, places, [len(raw) + target for target in targets])
    yield moved(raw, places, [(1 << 63) + target for target in targets])
    yield moved(raw, places, [targets[-1] + k for k in range(len(targets))])


@pytest.mark.parametrize("line", LINES)
def test_offsets_that_mislead_are_borne(line: str) -> None:
    raw = many(line, 5)
    for broken in misled(raw):
        use(broken)
        document = Document(broken)
        assert document.structure is not None
        assert sum(len(piece.span) for piece in document.structure.pieces) == len(broken)
        if broken != moved(raw, *offsets(raw)) and max(offsets(broken)[1]) >= len(raw):
            assert any(found.code is Code.RESOURCE_OFFSET for found in document.findings.all())


@pytest.mark.parametrize("line", LINES)
def test_every_word_may_be_huge(line: str) -> None:
    raw = many(line, 2)
    for at in range(0, len(raw) - 4, 3):
        for number in HUGE:
            use(raw[:at] + word(number) + raw[at + 4 :])


@pytest.mark.parametrize("line", LINES)
def test_resources_that_hold_each_other_are_shown_once(line: str) -> None:
    path = "local://{}" if line == "godot3" else "local://Resource_{}"
    shift = 1 if line == "godot3" else 0

    def holding(*numbers: int) -> bytes:
        held = b"".join(word(OBJECT) + word(INTERNAL) + word(number + shift) for number in numbers)
        return block((DATA, word(ARRAY) + word(len(numbers)) + held))

    raw = resource(line, [holding(1, 0), holding(0, 2), holding(0, 1, 2)], [path.format(k + 1) for k in range(3)])
    use(raw)
    found = [each.code for each in Document(raw).findings.all()]
    assert found.count(Code.REFERENCE_LOST) == 4


WRAPPED = [path for line in LINES for path in files(line) if "big_endian" in path.name or "compressed" in path.name]


@pytest.mark.parametrize("path", [path for path in WRAPPED if path.stat().st_size < 6000], ids=lambda path: path.name)
def test_wrapped_resources_that_are_cut_or_flipped_are_borne(path: Path) -> None:
    whole, some = path.read_bytes(), random.Random(SEED)
    for _ in range(12):
        use(whole[: some.randrange(len(whole))])
        broken = bytearray(whole)
        broken[some.randrange(len(broken))] ^= 1 << some.randrange(8)
        use(bytes(broken))


SMALLEST = sorted((path for line in LINES for path in files(line)), key=lambda path: path.stat().st_size)[:40:4]


@pytest.mark.parametrize("path", SMALLEST, ids=lambda path: f"{path.parent.name} {path.name}")
def test_every_flipped_byte_of_ten_small_files_is_borne(path: Path) -> None:
    whole = path.read_bytes()
    for at in range(len(whole)):
        use(whole[:at] + bytes((whole[at] ^ (0x80 if at % 2 else 0x01),)) + whole[at + 1 :])
        if at % 3 == 0:
            use(whole[:at])


def test_more_texts_than_the_file_has_bytes_are_not_counted_one_by_one() -> None:
    (path,) = (path for path in files("godot4") if path.name == "projection_color.res")
    colour = b"\x14\0\0\0\xcd\xcc\xcc\x3d"  # read as texts, its first number is a count of a billion
    whole = path.read_bytes()
    assert colour in whole
    found = Document(whole.replace(colour, b"\x22" + colour[1:]))
    assert Code.LENGTH_TOO_LONG in [each.code for each in found.frames[0].table.diagnostics]
