"""Writes in columns: sorted and joined they do what each of them does by itself."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import Write
from viewer.document.edits.write_joining import WriteColumns


def after(document: Document, writes: list[Write]) -> bytes:
    out = bytes(document.buffer)
    for write in sorted(writes, key=lambda write: write.span.start, reverse=True):
        out = out[: write.span.start] + write.new + out[write.span.end :]
    return out


@pytest.mark.parametrize("seed", range(20))
def test_writes_in_any_order_become_few_that_do_the_same(seed: int) -> None:
    random, document = Random(seed), Document(bytes(range(256)))
    places = sorted(random.sample(range(256), 40))
    writes = [
        Write(Span(start, random.randint(start, end)), bytes(random.randrange(6)), start // 100)
        for start, end in pairwise(places)
    ]
    mixed = random.sample(writes, len(writes))
    columns = WriteColumns(mixed)
    columns.sort()
    assert list(columns.joined(document)) == writes
    few = list(columns.joined(document, 5))
    assert len(few) <= 5 + 3
    assert after(document, few) == after(document, mixed)
    assert all(write.frame == write.span.start // 100 for write in few)


def test_an_insertion_stays_before_what_replaces_the_bytes_there() -> None:
    document = Document(bytes(range(20)))
    columns = WriteColumns([Write(Span(8, 12), b"new", 0), Write(Span(4, 8), b"", 0), Write(Span(4, 4), b"in", 0)])
    columns.sort()
    assert [write.new for write in columns.joined(document)] == [b"in", b"", b"new"]
    (one,) = columns.joined(document, 1)
    assert (one.span, one.new) == (Span(4, 12), b"innew")


def test_none_become_none() -> None:
    columns = WriteColumns()
    columns.sort()
    assert len(columns) == 0
    assert not list(columns.joined(Document(b"")))
