"""The handshake of WebSocket: an HTTP request to change the protocol, and the answer."""

from __future__ import annotations

import re

from viewer.base.span import Span
from viewer.container.wire import Part

REQUEST, RESPONSE = b"GET ", b"HTTP/1.1 101"
LONGEST = 1 << 16
"""A longer head is none."""
_UPGRADE = re.compile(rb"^upgrade:[^\r\n]*\bwebsocket\b", re.IGNORECASE | re.MULTILINE)
_DEFLATE = re.compile(rb"^sec-websocket-extensions:[^\r\n]*\bpermessage-deflate\b", re.IGNORECASE | re.MULTILINE)


def is_upgrade(head: bytes) -> bool:
    """Whether the head of a request or an answer changes to WebSocket."""
    return head.startswith((REQUEST, RESPONSE)) and _UPGRADE.search(head) is not None


def offers_deflate(head: bytes) -> bool:
    """Whether the head offers compressed messages, or agrees to them."""
    return _DEFLATE.search(head) is not None


def handshake_parts(head: bytes) -> tuple[Part, ...]:
    """The lines of a head: the first whole, the others by their names."""
    parts: list[Part] = []
    at = 0
    for line in head.split(b"\r\n"):
        if line:
            name, colon, text = line.decode("latin-1").partition(":")
            span = Span(at, at + len(line))
            parts.append(
                Part(span, name, text.strip()) if colon and parts else Part(span, "line", line.decode("latin-1"))
            )
        at += len(line) + 2
    return tuple(parts)
