"""Paths: ``[0].player.items[3].position.x`` to an item and back.

The first segment is the frame. A key that is a String and an identifier stands behind a dot, every other key in
brackets as an engine literal; ``#2`` names the second pair with an equal key; ``@header`` and other parts stand behind
an at sign, ``@key`` for a pair's key. Fields of a value stand behind a dot: ``.x``, ``.position.x``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from viewer.document.document import Document
from viewer.document.framing import Frame
from viewer.document.outline import GAP, PREFIX, frame_of, is_key, key_of, row_children
from viewer.span import Span
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.items import Item, Role
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.table import NodeTable

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEYS_NAMED = 5


class PathError(ValueError):
    """A path that leads nowhere; the text is one sentence that says where it fails."""


# From an item to its path


def format_path(document: Document, item: Item) -> str:
    """The path of an item."""
    frame = frame_of(document, item)
    if frame is None:
        return f"@{GAP}{-1 - item.frame}"
    if item.node < 0:
        return f"[{item.frame}]@{item.part}"
    return f"[{item.frame}]" + "".join(_segments(frame.table, item.node)) + part_suffix(frame.table, item)


def _segments(table: NodeTable, node: int) -> list[str]:
    """The segments from the root's child down to *node*."""
    out: list[str] = []
    while node > 0:
        out.append(segment(table, node))
        node = table.parent[node]
    return out[::-1]


def segment(table: NodeTable, node: int) -> str:
    """What a node adds to its parent's path: ``.gold``, ``[3]``, ``["any key"]#2``."""
    if is_key(table, node):
        return f"{_key_segment(table, node)}@key"
    key = key_of(table, node)
    return f"[{table.index(node)}]" if key is None else _key_segment(table, key)


def _key_segment(table: NodeTable, key: int) -> str:
    text = key_segment(table, key)
    first = table.first[table.parent[key]]
    raw, size = _raw(table, key), table.start[key + 1] - table.start[key] if _has_next(table, key) else -1
    rank = 1
    for other in range(first, key, 2):
        same_size = table.start[other + 1] - table.start[other] == size
        if (same_size and _raw(table, other) == raw) or (
            _may_equal(table, other, key) and key_segment(table, other) == text
        ):
            rank += 1
    return text if rank == 1 else f"{text}#{rank}"


def _has_next(table: NodeTable, node: int) -> bool:
    return node + 1 < len(table) and table.parent[node + 1] == table.parent[node]


def _raw(table: NodeTable, node: int) -> bytes:
    return bytes(table.buffer[table.start[node] : table.end(node)])


def _may_equal(table: NodeTable, one: int, other: int) -> bool:
    """Whether two keys of different bytes may have the same text: everything but plain strings."""
    row, other_row = table.row(one), table.row(other)
    return row is other_row and row is not None and row.kind is not Kind.STRING


def key_segment(table: NodeTable, key: int) -> str:
    """A key as a path segment, without a rank."""
    value = read(table, key)
    if value.type == "String" and isinstance(value.data, str) and IDENTIFIER.fullmatch(value.data):
        return f".{value.data}"
    return f"[{format_literal(value, table.dialect)}]"


def part_suffix(table: NodeTable, item: Item) -> str:
    """What a part adds to its node's path: ``.x``, ``[3]``, ``@count``."""
    if not item.part:
        return ""
    if item.part.startswith("["):
        return item.part
    found = items.part(table, item.node, item.part)
    is_field = found is not None and found.role is Role.VALUE and found.name != "elements"
    return f".{item.part}" if is_field else f"@{item.part}"


# From a path to an item


@dataclass(frozen=True, slots=True)
class _Token:
    """One segment: *sign* is ``.``, ``[``, ``#`` or ``@``; *at* its place in the text."""

    sign: str
    text: str
    at: int


def parse_path(document: Document, text: str) -> Item:
    """The item that a path names.

    Raises:
        PathError: the path is not written as one, or names nothing in this document.
    """
    text = text.strip()
    if not text.startswith(("[", "@")):
        raise PathError(f"A path begins with a frame in brackets, for example [0], not with “{text[:20]}”.")
    tokens = _tokens(text)
    head = tokens[0]
    if head.sign == "@" and head.text.startswith(GAP) and head.text[len(GAP) :].isdigit():
        return _gap(document, int(head.text[len(GAP) :]))
    if head.sign != "[" or not head.text.isdigit():
        raise PathError(f"A path begins with a frame in brackets, for example [0], not with “{text[:20]}”.")
    index = int(head.text)
    if index >= len(document.frames):
        raise PathError(f"There is no frame [{index}]; the file has {_counted(len(document.frames), 'frame')}.")
    return _Walk(document.frames[index], index).walk(tokens[1:])


def _gap(document: Document, index: int) -> Item:
    if index >= len(document.gaps):
        raise PathError(f"There is no gap {index}; the file has {_counted(len(document.gaps), 'gap')}.")
    return Item(-1 - index, -1, GAP)


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _tokens(text: str) -> list[_Token]:
    out: list[_Token] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            end = _closing(text, at)
            out.append(_Token("[", text[at + 1 : end].strip(), at))
            at = end + 1
            continue
        match = re.compile(r"[\w]+").match(text, at + 1)
        if sign not in ".@#" or match is None:
            raise PathError(
                f"“{text[at : at + 12]}” at position {at + 1} is not a segment: write .name, [key], #2 or @part."
            )
        out.append(_Token(sign, match.group(), at))
        at = match.end()
    return out


def _closing(text: str, at: int) -> int:
    """Where the bracket that opens at *at* closes; quotes and inner brackets are stepped over."""
    depth, quote, pos = 0, "", at
    while pos < len(text):
        sign = text[pos]
        if quote:
            pos += sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[({":
            depth += 1
        elif sign in "])}":
            depth -= 1
            if depth == 0:
                return pos
        pos += 1
    raise PathError("A bracket is not closed: write ] behind the key.")


class _Walk:
    """Follows tokens through one frame."""

    def __init__(self, frame: Frame, index: int) -> None:
        self.frame = frame
        self.table = frame.table
        self.index = index
        self.node = 0
        self.part = ""
        self.lone = ""

    def walk(self, tokens: list[_Token]) -> Item:
        """The item behind the last token."""
        if not tokens and not len(self.table):
            return Item(self.index, -1, GAP)
        if len(tokens) == 1 and tokens[0].sign == "@" and tokens[0].text in (PREFIX, GAP):
            return self._of_frame(tokens[0].text)
        for place, token in enumerate(tokens):
            rank = tokens[place + 1].text if place + 1 < len(tokens) and tokens[place + 1].sign == "#" else "1"
            if token.sign != "#":
                self._step(token, int(rank) if rank.isdigit() else 1)
        self._needs_value()
        if self.part and items.part(self.table, self.node, self.part) is None:
            raise PathError(f"{self._here()} has no part “{self.part}”; it has {self._part_names()}.")
        return Item(self.index, self.node, self.part)

    def _of_frame(self, name: str) -> Item:
        if name == PREFIX and self.frame.cut.prefix is None:
            raise PathError(f"Frame [{self.index}] has no length prefix.")
        if name == GAP and self.frame.gap is None:
            raise PathError(f"Frame [{self.index}] has no gap.")
        return Item(self.index, -1, name)

    def _needs_value(self) -> None:
        """Raise where the last segment named a key whose value is missing, and not the key itself."""
        if self.lone:
            raise PathError(f"The value of {self.lone} is missing; its key is {self.lone}@key.")

    def _step(self, token: _Token, rank: int) -> None:
        if (token.sign, token.text) != ("@", "key"):
            self._needs_value()
        if self.part:
            self.part += f"[{token.text}]" if token.sign == "[" else f"{token.sign}{token.text}"
        elif token.sign == "@":
            if token.text == "key":
                self._to_key()
            else:
                self.part = token.text
        elif not self._child(token, rank):
            self._field(token)

    def _to_key(self) -> None:
        if self.lone:
            self.lone = ""
            return
        key = key_of(self.table, self.node)
        if key is None:
            raise PathError(f"{self._here()} has no key.")
        self.node = key

    def _child(self, token: _Token, rank: int) -> bool:
        """Step into a child; False where the node is no collection."""
        row = self.table.row(self.node)
        if row is None or row.kind not in (Kind.ARRAY, Kind.DICTIONARY, Kind.TYPED_ARRAY, Kind.OBJECT):
            return False
        if self.table.has_pairs(self.node):
            return self._pair(token, rank, row.kind is Kind.OBJECT)
        count = self.table.child_count(self.node)
        if token.sign != "[" or not token.text.isdigit():
            raise PathError(f"{self._here()} is an array of {count}: write [0] to [{max(0, count - 1)}].")
        if int(token.text) >= count:
            raise PathError(f"There is no element {token.text} in {self._here()}: it has {_counted(count, 'element')}.")
        self.node = self.table.first[self.node] + int(token.text)
        return True

    def _pair(self, token: _Token, rank: int, is_object: bool) -> bool:
        wanted = f".{token.text}" if token.sign == "." else self._canonical(token.text)
        left = rank
        for value in row_children(self.table, self.node):
            key = key_of(self.table, value)
            if key_segment(self.table, value if key is None else key) == wanted:
                left -= 1
                if left == 0:
                    self.lone = self._here() + wanted + (f"#{rank}" if rank > 1 else "") if key is None else ""
                    self.node = value
                    return True
        row = self.table.row(self.node)
        if is_object and row is not None and token.sign == "." and items.part(self.table, self.node, token.text):
            return False
        which = wanted if rank == 1 else f"{wanted}#{rank}"
        raise PathError(f"There is no key {which.removeprefix('.')} in {self._here()}; it has {self._key_names()}.")

    def _canonical(self, text: str) -> str:
        """A key as :func:`key_segment` writes it, from any way to write it."""
        try:
            value = parse_literal(text, self.table.dialect)
        except LiteralError as error:
            broken = f"[{text}]"
            if any(key_segment(self.table, key) == broken for key in self.table.children(self.node)[::2]):
                return broken
            raise PathError(f"[{text}] is not a key: {error}") from error
        if value.type == "String" and isinstance(value.data, str) and IDENTIFIER.fullmatch(value.data):
            return f".{value.data}"
        return f"[{format_literal(value, self.table.dialect)}]"

    def _field(self, token: _Token) -> None:
        self.part = f"[{token.text}]" if token.sign == "[" else token.text

    def _here(self) -> str:
        return f"[{self.index}]" + "".join(_segments(self.table, self.node))

    def _part_names(self) -> str:
        names = [found.name for found in items.parts(self.table, self.node)]
        return ", ".join(names[:12]) or "none"

    def _key_names(self) -> str:
        keys = [
            key
            for value in row_children(self.table, self.node)[:KEYS_NAMED]
            if (key := key_of(self.table, value)) is not None
        ]
        names = [key_segment(self.table, key).removeprefix(".") for key in keys]
        more = self.table.child_count(self.node) // 2 - len(names)
        return (", ".join(names) + (f" and {more} more" if more > 0 else "")) if names else "none"


# A place: a path or an offset


def parse_place(document: Document, text: str, caret: int = 0) -> Item | int:
    """The item or offset that a person means: a path, ``0x1A0``, ``416``, ``+16`` or ``-0x10`` from *caret*.

    Raises:
        PathError: it is neither, or lies outside the bytes.
    """
    text = text.strip()
    match = re.fullmatch(r"([+-]?)(?:0[xX]([0-9A-Fa-f]+)|([0-9]+))", text)
    if match is None:
        return parse_path(document, text)
    offset = int(match[2], 16) if match[2] else int(match[3])
    offset = caret + offset if match[1] == "+" else caret - offset if match[1] == "-" else offset
    if not 0 <= offset < max(1, len(document.buffer)):
        last = max(0, len(document.buffer) - 1)
        raise PathError(f"Offset {text} lies outside the bytes: they go from 0x0 to 0x{last:X}.")
    return offset


def parse_range(document: Document, text: str, caret: int = 0) -> Span:
    """The bytes that a person means: ``0x10..0x1F`` (both ends belong to it) or ``0x10+16`` (a length).

    Raises:
        PathError: it is not written so, or lies outside the bytes.
    """
    start_text, sign, rest = re.fullmatch(r"\s*(.*?)\s*(\.\.|\+|$)\s*(.*?)\s*", text).groups()  # type: ignore[union-attr]
    if not sign or not rest:
        raise PathError("Write two offsets as 0x10..0x1F, or an offset and a length as 0x10+16.")
    start = parse_place(document, start_text, caret)
    last = parse_place(document, rest, caret) if sign == ".." else None
    length = None if sign == ".." else _whole(rest)
    if not isinstance(start, int) or (last is None) == (length is None) or isinstance(last, Item):
        raise PathError("Write two offsets as 0x10..0x1F, or an offset and a length as 0x10+16.")
    end = start + (length or 0) if last is None else last + 1
    if not start < end <= len(document.buffer):
        raise PathError(f"These bytes do not lie inside 0x0..0x{max(0, len(document.buffer) - 1):X}.")
    return Span(start, end)


def _whole(text: str) -> int | None:
    match = re.fullmatch(r"0[xX][0-9A-Fa-f]+|[0-9]+", text)
    return int(text, 16 if text[:2].lower() == "0x" else 10) if match else None
