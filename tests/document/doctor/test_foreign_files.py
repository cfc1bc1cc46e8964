"""Files of the system that the tests run on hold no values: the doctor does not say that they are damaged ones."""

from __future__ import annotations

import os
import stat
import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from viewer.document.doctor import Cause, Repair, diagnose
from viewer.document.doctor.machine_damage import machine_damage
from viewer.document.doctor.overwritten import damage_signs
from viewer.document.document import Document

ROOTS = ("/usr/bin", "/usr/lib", "/usr/share", "/etc")
LARGEST = 200_000
MOST_LISTED = 40_000
FEWEST, CHOSEN = 50, int(os.environ.get("FOREIGN_FILES", "60"))
SEED = 3
NO_FAULT = {
    Cause.NO_VARIANT,
    Cause.WRAPPED,
    Cause.OBJECTS_NOT_ALLOWED,
    Cause.TOO_DEEP,
    Cause.TOO_LARGE,
    Cause.NEWER_FEATURE,
    Cause.OWN_FIELDS,
    Cause.SEVERAL_VALUES,
}


def listed() -> Iterator[Path]:
    """Files of the system that anybody may read."""
    for root in ROOTS:
        for folder, _, names in os.walk(root):
            for name in names:
                path = Path(folder, name)
                try:
                    found = path.lstat()
                except OSError:
                    continue
                if stat.S_ISREG(found.st_mode) and found.st_mode & stat.S_IROTH and 0 < found.st_size <= LARGEST:
                    yield path


def chosen() -> list[Path]:
    """Some of them, as many kinds as there are."""
    kinds: defaultdict[str, list[Path]] = defaultdict(list)
    for count, path in enumerate(listed()):
        kinds[path.suffix or str(path.parent)].append(path)
        if count >= MOST_LISTED:
            break
    random = Random(SEED)
    some = sorted(kinds, key=lambda kind: -len(kinds[kind]))[:100]
    return [random.choice(kinds[random.choice(some)]) for _ in range(CHOSEN)] if len(kinds) > 4 else []


def accuses(repair: Repair) -> bool:
    return repair.edit is not None or (repair.choice is None and repair.cause not in NO_FAULT)


def test_files_of_the_system_are_no_damaged_values() -> None:
    paths = chosen()
    if len(paths) < FEWEST:
        pytest.skip("there are too few files on this system")
    found = {
        str(path): [each.name for each in diagnose(Document(path.read_bytes())) if accuses(each)] for path in paths
    }
    wrong = {path: names for path, names in found.items() if names}
    assert len(wrong) <= max(1, len(paths) / 300), wrong


def test_a_text_in_an_old_encoding_did_not_lose_its_zeros() -> None:
    shown = "<article>Каждый охотник желает знать, где сидит фазан.</article>\n".encode("iso8859-5") * 8
    assert Cause.ZEROS_STRIPPED not in {sign.cause for sign in machine_damage(shown, 0)}


@pytest.mark.parametrize(
    "data",
    [b"=" * 300 + "どこかの学校の文字".encode("euc-jp") * 20, b"2\x18\x05$\x03\0"],
    ids=["a text in another encoding", "six bytes"],
)
def test_bytes_that_break_at_once_are_not_cut_off_after_a_change_of_all(data: bytes) -> None:
    assert not [each.name for each in diagnose(Document(data)) if each.edit is not None]


def test_an_empty_line_is_no_value_that_was_cut_off() -> None:
    assert diagnose(Document(b"\n")) == []


def test_what_is_left_of_bytes_must_look_like_values() -> None:
    """Behind the magic number of a locale stand words that rise, which a large array might begin with."""
    words = struct.pack("<II", 0x20031111, 46) + b"".join(struct.pack("<I", 0xC0 + k) for k in range(64)) + b"\0.\0-1"
    assert not [each.name for each in diagnose(Document(words)) if each.edit is not None]


def test_an_index_of_offsets_did_not_lose_bytes_at_its_end() -> None:
    """No engine writes flags like those in the first word of a locale's names."""
    names = struct.pack("<2I7I", 0x2003111D, 7, 0x24, *range(0x33, 0x39)) + b"\0%p%t%g%t%m%t%f" + bytes(5) + b"UTF-8\0"
    assert not [each.name for each in diagnose(Document(names)) if accuses(each)]


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<II7I", 0x2003111F, 5, 0x1C, 0x26, 0x27, 0x28, 0x29, 0x2563252B, 0x25206125) + b"l\0\0\0\0UTF-8\0",
        struct.pack("<II5I", 0x20031112, 3, 0x14, 0x18, 0x1C, 0x129, 0xD2) + b"UTF-8\0",
    ],
    ids=["telephone numbers", "sizes of paper"],
)
def test_what_begins_with_flags_that_no_engine_has_is_no_value_that_was_cut_off(data: bytes) -> None:
    assert not [each.name for each in diagnose(Document(data)) if each.cause is Cause.END_MISSING]


@pytest.mark.parametrize(
    "text",
    [
        "[Unit]\nDescription=initctl Compatibility Daemon\nDocumentation=man:initctl(8)\nDefaultDependencies=no\n",
        "# runs\n[config]\ncommand = record\nargs    = --all -C 0 kill 2>&1\nret     = 1\n\n[event]\ncpu=0\n",
        "[console_scripts]\nfirst = package.module:main\nsecond = package.module:other\n",
    ],
    ids=["a unit", "a test", "scripts"],
)
def test_settings_of_other_programs_are_no_settings_with_mistakes(text: str) -> None:
    assert not [each.name for each in diagnose(Document(text.encode())) if accuses(each)]


@pytest.mark.parametrize("seed", range(6))
def test_a_blank_part_of_bytes_without_words_is_no_damage(seed: int) -> None:
    """Such as what a terminal cannot do, which is -1 in its compiled description."""
    dice = Random(seed)
    data = dice.randbytes(128) + b"\xff" * 128 + dice.randbytes(256)
    assert not [sign for sign in damage_signs(Document(data), data) if sign.span is not None]
