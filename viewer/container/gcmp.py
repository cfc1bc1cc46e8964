"""GCMP: the compressed files of Godot 2, which its scripts cannot write but its own classes do."""

from __future__ import annotations

from viewer.container.blocks import BlockCodec, BlockKind
from viewer.container.inflate import Method

OLD_MARGIN = 12
"""Godot 2 holds an older FastLZ, which begins a match one byte later."""

GCMP = BlockCodec(BlockKind("gcmp", b"GCMP", (Method.FASTLZ, Method.DEFLATE), OLD_MARGIN))
