"""Entry: one action of a menu, as the tables of actions list them."""

from __future__ import annotations

from viewer.base.record import dataclass


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One action.

    Args:
        name: what the window calls it.
        text: its words in the menu; an ``&`` stands before the letter that chooses it.
        keys: shortcuts, the first one is shown.
        icon: name of an icon, empty for none.
        tip: what it does, in a sentence without a full stop.
        checkable: whether it is a switch.
        entries: those of a menu of its own, None for a line between; empty where it is an action, or its menu is filled
            when it opens.
    """

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""
    checkable: bool = False
    entries: tuple[MenuEntry | None, ...] = ()


SEPARATOR = None
