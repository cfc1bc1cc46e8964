"""What the repository shows of a run: two pictures in ``docs`` and the table in the README."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench import picture, words
from bench.measure import Row

ROOT = Path(__file__).resolve().parent.parent.parent
BEGIN, END = "<!-- bench -->", "<!-- /bench -->"


def publish(rows: Sequence[Row]) -> None:
    """Write all three."""
    for name, colours in picture.THEMES.items():
        (ROOT / "docs" / f"bench-{name}.svg").write_text(picture.draw(rows, colours), encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(with_table(readme.read_text(encoding="utf-8"), words.markdown(rows)), encoding="utf-8")


def with_table(text: str, table: str) -> str:
    """The README with another table between its two marks.

    Raises:
        ValueError: it has no such marks.
    """
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the README has no {BEGIN} … {END}")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"
