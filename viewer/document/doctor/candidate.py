"""Candidates: what a hypothesis says could have happened, before it was tried."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.container.frames import Framing
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.encoder_rules import EncoderRule
from viewer.document.doctor.patch import Patches
from viewer.variant.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mistake, and the patches that would undo it.

    Args:
        cause: the mistake.
        patches: what to change, in the layer; the length before the value is put right by who tries it.
        fact: what is known only of this one, as a sentence; may be empty.
        weight: how likely it is beside others of the same cause, 0 to 1.
        framed: whether the patches say all about the length before the value, so that it is left alone.
        framing, dialect: how to read the bytes then, None as they are read now.
        note: what else to do.
        thrown: the bits that tell the bytes which are taken out, where they are known for what they are.
        rules: the rules of an encoder that it undoes.
        bits: how rare these are.
        places: in how many places they show.
    """

    cause: Cause
    patches: Patches
    fact: str = ""
    weight: float = 1.0
    framed: bool = False
    framing: Framing | None = None
    dialect: Dialect | None = None
    note: str = ""
    thrown: float | None = None
    rules: tuple[EncoderRule, ...] = ()
    bits: float = 0.0
    places: int = 0
