"""What is known of a connection: who called whom, and which engine that looks like."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from viewer.container.enet.commands import Command, number_at
from viewer.container.wire import Endpoint

SYSTEM_CHANNELS = 3
"""Godot asks for no fewer."""
FRAGMENT_OVERHEAD = 28
"""A fragment holds so many bytes less than the MTU, and four less again where there is a checksum."""


class Engine(Enum):
    """Which line of engines a connection looks like."""

    GODOT3 = "godot3"
    GODOT4 = "godot4"


MTUS = {1400: Engine.GODOT3, 1392: Engine.GODOT4}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a connection from some frame on.

    Args:
        since: the number of the frame.
        server: the end that was called, None where that is not known.
        called: whether the call itself was captured; else *server* and *engine* are concluded from less.
        client_id: the multiplayer id that the client gave itself.
        engine: a guess, None where nothing tells.
        channels: how many the client asked for.
        mtu: the largest datagram, in bytes.
    """

    since: int = 0
    server: Endpoint | None = None
    called: bool = False
    client_id: int | None = None
    engine: Engine | None = None
    channels: int | None = None
    mtu: int | None = None


def facts_of_call(body: bytes, command: Command, since: int, server: Endpoint) -> Facts:
    """What a CONNECT says."""
    mtu = number_at(body, command, "MTU")
    channels = number_at(body, command, "channels")
    data = number_at(body, command, "data")
    client_id = data if 2 <= data < 1 << 31 else None
    godot = client_id is not None and channels >= SYSTEM_CHANNELS
    return Facts(since, server, True, client_id, MTUS.get(mtu) if godot else None, channels, mtu)


def engine_of_fragment(length: int, summed: bool) -> tuple[Engine, int] | None:
    """Engine and MTU that a fragment before the last one implies by its length."""
    mtu = length + FRAGMENT_OVERHEAD + (4 if summed else 0)
    engine = MTUS.get(mtu)
    return (engine, mtu) if engine else None
