"""How values are spelled in JSON, as the text around spells them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from contextlib import suppress

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.text.commas import ONE_LINE, CommaStyle, inserted_line, removed_lines
from viewer.text.float_spelling import lost, spelling
from viewer.text.patching import CollectionText
from viewer.variant.value import Array, Dictionary, Value

_WHOLE = late_pattern(rb"-?\d+")
_POINT_ZERO = late_pattern(rb"\d\.0[,\s\]}]")
_LOOKED = 1 << 16
EMPTY = 2
"""Bytes of a collection that tells nothing of how one is set."""
MOST_WHOLE = 1e16
"""Whole numbers from here on are written with an exponent."""


class JsonNotation:
    """JSON as one text spells it.

    Args:
        text: all of it.
        is_lines: whether each line is a value.
    """

    def __init__(self, text: bytes, is_lines: bool) -> None:
        self._commas = CommaStyle(text)
        self._text = text
        self._is_lines = is_lines
        if is_lines:
            self._commas.is_spread = False
        self._points = _POINT_ZERO.search(text[:_LOOKED]) is not None
        self._is_ascii = text.isascii() and b"\\" in text and rb"\u" in text  # one sign is found much faster than two

    def value(self, value: Value, spelled: bytes, level: int) -> bytes:
        """The text of a value.

        Raises:
            WrapError: JSON has no such value.
        """
        if spelled[:1] in (b"[", b"{") and len(spelled) > EMPTY and b"\n" not in spelled:
            level = ONE_LINE
        out: list[bytes] = []
        stack: list[bytes | tuple[Value, int]] = [(value, level)]
        while stack:
            top = stack.pop()
            if isinstance(top, bytes):
                out.append(top)
                continue
            each, depth = top
            data = each.data
            if isinstance(data, Dictionary):
                held: list[list[bytes | tuple[Value, int]]] = [
                    [self.key(key, level), self._commas.colon, (inner, depth + (depth > 0))]
                    for key, inner in data.pairs
                ]
                stack += self._collection(b"{", held, b"}", depth)
            elif isinstance(data, Array):
                stack += self._collection(
                    b"[", [[(inner, depth + (depth > 0))] for inner in data.elements], b"]", depth
                )
            else:
                out.append(self._scalar(each, spelled))
        return b"".join(out)

    def _collection(
        self, opener: bytes, held: Sequence[Sequence[bytes | tuple[Value, int]]], closer: bytes, level: int
    ) -> list[bytes | tuple[Value, int]]:
        """The pieces of a collection, the last one first."""
        style = self._commas
        is_spread = style.is_spread and level > 0 and bool(held)
        lead = style.line(level) if is_spread else b""
        tail = style.line(level - 1) if is_spread else b""
        between = b"," + lead if is_spread else b", " if style.is_wide else b","
        pieces: list[bytes | tuple[Value, int]] = [opener + lead]
        for number, unit in enumerate(held):
            pieces += [*([between] if number else []), *unit]
        return [*pieces, tail + closer][::-1]

    def key(self, value: Value, level: int) -> bytes:
        """The text of a key.

        Raises:
            WrapError: it is no text.
        """
        if value.type != "String":
            raise WrapError(f"JSON has only texts as keys, but one here is a {value.type}: make it a String.")
        return self._string(value)

    def _scalar(self, value: Value, spelled: bytes) -> bytes:
        data = value.data
        if data is None:
            return b"null"
        if isinstance(data, bool):
            return b"true" if data else b"false"
        if isinstance(data, float):
            return self._number(data, spelled)
        return self._string(value)

    def _string(self, value: Value) -> bytes:
        raw = getattr(value.data, "raw", None)
        text = raw.decode(errors="surrogateescape") if isinstance(raw, bytes) else str(value.data)
        with suppress(UnicodeEncodeError):
            return json.dumps(text, ensure_ascii=self._is_ascii).encode(errors="surrogateescape")
        return json.dumps(text).encode()  # half of a pair of UTF-16 has no bytes of its own

    def _number(self, number: float, spelled: bytes) -> bytes:
        if math.isnan(number):
            raise WrapError("JSON has no number for NaN: set another one.")
        if math.isinf(number):
            return b"1e99999" if number > 0 else b"-1e99999"
        is_plain = bool(_WHOLE.fullmatch(spelled)) or (not self._points and b"." not in spelled)
        if number.is_integer() and abs(number) < MOST_WHOLE:
            sign = "-" if math.copysign(1, number) < 0 else ""
            return f"{sign}{abs(int(number))}{'' if is_plain else '.0'}".encode()
        if why := lost(number):
            raise WrapError(why)
        return spelling(number).encode()

    def brackets(self, span: Span, level: int) -> tuple[int, int]:
        """Behind the opening bracket, and in front of the closing one where there is one."""
        is_closed = self._text[span.end - 1 : span.end] in (b"}", b"]")
        return span.start + 1, max(span.start + 1, span.end - is_closed)

    def level_in(self, region: CollectionText) -> int:
        """The level of a value that is put into a collection."""
        return self._commas.level_in(region)

    def joined(self, key: bytes, value: bytes, region: CollectionText) -> bytes:
        """A key and its value."""
        return key + self._commas.colon + value

    def inserted(self, region: CollectionText, before: int, units: Sequence[bytes]) -> tuple[int, int, bytes]:
        """The patch that puts units in front of one, or behind the last one."""
        if not region.is_top:
            return self._commas.inserted(region, before, units)
        if not self._is_lines:
            raise WrapError("A JSON text holds one value, but here are more: keep one, or put them into an array.")
        return inserted_line(region, before, units, self._commas.line_end)

    def removed(self, region: CollectionText, first: int, end: int) -> tuple[int, int, bytes]:
        """The patch that takes units away."""
        if not region.is_top:
            return self._commas.removed(region, first, end)
        if not self._is_lines or end - first == len(region.units):
            raise WrapError("A JSON text holds a value, but there is none here.")
        return removed_lines(region, first, end)
