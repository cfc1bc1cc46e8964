"""A child: instructions of the compiled scan and of the header loop for each value, by the difference of two files.

What a call takes once is left out by that. Arguments: the folder of what is made once, the two files for a processor
that counts, and the two smaller ones for one that does not. ``nodes`` is there where they were counted one by one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from bench import instructions, scanners
from bench.child import report
from bench.peers import hopping
from bench.setting import Setting
from viewer.variant.dialect import load


def main() -> None:
    """Count both in both files."""
    count: Callable[[instructions.Work], int] = lambda work: instructions.by_counter(work) or 0  # noqa: E731
    files = sys.argv[2:4]
    is_stepped = instructions.by_counter(lambda: None) is None
    if is_stepped:
        count, files = instructions.by_steps, sys.argv[4:6]
    scan, hop = scanners.reusing(), hopping.compiled(Setting(Path(sys.argv[1])))
    sizes, ours, floor, nodes = hopping.sizes_of(load(scanners.DIALECT)), [], [], []
    for path in files:
        raw = Path(path).read_bytes()
        words = hopping.words_of(raw)
        nodes.append(len(scan(raw)))
        hop(words, sizes)
        ours.append(count(lambda raw=raw: scan(raw)))  # type: ignore[misc]
        floor.append(count(lambda words=words: hop(words, sizes)))  # type: ignore[misc]
    more = nodes[1] - nodes[0]
    found = {name: [(side[1] - side[0]) / more] for name, side in (("ours", ours), ("floor", floor))}
    report(found | ({"nodes": [more]} if is_stepped else {}))


if __name__ == "__main__":
    main()
