"""What the repository shows of a run: two pictures in ``docs`` and the table in the README."""

from __future__ import annotations

from bench import picture, words
from bench.archive import ROOT, Run

BEGIN, END = "<!-- bench -->", "<!-- /bench -->"
PICTURE = """\
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="docs/bench-dark.svg">
  <img alt="Benchmarks: bars of the ratios with the goals as ticks" src="docs/bench-light.svg">
</picture>"""


def publish(run: Run) -> None:
    """Write all three."""
    for name, colours in picture.THEMES.items():
        (ROOT / "docs" / f"bench-{name}.svg").write_text(picture.draw(run.rows, colours), encoding="utf-8")
    readme = ROOT / "README.md"
    readme.write_text(with_figures(readme.read_text(encoding="utf-8"), run), encoding="utf-8")


def with_figures(text: str, run: Run) -> str:
    """The README with what a run says between its two marks.

    Raises:
        ValueError: it has no such marks.
    """
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the README has no {BEGIN} … {END}")
    said = f"Measured at commit {run.commit}: {run.machine}."
    details = f"<details><summary>The figures</summary>\n\n{words.markdown(run.rows)}\n\n</details>"
    return f"{before}{BEGIN}\n{PICTURE}\n\n{said}\n\n{details}\n{END}{after}"
