"""Values on the clipboard: as bytes for this program, as literals for every other one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from viewer.document.document import Document
from viewer.document.edits.fragment import Fragment, encoded
from viewer.document.edits.slots import EditError
from viewer.variant.dialect import Precision, load
from viewer.variant.literal.printing import format_literal

VALUES = "application/x-variant-values"
"""The format of values that this program copied or drags."""
MOST_TEXT = 16 << 20
"""Longer texts are no values that a person copied."""
NOTHING = "There is no value on the clipboard; copy one first."


def clipboard_data() -> QMimeData:
    """What is on the clipboard; Qt hands out nothing at all where no program has put anything there."""
    return QGuiApplication.clipboard().mimeData() or QMimeData()


def files_in(data: QMimeData) -> list[Path]:
    """The local files that are dragged or copied; none for anything else, nor for a name that no system has."""
    paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return [Path(path) for path in paths if "\0" not in path]


def to_mime(fragments: Sequence[Fragment]) -> QMimeData:
    """Values for the clipboard, or to be dragged."""
    mime = QMimeData()
    entries = [
        {"dialect": f.dialect.key, "precision": f.precision.value, "key": f.key.hex(), "value": f.value.hex()}
        for f in fragments
    ]
    mime.setData(VALUES, json.dumps(entries).encode())
    if sum(len(f.value) for f in fragments) <= MOST_TEXT:
        mime.setText("\n".join(format_literal(f.data, f.dialect, precision=f.precision) for f in fragments))
    return mime


def from_mime(mime: QMimeData, document: Document) -> list[Fragment]:
    """The values, as this program copied them or as text in any form that it knows.

    Raises:
        EditError: there are none.
    """
    if mime.hasFormat(VALUES):
        return _own(bytes(mime.data(VALUES).data()))
    text = mime.text() if mime.hasText() else ""
    if not text.strip():
        raise EditError(NOTHING)
    if len(text) > MOST_TEXT:
        raise EditError("This text is too long to be one value; open it as a file instead.")
    return [_from_text(text, document)]


def _from_text(text: str, document: Document) -> Fragment:
    """A literal of any dialect, JSON, or bytes that encode a value, in the dialect that it is in."""
    from viewer.document.export.forms import FormError, recognise
    from viewer.document.export.forms.recognising import decode

    try:
        found = recognise(text, document.dialect, document.precision)
        content = found.content
        value = decode(content, document.dialect) if isinstance(content, bytes) else content
        return encoded(value, found.dialect, document.precision)
    except FormError as error:
        raise EditError(str(error)) from error


def _own(raw: bytes) -> list[Fragment]:
    """What :func:`to_mime` wrote, in this program or in another window of it."""
    try:
        entries = json.loads(raw)
        return [
            Fragment(bytes.fromhex(e["value"]), load(e["dialect"]), Precision(e["precision"]), bytes.fromhex(e["key"]))
            for e in entries
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise EditError(NOTHING) from error
