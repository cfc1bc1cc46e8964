"""The answer of the doctor."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.document.doctor.repair import Repair

SHORT = "The search was cut short: these are many bytes, and only what is likeliest was tried on all of them."
LARGE = "These are too many bytes to look for what would mend them."
STOPPED = "The search was stopped; more may be found."


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

    Args:
        repairs: the best first; those that only tell something last. None where nothing is wrong.
        cut: why the search did not try everything, in a sentence; empty where it did.
    """

    repairs: tuple[Repair, ...] = ()
    cut: str = ""
