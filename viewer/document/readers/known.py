"""Which reader knows a file: told by its first bytes, without loading any reader."""

from __future__ import annotations

from struct import unpack_from

from viewer.base.buffer import Buffer
from viewer.document.readers.file_structure import Structure

RSRC = b"RSRC"
OLDEST, LATEST = 2, 4
"""The engine lines that write binary resources."""
CLASS_AT, LONGEST_CLASS = 24, 128
"""Where the name of the class stands behind the words of a resource's header, and how long one may be."""


def structure_of(buffer: Buffer) -> Structure | None:
    """What a reader makes of the bytes of a layer; None where they are values, or nothing that is known."""
    if bytes(buffer[: len(RSRC)]) == RSRC or is_unwrapped_resource(buffer):
        from viewer.document.readers.resource_file import read_resource

        return read_resource(buffer)
    return None


def is_unwrapped_resource(buffer: Buffer) -> bool:
    """Whether the bytes begin as those in an RSCC do: the words of a header and the name of a class."""
    head = bytes(buffer[: CLASS_AT + LONGEST_CLASS])
    for order in ("<", ">"):
        if len(head) < CLASS_AT or head[0] != (order == ">"):
            continue
        double, major, minor, form, length = unpack_from(f"{order}5I", head, 4)
        name = head[CLASS_AT : CLASS_AT + length]
        if not double and OLDEST <= major <= LATEST and minor < 100 and form < 100 and 1 < length <= LONGEST_CLASS:
            return name[-1:] == b"\0" and name[:-1].decode("latin-1").isidentifier()
    return False
