"""The least that any scanner must do: go from header to header of a sound Godot 3 value and keep nothing.

Compiled with ``hop.pxd`` beside it. It trusts the bytes and knows no nesting, because values stand one after another.
The commonest headers are compared one by one: a guessed branch lets the processor run ahead of the load that a table
would wait for, and that made it twice as fast.
"""

from __future__ import annotations

from collections.abc import Sequence

BYTES = -1
TEXTS = -2
NODE_PATH = -3
ELEMENTS = -4
"""Sizes of what has none that is fixed. ELEMENTS - n is an array of elements of n words."""


def hop(words: Sequence[int], sizes: Sequence[int]) -> int:
    """Count the values.

    Args:
        words: the bytes as 32-bit words.
        sizes: words behind the header by type number and, 32 further on, under the 64-bit flag; or one of the above.
    """
    at = 0
    end = len(words)
    count = 0
    while at < end:
        header = words[at]
        count += 1
        if header == 4:  # String
            at += 2 + (words[at + 1] + 3 >> 2)
        elif header == 2 or header == 18 or header == 19:  # int, Dictionary, Array
            at += 2
        else:
            size = sizes[(header & 31) + (header >> 16 & 1) * 32]
            at += 1
            if size >= 0:
                at += size
            elif size == BYTES:
                at += 1 + (words[at] + 3 >> 2)
            elif size <= ELEMENTS:
                at += 1 + words[at] * (ELEMENTS - size)
            else:
                texts = words[at]
                if size == NODE_PATH:
                    texts = (texts & 0x7FFFFFFF) + words[at + 1] + (words[at + 2] >> 1 & 1)
                    at += 2
                at += 1
                while texts > 0:
                    at += 1 + (words[at] + 3 >> 2)
                    texts -= 1
    return count
