"""Patterns that are compiled when they are first used; together they would take longer than a file to be shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    from re import Pattern


class _Late:
    """Stands for a pattern; each method that was asked for once is the pattern's own from then on."""

    def __init__(self, source: Any, flags: int) -> None:
        self._said = source, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._said), name)
        setattr(self, name, found)
        return found


def late_pattern(source: AnyStr, flags: int = 0) -> Pattern[AnyStr]:
    """What ``re.compile`` gives, for its methods; the functions of ``re`` do not take it."""
    return cast("Pattern[AnyStr]", _Late(source, flags))
