"""Recorder: hears what is sent to a UDP port of this machine, and keeps it to itself."""

from __future__ import annotations

from viewer.container.wire import Captured, Endpoint
from viewer.document.packets.live.inbox import Inbox
from viewer.document.packets.live.listener import Live
from viewer.document.packets.live.sockets import Address, bound, endpoint

LOOPBACK = "127.0.0.1"


class Recorder(Live):
    """Listens on a port from the moment it is made.

    Args:
        port: 0 lets the system choose.
        host: the address to listen on; other machines reach ``0.0.0.0`` and ``::``.
        inbox: where the records go.
        first: the number of the first record.

    Raises:
        LiveError: the port cannot be had.
    """

    def __init__(self, port: int, host: str = LOOPBACK, inbox: Inbox | None = None, first: int = 1) -> None:
        ear = bound(host, port)
        super().__init__(inbox, first)
        self._address = endpoint(ear.getsockname())
        self._listener.watch(ear, self._heard)
        self._listener.start(f"recorder {self._address.label}")

    @property
    def address(self) -> Endpoint:
        """Where it listens."""
        return self._address

    def _heard(self, data: bytes, sender: Address, now: int) -> Captured:
        return self._listener.record(endpoint(sender), self._address, data, now)
