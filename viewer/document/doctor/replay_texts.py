"""Texts in a replay: a length in some unit, bytes in some encoding, fill of some sort."""

from __future__ import annotations

from collections.abc import Callable

from viewer.document.doctor.replay_cursor import U32, Mismatch, ReplayCursor
from viewer.document.doctor.wire_format import ENGINE, FILLS

MOST_TEXT = 1 << 16
BOM = b"\xef\xbb\xbf"
SPACE = frozenset("\n\t\r")


def _from_cesu(raw: bytes) -> str:
    """A text whose characters above U+FFFF are two surrogates."""
    return raw.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _from_page(raw: bytes, page: str) -> str:
    """A text in a code page, or in UTF-8 where it is that: it came from elsewhere, or has signs that the page lacks."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode(page)


def _from_marked(raw: bytes) -> str:
    """A text behind a byte order mark.

    Raises:
        UnicodeError: there is none.
    """
    if raw and not raw.startswith(BOM):
        raise UnicodeError
    return raw.removeprefix(BOM).decode()


CODINGS: dict[str, Callable[[bytes], str]] = {
    "latin-1": lambda raw: _from_page(raw, "latin-1"),
    "cp1252": lambda raw: _from_page(raw, "cp1252"),
    "cesu-8": _from_cesu,
    "utf-8 twice": lambda raw: raw.decode().encode("cp1252").decode(),
    "utf-8 with a mark": lambda raw: _from_marked(raw),
}
"""Encodings of texts that Python has no name for, and those that few encoders write all texts in."""

SAME_IN_ASCII = frozenset({"bytes", "characters", "units"})
"""What a length counts, if it is the same of a text of ASCII."""
OTHER_THAN_ASCII = ("utf-16", "utf-32", "utf-8 with a mark")
"""How the encodings begin in which ASCII is other bytes than in UTF-8."""
OPEN, SHOWING = ("text without its NUL", False), ("text of this way", False)
"""Sites: texts of string arrays that may lack their NUL for another reason, and those that only this format has."""


class TextReplay:
    """Reads texts, and the fill behind them and behind byte arrays.

    Args:
        at: the place in the bytes.
        judges_fill: whether engines write zeros as fill, so that other bytes are none.
    """

    def __init__(self, at: ReplayCursor, judges_fill: bool) -> None:
        self._at = at
        self._judges_fill = judges_fill

    def skip_closed(self, count: int) -> bool:
        """Skip the texts of a string array if they are as an engine writes them: many encoders write them apart."""
        data, at = self._at.data, self._at.pos
        for _ in range(count):
            body = at + 4
            end = body + int.from_bytes(data[at:body], "little")
            at = end + -(end - body) % 4
            if at > self._at.size or data.find(b"\0", body, end) != end - 1:
                return False
            if not data[body : end - 1].decode("utf-8", "surrogateescape").isprintable():
                return False
            if self._judges_fill and any(data[end:at]):
                return False
        if count:
            self._at.note("text of a string array", self._at.pos, False, count)
        self._at.work += count
        self._at.pos = at
        return True

    def text(self, counts_nul: bool, closes: bool = False, is_key: bool = False) -> None:
        """One text.

        Args:
            counts_nul: whether its length counts a NUL that is there.
            closes: whether it should.
            is_key: whether it is a key of which this format writes the length or the fill otherwise.
        """
        wire, start = self._at.wire, self._at.pos
        body, raw = self._body(start, (is_key and wire.key_size) or wire.length, closes)
        whole = len(raw)
        if (
            counts_nul
            and wire.length != "none"
            and not wire.field_size
            and wire.length_means not in ("nul", "words", "padded", "both", "unreal")
        ):
            raw = self._opened(raw, closes)
        shown = CODINGS[wire.coding](raw) if wire.coding in CODINGS else raw.decode(wire.coding)
        if not (shown.isprintable() or all(sign.isprintable() or sign in SPACE for sign in shown)):
            raise Mismatch
        if not raw.isascii() and (wire.length_means != ENGINE.length_means or shown.encode() != raw):
            self._at.note(SHOWING[0], start, SHOWING[1])
        new = shown.encode() + (
            b"\0" if closes and (shown or counts_nul or wire.string_headers or not wire.closed) else b""
        )
        usual = (closes and wire.array_fill) or (is_key and wire.key_fill) or wire.fill
        if wire.fill_is_before or wire.length_means == "unreal":
            usual = "none"
        text = U32.pack(len(new)) + new + bytes(-len(new) % 4)
        noun = "key" if is_key and (wire.key_size or wire.key_fill) else "text"
        if usual == "none" and wire.length == "u32" and len(raw) % 4 and not (is_key or wire.fill_is_before):
            at = self._at.pos
            self._at.or_else(lambda: self._filled(noun, start, at, body, whole, "four", text, is_filled=True))
        self._filled(noun, start, self._at.pos, body, whole, usual, text)

    def _opened(self, raw: bytes, closes: bool) -> bytes:
        """A text whose length counts a NUL without it; who writes texts in a way of his own may write none.

        Where the way makes no difference to a text of ASCII another text must show it, see :attr:`are_of_this_way`.
        """
        wire = self._at.wire
        nul = bytes(2) if wire.coding.startswith("utf-16") and len(raw) % 2 == 0 else b"\0"
        if raw.endswith(nul):
            return raw[: -len(nul)]
        is_own = any(getattr(wire, name) != getattr(ENGINE, name) for name in ("length", "length_means", "coding"))
        if (raw and not is_own) or not (raw or closes):
            raise Mismatch
        if (
            raw
            and wire.length == ENGINE.length
            and wire.length_means in SAME_IN_ASCII
            and not wire.coding.startswith(OTHER_THAN_ASCII)
        ):
            self._at.note(OPEN[0], self._at.pos, OPEN[1])
        return raw

    @property
    def are_of_this_way(self) -> bool:
        """Whether a text shows how texts are written, if some in string arrays have no NUL for that reason alone."""
        return OPEN not in self._at.sites or SHOWING in self._at.sites

    def _filled(
        self, noun: str, start: int, at: int, body: int, size: int, word: str, text: bytes, is_filled: bool = False
    ) -> None:
        """A text or key whose letters end at *at*, with its fill; *text* is what an engine would have written.

        One that *is_filled* has the fill that an engine writes, though such a format writes none.
        """
        self._at.pos = at
        self.fill(word, body, size, put=False)
        is_wrong = self._at.data[start : self._at.pos] != text and self._at.put(start, text)
        self._at.note(noun, start, None if is_filled and not is_wrong else is_wrong)

    def _body(self, start: int, length: str, closes: bool) -> tuple[int, bytes]:
        """Where a text begins, and its bytes, without a NUL that only this format counts; *closes* as for a text."""
        wire = self._at.wire
        if wire.field_size:
            self._at.pos += wire.field_size
            raw = self._at.data[start : self._at.pos]
            bare = raw.rstrip(b"\0")
            if len(raw) != wire.field_size or b"\0" in bare:
                raise Mismatch
            return start, bare
        if wire.length == "none":
            end = self._at.data.find(b"\0", start)
            if end < 0 or end - start > MOST_TEXT:
                raise Mismatch
            self._at.pos = end + 1
            return start, self._at.data[start:end]
        told = self._at.number(length)
        if self._at.has_extra:
            self._at.extra("length", "text")
        body = self._at.pos
        match wire.length_means:
            case "bytes":
                size = told
            case "characters":
                size = self._characters(body, told)
            case "units":
                size = 2 * told if wire.coding.startswith("utf-16") else self._units(body, told)
            case "words":
                size = 4 * told
            case "bits":
                size, rest = divmod(told, 8)
                if rest:
                    raise Mismatch
            case "padded" if told % 4:
                raise Mismatch
            case "itself":
                size = told - (body - start)
            case "both":
                size = told - (body - start)
            case "more":
                size = told - 1
            case "less":
                size = told + 1 if told else self._one_or_none(body)
            case "unreal":
                return body, self._of_unreal(told)
            case _:
                size = told
        if not 0 <= size <= min(MOST_TEXT, self._at.size - body):
            raise Mismatch
        if wire.fill_is_before:
            self._skip_fill(size)
        raw = self._at.raw(size)
        if wire.length_means in ("words", "padded", "both"):
            bare = raw.rstrip(b"\0")
            if len(raw) - len(bare) > 4:
                raise Mismatch
            return body, bare
        if wire.length_means == "nul":
            bare = raw[:-1].removesuffix(b"\0" if closes else b"")  # the one that an engine writes, and another
            if not raw.endswith(b"\0") or b"\0" in bare:
                raise Mismatch
            return body, bare
        if wire.nul and self._at.raw(1) != b"\0":
            raise Mismatch
        return body, raw

    def _one_or_none(self, at: int) -> int:
        """Whether one letter stands here, whose length says that there is none."""
        raw = self._at.data[at : at + 4]
        return int(len(raw) == 4 and 0x20 < raw[0] < 0x7F and not any(raw[1:]))

    def _of_unreal(self, told: int) -> bytes:
        """A text with its NUL, in units of UTF-16 where the length is negative."""
        if told < 1 << 31:
            raw = self._at.raw(told)
            if told and not raw.endswith(b"\0"):
                raise Mismatch
            return raw[:-1]
        raw = self._at.raw(2 * ((1 << 32) - told))
        if raw[-2:] != bytes(2):
            raise Mismatch
        return raw[:-2].decode("utf-16-le").encode()

    def _skip_fill(self, size: int) -> None:
        if any(self._at.raw(-size % 4)):
            raise Mismatch

    def _characters(self, at: int, count: int) -> int:
        """How many bytes so many characters of UTF-8 take."""
        if count > self._at.size - at:
            raise Mismatch
        start = at
        for _ in range(count):
            lead = self._at.data[at]
            at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        return at - start

    def _units(self, at: int, count: int) -> int:
        """The same of units of UTF-16."""
        start = at
        while count > 0:
            lead = self._at.data[at]
            at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            count -= 2 if lead >= 0xF0 else 1
        if count:
            raise Mismatch
        return at - start

    def fill(self, word: str, body: int, size: int, put: bool = True) -> None:
        """The fill behind what begins at *body*; its length is what was read of it with a NUL."""
        read = max(size, self._at.pos - body)
        there = FILLS[word](body, read)
        start = self._at.pos
        fill = self._at.raw(there)
        if self._at.wire.any_fill:
            self._at.same_fill(fill)
        elif fill.count(self._at.wire.fill_byte) != len(fill) and self._judges_fill:
            raise Mismatch
        if put:
            wrong = (
                self._at.put(start, bytes(-size % 4)) if len(fill) != -size % 4 or self._at.wire.fill_byte else False
            )
            self._at.note("byte array", start, wrong)

    def fill_packed(self, body: int) -> None:
        """The fill behind a packed array that begins at *body*, where an engine writes none."""
        start = self._at.pos
        if any(self._at.raw(FILLS[self._at.wire.packed_fill](body, start - body))):
            raise Mismatch
        self._at.note("packed array", start, self._at.put(start, b""))
