"""Random and randomly damaged bytes for the doctor: it must answer all of them, soon, and in little memory.

    PYTHONPATH=tests:. python -m document.doctor.fuzz --random 2000 --damaged 300 --seed 1

What is printed: the seed; every exception with its bytes; bytes that nobody meant and that were called sound; how long
it took, in seconds of processor time, to open the bytes and tell what an engine does with them, which is what a window
shows first, until the doctor's first answer, until its first repair, and all of it; and the peak of resident memory.
The end is 1 where an answer raised, or where more than one in a hundred was called sound that was noise.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from document.doctor.material import values

from viewer.cli.doctor_command import verdict
from viewer.cli.file_access import exit_code
from viewer.document.doctor import examine
from viewer.document.doctor.repair import Answer
from viewer.document.document import Document
from viewer.document.viewmodel.repairs import headline

SIZES = (0, 1, 3, 4, 7, 8, 12, 16, 31, 64, 100, 256, 1000, 1400, 4096)
LONGEST = 4096
LEAST_JUDGED = 64
"""Among fewer bytes that nobody meant a value may be by chance."""
COLLECTED = 20
"""Behind so many answers garbage is looked for."""
SOON = 0.1
"""In so many seconds something has to be told."""


@dataclass(frozen=True)
class Answered:
    """How one input was answered.

    Args:
        kind, size: what it was.
        opened: seconds until what an engine does with it was known.
        first: seconds until the doctor said how much of it nothing explains so far.
        offered: seconds until the first repair, None where there is none.
        whole: seconds until the end.
        verdict: of all of it.
        left: how many bytes belong to no value.
    """

    kind: str
    size: int
    opened: float
    first: float
    offered: float | None
    whole: float
    verdict: str
    left: int

    @property
    def is_wrong(self) -> bool:
        """Whether bytes that nobody meant, and no engine reads all of, were called sound."""
        return self.kind == "random" and self.size >= LEAST_JUDGED and self.verdict == "sound" and self.left > 0


def answered(kind: str, data: bytes) -> Answered:
    """Open bytes and have them examined, as a window does."""
    begun = time.process_time()
    document = Document(data)
    headline(document)
    opened = time.process_time() - begun
    first: list[float] = []
    offers: list[float] = []

    def tell(answer: Answer) -> None:
        first.append(time.process_time() - begun)
        if answer.repairs:
            offers.append(first[-1])

    answer = examine(document, found=tell)
    whole = time.process_time() - begun
    first.append(whole)
    if answer.repairs:
        offers.append(whole)
    said = verdict(answer, is_wrong=bool(exit_code(document)))
    left = sum(map(len, document.gaps))
    return Answered(kind, len(data), opened, first[0], min(offers, default=None), whole, said, left)


def slowest(label: str, some: Sequence[tuple[float, Answered]]) -> str:
    """How long something took: how often too long, and the worst."""
    late = sum(seconds > SOON for seconds, _ in some)
    worst = sorted(some, key=lambda each: -each[0])[:5]
    told = ", ".join(f"{seconds:.2f} s ({each.kind}, {each.size} bytes)" for seconds, each in worst)
    mean = sum(seconds for seconds, _ in some) / max(1, len(some))
    return f"{label}: mean {mean:.3f} s, {late} of {len(some)} above {SOON} s; slowest {told}"


def noise(dice: random.Random) -> bytes:
    """Bytes that nobody meant: even ones, few kinds, small words, or headers before noise."""
    size = dice.choice(SIZES)
    kind = dice.randrange(4)
    if kind == 0:
        return dice.randbytes(size)
    if kind == 1:
        some = dice.randbytes(dice.randint(1, 6))
        return bytes(dice.choice(some) for _ in range(size))
    if kind == 2:
        return b"".join(dice.choice((dice.randrange(40), 0, 1, 4)).to_bytes(4, "little") for _ in range(size // 4))
    return dice.randrange(40).to_bytes(4, "little") + dice.randbytes(size)


def damaged(dice: random.Random, sound: list[bytes]) -> bytes:
    """A save with a few random changes."""
    data = bytearray(dice.choice(sound))
    for _ in range(dice.randint(1, 4)):
        at, size = dice.randrange(len(data) + 1), dice.choice((1, 1, 2, 4, 8, 40))
        what = dice.randrange(5)
        if what == 0:
            data[at : at + size] = dice.randbytes(min(size, len(data) - at))
        elif what == 1:
            data[at:at] = dice.randbytes(size)
        elif what == 2:
            del data[at : at + size]
        elif what == 3:
            other = dice.choice(sound)
            data[at : at + size] = other[: dice.randrange(len(other) + 1)]
        else:
            data[at:at] = data[dice.randrange(len(data) + 1) :][:size]
    return bytes(data[:LONGEST])


def inputs(dice: random.Random, count_random: int, count_damaged: int) -> Iterator[tuple[str, bytes]]:
    """All of them, each with what it is."""
    sound = [value.data for value in values() if len(value.data) <= LONGEST]
    sound += [len(data).to_bytes(4, "little") + data for data in sound]
    yield from (("random", noise(dice)) for _ in range(count_random))
    yield from (("damaged", damaged(dice, sound)) for _ in range(count_damaged))


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=200)
    parser.add_argument("--damaged", type=int, default=30)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    raised, spent = 0, list[Answered]()
    gc.disable()  # a window looks for garbage when nobody waits
    for kind, data in inputs(random.Random(wanted.seed), wanted.random, wanted.damaged):
        try:
            spent.append(answered(kind, data))
        except Exception:
            raised += 1
            print(kind, data.hex(), traceback.format_exc(), sep="\n")
            continue
        if spent[-1].is_wrong:
            print("called sound:", data.hex())
        if not len(spent) % COLLECTED:
            gc.collect()
    wrong = sum(each.is_wrong for each in spent)
    print(f"{len(spent)} answers, {raised} raised, {wrong} of noise that say it is sound")
    print(slowest("what an engine does", [(each.opened, each) for each in spent]))
    print(slowest("first answer", [(each.first, each) for each in spent]))
    print(slowest("first repair", [(each.offered, each) for each in spent if each.offered is not None]))
    print(slowest("all", [(each.whole, each) for each in spent]))
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 1 if raised or 100 * wrong > len(spent) else 0


if __name__ == "__main__":
    sys.exit(main())
