"""UDP sockets by host name and port, with every problem as one sentence."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress

from viewer.container.wire import Endpoint

MOST_BYTES = 65_507
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
    if len(data) > MOST_BYTES:
        raise LiveError(f"One datagram carries {MOST_BYTES} bytes at most, and these are {len(data)}.")
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
    raise LiveError(f"“{host[:80]}” has no address of the internet.")


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
