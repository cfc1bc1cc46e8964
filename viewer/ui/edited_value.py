"""A value that is being edited, followed through changes that are made elsewhere, as in another view of the file."""

from __future__ import annotations

from hashlib import blake2b

from viewer.base.buffer import stretches
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.selection import SelectionAnchor, Spot
from viewer.document.splice import Splice
from viewer.ui.session import Session
from viewer.variant.items import Item

LONGEST = 1 << 26
"""Bytes of a value beyond which comparing it would take longer than a person should wait."""


class EditedValue:
    """Knows where a value is, for as long as its first byte is there.

    Args:
        session: whose document it is in, or inside of a value of that.
        document: the document that it belongs to.
        item: the value.
    """

    def __init__(self, session: Session, document: Document, item: Item) -> None:
        self._session = session
        self._spot = Spot(document, item, session.inside.of(document))
        self._anchor = SelectionAnchor.of(document, item)

    @property
    def spot(self) -> Spot:
        """Where it is, or was last."""
        return self._spot

    def follow(self, splices: tuple[Splice, ...]) -> bool:
        """Find it after a change of the document that is shown; whether it is there."""
        if self._spot.level is None:
            if self._session.document is not self._spot.document:
                return self.follow_to(self._session.document)
            self._anchor = self._anchor.after(splices)
            return self.find()
        return self._take(self._session.inside.again(self._spot, replace(self._anchor, path="")))

    def find(self) -> bool:
        """Find it where no byte was changed since; whether it is there."""
        document, level = self._spot.document, self._spot.level
        is_open = level is None or any(each is level for each in self._session.inside.all)
        by_byte = replace(self._anchor, path="")
        item = by_byte.find(document) if is_open and not self._session.waits else None
        return self._take(Spot(document, item, level) if item is not None else None)

    def follow_to(self, document: Document | None) -> bool:
        """Find it in the same file, read again; whether it is there."""
        if document is None or document.path is None or document.task is not None or self._spot.level is not None:
            return False
        if document.path != self._spot.document.path:
            return False
        item = replace(self._anchor, start=None).find(document)
        return self._take(Spot(document, item) if item is not None else None)

    def _take(self, spot: Spot | None) -> bool:
        if spot is None:
            return False
        self._spot, self._anchor = spot, SelectionAnchor.of(spot.document, spot.item)
        return True

    def digest(self) -> bytes:
        """What tells its bytes from others; empty where it is gone, or too long for that."""
        document, item = self._spot.document, self._spot.item
        span = outline.span(document, item) if outline.exists(document, item) else Span(0, 0)
        digest = blake2b()
        for _, piece in stretches(document.buffer, span.start, span.end) if len(span) <= LONGEST else ():
            digest.update(piece)
        return digest.digest() if 0 < len(span) <= LONGEST else b""
