"""The doctor: known damage is named, mended, and nothing is said of what is whole."""

from __future__ import annotations

import corpus
import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.variant.dialect import load

SAVED = bytes.fromhex(
    "1b000000 02000000"  # Dictionary of two
    "04000000 04000000 676f6c64"  # "gold"
    "02000000 2a000000"  # 42
    "04000000 04000000 6e616d65"  # "name"
    "04000000 03000000 416e6e00"  # "Ann"
)


def _best(data: bytes, framing: FramingKind | None = None) -> Repair:
    return diagnose(_document(data, framing))[0]


def _document(data: bytes, framing: FramingKind | None = None) -> Document:
    return Document(data, choice=Choice(load("godot4"), None, framing))


def test_says_in_words_what_happened_and_why() -> None:
    data = len(SAVED).to_bytes(4, "little") + SAVED
    swapped = len(SAVED).to_bytes(4, "big") + SAVED
    repair = _best(swapped + data)

    assert repair.cause is Cause.PREFIX_SWAPPED
    assert repair.sentence == "The length was written with its bytes swapped."
    assert repair.reason.startswith(f"Swapped back it is {len(SAVED)}.")
    assert repair.before is not None
    assert repair.before.text == swapped[:4].hex(" ").upper()


def test_an_edit_mends_the_bytes_and_is_taken_back() -> None:
    broken = SAVED.replace(b"Ann\0", b"Ann")
    document = _document(broken, FramingKind.BARE)
    repair = diagnose(document)[0]
    assert repair.edit is not None

    document.apply(repair.edit)
    assert bytes(document.buffer[:]) == SAVED
    document.undo()
    assert bytes(document.buffer[:]) == broken


def test_a_preview_leaves_the_document_alone() -> None:
    broken = SAVED.replace(b"\x02\0\0\0", b"\x03\0\0\0", 1)
    document = _document(broken)
    repair = diagnose(document)[0]

    assert repair.cause is Cause.COUNT_TOO_LARGE
    assert bytes(preview(document, repair).buffer[:]) == SAVED
    assert bytes(document.buffer[:]) == broken


def test_another_engine_line_is_a_choice_not_an_edit() -> None:
    document = Document(SAVED, choice=Choice(load("godot3"), None, FramingKind.BARE))
    repair = diagnose(document)[0]

    assert repair.cause is Cause.OTHER_ENGINE
    assert repair.edit is None
    assert preview(document, repair).frames[0].sound


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_proposes_nothing_for_vectors_read_as_what_they_are(engine: corpus.Engine) -> None:
    for row in corpus.vectors(engine.folder):
        document = Document(corpus.vector_bytes(row), choice=Choice(load(engine.dialect), None, FramingKind.BARE))
        found = [repair for repair in diagnose(document) if repair.can_be_applied]
        refused = row.get("decode_error") or any(d.code.slug == "bad-utf8" for d in document.diagnostics())
        assert not found or refused, row


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_proposes_nothing_for_saved_files(engine: corpus.Engine) -> None:
    for saved in [*corpus.files(engine.folder), *corpus.wrapped(engine.folder)]:
        found = [repair for repair in diagnose(Document(saved.path.read_bytes())) if repair.can_be_applied]
        assert not found, saved


def test_stops_when_it_is_told_to() -> None:
    told: list[int] = []

    def stop(count: int) -> bool:
        told.append(count)
        return False

    diagnose(_document(SAVED[:-1] + b"\xff\xff", FramingKind.BARE), stop)
    assert len(told) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"\xff" * 4096,
        bytes(4096),
        b"\x1c\0\0\0\xff\xff\xff\x7f" * 512,
        b"\x1c\0\0\0\x01\0\0\0" * 4096,
        b"\x22\0\0\0\xff\xff\xff\x0f" + b"\x04\0\0\0abc\0" * 512,
        b"\x04\0\0\0\xff\xff\xff\xff" * 64,
        b"\r\n" * 64,
    ],
    ids=["empty", "one byte", "ff", "zeros", "counts", "nested", "texts", "lengths", "lines"],
)
def test_survives_hostile_bytes(data: bytes) -> None:
    for repair in diagnose(Document(data)):
        assert 0 <= repair.confidence <= 1
