"""Write ``docs/clipboard-forms.md``: which values of real engines each form of text holds, loses or refuses.

    python tools/clipboard_forms.py [FILE]

The values are the golden vectors of the tests. Every text is read back; what is neither the same value again nor told
beforehand ends the script with an error.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import corpus

from viewer.document.export.forms import FORMS, FormContent, FormError, TextForm, read, value_of, write_bytes
from viewer.document.export.forms.value_forms import write_value
from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.encode import encode
from viewer.variant.read import read as read_node
from viewer.variant.scan import scan
from viewer.variant.value import Value

FILE = Path(__file__).resolve().parents[1] / "docs" / "clipboard-forms.md"
HEAD = """# Forms of text

Made by `python tools/clipboard_forms.py`; a test keeps it true. {count} values that real engines wrote were put into
each form and read back. *Exact* gives the same bytes again; *lossy* is said when copying; *refused* ends in the reason.

| form | holds | file | exact | lossy | refused |
|---|---|---|--:|--:|--:|
"""
_GENERAL = (
    (re.compile(r"“[^”]*”"), "“…”"),
    (re.compile(r"(?<=that it holds ).*"), "…"),
    (re.compile(r"^[\d,]+ of [\d,]+ (?=numbers|texts)"), "n of n "),
    (re.compile(r"^[\d,]+ (?=values|numbers|texts)"), "n "),
    (re.compile(r"^\S+ (is rounded to|becomes) [-\d.e]+$"), r"n \1 n"),
    (re.compile(r"(?<=The id )\d+"), "n"),
)


@dataclass(slots=True)
class Tally:
    """What became of the vectors in one form."""

    exact: int = 0
    lossy: int = 0
    refused: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Vector:
    """A golden value: its name, its bytes and what they hold."""

    name: str
    data: bytes
    value: Value
    dialect: Dialect
    precision: Precision


def golden() -> Iterator[Vector]:
    """The golden values of all engines."""
    for engine in corpus.ENGINES:
        dialect, precision = load(engine.dialect), Precision(engine.precision)
        for row in corpus.vectors(engine.folder):
            data = corpus.vector_bytes(row)
            yield Vector(f"{engine}:{row['id']}", data, read_node(scan(data, dialect)), dialect, precision)


def written(form: TextForm, vector: Vector) -> tuple[str, tuple[str, ...]]:
    """A golden value in a form, and what is lost.

    Raises:
        FormError: the form refuses it.
    """
    if form.writes is FormContent.BYTES:
        return write_bytes(form, vector.data), ()
    return write_value(form, vector.value, vector.dialect, vector.precision)


def reads_back(form: TextForm, vector: Vector, text: str) -> bool:
    """Whether a text gives the value again, to the last byte.

    Raises:
        FormError: it cannot be read.
    """
    content = read(form, text, vector.dialect, vector.precision)
    if isinstance(content, bytes):
        return content == vector.data
    again = encode(value_of(content, vector.dialect), vector.dialect, vector.precision)
    return again == encode(vector.value, vector.dialect, vector.precision)


def tally(form: TextForm, vectors: list[Vector]) -> Tally:
    """What becomes of all golden values in a form.

    Raises:
        AssertionError: a text gives another value though nothing was said to be lost.
    """
    found = Tally()
    for vector in vectors:
        try:
            text, lost = written(form, vector)
        except FormError as error:
            found.refused += 1
            found.reasons[general(str(error))] += 1
            continue
        same = reads_back(form, vector, text)
        if not same and not lost:
            raise AssertionError(f"{form.key} changes {vector.name} and does not say so: {text[:200]}")
        found.exact += not lost
        found.lossy += bool(lost)
        found.lost.update({*map(general, lost)})
    return found


def general(sentence: str) -> str:
    """A reason without the words and numbers of one value."""
    for pattern, instead in _GENERAL:
        sentence = pattern.sub(instead, sentence)
    return sentence


def page() -> str:
    """The page as Markdown."""
    vectors = list(golden())
    tallies = {form: tally(form, vectors) for form in FORMS}
    out = [HEAD.format(count=len(vectors))]
    for form, found in tallies.items():
        numbers = f"{found.exact} | {found.lossy} | {found.refused}"
        out.append(f"| {form.name} | {form.writes.value} | `{form.suffix}` | {numbers} |\n")
    for title, attribute in (("What is lost", "lost"), ("What is refused", "reasons")):
        out.append(f"\n## {title}\n\n| form | what | values |\n|---|---|--:|\n")
        for form, found in tallies.items():
            rows: Counter[str] = getattr(found, attribute)
            out += (f"| {form.name} | {what} | {count} |\n" for what, count in sorted(rows.items(), key=_order))
    return "".join(out)


def _order(row: tuple[str, int]) -> tuple[int, str]:
    return -row[1], row[0]


def main(path: Path = FILE) -> None:
    """Write the page."""
    path.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
