"""What the tests of the format do to bytes: all that the program does with a frame, and ways to spoil one."""

from __future__ import annotations

import random
from collections.abc import Iterator

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.span import Span
from viewer.variant.dialect import Dialect
from viewer.variant.items import element, element_count, part_at, parts
from viewer.variant.lint.lint import lint
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

TOUCHED = 200
"""About so many nodes of a frame are looked up one by one: that takes a step a level."""


def findings(table: NodeTable) -> list[Diagnostic]:
    """What scanner and lint say of a frame."""
    return [*table.diagnostics, *lint(table)]


def codes(raw: bytes, dialect: Dialect) -> list[str]:
    """The names of the findings about a frame, in order."""
    return [found.code.slug for found in findings(scan(raw, dialect))]


def is_refused(table: NodeTable) -> bool:
    """Our verdict: is there any finding of severity error?"""
    return any(found.severity is Severity.ERROR for found in findings(table))


def leaf_spans(table: NodeTable) -> Iterator[Span]:
    """The spans of all parts of all nodes and of the gaps between them, in the order of the bytes."""
    nodes = table.nodes if len(table) else ()
    yield from sorted([part.span for node in nodes for part in parts(table, node)] + [gap.span for gap in table.gaps])


def assert_tiled(table: NodeTable) -> None:
    """The parts of all nodes lie end to end from the first byte to ``end_of_data``."""
    at = 0
    for span in leaf_spans(table):
        assert span.start == at
        at = span.end
    assert at == table.end_of_data <= len(table.buffer)


def exercise(raw: bytes, dialect: Dialect) -> NodeTable:
    """Do to a frame everything that opening, selecting and checking it does."""
    table = scan(raw, dialect)
    assert len(table) <= len(raw) // 4 + 1
    assert_tiled(table)
    for found in findings(table):
        assert found.message
        assert 0 <= found.span.start <= found.span.end <= len(raw)
        assert -1 <= found.node < max(len(table), 1)
    if len(table):
        read(table)
        for node in list(table.nodes)[:: 1 + len(table) // TOUCHED]:
            _touch(table, node)
    return table


def _touch(table: NodeTable, node: int) -> None:
    span = table.span(node)
    assert table.at(span.start) == node
    part_at(table, node, span.start)
    if count := element_count(table, node):
        element(table, node, count - 1)


def flips(raw: bytes, dice: random.Random) -> Iterator[bytes]:
    """The bytes with each byte changed once: a bit, all bits, or anything."""
    for at in range(len(raw)):
        spoilt = bytearray(raw)
        spoilt[at] ^= dice.choice((1, 0x80, 0xFF, dice.randrange(1, 256)))
        yield bytes(spoilt)


def random_frame(dialect: Dialect, dice: random.Random) -> bytes:
    """Bytes that look like a frame: words of the kinds that headers, counts and lengths are made of."""
    words = bytearray()
    for _ in range(dice.randrange(1, 24)):
        number = dice.randrange(len(dialect.rows) + 1)
        word = dice.choice(
            (
                number,
                number | dice.randrange(16) << 16,
                dice.randrange(6),
                0x80000000 | dice.randrange(3),
                0x7FFFFFFF,
                dice.getrandbits(32),
            )
        )
        words += word.to_bytes(4, "little")
    return bytes(words[: len(words) - dice.randrange(4)])
