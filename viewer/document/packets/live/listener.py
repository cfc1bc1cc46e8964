"""Listener: a thread that waits on sockets, and ends when it is told to."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from types import TracebackType
from typing import Self

from viewer.container.wire import Captured, Endpoint, Transport
from viewer.document.packets.live.inbox import Inbox
from viewer.document.packets.live.sockets import Address, bound, endpoint, sentence

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
