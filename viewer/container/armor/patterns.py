"""Patterns that take linear time on any text, also where the interpreter's own way to say so goes astray."""

from __future__ import annotations

import re

_GROUP = re.compile(r"(?<!\\)\)([*+?])\+")
GOES_ASTRAY = re.match(r"(?:[^*]|\*(?!/))*+\*/", "a*/") is None
"""Python before 3.11.5 does not come back to where a repeated group failed that gives nothing back."""


def linear(pattern: str, flags: int = 0, gives_back: bool = GOES_ASTRAY) -> re.Pattern[str]:
    """Compile a pattern whose repeated groups give nothing back.

    Args:
        pattern: in each group that is repeated so, no two ways to read the same text.
        flags: those of :mod:`re`.
        gives_back: whether to let these groups give back: that finds the same, and takes more memory.
    """
    return re.compile(_GROUP.sub(r")\1", pattern) if gives_back else pattern, flags)
