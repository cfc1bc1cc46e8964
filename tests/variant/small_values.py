"""Values to be converted: those of the engines that are small enough to be tried in every type, and deep ones."""

from __future__ import annotations

from collections.abc import Iterator

import corpus

from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.encode import encode
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Array, Value

LARGEST, DEEPEST = 20_000, 200
DEEP = 200_000


def golden(engine: corpus.Engine) -> Iterator[Value]:
    """Every value of an engine that is not broken, and neither too large nor too deep to be tried in every type."""
    dialect = load(engine.dialect)
    for row in corpus.vectors(engine.folder):
        if row.get("depth", 0) > DEEPEST:
            continue
        table = scan(corpus.vector_bytes(row), dialect)
        if len(table.buffer) <= LARGEST and not table.diagnostics:
            yield read(table)


def nested(levels: int) -> Value:
    value = Value("Array", Array())
    for _ in range(levels):
        value = Value("Array", Array((value,)))
    return value


def written_and_read(value: Value, dialect: Dialect, precision: Precision) -> Value:
    """A value in the bytes of a dialect and back, which nothing is wrong with."""
    table = scan(encode(value, dialect, precision), dialect)
    assert not table.diagnostics
    return read(table)
