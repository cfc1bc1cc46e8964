"""Write cases of the kinds that are held out: ``python -m document.doctor.heldout --seed N --out FILE``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from document.doctor.heldout import authors, encoders, fieldwork, frames, late_kinds, logs, machines, mishaps
from document.doctor.heldout.made import Maker

LISTS: dict[str, dict[str, Maker]] = {
    "first": {**encoders.MAKERS, **frames.MAKERS, **machines.MAKERS, **logs.MAKERS},
    "second": {**authors.MAKERS, **mishaps.MAKERS, **late_kinds.MAKERS},
    "third": fieldwork.MAKERS,
}
"""How each kind comes about, by name, in lists that were made one after another; no kind is in two of them."""
KINDS = {kind: make for some in LISTS.values() for kind, make in some.items()}
MOST_TRIES = 30


def cases(seed: int, count: int, kinds: Mapping[str, Maker] = KINDS) -> Iterator[dict[str, object]]:
    """So many different cases of each kind, as a file has them; the same for the same seed."""
    for kind, make in kinds.items():
        random = Random(f"{kind} {seed}")
        seen: set[bytes] = set()
        for _ in range(MOST_TRIES * count):
            if len(seen) == count:
                break
            made = make(random)
            if made is not None and made.data not in seen:
                seen.add(made.data)
                yield made.row(kind)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        prog="document.doctor.heldout", description="Damage that the doctor was not made for."
    )
    parser.add_argument("--seed", type=int, default=1, help="another one gives other cases")
    parser.add_argument("--out", type=Path, required=True, help="the file, JSON lines")
    parser.add_argument("--list", choices=LISTS, default="first", help="which kinds")
    parser.add_argument("--per-kind", type=int, default=6, help="so many cases of each kind")
    wanted = parser.parse_args(arguments)
    with wanted.out.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in cases(wanted.seed, wanted.per_kind, LISTS[wanted.list]))


if __name__ == "__main__":
    main()
