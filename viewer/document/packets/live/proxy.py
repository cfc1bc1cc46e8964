"""Proxy: stands between the clients of a UDP server and the server, and writes down what they say to each other."""

from __future__ import annotations

import socket
from collections import OrderedDict
from contextlib import suppress
from functools import partial

from viewer.container.wire import Captured, Endpoint
from viewer.document.packets.live.inbox import Inbox
from viewer.document.packets.live.listener import LOOPBACK, Live
from viewer.document.packets.live.sockets import Address, LiveError, bound, connected, endpoint, resolved, sentence

MOST_CLIENTS = 128
"""More than these at a time are not forwarded: the one that was silent longest loses its place."""


class Proxy(Live):
    """Forwards from the moment it is made, both ways; each client has a socket of its own towards the server.

    The records name the true ends: the client and the server, not the proxy.

    Args:
        port: where clients send to; 0 lets the system choose.
        server: host and port of the server.
        host: the address to listen on.
        inbox: where the records go.
        first: the number of the first record.

    Raises:
        LiveError: the port cannot be had, or the server's host is unknown.
    """

    def __init__(
        self, port: int, server: Endpoint, host: str = LOOPBACK, inbox: Inbox | None = None, first: int = 1
    ) -> None:
        self._server = resolved(server.host, server.port)
        self._ear = bound(host, port)
        self._address = endpoint(self._ear.getsockname())
        if self._address == self._server:
            self._ear.close()
            raise LiveError(f"A proxy on {self._address.label} cannot forward to itself; name the server's port.")
        super().__init__(inbox, first)
        self._clients: OrderedDict[Address, socket.socket] = OrderedDict()
        self._listener.watch(self._ear, self._from_client)
        self._listener.start(f"proxy {self._address.label}")

    @property
    def address(self) -> Endpoint:
        """Where it listens for clients."""
        return self._address

    @property
    def server(self) -> Endpoint:
        """Whom it forwards to."""
        return self._server

    @property
    def clients(self) -> int:
        """How many clients have been forwarded and not forgotten."""
        return len(self._clients)

    def _from_client(self, data: bytes, client: Address, now: int) -> Captured:
        self._pass(self._towards_server(client), data)
        return self._listener.record(endpoint(client), self._server, data, now)

    def _from_server(self, client: Address, data: bytes, sender: Address, now: int) -> Captured:
        try:
            self._ear.sendto(data, client)
        except BlockingIOError:
            pass  # the system has no room left: UDP may lose datagrams anywhere
        except OSError as error:
            self._listener.problem = sentence(error, endpoint(client).label)
        return self._listener.record(self._server, endpoint(client), data, now)

    def _pass(self, towards: socket.socket | None, data: bytes) -> None:
        if towards is None:
            return
        try:
            towards.send(data)
        except BlockingIOError:
            pass
        except ConnectionRefusedError:
            self._listener.problem = f"Nobody listens on {self._server.label}."
            with suppress(OSError):  # the refusal belonged to an earlier datagram, and this one was not sent
                towards.send(data)
        except OSError as error:
            self._listener.problem = sentence(error, self._server.label)

    def _towards_server(self, client: Address) -> socket.socket | None:
        """The client's own socket, made where it has none yet."""
        found = self._clients.get(client)
        if found is not None:
            self._clients.move_to_end(client)
            return found
        if len(self._clients) >= MOST_CLIENTS:
            _, silent = self._clients.popitem(last=False)
            self._listener.forget(silent)
        try:
            made = connected(self._server)
        except LiveError as error:
            self._listener.problem = str(error)
            return None
        self._clients[client] = made
        self._listener.watch(made, partial(self._from_server, client))
        return made
