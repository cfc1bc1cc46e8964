"""Random and randomly damaged bytes for the doctor: it must answer all of them, soon, and in little memory.

    PYTHONPATH=tests:. python -m document.doctor.fuzz --random 2000 --damaged 300 --seed 1

What is printed: the seed, every exception with its bytes, the slowest answers in seconds of processor time, the peak
of resident memory. The end is 1 where an answer raised.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import traceback
from collections.abc import Iterator

from document.doctor.material import values

from viewer.document.doctor import diagnose
from viewer.document.document import Document

SIZES = (0, 1, 3, 4, 7, 8, 12, 16, 31, 64, 100, 256, 1000, 1400, 4096)
LONGEST = 4096


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
    raised, spent = 0, []
    for kind, data in inputs(random.Random(wanted.seed), wanted.random, wanted.damaged):
        begun = time.process_time()
        try:
            diagnose(Document(data))
        except Exception:
            raised += 1
            print(kind, data.hex(), traceback.format_exc(), sep="\n")
        spent.append((time.process_time() - begun, kind, len(data)))
    spent.sort(reverse=True)
    print(f"{len(spent)} answers, {raised} raised, mean {sum(each[0] for each in spent) / len(spent):.3f} s")
    print("slowest:", *(f"{seconds:.2f} s ({kind}, {size} bytes)" for seconds, kind, size in spent[:8]))
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 1 if raised else 0


if __name__ == "__main__":
    sys.exit(main())
