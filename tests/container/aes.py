"""AES-256 as FIPS 197 describes it, and the two modes that encrypted files use: slow, but of another make."""

from __future__ import annotations

BLOCK = 16
ROUNDS = 14


def _doubled(byte: int) -> int:
    return (byte << 1) ^ (0x11B if byte & 0x80 else 0)


def _product(one: int, other: int) -> int:
    out = 0
    while other:
        if other & 1:
            out ^= one
        one, other = _doubled(one), other >> 1
    return out


def _box() -> bytes:
    out = bytearray(256)
    for byte in range(256):
        inverse = next((each for each in range(256) if _product(byte, each) == 1), 0)
        bits = inverse
        for turn in range(1, 5):
            bits ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF
        out[byte] = bits ^ 0x63
    return bytes(out)


BOX = _box()
UNBOX = bytes(BOX.index(byte) for byte in range(256))


def _round_keys(key: bytes) -> list[bytes]:
    words = [key[at : at + 4] for at in range(0, 32, 4)]
    constant = 1
    while len(words) < 4 * (ROUNDS + 1):
        word = words[-1]
        if len(words) % 8 == 0:
            word = bytes(BOX[byte] for byte in word[1:] + word[:1])
            word = bytes((word[0] ^ constant,)) + word[1:]
            constant = _doubled(constant)
        elif len(words) % 8 == 4:
            word = bytes(BOX[byte] for byte in word)
        words.append(_xor(word, words[-8]))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=False))


def _mixed(state: bytes, factors: tuple[int, int, int, int]) -> bytes:
    out = bytearray()
    for column in range(0, BLOCK, 4):
        for row in range(4):
            sums = 0
            for place in range(4):
                sums ^= _product(state[column + place], factors[(place - row) % 4])
            out.append(sums)
    return bytes(out)


def _shifted(state: bytes, way: int) -> bytes:
    return bytes(state[(4 * (place // 4 + way * (place % 4)) + place % 4) % BLOCK] for place in range(BLOCK))


def encrypt_block(key: bytes, block: bytes) -> bytes:
    """One block."""
    first, *keys = _round_keys(key)
    state = _xor(block, first)
    for number, each in enumerate(keys, 1):
        state = _shifted(bytes(BOX[byte] for byte in state), 1)
        state = _xor(state if number == ROUNDS else _mixed(state, (2, 3, 1, 1)), each)
    return state


def decrypt_block(key: bytes, block: bytes) -> bytes:
    """One block."""
    first, *keys = _round_keys(key)
    state = block
    for number, each in reversed(list(enumerate(keys, 1))):
        state = _xor(state, each)
        state = state if number == ROUNDS else _mixed(state, (14, 11, 13, 9))
        state = bytes(UNBOX[byte] for byte in _shifted(state, -1))
    return _xor(state, first)


def _blocks(data: bytes) -> list[bytes]:
    return [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)]


def ecb_decrypt(key: bytes, data: bytes) -> bytes:
    """Each block for itself."""
    return b"".join(decrypt_block(key, block) for block in _blocks(data))


def ecb_encrypt(key: bytes, data: bytes) -> bytes:
    """Each block for itself."""
    return b"".join(encrypt_block(key, block) for block in _blocks(data))


def cfb_decrypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Each block with what the one before it encrypts to."""
    blocks = _blocks(data)
    return b"".join(_xor(block, encrypt_block(key, last)) for last, block in zip([iv, *blocks], blocks, strict=False))


def cfb_encrypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Each block with what the encrypted one before it encrypts to."""
    out = [iv]
    for block in _blocks(data):
        out.append(_xor(block, encrypt_block(key, out[-1])))
    return b"".join(out[1:])
