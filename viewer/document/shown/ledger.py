"""The ledger: who owns each byte, as runs of one role. What the hex view colours and the coverage strip sums up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.span import Span
from viewer.variant.items import Role, parts


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes of one role, as offsets in the layer; *group* is the family of types that owns a value's bytes."""

    span: Span
    role: Role
    group: str | None = None


class Ledger:
    """The owners of a document's bytes, remembered for the bytes asked for last.

    Args:
        document: whose bytes. A ledger sees through edits: it forgets what another revision said.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._revision = -1
        self._nodes: dict[tuple[int, int], list[Run]] = {}

    def runs(self, start: int, end: int) -> list[Run]:
        """Runs that cover ``[start, end)`` in order; the first and the last may reach beyond it."""
        self._forget()
        out: list[Run] = []
        at, end = max(0, start), min(end, len(self.document.buffer))
        while at < end:
            found = self._at(at)
            first = bisect_right([run.span.start for run in found], at) - 1
            for run in found[max(0, first) :]:
                if run.span.start >= end:
                    break
                out.append(run)
            at = max(at + 1, found[-1].span.end)
        return out

    def at(self, offset: int) -> Run:
        """The run that holds one byte."""
        return self.runs(offset, offset + 1)[0]

    def _forget(self) -> None:
        if self._revision != self.document.revision or len(self._nodes) > 4096:
            self._revision = self.document.revision
            self._nodes.clear()

    def _at(self, offset: int) -> list[Run]:
        """The runs of the node, prefix or gap at *offset*."""
        index = self.document.frame_at(offset)
        if index < 0:
            return [self._gap_between(offset)]
        frame = self.document.frames[index]
        prefix, gap = frame.cut.prefix, frame.gap
        if prefix is not None and offset in prefix:
            return [Run(prefix, Role.PREFIX)]
        if gap is not None and offset >= gap.start:
            return [Run(gap, Role.GAP)]
        node = frame.table.at(offset - frame.start)
        key = (index, node)
        if key not in self._nodes:
            self._nodes[key] = list(_node_runs(frame, node))
        return self._nodes[key]

    def _gap_between(self, offset: int) -> Run:
        gaps = self.document.gaps
        place = bisect_right(gaps, Span(offset, len(self.document.buffer) + 1)) - 1
        return Run(gaps[place], Role.GAP)


def _node_runs(frame: Frame, node: int) -> Iterator[Run]:
    row = frame.table.row(node)
    group = row.group if row is not None else None
    for part in parts(frame.table, node):
        if len(part.span):
            yield Run(part.span.shifted(frame.start), part.role, group if part.role is Role.VALUE else None)
