"""Which reader knows a file: told by its first bytes, without loading any reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.base import assets
from viewer.base.buffer import Buffer
from viewer.container.resource_order import resource_order

if TYPE_CHECKING:
    from viewer.document.readers.file_structure import Structure

LONGEST_MARK = 256
LETTERS = 3
"""So many letters or digits begin a mark; values begin with a small number."""
TELLING = (b"://", b"set_pid", b"\6\0\0\0output", b"\5\0\0\0error", b"message:", b"debug_enter")
"""Stand near the beginning of what the program's layouts tell without a mark."""


def structure_of(buffer: Buffer, name: str = "", layout_key: str = "") -> Structure | None:
    """What a reader makes of the bytes of a layer; None where they are values, or nothing that is known.

    Args:
        buffer: the bytes.
        name: what their file is called.
        layout_key: the layout that reads them where no other one does.
    """
    if resource_order(buffer) is not None:
        from viewer.document.readers.resource_file import read_resource

        return read_resource(buffer)
    start = bytes(buffer[:LONGEST_MARK])
    tells = start[:LETTERS].isalnum() or any(word in start for word in TELLING)
    if tells or layout_key or assets.user_files("layouts", ".toml"):
        from viewer.document.readers.layout_folder import layouts
        from viewer.document.readers.layout_reader import structure_by

        known = layouts()
        chosen = [each for each in known if each.key == layout_key and start.startswith(each.mark)]
        for layout in (*(each for each in known if each.may_be(start, name)), *chosen):
            found = structure_by(buffer, layout)
            if found is not None:
                return found
    return None
