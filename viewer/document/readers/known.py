"""Which reader knows a file: told by its first bytes, without loading any reader."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.container.resource_order import resource_order
from viewer.document.readers.file_structure import Structure

LETTERS = 3
"""So many letters or digits begin a mark; values begin with a small number."""


def structure_of(buffer: Buffer) -> Structure | None:
    """What a reader makes of the bytes of a layer; None where they are values, or nothing that is known."""
    if resource_order(buffer) is not None:
        from viewer.document.readers.resource_file import read_resource

        return read_resource(buffer)
    if bytes(buffer[:LETTERS]).isalnum():
        from viewer.document.readers.file_layout import layouts
        from viewer.document.readers.layout_reader import read_layout

        for layout in layouts():
            if bytes(buffer[: len(layout.mark)]) == layout.mark:
                return read_layout(buffer, layout)
    return None
