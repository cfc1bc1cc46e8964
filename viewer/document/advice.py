"""What a person can do about a finding, in one sentence for each code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from viewer.base.diagnostic import Code, Diagnostic

MEND = "Fix the value here, or delete it"
SENDER = "look at what wrote it"

_ADVICE = {
    Code.WRAP_CLOSED: "Give the password or key where one is asked for, or look at the wrapped bytes as they are.",
    Code.TEXT_BROKEN: "Let the doctor fix it where it offers to, or use a text editor; everything else can be edited.",
    Code.TEXT_CANNOT: "Undo the change, or set what the text can hold; until then it cannot be saved.",
    Code.TEXT_NOTE: "Nothing needs to be done.",
    Code.WRAP_NOTE: "Nothing needs to be done.",
    Code.TEXT_SLIP: "Write it as intended, or let the doctor do so where it offers to.",
    Code.WRAP_DAMAGED: "Get the file again if you can; saving puts a whole wrap around what could be read.",
    Code.PACKET_REFUSED: "Compare with a packet that is accepted, and look at what sends this one.",
    Code.PACKET_ODD: "Nothing needs to be done; another version may have sent it.",
    Code.HEADER_MISSING: "Get the missing bytes, or remove the rest.",
    Code.CHILD_MISSING: "Set the count to what is there, or get the missing bytes.",
    Code.UNKNOWN_TYPE: f"Choose the engine line that knows this type, or {SENDER}: the value before may be too short.",
    Code.FLAGS_REFUSED: "Choose another engine line, or take the flags out of the header.",
    Code.PAYLOAD_TRUNCATED: "Get the missing bytes, or delete the value.",
    Code.LENGTH_TOO_LONG: "Set the length to that of the text.",
    Code.PADDING_MISSING: "Append zeros up to a multiple of four bytes.",
    Code.LENGTH_NEGATIVE: "Set the length to that of the text.",
    Code.COUNT_TOO_LARGE: "Set the count to the elements that are there.",
    Code.VALUE_TOO_LONG: "Split the file; no engine reads a value of that size.",
    Code.TOO_MANY_NULLS: "Set the count to what is meant; if zeros were written over values, take an older copy.",
    Code.COUNT_NEGATIVE: "Set the count to the elements that are there.",
    Code.OLD_NODE_PATH: "Choose Godot 2, or rewrite the path.",
    Code.IMAGE_FORMAT: "Set the format to one that exists.",
    Code.CLASS_NAME_EXPECTED: "Put a StringName with the class here, or set the flag that says ids.",
    Code.BAD_UTF8: "Rewrite the text, or fix the byte.",
    Code.ELEMENT_TYPE: "Set the element type to one that exists.",
    Code.TOO_DEEP: "Remove levels, or store the inner values separately.",
    Code.ENGINE_REFUSES: "Put more values after it, or store it as numbers.",
    Code.SCRIPT_PATH: "Write a path that begins with res://, or make the property null.",
    Code.RESOURCE_CUT: "Get the file again; what precedes its end is shown.",
    Code.RESOURCE_COUNT: "Set the count to what is there, or get the file again.",
    Code.RESOURCE_REFUSED: "Open it with the engine that wrote it, or get the file again.",
    Code.RESOURCE_OFFSET: "Set the offset to where the resource begins, or get the file again.",
    Code.LAYOUT_ENDS: "Get the file again, or fix the count or the length before it.",
    Code.LAYOUT_STOPS: "Nothing needs to be fixed: the rest is shown as bytes, and stays as it is.",
    Code.LAYOUT_OFFSET: "Get the file again, or fix the offset.",
    Code.LAYOUT_VALUE: "Nothing needs to be done where a newer version of the game writes this.",
    Code.LAYOUT_CHECKSUM: "Undo what changed these bytes, or write the checksum that they give.",
    Code.UNKNOWN_RESOURCE_TYPE: "Set the type to one that exists; the value before may be too short.",
    Code.NAME_INDEX: "Set the number to that of a name; what precedes it may not have the length that it states.",
    Code.NAME_EMPTY: "Rewrite the name.",
    Code.REFERENCE_KIND: "Set it to 0 for null, to 2 for a resource in this file, to 3 for an external one.",
    Code.REFERENCE_REFUSED: "Name a resource that exists, or make it null.",
    Code.REFERENCE_LOST: "Name a resource that exists, or make it null.",
    Code.RESOURCE_SCRIPT: "Read the script before the game loads this file; none of it is run here.",
    Code.RESOURCE_TEXT: "Rewrite the text.",
    Code.RESOURCE_TAIL: "Get the missing bytes, or rewrite the value.",
    Code.RESOURCE_PATH: "Rewrite the path.",
    Code.CLASS_DAMAGED: "Rewrite the name of the class.",
    Code.RESOURCE_CLASS: "Nothing needs to be done where an extension brings the class.",
    Code.RESOURCE_END: "Nothing needs to be done.",
    Code.SKIPPED_BYTES: "Fix the error before these bytes, or delete them.",
    Code.VALUE_DAMAGED: f"{MEND}.",
    Code.PREFIX_TOO_SHORT: "Remove the extra bytes, or set the length to that of the value.",
    Code.PREFIX_TOO_LONG: "Set the length to that of the value, or get the missing bytes.",
    Code.EMPTY_FILE: "Look beside it for an earlier copy, open another file, or insert a value.",
    Code.NO_VALUE: "Choose another engine line or framing, or open the wrap around the bytes.",
    Code.BOOL_NOT_0_OR_1: "Set it to true or false again.",
    Code.IGNORED_FLAGS: "Clear the bits in the header.",
    Code.PADDING_NOT_ZERO: "Set the padding to zero; nothing depends on it.",
    Code.PADDING_CUT: "Append the missing padding.",
    Code.NAME_COUNT_WRAPS: "Set the counts to the names that are there.",
    Code.DUPLICATE_KEY: "Delete the entries with this key but the last.",
    Code.TRAILING_BYTES: "Delete them, unless another program reads them.",
    Code.FOREIGN_BYTES: "Nothing needs to be done where the file has other parts here; else choose another framing.",
    Code.WRONG_ELEMENT_TYPE: "Change the value to the element type, or the element type of the collection.",
    Code.NUL_IN_TEXT: "Rewrite the text; what follows the NUL is lost in the engine.",
    Code.BYTE_ORDER_MARK: "Remove the mark.",
    Code.LENIENT_UTF8: "Rewrite the text if another engine is to read it.",
    Code.LOST_TEXT: "Rewrite the text.",
    Code.NUL_MISSING: "Rewrite the text; engines read it as it is.",
    Code.MORE_ODD_TEXTS: "Rewrite the array, and none of them is odd.",
    Code.NEGATIVE_STRING_COUNT: "Set the count to zero.",
    Code.NEGATIVE_PROPERTY_COUNT: "Set the count to zero.",
    Code.SHARED_BIT: "Clear bit 31; nothing depends on it.",
    Code.PATH_FLAGS: "Clear these bits.",
    Code.PATH_PROPERTY: "Rewrite the path, and the property becomes a sub-name.",
    Code.OLD_PATH_FORM: "Rewrite the path if a later engine is to read it.",
    Code.UNTYPED: "Make the collection untyped.",
    Code.EMPTY_CLASS: "Name the class, or make the element type Object.",
    Code.EVENT_LENGTH: "Set the length to what the event takes.",
    Code.ENGINE_CANNOT_READ_BACK: "Store the value separately, or last in its collection.",
    Code.LOST_W: "Store the numbers in another kind of array.",
    Code.IMAGE_SIZE: "Set width, height and mipmaps to fit the pixels.",
    Code.EMBEDDED_OBJECT: "Allow objects only for data that you trust.",
    Code.EMBEDDED_SCRIPT: "Read the source before a game reads this, and allow objects only for data that you trust.",
    Code.NAME_KEY: "Make the key a String; take care that no other key has the same text.",
    Code.NARROWED: "Nothing needs to be done where the game is built with double precision.",
    Code.WIDE_NUMBER: "Nothing needs to be done.",
    Code.NARROW_NAN: "Nothing needs to be done.",
    Code.NAN_BITS: "Nothing needs to be done, unless the bits of the NaN matter.",
    Code.NULL_OBJECT: "Make it null to save bytes; nothing else changes.",
    Code.EMPTY_PATH: "Give the path names, or write an empty one.",
    Code.UNWRITTEN_PADDING: "Nothing needs to be done; do not compare these bytes.",
}
ADVICE: Mapping[Code, str] = MappingProxyType(_ADVICE)
"""One sentence for every code."""


class Explanation(Protocol):
    """What most probably went wrong with a document, as the doctor found out."""

    @property
    def sentence(self) -> str:
        """What happened."""
        ...

    @property
    def deed(self) -> str:
        """What to do about it."""
        ...

    def explains(self, found: Diagnostic, /) -> bool:
        """Whether a finding comes of it."""
        ...


def advice(found: Diagnostic, cause: Explanation | None = None) -> str:
    """What to do about a finding; empty where nobody has thought of anything yet.

    Args:
        found: it.
        cause: what most probably went wrong; where it explains the finding, nothing else is said.
    """
    if cause is not None and cause.explains(found):
        return f"{cause.sentence} {cause.deed}"
    return ADVICE.get(found.code, "")
