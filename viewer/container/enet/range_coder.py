"""ENet's range coder: the compression that has no mark of its own, over an adaptive model of order two."""

from __future__ import annotations

from bisect import bisect_left, insort

# The statistics behind ENet's range coder: how often each byte followed the one or two before it.
#
# Encoder and decoder feed the same bytes to the same model, so both know the same weights at every byte.

MOST_ENTRIES = 4094
MOST_TOTAL = 65_280
MOST_WEIGHT = 251
MOST_ROOT_WEIGHT = 250
STEP = 2
ESCAPE_STEP = 5
ROOT_STEP = 3
BUCKETS = 16
ORDER = 2


class Context:
    """The bytes seen after some others: *names* in ascending order, *counts* and *children* by byte.

    Attributes:
        escapes: the weight of "another byte than these".
        total: the sum of all weights.
        link: the context that is asked after this one; None only at the root.
    """

    __slots__ = ("children", "counts", "escapes", "link", "names", "total")

    def __init__(self, link: Context | None) -> None:
        self.names: list[int] = []
        self.counts: dict[int, int] = {}
        self.children: dict[int, Context] = {}
        self.escapes = 0
        self.total = 0
        self.link = link

    def under(self, byte: int) -> int:
        """The weight of the bytes below one of the context's own."""
        counts = self.counts
        return sum([counts[name] for name in self.names[: bisect_left(self.names, byte)]])

    def rescale(self) -> None:
        """Halve all counts, so that what came lately weighs more."""
        counts = self.counts
        for name, count in counts.items():
            counts[name] = count - (count >> 1)
        self.escapes -= self.escapes >> 1
        self.total = sum(counts.values()) + self.escapes


class Root:
    """The context before any byte, in which each of the 256 weighs its count and one more.

    Sums of sixteen weights each, *buckets*, spare walking over all of them.
    """

    __slots__ = ("buckets", "children", "context", "escapes", "total", "weights")

    def __init__(self) -> None:
        self.context = Context(None)
        self.children: list[Context | None] = [None] * 256
        self.weights = [1] * 256
        self.buckets = [BUCKETS] * BUCKETS
        self.escapes = 1
        self.total = 257

    def find(self, position: int) -> tuple[int, int]:
        """The byte at a position among the weights, ``0 <= position < total - escapes``, and the weight below it."""
        under = 0
        byte = 0
        for weight in self.buckets:
            if position < under + weight:
                break
            under += weight
            byte += BUCKETS
        weights = self.weights
        while position >= under + weights[byte]:
            under += weights[byte]
            byte += 1
        return byte, under

    def under(self, byte: int) -> int:
        """The weight of the bytes below one."""
        bucket = byte // BUCKETS
        return sum(self.buckets[:bucket]) + sum(self.weights[bucket * BUCKETS : byte])

    def count(self, byte: int) -> None:
        """Take note of a byte."""
        weight = self.weights[byte]
        self.weights[byte] = weight + ROOT_STEP
        self.buckets[byte // BUCKETS] += ROOT_STEP
        self.total += ROOT_STEP
        if weight > MOST_ROOT_WEIGHT or self.total > MOST_TOTAL:
            self._rescale()

    def _rescale(self) -> None:
        self.weights = [1 + (weight - 1) - (weight - 1 >> 1) for weight in self.weights]
        self.buckets = [sum(self.weights[at : at + BUCKETS]) for at in range(0, 256, BUCKETS)]
        self.escapes -= self.escapes >> 1
        self.total = sum(self.weights) + self.escapes


class Model:
    """All contexts, and the one that is asked first for the next byte."""

    __slots__ = ("_bytes", "_entries", "predicted", "root")

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self.root = Root()
        self.predicted = self.root.context
        self._entries = 1
        self._bytes = 0

    def follow(self, byte: int, skipped: list[Context], found: Context | None) -> None:
        """Take note of a byte.

        Args:
            byte: which.
            skipped: the contexts that were asked and did not name it, longest first; they learn it now.
            found: the context that named it, its counts already raised; None for the root.
        """
        first: Context | None = None
        last: Context | None = None
        for context in skipped:
            child = self._learn(context, byte)
            if last is None:
                first = child
            else:
                last.link = child
            last = child
        child = self._of_root(byte) if found is None else found.children[byte]
        if last is None:
            first = child
        else:
            last.link = child
        self._go_on(first or child)

    def _learn(self, context: Context, byte: int) -> Context:
        counts = context.counts
        old = counts.get(byte, 0)
        if not old:
            insort(context.names, byte)
            context.children[byte] = Context(self.root.context)
            context.escapes += ESCAPE_STEP
            context.total += ESCAPE_STEP
            self._entries += 1
        counts[byte] = old + STEP
        context.total += STEP
        if context.total > MOST_TOTAL or old > MOST_WEIGHT:
            context.rescale()
        return context.children[byte]

    def _of_root(self, byte: int) -> Context:
        child = self.root.children[byte]
        if child is None:
            child = self.root.children[byte] = Context(self.root.context)
            self._entries += 1
        self.root.count(byte)
        return child

    def _go_on(self, context: Context) -> None:
        if self._bytes >= ORDER:
            context = context.link or context
        self._bytes += 1
        self.predicted = context
        if self._entries >= MOST_ENTRIES:
            self._start()


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
        raise RangeCoderError("Bytes are left over after the end.")
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
    encoder = _RangeEncoder()
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


class _RangeEncoder:
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
