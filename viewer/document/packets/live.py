"""Live: traffic of UDP as it comes. What arrives at a port is recorded, or passed on between two programs and recorded.

A thread waits on sockets and puts what it hears where the owner fetches it.
"""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from threading import Condition, Lock, Thread
from types import TracebackType
from typing import Self

from viewer.base.record import dataclass
from viewer.container.wire import Captured, Endpoint, Transport

# Sockets by host name and port, with every problem as one sentence.


MOST_SENT = 65_507
"""The longest payload of a UDP datagram over IPv4."""
ROOM = 1 << 22
"""Bytes that the system is asked to keep while we are busy; it may give less."""

Address = tuple[str, int] | tuple[str, int, int, int]


class LiveError(Exception):
    """A socket cannot be used; the text is one sentence that says why and what to do."""


def bound(host: str, port: int) -> socket.socket:
    """A socket that hears what is sent to a port of this machine.

    Args:
        host: an address of this machine, ``127.0.0.1``, ``::1``, ``0.0.0.0``.
        port: 0 lets the system choose.

    Raises:
        LiveError: it cannot be had.
    """
    family, address = _found(host, port)
    return _made(family, lambda made: made.bind(address), Endpoint(host, port).label)


def connected(target: Endpoint) -> socket.socket:
    """A socket with a port of its own that talks with one other only.

    Raises:
        LiveError: it cannot be had.
    """
    family, address = _found(target.host, target.port)
    return _made(family, lambda made: made.connect(address), target.label)


def resolved(host: str, port: int) -> Endpoint:
    """The end that a host name or address means, with its address in numbers.

    Raises:
        LiveError: the name is unknown, or the port is none.
    """
    if port == 0:
        raise LiveError("A port to send to is a number from 1 to 65535.")
    _, address = _found(host, port)
    return endpoint(address)


def send_udp(data: bytes, host: str, port: int) -> None:
    """Send bytes in one datagram, from a port that the system chooses.

    Raises:
        LiveError: they cannot be sent.
    """
    target = resolved(host, port)
    try:
        with connected(target) as sender:
            send(sender, data)
    except OSError as error:
        raise LiveError(sentence(error, target.label)) from error


def send(sender: socket.socket, data: bytes) -> None:
    """Send bytes in one datagram through a connected socket.

    Raises:
        LiveError: they are too many.
        OSError: the system refuses them.
    """
    if len(data) > MOST_SENT:
        raise LiveError(f"One datagram carries {MOST_SENT} bytes at most, and these are {len(data)}.")
    sender.send(data)


def endpoint(address: Address) -> Endpoint:
    """The end that the system's form of an address means."""
    return Endpoint(address[0], address[1])


def sentence(error: OSError, label: str) -> str:
    """Why a socket cannot be used, for a person."""
    if error.errno == errno.EADDRINUSE:
        return f"Another program already listens on {label}; choose another port, or end that program."
    if error.errno == errno.EACCES:
        return f"The system does not permit the use of {label}; choose a port above 1023."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This machine does not have the address of {label}; 127.0.0.1 always works for programs on it."
    if error.errno == errno.EMSGSIZE:
        return f"These bytes are too many for one datagram to {label}."
    if error.errno == errno.ECONNREFUSED:
        return f"Nobody listens on {label}."
    return f"{label} cannot be used: {os.strerror(error.errno) if error.errno else error}."


def _found(host: str, port: int) -> tuple[int, Address]:
    if not 0 <= port <= 0xFFFF:
        raise LiveError("A port is a number from 0 to 65535.")
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        raise LiveError(f"No machine is known by the name “{host[:80]}”.") from None
    for family, _, _, _, address in rows:
        if family == socket.AF_INET:
            return family, (str(address[0]), int(address[1]))
    for family, _, _, _, address in rows:
        if family == socket.AF_INET6 and len(address) == 4:
            return family, address
    raise LiveError(f"“{host[:80]}” has no internet address.")


def _made(family: int, use: Callable[[socket.socket], None], label: str) -> socket.socket:
    try:
        made = socket.socket(family, socket.SOCK_DGRAM)
    except OSError as error:
        raise LiveError(sentence(error, label)) from error
    try:
        with suppress(OSError):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
        use(made)
        made.setblocking(False)
    except OSError as error:
        made.close()
        raise LiveError(sentence(error, label)) from error
    return made


# Inbox: where a listening thread puts what it hears, and where the owner fetches it. It never grows beyond a bound.


MOST_PACKETS = 50_000
MOST_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class TrafficCounts:
    """What an inbox has seen so far.

    Args:
        heard: packets that came in.
        dropped: those of them that nobody fetched in time; the oldest go first.
        waiting: those that are still to be fetched.
    """

    heard: int
    dropped: int
    waiting: int


class Inbox:
    """A queue between two threads.

    Args:
        most_packets, most_bytes: what it holds at most; what is older is dropped.
    """

    def __init__(self, most_packets: int = MOST_PACKETS, most_bytes: int = MOST_BYTES) -> None:
        self._most_packets = most_packets
        self._most_bytes = most_bytes
        self._waiting: deque[Captured] = deque()
        self._bytes = 0
        self._heard = 0
        self._dropped = 0
        self._changed = Condition()

    def put(self, arrived: Sequence[Captured]) -> None:
        """Add packets, in order."""
        with self._changed:
            self._waiting.extend(arrived)
            self._heard += len(arrived)
            self._bytes += sum(len(each.data) for each in arrived)
            while len(self._waiting) > self._most_packets or (
                self._bytes > self._most_bytes and len(self._waiting) > 1
            ):
                self._bytes -= len(self._waiting.popleft().data)
                self._dropped += 1
            self._changed.notify_all()

    def drain(self, most: int | None = None) -> list[Captured]:
        """Fetch the oldest packets, *most* of them or all, without waiting."""
        with self._changed:
            found = list(islice(self._waiting, most))
            if len(found) == len(self._waiting):
                self._waiting.clear()
            else:
                for _ in found:
                    self._waiting.popleft()
            self._bytes -= sum(len(each.data) for each in found)
            return found

    def wait(self, seconds: float) -> bool:
        """Wait until there is something to fetch; whether there is."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._waiting), seconds)

    @property
    def counts(self) -> TrafficCounts:
        """What it has seen so far."""
        with self._changed:
            return TrafficCounts(self._heard, self._dropped, len(self._waiting))


# Threads that wait on sockets, and end when they are told to.


AT_ONCE = 128
"""Datagrams that are read from one socket before the others get their turn."""
LARGEST = 1 << 16

Heard = Callable[[bytes, Address, int], Captured | None]
"""What makes a record of bytes, their sender and the time; None where they are not to be recorded."""


class Listener:
    """Reads datagrams from any number of sockets in one thread, and puts what is made of them into an inbox.

    Args:
        inbox: where records go.
        first: the number of the first record.
    """

    def __init__(self, inbox: Inbox, first: int = 1) -> None:
        self.inbox = inbox
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()
        self._wake.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread: Thread | None = None
        self._stopping = False
        self._number = first
        self._lock = Lock()
        self._problem = ""

    @property
    def is_running(self) -> bool:
        """Whether it still listens."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def problem(self) -> str:
        """What went wrong while it ran, in one sentence; empty for nothing."""
        return self._problem

    @problem.setter
    def problem(self, told: str) -> None:
        self._problem = told

    @property
    def number(self) -> int:
        """The number that the next record gets."""
        return self._number

    def watch(self, watched: socket.socket, heard: Heard) -> None:
        """Read a socket from now on; before the start, or from inside *heard*."""
        self._selector.register(watched, selectors.EVENT_READ, heard)

    def forget(self, watched: socket.socket) -> None:
        """Read a socket no more, and close it; before the start, or from inside *heard*."""
        with suppress(KeyError, ValueError):
            self._selector.unregister(watched)
        watched.close()

    def start(self, name: str) -> None:
        """Begin to listen."""
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until the thread has ended; all sockets are closed then. Again does nothing."""
        with self._lock:
            if self._stopping:
                return
            self._stopping = True
        with suppress(OSError):
            self._wake.send(b"\0")
        if self._thread is not None:
            self._thread.join()
        self._close()

    def record(self, source: Endpoint, target: Endpoint, data: bytes, now: int) -> Captured:
        """A record with the next number; in the listening thread only."""
        number = self._number
        self._number += 1
        return Captured(number, now, source, target, Transport.UDP, data)

    def _run(self) -> None:
        while not self._stopping:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                self._read(key.fileobj, key.data)

    def _read(self, watched: object, heard: Heard) -> None:
        """Take what has arrived at one socket."""
        assert isinstance(watched, socket.socket)
        arrived: list[Captured] = []
        for _ in range(AT_ONCE):
            try:
                data, sender = watched.recvfrom(LARGEST)
            except BlockingIOError:
                break
            except OSError as error:
                if watched.fileno() < 0:  # it was closed while its own datagrams were read
                    break
                self.problem = sentence(error, _label(watched))
                break
            made = heard(data, sender, time.time_ns())
            if made is not None:
                arrived.append(made)
        if arrived:
            self.inbox.put(arrived)

    def _close(self) -> None:
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()
        self._wake.close()


def _label(watched: socket.socket) -> str:
    """Whom a socket talks with, or where it listens."""
    for ask in (watched.getpeername, watched.getsockname):
        with suppress(OSError):
            host, port = ask()[:2]
            return Endpoint(host, port).label
    return "The port"


class Live:
    """What can be started once, drained and stopped.

    It is listening from the moment it is made, and may be used in a ``with`` block.
    """

    def __init__(self, inbox: Inbox | None, first: int = 1) -> None:
        self._listener = Listener(inbox or Inbox(), first)

    @property
    def inbox(self) -> Inbox:
        """Where the records wait to be fetched."""
        return self._listener.inbox

    @property
    def is_running(self) -> bool:
        """Whether it still listens."""
        return self._listener.is_running

    @property
    def problem(self) -> str:
        """What went wrong while it ran, in one sentence; empty for nothing."""
        return self._listener.problem

    @property
    def number(self) -> int:
        """The number that the next record gets."""
        return self._listener.number

    def stop(self) -> None:
        """Stop, and wait until the thread has ended. What was heard can still be fetched. Again does nothing."""
        self._listener.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


# Recorder: hears what is sent to a UDP port of this machine, and keeps it to itself.

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


# Proxy: stands between the clients of a server and the server, and writes down what they say to each other.


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
