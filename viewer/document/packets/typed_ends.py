"""Ports and addresses as a person types them."""

from __future__ import annotations

from viewer.container.wire import Endpoint

HIGHEST = 0xFFFF
LOOPBACK = "127.0.0.1"


class TypedEndError(ValueError):
    """What was typed is no port or address; the text is one sentence that says what to write."""


def parse_port(text: str) -> int:
    """A port: ``9000``.

    Raises:
        TypedEndError: it is none.
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:6]) <= HIGHEST:
        raise TypedEndError(f"A port is a number from 1 to {HIGHEST}.")
    return int(text)


def parse_host(text: str) -> str:
    """A host's name or address, as it is or in the brackets that IPv6 has before a port.

    Raises:
        TypedEndError: there is none.
    """
    text = text.strip().removeprefix("[").removesuffix("]")
    if not text or any(letter.isspace() or letter in "/[]" for letter in text):
        raise TypedEndError(f"A host is a name or an address, such as {LOOPBACK} or ::1.")
    return text


def parse_end(text: str) -> Endpoint:
    """Host and port in one: ``127.0.0.1:9000``, ``[::1]:9000``; a port alone is one of this machine.

    Raises:
        TypedEndError: it is neither.
    """
    host, colon, port = text.strip().rpartition(":")
    if colon and ":" in host and not (host.startswith("[") and host.endswith("]")):
        raise TypedEndError("An IPv6 address stands in brackets before its port: [::1]:9000.")
    return Endpoint(parse_host(host) if colon else LOOPBACK, parse_port(port))
