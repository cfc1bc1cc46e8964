"""A Brotli decoder of its own, written from RFC 7932, to check the one that the program uses.

It has no static dictionary: a stream that refers to it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

INSERT_BASE = (0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 26, 34, 50, 66, 98, 130, 194, 322, 578, 1090, 2114, 6210, 22594)
INSERT_BITS = (0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24)
COPY_BASE = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 22, 30, 38, 54, 70, 102, 134, 198, 326, 582, 1094, 2118)
COPY_BITS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24)
CELLS = ((0, 0), (0, 8), (0, 0), (0, 8), (8, 0), (8, 8), (0, 16), (16, 0), (8, 16), (16, 8), (16, 16))
"""Where the insert and copy codes of each 64 combined codes begin."""
BLOCK_BASE = (
    *(1, 5, 9, 13, 17, 25, 33, 41, 49, 65, 81, 97, 113, 145, 177, 209, 241, 305, 369, 497, 753, 1265),
    *(2289, 4337, 8433, 16625),
)
BLOCK_BITS = (2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24)
ORDER = (1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15)
LENGTH_SIZE = (2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4)
LENGTH_VALUE = (0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5)
RING_INDEX = (0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1)
RING_ADD = (0, 0, 0, 0, -1, 1, -2, 2, -3, 3, -1, 1, -2, 2, -3, 3)
_PUNCTUATION = (8, 12, 16, 12, 12, 20, 12, 16, 24, 28, 12, 12, 32, 12, 36, 12)
_DIGITS = (*[44] * 10, 32, 32, 24, 40, 28, 12)


def _letters(vowel: int, last: int) -> list[int]:
    other = vowel + 4
    return [12, *(vowel if sign in "aeiou" else other for sign in "abcdefghijklmnopqrstuvwxyz"), 24, 12, 28, 12, last]


UTF8_FIRST = (
    *([0] * 9 + [4, 4, 0, 0, 4, 0, 0] + [0] * 16),
    *_PUNCTUATION,
    *_DIGITS,
    *_letters(48, 12),
    *_letters(56, 0),
    *([0, 1] * 32),
    *([2, 3] * 32),
)
UTF8_SECOND = (
    *([0] * 32 + [1] * 16 + [2] * 10 + [1] * 7),
    *([2] * 26 + [1] * 6 + [3] * 26 + [1] * 4 + [0]),
    *([0] * 64 + [2] * 64),
)
SIGNED = (0, *[1] * 15, *[2] * 48, *[3] * 64, *[4] * 64, *[5] * 48, *[6] * 15, 7)


class Bits:
    """Bits, the lowest of each byte first."""

    def __init__(self, data: bytes) -> None:
        self.word, self.at, self.size = int.from_bytes(data, "little"), 0, 8 * len(data)

    def read(self, count: int) -> int:
        found = self.peek(count)
        self.at += count
        if self.at > self.size:
            raise ValueError("The stream is cut off.")
        return found

    def peek(self, count: int) -> int:
        return (self.word >> self.at) & ((1 << count) - 1)


class Code:
    """A prefix code by the lengths of its symbols; a lone symbol takes no bits."""

    def __init__(self, lengths: dict[int, int]) -> None:
        self.lone = next(iter(lengths)) if len(lengths) == 1 else None
        self.symbols: dict[tuple[int, int], int] = {}
        code = last = 0
        for size, symbol in sorted((size, symbol) for symbol, size in lengths.items()):
            code <<= size - last
            self.symbols[size, code] = symbol
            code, last = code + 1, size

    def read(self, bits: Bits) -> int:
        if self.lone is not None:
            return self.lone
        code = 0
        for size in range(1, 16):
            code = code << 1 | bits.read(1)
            if (size, code) in self.symbols:
                return self.symbols[size, code]
        raise ValueError("No symbol has this code.")


def read_code(bits: Bits, alphabet: int) -> Code:
    skip = bits.read(2)
    if skip != 1:
        return _complex_code(bits, alphabet, skip)
    count = bits.read(2) + 1
    width = (alphabet - 1).bit_length()
    symbols = [bits.read(width) for _ in range(count)]
    deep = count == 4 and bits.read(1)
    sizes = {1: (1,), 2: (1, 1), 3: (1, 2, 2), 4: (1, 2, 3, 3) if deep else (2, 2, 2, 2)}[count]
    return Code(dict(zip(symbols, sizes, strict=True)))


def _complex_code(bits: Bits, alphabet: int, skip: int) -> Code:
    outer: dict[int, int] = {}
    room = 32
    for symbol in ORDER[skip:]:
        looked = bits.peek(4)
        bits.read(LENGTH_SIZE[looked])
        if LENGTH_VALUE[looked]:
            outer[symbol] = LENGTH_VALUE[looked]
            room -= 32 >> LENGTH_VALUE[looked]
        if room <= 0:
            break
    lengths: dict[int, int] = {}
    code, at, room, last, repeat, repeated = Code(outer), 0, 1 << 15, 8, 0, -1
    while at < alphabet and room > 0:
        size = code.read(bits)
        if size < 16:
            if size:
                lengths[at], last = size, size
                room -= (1 << 15) >> size
            at, repeat, repeated = at + 1, 0, -1
            continue
        width, value = (2, last) if size == 16 else (3, 0)
        before = repeat if repeated == value else 0
        repeat = ((before - 2) << width if before else 0) + bits.read(width) + 3
        repeated = value
        for _ in range(repeat - before):
            if value:
                lengths[at] = value
                room -= (1 << 15) >> value
            at += 1
    return Code(lengths)


def read_count(bits: Bits) -> int:
    if not bits.read(1):
        return 1
    width = bits.read(3)
    return 1 + (1 << width) + bits.read(width)


class Blocks:
    """The block types of one kind of symbol, and when they change."""

    def __init__(self, bits: Bits) -> None:
        self.count, self.type, self.before, self.left = read_count(bits), 0, 1, 1 << 28
        if self.count > 1:
            self.types, self.lengths = read_code(bits, self.count + 2), read_code(bits, 26)
            self.left = self._length(bits)

    def _length(self, bits: Bits) -> int:
        code = self.lengths.read(bits)
        return BLOCK_BASE[code] + bits.read(BLOCK_BITS[code])

    def step(self, bits: Bits) -> int:
        """The type of the next symbol."""
        if not self.left:
            code = self.types.read(bits)
            new = self.before if code == 0 else (self.type + 1) % self.count if code == 1 else code - 2
            self.before, self.type = self.type, new
            self.left = self._length(bits)
        self.left -= 1
        return self.type


def read_map(bits: Bits, size: int) -> tuple[list[int], int]:
    trees = read_count(bits)
    if trees == 1:
        return [0] * size, 1
    longest = bits.read(4) + 1 if bits.read(1) else 0
    code = read_code(bits, trees + longest)
    found: list[int] = []
    while len(found) < size:
        symbol = code.read(bits)
        if 0 < symbol <= longest:
            found += [0] * ((1 << symbol) + bits.read(symbol))
        else:
            found.append(symbol - longest if symbol else 0)
    if bits.read(1):
        front = list(range(256))
        for place, index in enumerate(found):
            found[place] = front[index]
            front.insert(0, front.pop(index))
    return found, trees


def context(mode: int, one: int, two: int) -> int:
    if mode == 0:
        return one & 0x3F
    if mode == 1:
        return one >> 2
    return UTF8_FIRST[one] | UTF8_SECOND[two] if mode == 2 else SIGNED[one] << 3 | SIGNED[two]


def decompress(data: bytes) -> bytes:
    """The bytes of a stream."""
    bits, out, ring = Bits(data), bytearray(), [4, 11, 15, 16]
    window = (1 << _window(bits)) - 16
    last = False
    while not last:
        last = bool(bits.read(1))
        if last and bits.read(1):
            break
        nibbles = (4, 5, 6, 0)[bits.read(2)]
        if not nibbles:
            _skip_metadata(bits)
            continue
        size = bits.read(4 * nibbles) + 1
        if not last and bits.read(1):
            bits.at = -(-bits.at // 8) * 8
            out += bytes(bits.read(8) for _ in range(size))
            continue
        _meta_block(bits, out, len(out) + size, ring, window)
    return bytes(out)


def _window(bits: Bits) -> int:
    if not bits.read(1):
        return 16
    more = bits.read(3)
    if more:
        return 17 + more
    small = bits.read(3)
    return 8 + small if small else 17


def _skip_metadata(bits: Bits) -> None:
    bits.read(1)
    count = bits.read(2)
    size = bits.read(8 * count) + 1 if count else 0
    bits.at = -(-bits.at // 8) * 8 + 8 * size


def _meta_block(bits: Bits, out: bytearray, end: int, ring: list[int], window: int) -> None:
    literals, commands, distances = Blocks(bits), Blocks(bits), Blocks(bits)
    postfix = bits.read(2)
    direct = bits.read(4) << postfix
    modes = [bits.read(2) for _ in range(literals.count)]
    literal_map, literal_trees = read_map(bits, 64 * literals.count)
    distance_map, distance_trees = read_map(bits, 4 * distances.count)
    literal_codes = [read_code(bits, 256) for _ in range(literal_trees)]
    command_codes = [read_code(bits, 704) for _ in range(commands.count)]
    distance_codes = [read_code(bits, 16 + direct + (48 << postfix)) for _ in range(distance_trees)]
    while len(out) < end:
        command = command_codes[commands.step(bits)].read(bits)
        insert, copy = (
            base + part for base, part in zip(CELLS[command >> 6], (command >> 3 & 7, command & 7), strict=True)
        )
        insert_size = INSERT_BASE[insert] + bits.read(INSERT_BITS[insert])
        copy_size = COPY_BASE[copy] + bits.read(COPY_BITS[copy])
        for _ in range(insert_size):
            kind = literals.step(bits)
            place = context(modes[kind], out[-1] if out else 0, out[-2] if len(out) > 1 else 0)
            out.append(literal_codes[literal_map[64 * kind + place]].read(bits))
        if len(out) >= end:
            return
        code = 0
        if command >= 128:
            kind = distances.step(bits)
            code = distance_codes[distance_map[4 * kind + min(copy_size, 5) - 2]].read(bits)
        distance = _distance(bits, code, ring, postfix, direct)
        if distance > min(len(out), window):
            raise NotImplementedError("This stream needs the static dictionary.")
        if code:
            ring.insert(0, distance)
            ring.pop()
        for _ in range(copy_size):
            out.append(out[-distance])


def _distance(bits: Bits, code: int, ring: Sequence[int], postfix: int, direct: int) -> int:
    if code < 16:
        return ring[RING_INDEX[code]] + RING_ADD[code]
    if code < 16 + direct:
        return code - 15
    rest = code - direct - 16
    width = 1 + (rest >> (postfix + 1))
    offset = ((2 + (rest >> postfix & 1)) << width) - 4
    return ((offset + bits.read(width)) << postfix) + (rest & ((1 << postfix) - 1)) + direct + 1
