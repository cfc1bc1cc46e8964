"""How it stands with the bytes of a document, in a few lines."""

from __future__ import annotations

from viewer.document.account import account
from viewer.document.document import Document
from viewer.document.shown.counts import grouped

MOST = 1 << 20
"""Larger documents are not summed up while a person waits for a tooltip."""


def standing_lines(document: Document) -> list[str]:
    """How many bytes stand in each way, a line each; nothing where that takes too long or is not known yet."""
    if document.task is not None or len(document.buffer) > MOST:
        return []
    totals = account(document).totals
    return [f"{grouped(count)} {standing.label}" for standing, count in totals.items() if count]
