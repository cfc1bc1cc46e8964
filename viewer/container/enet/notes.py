"""Short notes on what ENet says to itself."""

from __future__ import annotations

from viewer.container.enet.commands import (
    ACKNOWLEDGE,
    CONNECT,
    CONNECTION,
    DISCONNECT,
    VERIFY_CONNECT,
    Command,
    number_at,
)

NANOSECONDS = 1_000_000
"""In a millisecond."""


def control_note(body: bytes, command: Command, answered_after: int | None = None) -> str:
    """What a command says, in a few words.

    Args:
        body: the bytes that hold it.
        command: it.
        answered_after: for an acknowledgement, nanoseconds since what it answers, None where that is not known.
    """
    number = command.kind.number
    if number == ACKNOWLEDGE:
        where = "" if command.channel == CONNECTION else f" on channel {command.channel}"
        after = "" if answered_after is None else f" after {answered_after / NANOSECONDS:.1f} ms"
        return f"Acknowledges {command.sequence}{where}{after}"
    if number == CONNECT:
        channels = number_at(body, command, "channels")
        return f"Connect, {channels} channel{'' if channels == 1 else 's'}"
    if number == VERIFY_CONNECT:
        return f"Verify connect, slot {number_at(body, command, 'own slot')}"
    if number == DISCONNECT:
        return f"Disconnect, data {number_at(body, command, 'data')}"
    if not command.kind.fields:
        return command.kind.word
    values = [f"{field.name} {number_at(body, command, field.name)}" for field in command.kind.fields]
    return f"{command.kind.word}, {', '.join(values)}"
