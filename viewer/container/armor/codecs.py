"""The forms of text as codecs, the surest first."""

from __future__ import annotations

from viewer.container.armor import base64_text, digits, dump, escapes, numbers
from viewer.container.armor.worn import TextCodec
from viewer.container.layer import Unwrapped

PYTHON = TextCodec("python-bytes", escapes.looks_python, escapes.read_literal)
C_ARRAY = TextCodec("c-array", numbers.looks_c, numbers.read_c_array)
LIST = TextCodec("list", numbers.looks_listed, numbers.read_listed)
HEXDUMP = TextCodec("hexdump", dump.looks, dump.read)
HEX = TextCodec("hex", digits.looks, digits.read)
ESCAPED = TextCodec("escaped", escapes.looks_escaped, escapes.read_escaped)
BASE64 = TextCodec("base64", base64_text.looks, base64_text.read)

TEXT_CODECS = (PYTHON, C_ARRAY, LIST, HEXDUMP, HEX, ESCAPED, BASE64)


def unwrap_text(text: str) -> tuple[str, Unwrapped] | None:
    """The bytes that a text holds, and the name of the codec that read it; None where it is in no form.

    Raises:
        WrapError: it begins like one, but cannot be read to its end.
    """
    data = text.encode("utf-8", "replace")
    for codec in TEXT_CODECS:
        if codec.probe(data):
            return codec.name, codec.unwrap(data)
    return None
