"""How long work tells how far it came, and how it is given up."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int], bool]
"""Told now and then how far work came, in what it counts: offsets, bytes, nodes; returning False ends it."""


class Cancelled(Exception):
    """A person stopped the work; nothing was changed."""
