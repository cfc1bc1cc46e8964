"""Sound streams as games write them: values one after another, with what a game stores between them.

A stream is a list of steps for the real engine, which writes the bytes; see ``streamed`` of :mod:`engine` and
:mod:`engine4`. Run as ``PYTHONPATH=tests:. python -m document.doctor.streams``: it writes the sample for the tests.
"""

from __future__ import annotations

import argparse
import gzip
import json
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import engine
import engine4

SAMPLE = Path(__file__).parents[2] / "data" / "streams" / "sound.jsonl.gz"
SEED = 20
FEWEST, MOST = 2, 30
"""So many values stand in a stream."""
KINDS = ("stored", "stored-big", "concatenated", "sized", "mixed", "mixed-bare")

Step = list[Any]
"""What is written: ``["var", TEXT]`` by store_var, ``["bare", TEXT]`` by var2bytes, ``["sized", WIDTH, BIG, TEXT]``
with a size of so many bytes before it, ``["big"]`` to write in the other byte order from there on, or a field."""
WORDS = (
    *("player", "enemy", "gold", "health", "position", "rotation", "name", "items", "sword", "shield", "potion"),
    *("level", "quests", "done", "time", "seed", "map", "spawn", "state", "velocity", "input", "tick", "id", "owner"),
    *("team", "score", "settings", "volume", "language", "de_DE", "äußerst", "日本語", "слово", "🙂", "fin", "hp"),
    *("mp", "xp"),
)


@dataclass(frozen=True, slots=True)
class Stream:
    """What is to be written, and by which engine: 3 or 4."""

    kind: str
    engine: int
    steps: tuple[Step, ...]


def streams(count: int, seed: int = SEED) -> list[Stream]:
    """So many streams, the engines and the kinds in turn."""
    return [_stream(Random(f"{seed} {k}"), KINDS[k // 2 % len(KINDS)], 3 + k % 2) for k in range(count)]


def _stream(random: Random, kind: str, version: int) -> Stream:
    values = list(_values(random, Notation(random, version)))
    steps: list[Step]
    if kind == "concatenated":
        steps = [["bare", value] for value in values]
    elif kind == "sized":
        size = random.choice(([2, False], [2, True], [1, False], [4, True]))
        steps = [["sized", *size, value] for value in values]
    elif kind.startswith("mixed"):
        steps = list(_mixed(random, values, "bare" if kind == "mixed-bare" else "var"))
    else:
        steps = [["big"]] * (kind == "stored-big") + [["var", value] for value in values]
    return Stream(kind, version, tuple(steps))


def _values(random: Random, notation: Notation) -> Iterator[str]:
    """Values of one game: records of one shape, messages, the same value in a loop, or anything."""
    count = random.randint(FEWEST, MOST)
    match random.choice(("records", "messages", "loop", "any", "any", "mixed")):
        case "records":
            shape = [(random.choice(WORDS), random.choice(notation.makers)) for _ in range(random.randint(1, 6))]
            for _ in range(count):
                yield notation.dictionary([(notation.text(key), make()) for key, make in shape])
        case "messages":
            for _ in range(count):
                arguments = [notation.any(1) for _ in range(random.randint(0, 3))]
                yield notation.array([notation.text(random.choice(WORDS)), *arguments])
        case "loop":
            make = random.choice(notation.makers)
            yield from (make() for _ in range(count))
        case "any":
            yield from (notation.any(0) for _ in range(count))
        case _:
            yield from (random.choice(notation.makers)() for _ in range(count))


def _mixed(random: Random, values: Sequence[str], step: str) -> Iterator[Step]:
    """Values among fields: a head before all, one between every two, or some here and there."""
    field = random.choice(FIELDS)
    often = random.choice((0.1, 0.5, 1.0))
    for _ in range(random.randint(0, 3)):
        yield random.choice(FIELDS)(random)
    for value in values:
        yield [step, value]
        if random.random() < often:
            yield (field if often == 1.0 else random.choice(FIELDS))(random)


def phrase(random: Random) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.randint(1, 4)))


FIELDS: tuple[Callable[[Random], Step], ...] = (
    lambda random: ["8", random.randrange(256)],
    lambda random: ["16", random.randrange(1 << 16)],
    lambda random: ["32", random.choice((1, 2, random.randrange(1000), random.randrange(1 << 31)))],
    lambda random: ["64", random.randrange(1 << 50)],
    lambda random: ["float", random.uniform(-100, 100)],
    lambda random: ["double", random.uniform(-100, 100)],
    lambda random: ["real", random.uniform(-1, 1)],
    lambda random: ["pascal", phrase(random)],
    lambda random: ["line", phrase(random)],
    lambda random: ["string", "SAVE"],
)


class Notation:
    """Values in the notation of one engine, which ``str2var`` reads.

    Args:
        random: chooses them.
        version: of the engine, 3 or 4.
    """

    def __init__(self, random: Random, version: int) -> None:
        self.random = random
        self.version = version
        pool = "Pool" if version == 3 else "Packed"
        numbers = {"Vector2": 2, "Rect2": 4, "Vector3": 3, "Transform2D": 6, "Plane": 4, "AABB": 6, "Color": 4}
        more = {"Quat": 4, "Basis": 9, "Transform": 12}
        if version == 4:
            more = {"Quaternion": 4, "Basis": 9, "Transform3D": 12, "Projection": 16, "Vector4": 4}
        whole = {"Vector2i": 2, "Vector3i": 3, "Rect2i": 4, "Vector4i": 4} if version == 4 else {}
        reals = ["Real"] if version == 3 else ["Float32", "Float64"]
        integers = ["Int"] if version == 3 else ["Int32", "Int64"]
        self.makers: list[Callable[[], str]] = [
            *[self._of(name, size, self.real) for name, size in {**numbers, **more}.items()],
            *[self._of(name, size, self.small) for name, size in whole.items()],
            *[self._many(f"{pool}{name}Array", 1, self.real) for name in reals],
            *[self._many(f"{pool}{name}Array", 1, self.small) for name in integers],
            self._many(f"{pool}ByteArray", 1, lambda: str(random.randrange(256))),
            self._many(f"{pool}StringArray", 1, self.text),
            self._many(f"{pool}Vector2Array", 2, self.real),
            self._many(f"{pool}Vector3Array", 3, self.real),
            self._many(f"{pool}ColorArray", 4, self.real),
            lambda: "null",
            lambda: random.choice(("true", "false")),
            *[self.small, self.integer, self.real, self.text, self.text] * 2,
            lambda: f'NodePath("{random.choice(("", "/root/"))}{random.choice(WORDS)}/{random.choice(WORDS)}")',
            lambda: f'NodePath("{random.choice(WORDS)}:{random.choice(WORDS)}")',
            lambda: "[  ]",
            lambda: "{}",
        ]
        if version == 4:
            self.makers += [
                lambda: f'&"{random.choice(WORDS)}"',
                lambda: f"Array[int]([{self.small()}, {self.small()}])",
                lambda: f"Dictionary[String, float]({{{self.text()}: {self.real()}}})",
                lambda: "RID()",
            ]

    def any(self, depth: int) -> str:
        """Any value, collections not much deeper."""
        if depth > 3 or self.random.random() < 0.6:
            return self.random.choice(self.makers)()
        some = [self.any(depth + 1) for _ in range(self.random.randint(1, 5))]
        if self.random.random() < 0.5:
            return self.array(some)
        return self.dictionary([(self.text() if self.random.random() < 0.8 else self.small(), one) for one in some])

    def array(self, values: Sequence[str]) -> str:
        """An Array."""
        return f"[ {', '.join(values)} ]"

    def dictionary(self, pairs: Sequence[tuple[str, str]]) -> str:
        """A Dictionary; equal keys are one."""
        return "{" + ", ".join(f"{key}: {value}" for key, value in dict(pairs).items()) + "}"

    def text(self, words: str = "") -> str:
        """A String, sometimes of a length that no word has."""
        some = words or phrase(self.random)
        if not words and self.random.random() < 0.2:
            some = "".join(self.random.choices(string.ascii_letters, k=self.random.randint(0, 40)))
        return json.dumps(some, ensure_ascii=False)

    def small(self) -> str:
        """A small number."""
        return str(
            self.random.choice((0, 1, -1, self.random.randrange(1000), self.random.randrange(-(1 << 31), 1 << 31)))
        )

    def integer(self) -> str:
        """A number of 64 bits."""
        return str(self.random.randrange(-(1 << 62), 1 << 62))

    def real(self) -> str:
        """A number with a point."""
        number = self.random.choice((0.5, 1.0, 0.0, self.random.uniform(-1000, 1000), self.random.random() * 1e-6))
        return f"{number:.9f}"

    def _of(self, name: str, size: int, number: Callable[[], str]) -> Callable[[], str]:
        return lambda: f"{name}({', '.join(number() for _ in range(size))})"

    def _many(self, name: str, size: int, number: Callable[[], str]) -> Callable[[], str]:
        return lambda: f"{name}({', '.join(number() for _ in range(size * self.random.randint(0, 12)))})"


def written(some: Sequence[Stream]) -> list[bytes]:
    """What the engines write.

    Raises:
        engine.EngineError, engine4.EngineError: one cannot be run.
    """
    three = iter(engine.streamed([stream.steps for stream in some if stream.engine == 3]))
    with engine4.Godot() as godot:
        four = iter(godot.streamed([stream.steps for stream in some if stream.engine == 4]))
        return [next(three if stream.engine == 3 else four) for stream in some]


def sample(path: Path = SAMPLE) -> Iterator[tuple[str, bytes]]:
    """The streams among the tests' data: what they are called, and their bytes."""
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        row = json.loads(line)
        yield row["kind"], bytes.fromhex(row["data"])


def write_sample(path: Path, some: Sequence[Stream]) -> None:
    """Let the engines write streams, into a file of the tests' data."""
    rows = [
        json.dumps({"kind": f"{stream.kind} {stream.engine}", "data": data.hex()})
        for stream, data in zip(some, written(some), strict=True)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(rows).encode(), mtime=0))


def main() -> None:
    """Write the sample."""
    parser = argparse.ArgumentParser(prog="document.doctor.streams", description="Let the engines write sound streams.")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=SAMPLE)
    wanted = parser.parse_args()
    write_sample(wanted.output, streams(wanted.count, wanted.seed))


if __name__ == "__main__":
    main()
