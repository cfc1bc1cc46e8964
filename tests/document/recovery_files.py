"""Damaged files: whole saves broken in twelve ways, opened as the program opens them, and how much is still shown.

``RECOVERY_SEED=1 RECOVERY_CASES=5000 python tests/document/recovery_files.py [FOLDER...]`` prints the shares; a folder
holds more of what ``tests/data`` does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from corpus import DATA, ENGINES, Engine, files
from variant.damage import WAYS, Damage, Piece, Sample, damaged
from variant.recovery_cases import SMALLEST, Leaf, Tally, leaves

from viewer.container.frames import FramingKind, prefix
from viewer.document.document import Document
from viewer.document.pieces.framing import is_sound
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Dialect, load
from viewer.variant.scan import scan

LARGEST = 1 << 16


class Saved:
    """A sound save: its values, and how a game that wrote it reads it."""

    def __init__(self, raw: bytes, dialect: Dialect, name: str) -> None:
        document = Document(raw, choice=ReadOptions(dialect))
        self.framing = document.way.framing
        self.gaps = document.gaps
        self.is_sound = bool(document.frames) and all(frame.sound for frame in document.frames)
        pieces = (Piece(frame.table, frame.start, frame.cut.prefix) for frame in document.frames)
        self.sample = Sample(raw, tuple(pieces), name)
        self.leaves = shown(document)

    def until_error(self, raw: bytes) -> dict[int, Leaf]:
        """What the game reads of damaged bytes until something is wrong; it knows where its own bytes stand."""
        found: dict[int, Leaf] = {}
        at = 0
        for piece in self.sample.pieces:
            at += self._skipped(piece)
            end = len(raw)
            if piece.prefix is not None:
                length = prefix(raw, at, self.framing.big_endian)
                at += 4
                if not 4 <= length <= len(raw) - at:
                    break
                end = at + length
            if at >= end:
                break
            table = scan(raw[at:end], self.sample.dialect)
            found.update(leaves(table, at))
            if not is_sound(table):
                break
            at = at + table.end_of_data if self.framing.kind is FramingKind.CONCATENATED else end
        return found

    def _skipped(self, piece: Piece) -> int:
        """Bytes of the game's own in front of a value."""
        begin = piece.start if piece.prefix is None else piece.prefix.start
        return sum(len(gap) for gap in self.gaps if gap.end == begin)


def shown(document: Document) -> dict[int, Leaf]:
    """All leaf values that a document shows."""
    found: dict[int, Leaf] = {}
    for frame in document.frames:
        found.update(leaves(frame.table, frame.start))
    return found


def saves(folders: Sequence[Path] = (), largest: int = LARGEST) -> list[Saved]:
    """The saves of ``tests/data`` without wraps, and of further folders, that are large enough and sound."""
    found: dict[bytes, Saved] = {}
    for engine in ENGINES:
        paths = [saved.path for saved in files(engine.folder)]
        paths += [path for folder in folders for path in _more(folder, engine)]
        for path in paths:
            raw = path.read_bytes()
            if SMALLEST <= len(raw) <= largest and raw not in found:
                found[raw] = Saved(raw, load(engine.dialect), f"{engine}/{path.name}")
    return [saved for saved in found.values() if saved.is_sound]


def _more(folder: Path, engine: Engine) -> list[Path]:
    known = {saved.path.name for saved in files(engine.folder)}
    return [path for path in sorted((folder / engine.folder / "files").glob("*")) if path.name in known]


def run(seed: int, cases: int, sound: Sequence[Saved], told: bool = False) -> dict[str, Tally]:
    """Break saves at random and open them; the tallies by the way of damage.

    Args:
        seed, cases, sound: what is broken.
        told: whether a person says which engine wrote them; how they are framed is always found.
    """
    chance = random.Random(seed)
    tallies = {name: Tally() for name in WAYS}
    samples = [saved.sample for saved in sound]
    for _ in range(cases):
        name, number, raw, damage = damaged(chance, samples)
        choice = ReadOptions(samples[number].dialect) if told else ReadOptions()
        _count(tallies[name], name, sound[number], damage, Document(raw, choice=choice))
    return tallies


def _count(tally: Tally, way: str, saved: Saved, damage: Damage, document: Document) -> None:
    raw = bytes(document.buffer[:])
    tally.empty += not any(len(frame.table) for frame in document.frames)
    tally.count(saved.leaves, raw, (saved.sample.name, way, damage), saved.until_error(raw), shown(document))


if __name__ == "__main__":
    import os
    import sys
    import time

    from variant.recovery_cases import shares, told, total

    most = int(os.environ.get("RECOVERY_LARGEST", str(LARGEST)))
    sound = saves([Path(name) for name in sys.argv[1:]], most)
    begun = time.perf_counter()
    print(len(sound), "saves of", DATA.name, *sys.argv[1:])
    seed, cases = int(os.environ.get("RECOVERY_SEED", "1")), int(os.environ.get("RECOVERY_CASES", "500"))
    for is_told in (False, True):
        found = run(seed, cases, sound, is_told)
        print("The engine line is", "told." if is_told else "found.")
        print(shares(found))
        for each in total(found.values()).worse:
            print(told(each)[:1500])
    print(f"{time.perf_counter() - begun:.1f} s")
