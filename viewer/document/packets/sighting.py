"""Sighting: a payload that was seen, with the conversation it belongs to; what it says is worked out later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from viewer.container.wire import Payload
from viewer.document.packets.message import Message


class Talk(Protocol):
    """The conversation of two ends, as far as its payloads are to be explained."""

    @property
    def version(self) -> int:
        """Goes up when payloads that were explained before would now be explained differently."""

    def explain(self, payload: Payload) -> Message:
        """What a payload says; payloads are explained in order, and may be explained again."""

    def to_server(self, payload: Payload) -> bool:
        """Whether it went to the end that was called."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A payload that was seen.

    Args:
        payload: the bytes, and how they travelled.
        talk: the conversation it belongs to.
    """

    payload: Payload
    talk: Talk
