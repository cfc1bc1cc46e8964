"""Names of methods: Godot 4 sends only numbers, and a sum by which a list of names can be checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

CONFIG_BIT = 0x8000
"""Set in a method's number where it counts in the list of ``rpc_config`` and not in the script's."""


@dataclass(frozen=True, slots=True)
class MethodNames:
    """The remote methods of one kind of node.

    Args:
        script: names of the script's ``@rpc`` methods, sorted as engines number them.
        config: names that the node itself was given with ``rpc_config``, sorted.
    """

    script: tuple[str, ...]
    config: tuple[str, ...] = ()

    @staticmethod
    def of(script: Iterable[str], config: Iterable[str] = ()) -> MethodNames:
        """The names in any order, as a person lists them; doubles and empty ones are dropped."""
        return MethodNames(_sorted(script), _sorted(config))

    @property
    def md5(self) -> str:
        """The sum that engines send: 32 lower-case hex digits."""
        joined = "".join((*self.config, *self.script)).encode(errors="surrogatepass")
        return hashlib.md5(joined, usedforsecurity=False).hexdigest()

    def name(self, method: int) -> str | None:
        """The name of a method's number, None where the list has no such number."""
        names = self.config if method & CONFIG_BIT else self.script
        place = method & ~CONFIG_BIT
        return names[place] if place < len(names) else None


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name.strip() for name in names} - {""}))


def number_text(method: int) -> str:
    """A method without a name: ``method 4``, ``rpc_config method 0``."""
    return f"rpc_config method {method & ~CONFIG_BIT}" if method & CONFIG_BIT else f"method {method}"
