"""Lists of numbers: as engines, servers and consoles print an array of bytes."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.armor.base64_text import read_line
from viewer.container.armor.byte_text import error_at, linear, read_printed
from viewer.container.armor.text_format import Dearmored
from viewer.container.armor.token_rows import writer_of_tokens
from viewer.container.layer import Damage

LEAST = 4
"""Bytes that a bare list must hold to be taken for some."""
_ASSIGNED = r"\s*+(?:(?:var|let|const)\s++)?(?:[A-Za-z_]\w*\s*+(?::\s*+\w++\s*+)?:?=\s*+)?"
_LIST = late_pattern(
    _ASSIGNED + r"(?P<name>PackedByteArray|PoolByteArray|RawArray|ByteArray)?\s*+(?P<mark>\(\s*+\[?|\[)"
)
_QUOTED = late_pattern(r"""(?P<quote>["'])(?P<body>[A-Za-z0-9+/=]*+)(?P=quote)\s*+\)\s*+;?\s*+""")
_ITEM = r"\s*+\d{1,3}\s*+"
_BYTES = linear(rf"{_ITEM}(?:,{_ITEM})*+,?\s*+")
_DECIMAL = late_pattern(r"(?P<byte>\d{1,3})")
_SPELT = tuple(map(str, range(256)))

_NAMES = (
    r"vec!|u?byteArrayOf|(?:new\s++)?(?:Uint8Array|Int8Array|Buffer)(?:\.of|\.from)?|Uint8List(?:\.fromList)?"
    r"|(?:new\s++)?s?byte\s*+\[\d*+\]|\[\](?:byte|uint8)|bytes|bytearray|(?:np\.|numpy\.)?array|string\.char|\[UInt8\]"
)
_OPENING = late_pattern(
    rf"{_ASSIGNED}(?P<name>{_NAMES})?\s*+(?:\(\d++\)\s*+)?(?:\(\s*+)?(?:['\"][bBu]['\"]\s*+,\s*+)?"
    r"(?P<mark>&?\[|\{|\(|<<)\s*+"
)
_COMMAS = linear(r"-?\d{1,3}(?:\s*+,\s*+-?\d{1,3})*+")
_BLANKS = linear(r"\d{1,3}(?:\s++\d{1,3})*+")
_CLOSING = late_pattern(
    r"\s*+,?\s*+(?P<more>\.\.\.\s*+(?:\d++ more (?:items?|bytes?))?\s*+)?"
    r"(?:\]|\}|\)|>>)[\s\])},;]*+(?:dtype=\w++\s*+\)\s*+)?"
)
_NUMBER = late_pattern(r"(?P<byte>-?\d{1,3})")
_SIGNED = tuple(str(byte - 256 if byte > 127 else byte) for byte in range(256))
_MORE = late_pattern(r"\.\.\. ?(?P<count>\d+) more")

_QUOTE = r"""(?<!\\)\\*+["']"""  # from the first of many backslashes only, or each of them would look at all others
_TYPE, _DATA = rf"{_QUOTE}?type{_QUOTE}?\s*+:\s*+{_QUOTE}Buffer{_QUOTE}", rf"{_QUOTE}?data{_QUOTE}?\s*+:\s*+\["
_NODE = late_pattern(rf"{_TYPE}\s*+,\s*+{_DATA}\s*+(?=\d)|{_DATA}\s*+(?=[\d\s,]++\]\s*+,\s*+{_TYPE})")

_INDEXED = late_pattern(r"\s*+(?:Uint8Array\s*+)?(?:\{|Array\s*+\()\s*+(?=[\"']?0[\"']?\s*+:|[\"']1|1\s*+:|\[[01]\])")
_PAIR = late_pattern(
    r"""(?P<open>["'\[]?)(?P<key>\d{1,9})(?P<close>["'\]]?\s*+(?:=>|:)\s*+)(?P<byte>\d{1,3})(?P<gap>\s*+,?\s*+)"""
)
_INDEXED_END = late_pattern(r"[})]\s*+;?\s*+")


# As an engine prints them


def _looks_listed(text: str, whole: bool) -> bool:
    """Whether a text is a list of bytes as an engine prints it, and nothing else."""
    found = _LIST.match(text)
    if found is None:
        return False
    at = found.end()
    if found["name"] and _QUOTED.fullmatch(text, at):
        return True
    if not whole:
        body = text[at : text.rfind(",", at) + 1]
        return (body == "" and bool(found["name"])) or _BYTES.fullmatch(body) is not None
    body = text[at:].rstrip().removesuffix(";").rstrip().rstrip("])").rstrip()
    return _BYTES.fullmatch(body) is not None and (bool(found["name"]) or body.count(",") >= LEAST - 1)


def _read_listed(text: str) -> Dearmored:
    """The bytes of a list as an engine prints it.

    Raises:
        FormError: there is something else.
    """
    found = _LIST.match(text)
    if found is None:
        raise error_at(text, 0, "A list of bytes begins with “[”")
    at = found.end()
    quoted = _QUOTED.fullmatch(text, at)
    if found["name"] and quoted:
        return read_line(text, *quoted.span("body"), f"{found['name']}, base64")
    opened = found.start("name") if found["name"] else found.start("mark")
    end = len(text.rstrip().removesuffix(";"))
    inside = b"" if not text[at:end].strip(" \t\r\n[]()") else read_printed(text[opened:end])
    return Dearmored(
        inside, writer_of_tokens(text, inside, _DECIMAL, _SPELT, (at, end)), found["name"] or "list of bytes"
    )


# As other languages print them


@dataclass(frozen=True, slots=True)
class PrintedList:
    """A list found in a text.

    Args:
        start, end: where its numbers are.
        label: what a person calls it.
        more: where the text says that it leaves bytes out, None where it does not.
    """

    start: int
    end: int
    label: str
    more: Span | None = None


def _found(text: str, whole: bool = True) -> PrintedList | None:
    """The list of bytes that a text is, or that a buffer of Node in it holds."""
    node = [each.span() for each in _NODE.finditer(text)] if "Buffer" in text else []
    if len(node) == 1:
        body = _COMMAS.match(text, node[0][1])
        closed = body is not None and (not whole or text[body.end() :].lstrip()[:1] == "]")
        return PrintedList(*body.span(), "buffer of Node as JSON") if body is not None and closed else None
    return None if node else _printed(text, whole)


def _printed(text: str, whole: bool) -> PrintedList | None:
    head = _OPENING.match(text)
    if head is None:
        return None
    bodies = [found for found in (_COMMAS.match(text, head.end()), _BLANKS.match(text, head.end())) if found]
    body = max(bodies, key=lambda found: found.end(), default=None)
    if body is None:
        return None
    more = None
    if whole or len(text) - body.end() > LEAST + 1:
        closing = _CLOSING.fullmatch(text, body.end())
        if closing is None:
            return None
        more = Span(*closing.span("more")) if closing["more"] else None
    numbers = body[0].count(",") + 1 if "," in body[0] else len(body[0].split())
    is_bare = not head["name"] and head["mark"] in "{("
    if numbers < LEAST or (is_bare and ("-" not in body[0] or "," not in body[0])):
        return None
    return PrintedList(body.start(), body.end(), _label(text, head, body[0]), more)


def _label(text: str, head: re.Match[str], body: str) -> str:
    if head["name"]:
        return f"bytes in {' '.join(head['name'].split())[:24]}"
    if head["mark"] == "<<":
        return "binary of Erlang"
    if "," not in body:
        return "list of bytes of Go"
    return "list of signed bytes" if "-" in body else "list of bytes"


def _read_found(text: str, found: PrintedList) -> Dearmored:
    """The bytes of a list.

    Raises:
        FormError: one of its numbers is no byte.
    """
    out = bytearray()
    lowest = highest = 0
    for each in _NUMBER.finditer(text, found.start, found.end):
        number = int(each[0])
        lowest, highest = min(lowest, number), max(highest, number)
        if lowest < -128 or highest > (127 if lowest < 0 else 255):
            raise error_at(text, each.start(), f"“{each[0]}” is not a byte like the others")
        out.append(number & 0xFF)
    inside = bytes(out)
    between = ", " if "," in text[found.start : found.end] else " "
    spelt = _SIGNED if lowest < 0 else _SPELT
    writer = writer_of_tokens(text, inside, _NUMBER, spelt, (found.start, found.end), between)
    return Dearmored(inside, writer, found.label, left_out(text, found.more, len(inside)))


def left_out(text: str, more: Span | None, size: int) -> tuple[Damage, ...]:
    """What a text says that it leaves out behind its *size* bytes, as a damage."""
    if more is None:
        return ()
    count = _MORE.search(text, more.start, more.end)
    what = f"{count['count']} more bytes" if count else "more bytes"
    return (Damage(more, f"The text was cut when it was printed: {what} followed.", Span(size, size)),)


# With an index before each byte


@dataclass(frozen=True, slots=True)
class IndexedListWriter:
    """Bytes that stand behind their index.

    Args:
        head, tail: the texts around.
        first: the first index.
        open, close, gap: what stands around an index, and behind a byte that others follow.
        end: what stands behind the last byte.
    """

    head: str
    tail: str
    first: int
    open: str
    close: str
    gap: str
    end: str

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        pairs = (f"{self.open}{at}{self.close}{byte}" for at, byte in enumerate(inside, self.first))
        return f"{self.head}{self.gap.join(pairs)}{self.end}{self.tail}"


def _looks_indexed(text: str, whole: bool) -> bool:
    head = _INDEXED.match(text)
    if head is None:
        return False
    at, count, next_key = head.end(), 0, -1
    while found := _PAIR.match(text, at):
        key = int(found["key"])
        if next_key not in (-1, key) or int(found["byte"]) > 255:
            return not whole and len(text) - found.start() < LONGEST_PAIR
        at, count, next_key = found.end(), count + 1, key + 1
    if not whole:
        return count >= LEAST and len(text) - at < LONGEST_PAIR
    return count >= LEAST and _INDEXED_END.fullmatch(text, at) is not None


LONGEST_PAIR = 48
"""Characters of an index with its byte, which may be cut off."""


def _read_indexed(text: str) -> Dearmored:
    head = _INDEXED.match(text)
    at = head.end() if head else 0
    out = bytearray()
    shape = last = None
    while found := _PAIR.match(text, at):
        shape = shape or found
        if int(found["key"]) != int(shape["key"]) + len(out) or int(found["byte"]) > 255:
            raise error_at(text, found.start(), "Here is another index than the next one, or no byte")
        out.append(int(found["byte"]))
        last, at = found, found.end()
    if shape is None or last is None or _INDEXED_END.fullmatch(text, at) is None:
        raise error_at(text, at, "This is not a list of bytes with an index before each")
    writer = IndexedListWriter(
        text[: shape.start()], text[at:], int(shape["key"]), shape["open"], shape["close"], shape["gap"], last["gap"]
    )
    return Dearmored(bytes(out), writer, "bytes after their index")


# Any of them


def looks(text: str, whole: bool) -> bool:
    """Whether a text is a list of bytes, of any shape."""
    return _looks_listed(text, whole) or _looks_indexed(text, whole) or _found(text, whole) is not None


def read(text: str) -> Dearmored:
    """The bytes of a list of any shape.

    Raises:
        FormError: there is something else.
    """
    if _INDEXED.match(text):
        return _read_indexed(text)
    found = None if _looks_listed(text, True) else _found(text)
    return _read_listed(text) if found is None else _read_found(text, found)
