"""Replacements: what a person wrote into the replace field, read in the light of what is looked for."""

from __future__ import annotations

import math
import re
import struct
import warnings
from dataclasses import dataclass

from viewer.document.query import Mode, Query, QueryError, parse_bytes, parse_number
from viewer.variant.primitives import EncodeError, encode_number

NOT_TYPES = "A type is not replaced here: change it in the tree."
HALF = "This text holds half a letter: write it again."


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of what is found.

    Args:
        text: what was written.
        raw: the same as UTF-8.
        number: the same as a number, None where it is none.
        masked: the same as bytes with masks, empty where bytes are not looked for; ``?`` keeps a digit.
    """

    text: str
    raw: bytes
    number: int | float | None = None
    masked: tuple[tuple[int, int], ...] = ()

    def over(self, old: bytes) -> bytes:
        """The bytes that take the place of *old*."""
        return bytes(value | was & ~mask & 0xFF for (value, mask), was in zip(self.masked, old, strict=True))

    def encoded(self, kind: str) -> bytes:
        """The number in the width and form of a field, such as ``i32``.

        Raises:
            EncodeError: it is no number, or the field cannot hold it.
        """
        if self.number is None:
            raise EncodeError(f"“{self.text}” is not a number: write 42, -1.5 or 0x1F.")
        raw = encode_number(self.number, kind)
        if kind in ("f32", "f64") and math.isinf(struct.unpack("<f" if kind == "f32" else "<d", raw)[0]):
            raise EncodeError(f"{self.text} is too large for {kind}.")
        return raw


def parse_replacement(query: Query, text: str) -> Replacement:
    """Read what is to take the place of what *query* finds.

    Raises:
        QueryError: nothing that it finds could be replaced by that; one sentence that says why.
    """
    if query.mode is Mode.TYPE:
        raise QueryError(NOT_TYPES)
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raise QueryError(HALF) from None
    number, masked = parse_number(text), ()
    if query.mode is Mode.NUMBER and number is None:
        raise QueryError(f"“{text}” is not a number: write 42, -1.5 or 0x1F.")
    if query.mode is Mode.HEX:
        return Replacement(text, raw, number, _masked(query, text))
    if query.mode is Mode.REGEX:
        _check_template(query.text, text)
    return Replacement(text, raw, number, masked)


def _masked(query: Query, text: str) -> tuple[tuple[int, int], ...]:
    wanted, given = len(parse_bytes(query.text)), parse_bytes(text)
    if len(given) != wanted:
        has = f"{wanted} bytes are" if wanted != 1 else "1 byte is"
        raise QueryError(f"Bytes are replaced by as many: {has} looked for, {len(given)} would be written.")
    return tuple(given)


def _check_template(pattern: str, template: str) -> None:
    """Expand the template once, at a match of nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(f"(?:{pattern})?").sub(template, "", count=1)
    except (re.error, IndexError) as error:
        reason = error.msg if isinstance(error, re.error) else str(error)
        raise QueryError(f"The replacement cannot be used: {reason}. \\1 stands for the first group.") from error
