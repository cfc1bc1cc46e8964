"""Count how far the program agrees with the engines that the golden bytes are from.

    python tools/engine_figures.py [FOLDER ...]

For each folder of ``tests/data``: values read right, values written back to the same bytes, verdicts on broken bytes as
the engine's own, conditions letter for letter, and files whose every value reads as it was stored; then what differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from corpus import ENGINES, Engine, Row, files, vector_bytes, vectors, wrapped  # noqa: E402
from document.test_engines import Case, cases, outcome, ruling, said  # noqa: E402
from document.test_wrapped_values import stored  # noqa: E402
from document.test_wraps import secret_of  # noqa: E402
from variant.corpus_values import expected_value, same  # noqa: E402
from variant.test_verdicts import is_accepted, kills  # noqa: E402

from viewer.document.document import Document  # noqa: E402
from viewer.document.engines.verdicts import Outcome  # noqa: E402
from viewer.document.pieces.framing import Frame  # noqa: E402
from viewer.document.reading import ReadOptions  # noqa: E402
from viewer.document.wraps import UnwrapOptions  # noqa: E402
from viewer.variant.dialect import Dialect, Precision, load  # noqa: E402
from viewer.variant.encode import encode  # noqa: E402
from viewer.variant.read import read  # noqa: E402
from viewer.variant.scan import scan  # noqa: E402

Result = tuple[str, bool]
"""What was compared, and whether both agree."""


def values(engine: Engine) -> Iterator[Result]:
    dialect = load(engine.dialect)
    for row in vectors(engine.folder):
        yield row["id"], same(read(scan(vector_bytes(row), dialect)), expected_value(row, dialect))


def round_trips(engine: Engine) -> Iterator[Result]:
    dialect, precision = load(engine.dialect), Precision(engine.precision)
    for row in vectors(engine.folder):
        raw = vector_bytes(row)
        yield row["id"], encode(read(scan(raw, dialect)), dialect, precision) == raw


def judged(engine: Engine) -> Iterator[Case]:
    return (case for case in cases() if case[0] is engine)


def agreed(engine: Engine) -> Iterator[Result]:
    for _, row, frame in judged(engine):
        yield row["id"], outcome(ruling(engine, row, frame)) is _of(row)


def _of(row: Row) -> Outcome:
    return Outcome.DIES if kills(row) else Outcome.ACCEPTS if is_accepted(row) else Outcome.REFUSES


def conditions(engine: Engine) -> Iterator[Result]:
    for _, row, frame in judged(engine):
        words, stop = said(row), ruling(engine, row, frame).stop
        if words is not None and stop is not None and not is_accepted(row) and not stop.condition.is_fatal:
            error = stop.condition.error.name if stop.condition.error is not None else ""
            yield row["id"], stop.condition.text == words[0] and words[1] in ("", error)


def saved(engine: Engine) -> Iterator[Result]:
    dialect = load(engine.dialect)
    for file in (*files(engine.folder), *wrapped(engine.folder)):
        items = stored(file)
        back = file.sidecar.get("read_back_by_the_engine")
        if isinstance(back, list):  # objects were written as their ids
            items = [(offset, {**item, "value": value}) for (offset, item), value in zip(items, back, strict=True)]
        opening = UnwrapOptions(secret=secret_of(file)) if file in wrapped(engine.folder) else UnwrapOptions()
        document = Document.open(file.path, ReadOptions(dialect, Precision(engine.precision), opening=opening))
        frames = {frame.span.start: frame for frame in document.frames}
        yield str(file), all(_holds(frames.get(offset), item, dialect) for offset, item in items)


def _holds(frame: Frame | None, item: Row, dialect: Dialect) -> bool:
    if frame is None:
        return False
    expected = expected_value(item, dialect)
    if dialect.key == "godot2":  # it writes 32-bit numbers, and the sidecar has them as they were before
        return encode(expected, dialect) == bytes(frame.table.buffer[: frame.table.end_of_data])
    return same(read(frame.table), expected)


COUNTED = {
    "values": values,
    "round trips": round_trips,
    "verdicts": agreed,
    "conditions": conditions,
    "files": saved,
}


def main(folders: list[str]) -> None:
    """Print a line a count, and below it what differs."""
    for engine in ENGINES:
        if folders and engine.folder not in folders:
            continue
        print(engine.folder)
        for name, count in COUNTED.items():
            results = list(count(engine))
            wrong = [what for what, is_right in results if not is_right]
            print(f"  {name:<12}{len(results) - len(wrong):>5} of {len(results)}  {', '.join(wrong)}".rstrip())


if __name__ == "__main__":
    main(sys.argv[1:])
