"""GCPF: what ``open_compressed`` writes, in Godot 3, Godot 4 and Pandemonium."""

from __future__ import annotations

from viewer.container.blocks import BlockCodec, BlockKind
from viewer.container.fastlz_match import MARGIN
from viewer.container.inflate import Method

GCPF = BlockCodec(BlockKind("gcpf", b"GCPF", tuple(Method), MARGIN))
