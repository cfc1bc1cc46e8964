"""Which reader knows a file: told by its first bytes, without loading any reader."""

from __future__ import annotations

from viewer.base import assets
from viewer.base.buffer import Buffer
from viewer.container.resource_order import resource_order
from viewer.document.readers.file_structure import Structure

LONGEST_MARK = 256
LETTERS = 3
"""So many letters or digits begin a mark; values begin with a small number."""
TELLING = (b"://", b"set_pid", b"\6\0\0\0output", b"\5\0\0\0error", b"message:", b"debug_enter")
"""Stand near the beginning of what the program's layouts tell without a mark."""


def structure_of(buffer: Buffer, name: str = "") -> Structure | None:
    """What a reader makes of the bytes of a layer; None where they are values, or nothing that is known.

    Args:
        buffer: the bytes.
        name: what their file is called.
    """
    if resource_order(buffer) is not None:
        from viewer.document.readers.resource_file import read_resource

        return read_resource(buffer)
    start = bytes(buffer[:LONGEST_MARK])
    tells = start[:LETTERS].isalnum() or any(word in start for word in TELLING)
    if tells or assets.user_files("layouts", ".toml"):
        from viewer.document.readers.layout_folder import layouts
        from viewer.document.readers.layout_reader import structure_by

        for layout in layouts():
            found = structure_by(buffer, layout) if layout.may_be(start, name) else None
            if found is not None:
                return found
    return None
