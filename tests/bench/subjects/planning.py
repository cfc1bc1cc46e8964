"""Changing many values at once: what a plan costs for each of its rows, before anything is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most
from bench.setting import Setting

KEYS, KEYS_QUICK = 50_000, 5_000
A_ROW = at_most(6e-6)
MOST = at_most(60e6)
PLANS = {
    "bulk": ("bulk edit", ('[0].*@key -> "the " + value',)),
    "replace": ("replacing", ("key: item", "thing")),
}
"""What is planned for each key, in words and as the arguments of the child."""


def plan(kind: str, figure: str) -> Callable[[Setting], Series]:
    """One figure of planning a change of all keys of a dictionary."""

    def take(setting: Setting) -> Series:
        path = data.keys(setting, setting.size(KEYS, KEYS_QUICK))
        found = child.run(setting, "children.plans", kind, path, setting.budget, *PLANS[kind][1])
        return Series(tuple(found[figure]))

    return take


def _measures() -> Iterator[Measure]:
    for kind, (words, _) in PLANS.items():
        yield Measure(f"{kind}-row", f"plan of a {words}, for each of 50,000 keys", plan(kind, "ours"), goal=A_ROW)
        yield Measure(
            f"{kind}-memory",
            f"memory of the plan of a {words}, 50,000 keys",
            plan(kind, "memory"),
            goal=MOST,
            unit=Unit.BYTES,
        )


MEASURES = list(_measures())
