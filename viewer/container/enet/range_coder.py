"""ENet's range coder: the compression that has no mark of its own, over an adaptive model of order two."""

from __future__ import annotations

from viewer.container.enet.range_model import MOST_TOTAL, MOST_WEIGHT, STEP, Context, Model

MOST_INSIDE = 4096
WORD = 0xFFFF_FFFF
TOP = 1 << 24
BOTTOM = 1 << 16
FIRST_TOTAL = 257
"""All bytes weigh one at first, and so does the end."""


class RangeCoderError(ValueError):
    """The bytes are no output of the range coder, or too many bytes would come out."""


def decompress(data: bytes, limit: int = MOST_INSIDE) -> bytes:
    """The bytes that *data* stands for.

    Raises:
        RangeCoderError: damage, bytes left over, or more than *limit* bytes would come out.
    """
    decoder = _Decoder(data)
    out = bytearray()
    while (byte := decoder.next()) is not None:
        if len(out) == limit:
            raise RangeCoderError(f"More than {limit} bytes would come out.")
        out.append(byte)
    if decoder.at < len(data):
        raise RangeCoderError("Bytes are left over behind the end.")
    return bytes(out)


def beginning(data: bytes, size: int) -> bytes:
    """The first *size* bytes that *data* stands for, fewer where it ends before.

    Raises:
        RangeCoderError: damage.
    """
    decoder = _Decoder(data)
    out = bytearray()
    while len(out) < size and (byte := decoder.next()) is not None:
        out.append(byte)
    return bytes(out)


def first_byte(data: bytes) -> int | None:
    """The first byte that *data* stands for, None where it stands for none: a division, without a model."""
    byte = int.from_bytes(data[:4].ljust(4, b"\0"), "big") // (WORD // FIRST_TOTAL) - 1
    return byte if 0 <= byte < 256 else None


def compress(data: bytes) -> bytes:
    """The bytes that stand for *data*, the very ones that ENet itself sends."""
    encoder = _Encoder()
    for byte in data:
        encoder.put(byte)
    return encoder.finish()


class _Decoder:
    """Reads bytes one by one."""

    __slots__ = ("_code", "_data", "_low", "_model", "_range", "at")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._low = 0
        self._range = WORD
        self._code = int.from_bytes(data[:4].ljust(4, b"\0"), "big")
        self._model = Model()
        self.at = 4

    def next(self) -> int | None:
        """The next byte, None at the end."""
        skipped: list[Context] = []
        model = self._model
        context = model.predicted
        while context.link is not None:
            escapes = context.escapes
            if 0 < escapes < context.total:
                byte = self._named(context, escapes)
                if byte is not None:
                    model.follow(byte, skipped, context)
                    return byte
            skipped.append(context)
            context = context.link
        byte = self._at_root()
        if byte is not None:
            model.follow(byte, skipped, None)
        return byte

    def _named(self, context: Context, escapes: int) -> int | None:
        """The byte that a context names, None for an escape from it."""
        position = self._position(context.total)
        if position < escapes:
            self._consume(0, escapes)
            return None
        under = escapes
        counts = context.counts
        for byte in context.names:
            weight = counts[byte]
            if position < under + weight:
                break
            under += weight
        else:
            raise RangeCoderError("A code lies outside its context.")
        self._consume(under, weight)
        _raise_count(context, byte, weight)
        return byte

    def _at_root(self) -> int | None:
        root = self._model.root
        position = self._position(root.total)
        if position < root.escapes:
            return None
        if position >= root.total:
            raise RangeCoderError("A code lies outside the first context.")
        byte, under = root.find(position - root.escapes)
        self._consume(root.escapes + under, root.weights[byte])
        return byte

    def _position(self, total: int) -> int:
        self._range //= total
        if not self._range:
            raise RangeCoderError("The range is used up.")
        return (self._code - self._low & WORD) // self._range

    def _consume(self, under: int, weight: int) -> None:
        low = self._low + under * self._range & WORD
        span = self._range * weight & WORD
        while True:
            if low ^ (low + span & WORD) >= TOP:
                if span >= BOTTOM:
                    break
                span = -low & 0xFFFF
            at = self.at
            self._code = (self._code << 8 | (self._data[at] if at < len(self._data) else 0)) & WORD
            self.at = at + 1
            span = span << 8 & WORD
            low = low << 8 & WORD
        self._low = low
        self._range = span


class _Encoder:
    """Writes bytes one by one."""

    __slots__ = ("_low", "_model", "_out", "_range")

    def __init__(self) -> None:
        self._out = bytearray()
        self._low = 0
        self._range = WORD
        self._model = Model()

    def put(self, byte: int) -> None:
        """Write one byte."""
        skipped: list[Context] = []
        model = self._model
        context = model.predicted
        while context.link is not None:
            weight = context.counts.get(byte, 0)
            if weight:
                self._write(context.escapes + context.under(byte), weight, context.total)
                _raise_count(context, byte, weight)
                model.follow(byte, skipped, context)
                return
            if 0 < context.escapes < context.total:
                self._write(0, context.escapes, context.total)
            skipped.append(context)
            context = context.link
        root = model.root
        self._write(root.escapes + root.under(byte), root.weights[byte], root.total)
        model.follow(byte, skipped, None)

    def finish(self) -> bytes:
        """All that was written; zeros at the end are left out, since a reader makes them up."""
        low = self._low
        while low:
            self._out.append(low >> 24)
            low = low << 8 & WORD
        return bytes(self._out)

    def _write(self, under: int, weight: int, total: int) -> None:
        span = self._range // total
        low = self._low + under * span & WORD
        span *= weight
        while True:
            if low ^ (low + span & WORD) >= TOP:
                if span >= BOTTOM:
                    break
                span = -low & 0xFFFF
            self._out.append(low >> 24)
            span = span << 8 & WORD
            low = low << 8 & WORD
        self._low = low
        self._range = span


def _raise_count(context: Context, byte: int, weight: int) -> None:
    context.counts[byte] = weight + STEP
    context.total += STEP
    if weight > MOST_WEIGHT or context.total > MOST_TOTAL:
        context.rescale()
