"""How often a mend is what was meant: shares measured on texts with one mistake and with several.

A mend is known by what can be seen of it: how many mistakes it mends, whether another one costs hardly more, whether
something that a person wrote is dropped, whether the brackets agree with the indentation. ``tools/text_proofs.py
shares`` measures how often the first offer of each such form gives the text back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from viewer.base.record import dataclass
from viewer.base.span import Span

Patch = tuple[Span, bytes]
SOME_LEFT = "some left"
_SAID = re.compile(rb"[^\W_]|[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class MendForm:
    """What can be seen of a mend.

    Args:
        is_whole: whether it undoes what all of the text went through.
        count: how many mistakes it mends at least.
        rivals: how many others cost hardly more and give another text.
        drops: whether something that a person wrote is gone then.
        is_tilted: whether brackets stand against the indentation then.
        left: how many mistakes are left.
        is_beyond: whether it does more than twice as many things as mistakes were told.
        is_guess: whether a part of it is not told by anything in the text.
    """

    is_whole: bool
    count: int
    rivals: int
    drops: bool
    is_tilted: bool
    left: int
    is_guess: bool = False
    is_beyond: bool = False

    @property
    def name(self) -> str:
        """The form in words, by which shares are counted."""
        if self.is_guess:
            return "guess"
        if self.left:
            return SOME_LEFT
        if self.is_whole:
            return "whole" if not self.rivals else "whole, rivals"
        parts = ["one" if self.count < 2 else "two" if self.count == 2 else "more"]
        parts += ["rivals"] if self.rivals else []
        parts += ["drops"] if self.drops else []
        parts += ["tilted"] if self.is_tilted else []
        parts += ["beyond"] if self.is_beyond else []
        return ", ".join(parts)


def drops(text: bytes, patches: Sequence[Patch]) -> bool:
    """Whether letters or digits of a text are gone with some patches, or stand in another order."""
    for span, fresh in patches:
        old = text[span.start : span.end]
        rest = iter(_SAID.findall(fresh.lower()))
        if not all(sign in rest for sign in _SAID.findall(old.lower())):
            return True
    return False


def likelihood(form: MendForm, rank: int = 0) -> float:
    """How often an offer of such a form is right, 0 to 1.

    Args:
        form: of the first offer.
        rank: which offer it is, from 0.
    """
    first = TILTED if form.is_tilted and not form.left else SHARES.get(form.name, OTHER)
    return first if rank == 0 else (1 - first) * BEHIND[min(rank, len(BEHIND)) - 1]


SHARES = {
    "whole": 0.95,
    "whole, rivals": 0.95,
    "one": 0.95,
    "one, rivals": 0.95,
    "one, drops": 0.95,
    "one, rivals, drops": 0.8,
    "two": 0.8,
    "two, rivals": 0.8,
    "two, drops": 0.55,
    "two, rivals, drops": 0.6,
    "more": 0.75,
    "more, rivals": 0.6,
    "more, drops": 0.75,
    "more, rivals, drops": 0.5,
    "guess": 0.4,
    SOME_LEFT: 0.05,
}
"""Measured shares of each form, rounded to what kinds of mistakes gave that no mend was tuned by, with one more right
and one more wrong than were counted."""
TILTED, OTHER = 0.15, 0.3
"""The same where brackets stand against the indentation; forms of which there were too few."""
BEHIND = (0.25, 0.05, 0.02)
"""How often the second, the third and any further one is right where the first is not."""
