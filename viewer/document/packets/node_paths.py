"""Paths: what the messages of a conversation have told so far, by which later ones are understood."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from viewer.base.record import dataclass

# Names of methods: Godot 4 sends only numbers, and a sum by which a list of names can be checked.

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


SERVER = 1
PATH_BIT = 1 << 31
"""Set in a net id that is a path's number, and in a node that is a path's place in the packet."""


def peer_text(peer: int) -> str:
    """A multiplayer id for a person: ``0 (all)``, ``1 (server)``, ``-5 (all but 5)``."""
    if peer == 0:
        return "0 (all)"
    if peer == SERVER:
        return "1 (server)"
    if peer == -SERVER:
        return "-1 (all but the server)"
    return f"{peer} (all but {-peer})" if peer < 0 else str(peer)


class PeerKnowledge:
    """What is known of a conversation: paths, lists of methods, spawned nodes; each belongs to who sent it.

    A sender is a multiplayer id, None for the one end whose id was never seen.

    Args:
        methods: lists of names that a person gave.
        sends_numbers: whether a confirm path has a number, as Godot 4 writes it since 4.3.
        first_to_client: the first payload from the server to the client, None before it.
        client: the multiplayer id of the end that is not the server, None where it is not known.
    """

    def __init__(
        self, methods: Iterable[MethodNames] = (), sends_numbers: bool = True, client: int | None = None
    ) -> None:
        self.sends_numbers = sends_numbers
        self.client = client
        self.first_to_client: bytes | None = None
        self._methods: dict[str, MethodNames] = {}
        self._paths: dict[tuple[int | None, int], str] = {}
        self._sums: dict[str, str] = {}
        self._spawned: dict[tuple[int | None, int], str] = {}
        self.name_methods(methods)

    def name_methods(self, methods: Iterable[MethodNames]) -> None:
        """Take these lists of names instead of those from before."""
        self._methods = {names.md5: names for names in methods}

    def simplify(self, sender: int | None, number: int, path: str, md5: str = "") -> None:
        """A sender said that it will write *number* for *path*, a node whose methods have this sum."""
        self._paths[sender, number] = path
        if md5:
            self._sums[path] = md5

    def path(self, sender: int | None, number: int) -> str | None:
        """The path that a sender's number stands for, None where that was not captured."""
        return self._paths.get((sender, number))

    def node_text(self, sender: int | None, number: int) -> str:
        """``3 = Main/Player``, or that the path is not known."""
        path = self._paths.get((sender, number))
        return f"{number} (path not captured)" if path is None else f"{number} = {path}"

    def node_name(self, sender: int | None, number: int) -> str:
        """The path alone, for a summary; ``node 3`` where it is not known."""
        return self._paths.get((sender, number)) or f"node {number}"

    def spawn(self, sender: int | None, number: int, name: str) -> None:
        """A sender gave a net id to a spawned node or to one of its synchronizers."""
        self._spawned[sender, number] = name

    def net_name(self, sender: int | None, number: int) -> str | None:
        """What a net id stands for, None where that was not captured."""
        if number & PATH_BIT:
            return self._paths.get((sender, number & ~PATH_BIT))
        return self._spawned.get((sender, number))

    def net_text(self, sender: int | None, number: int) -> str:
        """A net id for a person: ``path id 1 = Main/Sync``, ``7 (Alpha)``."""
        name = self.net_name(sender, number)
        if number & PATH_BIT:
            return f"path id {self.node_text(sender, number & ~PATH_BIT)}"
        return str(number) if name is None else f"{number} ({name})"

    def method_text(self, path: str | None, method: int) -> str:
        """A method's name where a list that fits the node tells it, else its number in words."""
        names = self._methods.get(self._sums.get(path, "")) if path is not None else None
        return (names.name(method) if names is not None else None) or number_text(method)

    def sum_text(self, md5: str) -> str:
        """What a sum of method names says: which of the given lists it belongs to."""
        if not self._methods:
            return md5
        names = self._methods.get(md5)
        return f"{md5} (no given list of names fits)" if names is None else f"{md5} ({_count(names)} known by name)"

    def nodes_of(self, names: MethodNames) -> tuple[str, ...]:
        """The paths of the nodes whose methods these are; none where the list is not right for any."""
        return tuple(path for path, md5 in self._sums.items() if md5 == names.md5)


def _count(names: MethodNames) -> str:
    count = len(names.script) + len(names.config)
    return f"{count} method" if count == 1 else f"{count} methods"
