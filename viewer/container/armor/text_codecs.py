"""The forms of text as codecs, the surest first."""

from __future__ import annotations

from viewer.container.armor import (
    amid,
    base64_text,
    c_array,
    caret,
    debugger_dump,
    digits,
    escapes,
    hexdump,
    json_text,
    lists,
    percent,
    word_dump,
)
from viewer.container.armor.text_format import TextCodec
from viewer.container.layer import Unwrapped

PYTHON = TextCodec("python-bytes", escapes.looks_python, escapes.read_literal)
C_ARRAY = TextCodec("c-array", c_array.looks, c_array.read)
LIST = TextCodec("list", lists.looks, lists.read)
WORD_DUMP = TextCodec("word-dump", word_dump.looks, word_dump.read)
MEMORY = TextCodec("memory-dump", debugger_dump.looks, debugger_dump.read)
HEXDUMP = TextCodec("hexdump", hexdump.looks, hexdump.read)
HEX = TextCodec("hex", digits.looks, digits.read)
ESCAPED = TextCodec("escaped", escapes.looks_escaped, escapes.read_escaped)
CARET = TextCodec("caret", caret.looks, caret.read)
BASE64 = TextCodec("base64", base64_text.looks, base64_text.read)
PERCENT = TextCodec("percent", percent.looks, percent.read)
JSON_STRING = TextCodec("json-string", json_text.looks, json_text.read)
IN_TEXT = TextCodec("in-text", amid.looks, amid.read)

TEXT_CODECS = (
    PYTHON,
    C_ARRAY,
    MEMORY,
    LIST,
    WORD_DUMP,
    HEXDUMP,
    HEX,
    IN_TEXT,
    ESCAPED,
    CARET,
    BASE64,
    PERCENT,
    JSON_STRING,
)


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
