"""How a file was read is kept with its place: what is saved opens again as it was edited."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import corpus
import pytest
from document.sessions import Session

from viewer.container.frames import FramingKind
from viewer.document import reading_store
from viewer.document.document import CannotWrap, Document
from viewer.document.reading import ReadOptions
from viewer.document.reading_store import ReadingProblem, forget, keep, load, open_as_kept
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import load as load_dialect

STEPS, LARGEST = 25, 5_000
PLACES = ("godot2", "godot3", "godot4", "godot4-double", "pandemonium4", "pandemonium5")
#                         a Color of Godot 3, a Plane of Godot 4
AMBIGUOUS = bytes.fromhex("0e000000 0000803f 0000003f 0000803e 0000803f")


def way(document: Document) -> tuple[object, ...]:
    found = document.way
    spans = [(frame.span.start, frame.span.end) for frame in document.frames]
    return found.dialect.key, found.precision, found.framing, document.wraps.names, spans


def saved(folder: Path, path: Path, document: Document) -> None:
    document.save(path)
    keep(folder, document)


@pytest.mark.parametrize("engine", PLACES)
def test_a_heavily_edited_save_opens_again_as_it_was_edited(engine: str, tmp_path: Path) -> None:
    kept, others, total = tmp_path / "kept", 0, 0
    for file in [*corpus.files(engine), *corpus.wrapped(engine)]:
        if not 0 < file.path.stat().st_size <= LARGEST or "key" in file.sidecar or "password" in file.sidecar:
            continue
        document = Document.open(file.path)
        if document.wraps.blocked is not None or not 0 < len(document.buffer) <= LARGEST:
            continue
        session = Session(document, random.Random(f"{file}"))
        for _ in range(STEPS):
            if any(len(frame.table) for frame in document.frames):
                session.step()
        path = tmp_path / file.path.name
        try:
            saved(kept, path, document)
        except CannotWrap:
            assert {"gcpf", "base64"} & set(
                document.wraps.names
            )  # no engine writes Brotli; no base64 is left of no bytes
            continue
        assert way(open_as_kept(kept, path)) == way(document), file
        others += way(Document.open(path)) != way(document)
        total += 1
    assert total > 3
    assert others < total  # some are told from their bytes alone


def test_what_a_person_chose_is_chosen_again(tmp_path: Path) -> None:
    path, kept = tmp_path / "a.bin", tmp_path / "kept"
    path.write_bytes(AMBIGUOUS)
    other = next(key for key in ("godot3", "godot4") if key != Document.open(path).dialect.key)
    document = Document.open(path, ReadOptions(load_dialect(other)))
    keep(kept, document)
    again = open_as_kept(kept, path)
    assert again.dialect.key == other
    assert again.choice.dialect is again.dialect
    forget(kept, path)
    assert open_as_kept(kept, path).dialect.key != other


def test_a_file_that_a_game_wrote_anew_is_read_as_before_only_where_it_reads_so(tmp_path: Path) -> None:
    path, kept = tmp_path / "a.bin", tmp_path / "kept"
    path.write_bytes(AMBIGUOUS)
    other = next(key for key in ("godot3", "godot4") if key != Document.open(path).dialect.key)
    keep(kept, Document.open(path, ReadOptions(load_dialect(other))))
    path.write_bytes(AMBIGUOUS[:-4] + bytes.fromhex("0000003f") + bytes(0))
    os.utime(path, ns=(1, 1))
    assert open_as_kept(kept, path).dialect.key == other
    #                            a Dictionary of Godot 4: {1: "Mira"}, which Godot 3 does not know
    path.write_bytes(bytes.fromhex("1b000000 01000000 02000000 01000000 04000000 04000000 4d697261"))
    found = open_as_kept(kept, path)
    assert found.dialect.key == "godot4"
    assert not found.findings.all()


def test_wraps_that_were_left_on_stay_on(tmp_path: Path) -> None:
    file = next(file for file in corpus.wrapped("godot4") if "deflate_20k" in file.path.name)
    path, kept = tmp_path / "a.gcpf", tmp_path / "kept"
    path.write_bytes(file.path.read_bytes())
    document = Document.open(path, ReadOptions(opening=UnwrapOptions(())))
    keep(kept, document)
    assert open_as_kept(kept, path).wraps.names == ()
    assert Document.open(path).wraps.names == ("gcpf",)


def test_byte_order_precision_and_framing_are_kept(tmp_path: Path) -> None:
    file = next(file for file in corpus.files("godot3") if file.path.name == "endian_swap.save")
    path, kept = tmp_path / "a.save", tmp_path / "kept"
    path.write_bytes(file.path.read_bytes())
    document = Document.open(path)
    keep(kept, document)
    found = load(kept, path)
    assert found is not None
    assert found.preferred.framing.big_endian
    assert (found.preferred.dialect, found.preferred.precision) == (document.dialect, document.precision)
    assert found.preferred.framing.kind is FramingKind.STORED


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    path, kept = tmp_path / "a.bin", tmp_path / "kept"
    path.write_bytes(AMBIGUOUS)
    keep(kept, Document.open(path))
    (place,) = kept.iterdir()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700


def test_only_so_many_are_kept_and_the_oldest_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_store, "MOST", 3)
    kept = tmp_path / "kept"
    for number in range(6):
        path = tmp_path / f"{number}.bin"
        path.write_bytes(AMBIGUOUS)
        keep(kept, Document.open(path))
        for place in kept.iterdir():
            os.utime(place, ns=(place.stat().st_mtime_ns - 10**9,) * 2)
    assert [number for number in range(6) if load(kept, tmp_path / f"{number}.bin")] == [3, 4, 5]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", "[" * 10_000, '{"dialect": "nobody"}', '{"dialect": "../x", "framing": 1}', "x" * 100_000],
)
def test_what_cannot_be_understood_is_as_if_it_were_not_there(text: str, tmp_path: Path) -> None:
    path, kept = tmp_path / "a.bin", tmp_path / "kept"
    path.write_bytes(AMBIGUOUS)
    keep(kept, Document.open(path))
    (place,) = kept.iterdir()
    place.write_text(text)
    assert load(kept, path) is None
    assert open_as_kept(kept, path).buffer == AMBIGUOUS


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    path, kept = tmp_path / "a.bin", tmp_path / "kept"
    path.write_bytes(AMBIGUOUS)
    kept.write_text("a file, no folder")
    with pytest.raises(ReadingProblem, match="choose it again"):
        keep(kept, Document.open(path))
    assert open_as_kept(kept, path).buffer == AMBIGUOUS
