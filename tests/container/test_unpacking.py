"""Few bytes that stand for very many: asked about, counted while they come out, and one copy of them in memory."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from container.bombs import BOMBS, MANY, MEBI, bomb, deflated

from viewer.cli import main
from viewer.container.fastlz import FastLzError, decompress
from viewer.container.layer import TooLarge, WrapError
from viewer.container.new_wrap import fresh
from viewer.container.unpacking import Differs, Output, parse_size, size_in_words, unasked
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.wraps import MOST_LAYERS, UnwrapOptions

ALLOWED = 32
"""Mebibytes that are allowed below; each bomb stands for about three times as many."""
SLACK = 12
"""Mebibytes that libraries and the interpreter take when they are first used."""
MEASURED = """
import sys
from pathlib import Path
from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.document.wraps import UnwrapOptions
import brotli, zstandard
import viewer.container.armor.text_codecs, viewer.container.blocks, viewer.container.gdec, viewer.container.streams

def kibi(name):
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if name in line)

def now():
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    return kibi("VmRSS")

what, allowed, *names = sys.argv[1:]
choice = ReadOptions(opening=UnwrapOptions(secret=Secret.of_password("key"), limit=int(allowed) << 20))
Document(bytes(8))
for name in names:
    data = Path(name).read_bytes()
    before = now()
    document = Document(data, choice=choice)
    assert (document.wraps.blocked is None) == (what != "refuse"), document.wraps.blocked
    if what == "save":
        end = len(document.buffer)
        document.apply(Edit("one byte", (Splice(end - 1, bytes(document.buffer[end - 1 :]), b"x"),)))
        before = now()
        document.to_be_written()
    print((kibi("VmHWM") - before) // 1024)
    del document
"""
measured = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells the peak of memory")


def peaks(what: str, allowed: int, folder: Path, *names: str) -> dict[str, int]:
    """Mebibytes at the most that it takes to refuse, open or save each of some bombs, one after the other."""
    paths = []
    for name in names:
        paths.append(folder / name)
        paths[-1].write_bytes(bomb(name))
    words = [sys.executable, "-c", MEASURED, what, str(allowed), *map(str, paths)]
    # A fixed threshold: glibc's own grows with what was freed, and then moves up to 32 MiB about in its heap by copies.
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MALLOC_MMAP_THRESHOLD_": str(MEBI)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, env=here)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(zip(names, map(int, done.stdout.split()), strict=True))


@measured
def test_no_bomb_takes_half_as_much_again_as_is_allowed(tmp_path: Path) -> None:
    found = peaks("refuse", ALLOWED, tmp_path, *BOMBS)
    assert max(found.values()) <= ALLOWED + ALLOWED // 2 + SLACK, found


@measured
@pytest.mark.parametrize("name", ["gzip", "zstd", "one block of FastLZ", "one block of Brotli", "an encrypted gzip"])
def test_what_is_allowed_comes_out_in_one_copy(name: str, tmp_path: Path) -> None:
    found = peaks("open", MANY + 8, tmp_path, name)
    assert MANY <= found[name] <= MANY + MANY // 2


@measured
@pytest.mark.parametrize("name", ["gzip", "one block of Zstd"])
def test_saving_holds_what_is_proven_once(name: str, tmp_path: Path) -> None:
    assert peaks("save", MANY + 8, tmp_path, name)[name] <= MANY + MANY // 4


@pytest.mark.parametrize("name", BOMBS)
def test_the_allowance_is_for_all_wraps_together(name: str) -> None:
    from viewer.container.layer import Secret

    opening = UnwrapOptions(secret=Secret.of_password("key"), limit=4 * MEBI)
    wraps = Document(bomb(name), choice=ReadOptions(opening=opening)).wraps
    assert isinstance(wraps.blocked, TooLarge)
    assert sum(len(wrap.inside) for wrap in wraps.around) <= 4 * MEBI
    assert "4 MiB" in str(wraps.blocked)
    assert wraps.too_large >= 16 * MEBI


def test_layers_inside_each_other_share_what_is_allowed() -> None:
    data = os.urandom(3 * MEBI)
    twice = gzip.compress(gzip.compress(data, 1), 1)
    limit = len(data) + MEBI
    assert (
        Document(gzip.compress(data, 1), choice=ReadOptions(opening=UnwrapOptions(limit=limit))).wraps.blocked is None
    )
    found = Document(twice, choice=ReadOptions(opening=UnwrapOptions(limit=limit))).wraps
    assert isinstance(found.blocked, TooLarge)
    assert found.names == ("gzip",)
    assert Document(twice, choice=ReadOptions(opening=UnwrapOptions(limit=2 * len(data) + MEBI))).wraps.blocked is None


def test_what_a_person_is_asked_for_leads_further_each_time() -> None:
    limit, asked = MEBI, []
    while True:
        wraps = Document(bomb("gzip in gzip"), choice=ReadOptions(opening=UnwrapOptions(limit=limit))).wraps
        if wraps.blocked is None:
            break
        assert wraps.too_large > limit
        limit = wraps.too_large
        asked.append(limit)
    assert len(asked) <= 6
    assert wraps.names == ("gzip", "gzip")


def test_few_bytes_are_asked_about_sooner() -> None:
    assert unasked(1800) == 64 * MEBI
    assert unasked(300_000) == 256 * MEBI
    assert unasked(1 << 40) == 256 * MEBI
    blocked = Document(bomb("gzip in gzip")).wraps.blocked
    assert isinstance(blocked, TooLarge)
    assert "64 MiB" in str(blocked)


def test_wraps_without_end_are_taken_off_up_to_a_number_and_the_rest_is_said() -> None:
    data = bytes.fromhex("02000000 2A000000")
    for _ in range(MOST_LAYERS):
        data = gzip.compress(data, mtime=0)
    assert Document(data).wraps.blocked is None
    deep = Document(gzip.compress(data, mtime=0)).wraps
    assert len(deep.around) == MOST_LAYERS
    assert "one more (gzip)" in str(deep.blocked)


def test_a_thousand_small_wraps_are_tried_no_oftener_than_they_count() -> None:
    data = bytes.fromhex("02000000 2A000000")
    for _ in range(1000):
        data = fresh("gcpf:zstd", None).wrap(data)
    wraps = Document(data).wraps
    assert len(wraps.around) == MOST_LAYERS
    assert isinstance(wraps.blocked, WrapError)


def test_a_match_without_end_stops_at_the_limit() -> None:
    data = b"\x20\x00\xe0" + b"\xff" * 1_000_000 + b"\x00\x00"
    with pytest.raises(FastLzError) as failure:
        decompress(data, 3 * MEBI)
    assert failure.value.decoded == bytes(3 * MEBI)


@pytest.mark.parametrize("distance", [1, 2, 255, 256, 8191])
def test_long_matches_repeat_what_they_point_at(distance: int) -> None:
    start = os.urandom(8192)
    literals = b"".join(b"\x1f" + start[at : at + 32] for at in range(0, len(start), 32))
    length, back = 3 * MEBI, distance - 1
    more = length - 9
    match = bytes((0xE0 | back >> 8,)) + b"\xff" * (more // 255) + bytes((more % 255, back & 255))
    data = bytes((literals[0] | 0x20,)) + literals[1:] + match
    pattern = start[-distance:]
    expected = start + (pattern * (length // distance + 1))[:length]
    assert decompress(data, 4 * MEBI) == expected


@pytest.mark.parametrize(
    ("text", "size"),
    [("4096", 4096), ("512M", 512 * MEBI), ("1.5 GiB", 1536 * MEBI), ("2g", 2048 * MEBI), ("64 kB", 65536), ("9 b", 9)],
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "many", "1.2.3M", "9" * 40, "5 X", "0M"])
def test_what_is_no_size_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="512M"):
        parse_size(text)


@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 1811, 9.99 * MEBI, 256 * MEBI, 256 * MEBI + 1, 5 << 40])
def test_sizes_in_words_are_never_less_than_the_size(count: float) -> None:
    size = int(count)
    assert size == 0 or parse_size(size_in_words(size).replace("bytes", "b").replace("byte", "b")) >= size


def test_expected_bytes_are_compared_while_they_come() -> None:
    out = Output(b"abcdef")
    out.write(b"abc")
    out.cut(1)
    out.write(b"bcd")
    with pytest.raises(Differs):
        out.take()
    with pytest.raises(Differs):
        out.write(b"xx")
    out.write(b"ef")
    assert out.take() == b"abcdef"


def test_the_command_line_says_what_is_allowed_and_how_to_allow_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(bomb("gzip"))
    assert main(["check", str(path)]) == 2
    said = capsys.readouterr().err
    assert "This file of 96 KiB unpacks to more than the 64 MiB that are allowed." in said
    assert "Give --max-unpacked 256M" in said
    assert main(["unwrap", str(path), "-o", str(tmp_path / "out"), "--max-unpacked", "1M"]) == 2
    assert "1 MiB" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["unwrap", str(path), "-o", str(tmp_path / "out"), "--max-unpacked", "256M"]) == 0
    assert (tmp_path / "out").stat().st_size == MANY * MEBI
    assert main(["check", str(path), "--max-unpacked", "lots"]) == 2
    assert "--max-unpacked: “lots” is not a size" in capsys.readouterr().err


def test_no_more_than_is_asked_for_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "small.gz"
    small.write_bytes(deflated(31, 2))
    assert main(["unwrap", str(small), "-o", str(tmp_path / "out"), "--max-unpacked", "2M"]) == 0
    assert main(["unwrap", str(small), "-o", str(tmp_path / "out"), "--max-unpacked", str(2 * MEBI - 1)]) == 2
