"""Run the compiled scanner, and the hopping over texts and resources, under a sanitizer: they check no index but by
what they say.

``python tools/sanitized.py [seconds]`` builds the modules in a folder of its own with ``-fsanitize=address,undefined``
(gcc or clang on Linux; the extra ``bench`` has what builds them) and lets them read whatever the tests have, sound and
damaged, for so long. All memory that the loop touches is allocated by itself there, so that one word beside it is
found. An access outside ends it with a report and a code that is not zero.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1"
SECONDS = 60.0
FUZZ = "fuzz"
LONGEST, WORDS = 1 << 14, 24
ODD_WORDS = (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x00FF0003, 0x00010012, 0x0001001C)


def main() -> int:
    """Build, then read in another process; its exit code."""
    if sys.argv[1:2] == [FUZZ]:
        return fuzz(float(sys.argv[2]))
    with tempfile.TemporaryDirectory(prefix="sanitized-") as folder:
        built = Path(folder)
        build(built)
        library = subprocess.check_output(["gcc", "-print-file-name=libasan.so"], text=True).strip()
        environment = os.environ | {
            "LD_PRELOAD": library,
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
            "PYTHONPATH": os.pathsep.join((str(built), str(PROJECT / "tests"))),
        }
        seconds = sys.argv[1] if len(sys.argv) > 1 else str(SECONDS)
        return subprocess.run([sys.executable, __file__, FUZZ, seconds], env=environment, check=False).returncode


def build(folder: Path) -> None:
    """The program in *folder*, its modules compiled there."""
    leave = shutil.ignore_patterns("*.so", "__pycache__")
    for name in ("viewer", "resources"):
        shutil.copytree(PROJECT / name, folder / name, ignore=leave)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(PROJECT / name, folder)
    flags = {"CFLAGS": FLAGS, "LDFLAGS": FLAGS, "VARIANT_VIEWER_COMPILED": "1"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=folder, env=os.environ | flags, check=True)


def fuzz(seconds: float) -> int:
    """Read sound and damaged bytes, and say how many."""
    from viewer.variant.dialect import keys, load
    from viewer.variant.lint.lint import lint
    from viewer.variant.recovery.recover import recover
    from viewer.variant.scan import COMPILED, scan

    stand_alone()
    assert COMPILED
    dialects, dice = [load(key) for key in keys()], random.Random(1)
    end, count, size = time.monotonic() + seconds, 0, 0
    known, texts = list(samples()), [path.read_bytes() for path in PROJECT.glob("tests/data/texts/*/*.*")]
    texts += [json.dumps({path.name: [repr(path)] * 9}).encode() for path in PROJECT.glob("tests/data/*")]
    resources = [path.read_bytes() for path in PROJECT.glob("tests/data/resources/*/*.res")]
    while time.monotonic() < end:
        raw = damaged(dice, dice.choice(known)) if dice.random() < 0.8 else made(dice)
        shift = dice.choice((0, 0, 1, 3))
        frame = memoryview(bytes(shift) + raw)[shift:] if shift else raw
        for dialect in dice.sample(dialects, 2):
            table = scan(frame, dialect, sample=False)
            scan(frame, dialect, lambda reached: False, sample=True) if len(raw) < 64 else None
            for _ in zip(range(64), lint(recover(table)), strict=False):
                pass
        read_text(damaged(dice, dice.choice(texts)), dice)
        read_resource(damaged(dice, dice.choice(resources)))
        count, size = count + 1, size + len(raw)
    print(f"{count} frames of {size} bytes in all, with nothing to report")
    return 0


def read_resource(raw: bytes) -> None:
    """Read a binary resource, with all that is in it."""
    from viewer.document.document import Document

    document = Document(raw)
    for frame in document.frames:
        assert all(frame.table.end(node) <= len(frame.cut.payload) for node in frame.table.nodes)


def read_text(raw: bytes, dice: random.Random) -> None:
    """Read a text, in stretches of any length."""
    from unittest.mock import patch

    from viewer.text import engine_parser, json_parser
    from viewer.text.token_hops import TokenHops
    from viewer.variant.dialect import load_text_values

    short = partial(TokenHops, stretch=dice.choice((1, 16, 1 << 15)))
    with patch.object(json_parser, "TokenHops", short), patch.object(engine_parser, "TokenHops", short):
        json_parser.JsonParser(raw, 1 << 20).read()
        values = load_text_values(dice.choice(("godot3", "godot4")))
        engine_parser.EngineTextParser(raw, values, 1 << 20, raw.startswith(b"[gd_")).read()


def stand_alone() -> None:
    """Let each column of a table be an allocation of its own, with no room behind it."""
    from viewer.variant import columns

    def take(self: columns.Columns, capacity: int) -> None:
        self.capacity = capacity
        self.start, self.parent, self.first = (memoryview(bytearray(4 * capacity)).cast("I") for _ in range(3))

    columns.Columns._take = take  # type: ignore[method-assign]


def samples() -> Iterator[bytes]:
    """What the tests have: values that engines wrote, broken ones, and files."""
    import corpus

    for engine in corpus.ENGINES:
        yield from (corpus.vector_bytes(row) for row in corpus.vectors(engine.folder))
        yield from (bytes.fromhex(row["hex"]) for row in corpus.malformed(engine.folder))
        yield from (saved.path.read_bytes()[:LONGEST] for saved in corpus.files(engine.folder))


def damaged(dice: random.Random, raw: bytes) -> bytes:
    """The same with some bytes changed, words set, a piece lost or doubled, or the end gone."""
    spoilt = bytearray(raw[:LONGEST])
    for _ in range(dice.randrange(5)):
        at = dice.randrange(len(spoilt) + 1)
        word = at & ~3
        match dice.randrange(5):
            case 0 if at < len(spoilt):
                spoilt[at] = dice.randrange(256)
            case 1:
                spoilt[word : word + 4] = any_word(dice)
            case 2:
                del spoilt[at : at + dice.randrange(1, 9)]
            case 3:
                spoilt[at:at] = spoilt[at : at + dice.randrange(1, 40)]
            case _:
                del spoilt[at:]
    return bytes(spoilt)


def made(dice: random.Random) -> bytes:
    """Words that headers, lengths and counts are made of."""
    return b"".join(any_word(dice) for _ in range(dice.randrange(WORDS))) + bytes(dice.randrange(4))


def any_word(dice: random.Random) -> bytes:
    """A word as it may stand in a value."""
    number = dice.choice(
        (dice.randrange(42), dice.randrange(42) | 1 << 16, dice.choice(ODD_WORDS), dice.randrange(1 << 32))
    )
    return number.to_bytes(4, "little")


if __name__ == "__main__":
    sys.exit(main())
