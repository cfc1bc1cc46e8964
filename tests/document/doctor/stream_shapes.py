"""Sound streams of other shapes than those of :mod:`document.doctor.streams`: files as single games lay them out.

Run as ``PYTHONPATH=tests:. python -m document.doctor.stream_shapes``: it writes one stream of each shape for the tests,
and those of the other kinds that were once accused.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from document.doctor.streams import SAMPLE, WORDS, Notation, Step, Stream, phrase, streams, write_sample

SHAPED = SAMPLE.with_name("shaped.jsonl.gz")
SEED = 2
ONCE_ACCUSED = (
    *((7, number) for number in (47, 70, 344, 355, 382, 525)),
    *((11, number) for number in (214, 227, 286, 346, 383, 587)),
    (12, 296),
)
"""Seeds and numbers of streams."""


def shaped(count: int, seed: int) -> list[Stream]:
    """So many streams, the engines and the shapes in turn."""
    return [_shaped(Random(f"other {seed} {k}"), SHAPES[k // 2 % len(SHAPES)], 3 + k % 2) for k in range(count)]


def _shaped(random: Random, shape: Shape, version: int) -> Stream:
    steps = shape(random, Notation(random, version))
    return Stream(shape.__name__.strip("_"), version, tuple(steps))


def _counted(random: Random, notation: Notation) -> list[Step]:
    """Lists, each behind the number of its values."""
    steps: list[Step] = []
    for _ in range(random.randint(1, 4)):
        count = random.randint(0, 8)
        steps.append(["32", count])
        make = random.choice(notation.makers)
        steps += [["var", make() if random.random() < 0.7 else notation.any(1)] for _ in range(count)]
    return steps


def _keyed(random: Random, notation: Notation) -> list[Step]:
    """Names, each before its value."""
    name = random.choice(("pascal", "line"))
    steps: list[Step] = []
    for _ in range(random.randint(2, 14)):
        steps += [[name, random.choice(WORDS)], ["var", notation.any(0)]]
    return steps


def _chunks(random: Random, notation: Notation) -> list[Step]:
    """Parts that begin with four letters and a version."""
    steps: list[Step] = [["string", "GAME"], ["32", random.randint(1, 9)]]
    for _ in range(random.randint(2, 8)):
        steps += [["string", random.choice(("PLYR", "WRLD", "INVT", "QEST", "NPCS"))], ["8", random.randint(0, 3)]]
        steps += [["var", notation.any(0)] for _ in range(random.randint(1, 3))]
    return steps


def _placed(random: Random, notation: Notation) -> list[Step]:
    """Things with a kind, a place and what is known of them."""
    made = [("hp", notation.small), ("name", notation.text), ("pos", random.choice(notation.makers))]
    steps: list[Step] = []
    for _ in range(random.randint(3, 20)):
        steps += [["16", random.randint(0, 400)], *[["float", random.uniform(-500, 500)] for _ in range(2)]]
        steps.append(["var", notation.dictionary([(notation.text(key), make()) for key, make in made])])
    return steps


def _log(random: Random, notation: Notation) -> list[Step]:
    """Messages behind the second at which they were sent."""
    second = 1600000000 + random.randint(0, 10**8)
    steps: list[Step] = []
    for _ in range(random.randint(3, 20)):
        second += random.randint(0, 60)
        steps += [
            ["64", second],
            ["var", notation.array([notation.text(random.choice(WORDS)), notation.any(1)])],
        ]
    return steps


def _ticks(random: Random, notation: Notation) -> list[Step]:
    """Values without lengths, each behind the number of its tick."""
    tick, make = random.randint(0, 5000), random.choice(notation.makers)
    steps: list[Step] = []
    for _ in range(random.randint(4, 25)):
        tick += 1
        steps += [["32", tick], ["bare", random.choice((make(), notation.any(1)))]]
    return steps


def _big(random: Random, notation: Notation) -> list[Step]:
    """All of it in the other byte order."""
    steps: list[Step] = [["big"], ["16", random.randint(1, 300)], ["32", random.randint(0, 99999)]]
    for _ in range(random.randint(2, 14)):
        steps.append(["var", notation.any(0)])
        if random.random() < 0.4:
            fields = (["double", random.uniform(0, 9999)], ["8", random.randint(0, 1)], ["pascal", phrase(random)])
            steps.append(random.choice(fields))
    return steps


def _sums(random: Random, notation: Notation) -> list[Step]:
    """Values, and behind all a checksum."""
    steps: list[Step] = [["var", notation.any(0)] for _ in range(random.randint(1, 9))]
    return [*steps, *[["32", random.randrange(1 << 31)] for _ in range(2)], ["64", random.randrange(1 << 60)]]


def _headed(random: Random, notation: Notation) -> list[Step]:
    """A head of numbers and a text, and then values without lengths."""
    fields = [[random.choice(("32", "16", "64")), random.randint(0, 5000)] for _ in range(random.randint(1, 5))]
    values = [["bare", notation.any(0)] for _ in range(random.randint(3, 6))]
    return [*fields, ["pascal", phrase(random)], *values]


def _words(random: Random, notation: Notation) -> list[Step]:
    """Texts without lengths."""
    return [["bare", notation.text()] for _ in range(random.randint(2, 30))]


def _flags(random: Random, notation: Notation) -> list[Step]:
    """Small values, with some bytes before each."""
    steps: list[Step] = []
    for _ in range(random.randint(3, 15)):
        make = random.choice((notation.small, notation.real, notation.text, lambda: "null"))
        steps += [*[["8", random.randint(0, 1)]] * random.randint(0, 3), ["var", make()]]
    return steps


def _deep(random: Random, notation: Notation) -> list[Step]:
    """Values in values in values, some of them twice."""
    value = notation.any(0)
    for _ in range(random.randint(3, 12)):
        is_list = random.random() < 0.5
        value = (
            notation.array([value, notation.small()]) if is_list else notation.dictionary([(notation.text(), value)])
        )
    return [*[["var", value]] * random.randint(1, 3), ["var", notation.any(0)]]


Shape = Callable[[Random, Notation], list[Step]]
SHAPES: tuple[Shape, ...] = (
    *(_counted, _keyed, _chunks, _placed, _log, _ticks, _big, _sums, _headed, _words, _flags, _deep),
)


def main() -> None:
    """Write the sample."""
    some = shaped(2 * len(SHAPES), SEED)
    accused = [streams(number + 1, seed)[number] for seed, number in ONCE_ACCUSED]
    write_sample(SHAPED, [*(some[2 * k + k % 2] for k in range(len(SHAPES))), *accused])


if __name__ == "__main__":
    main()
