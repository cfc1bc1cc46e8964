"""Two saves with 1,000 changes held against each other: processor time and memory."""

from __future__ import annotations

from collections.abc import Callable

from bench import child
from bench.measure import Measure, Series, Unit, at_most
from bench.setting import Setting

SIZE, SIZE_QUICK = 50_000_000, 5_000_000
IN_JSON, IN_JSON_QUICK = 400_000, 100_000
BYTE_DIFF, LIBRARY = "cmp -l of the same files", "deepdiff 9"


def figure(ours: str, floor: str = "") -> Callable[[Setting], Series]:
    """One figure of a comparison, beside another one."""

    def take(setting: Setting) -> Series:
        sizes = setting.size(SIZE, SIZE_QUICK), setting.size(IN_JSON, IN_JSON_QUICK)
        found = child.run(setting, "children.comparing", *sizes)
        return Series(tuple(found[ours]), tuple(found[floor]) if floor else ())

    return take


MEASURES = [
    Measure("compare", "compare, 50 MB with 1,000 changes", figure("ours", "cmp"), BYTE_DIFF, at_most(1)),
    Measure(
        "compare-rows", "compare, 50 MB with 1,000 changes: rows", figure("rows"), goal=at_most(1000), unit=Unit.COUNT
    ),
    Measure(
        "compare-memory",
        "compare, 50 MB with 1,000 changes: memory for each node",
        figure("memory"),
        goal=at_most(24),
        unit=Unit.BYTES_A_NODE,
    ),
    Measure("compare-json", "compare in JSON form, 0.4 MB, with reading it", figure("json_ours", "json"), LIBRARY),
]
