"""Ports that nobody listens to."""

from __future__ import annotations

import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """The number of a UDP port that was free a moment ago."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind((LOOPBACK, 0))
        return int(made.getsockname()[1])
