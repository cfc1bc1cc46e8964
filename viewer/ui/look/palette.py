"""Colour roles: what ``palette.toml`` says, typed. No widget names a colour; it names a role.

A group is the family of types that shares a colour (``group`` in ``shapes.toml``); structure is what frames a value
(header, length, padding, gap); a state is what can be true of any byte (error, modified, found ...).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from PySide6.QtGui import QColor

from viewer.base import assets
from viewer.base.record import dataclass, fields

LIGHT = "light"
DARK = "dark"
GROUPS = ("number", "text", "boolean", "vector", "colour", "path", "collection", "packed", "object")
STRUCTURES = ("header", "length", "padding", "gap")
STATES = ("error", "warning", "note", "recovered", "modified", "search", "search_current", "ok")


@dataclass(frozen=True, slots=True)
class UiColours:
    """Surfaces, lines and text of the window itself."""

    base: QColor
    panel: QColor
    raised: QColor
    hover: QColor
    selection: QColor
    selection_inactive: QColor
    border: QColor
    border_strong: QColor
    text: QColor
    text_secondary: QColor
    text_dim: QColor
    disabled: QColor
    accent: QColor
    accent_text: QColor
    focus: QColor


@dataclass(frozen=True, slots=True)
class Tint:
    """One role with its text colour, its surface and its line; kinds draw their lines in the text colour."""

    fg: QColor
    bg: QColor
    line: QColor


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All roles of one theme. Themes are compared by identity, so they may key a cache."""

    name: str
    ui: UiColours
    kinds: Mapping[str, Tint]
    structures: Mapping[str, Tint]
    states: Mapping[str, Tint]

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than its surface."""
        return self.ui.text.lightnessF() > self.ui.base.lightnessF()

    def kind(self, group: str | None) -> Tint:
        """The tint of a kind group; what has no known group looks like structure."""
        return self.kinds.get(group, self.structures["header"]) if group else self.structures["header"]

    def structure(self, role: str) -> Tint:
        """The tint of ``header``, ``length``, ``padding`` or ``gap``."""
        return self.structures[role]

    def state(self, role: str) -> Tint:
        """The tint of one of STATES."""
        return self.states[role]

    def color(self, section: str, role: str) -> QColor:
        """One colour by section and role: ``("ui", "base")``, ``("state.error", "line")``, ``("kind.number", "fg")``.

        Raises:
            KeyError: there is no such section.
            AttributeError: the section has no such role.
        """
        if section == "ui":
            return getattr(self.ui, role)  # type: ignore[no-any-return]
        table, _, name = section.partition(".")
        tables = {"kind": self.kinds, "structure": self.structures, "state": self.states}
        return getattr(tables[table][name], role)  # type: ignore[no-any-return]

    def named(self, role: str) -> QColor:
        """One colour by its dotted name: ``text_secondary`` (of the ui), ``state.error.line``."""
        section, _, last = role.rpartition(".")
        return self.color(section or "ui", last)


@cache
def theme(name: str) -> Theme:
    """The theme ``light`` or ``dark`` as it is delivered."""
    return load(name, tomllib.loads(assets.text("palette.toml")))


def load(name: str, table: Mapping[str, Any], override: Mapping[str, Any] = MappingProxyType({})) -> Theme:
    """The theme *name* of a parsed palette, values of *override* (a user's theme file, same form) going first.

    Raises:
        KeyError: a role is missing.
        ValueError: a value is no colour.
    """
    own, user = table[name], override.get(name, {})
    return Theme(
        name,
        UiColours(*(_colour(user.get("ui", {}).get(role.name, own["ui"][role.name])) for role in fields(UiColours))),
        _tints(GROUPS, own["kind"], user.get("kind", {})),
        _tints(STRUCTURES, own["structure"], user.get("structure", {})),
        _tints(STATES, own["state"], user.get("state", {})),
    )


def contrast(one: QColor, other: QColor) -> float:
    """The WCAG 2 contrast ratio of two opaque colours, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _tints(names: tuple[str, ...], own: Mapping[str, Any], user: Mapping[str, Any]) -> Mapping[str, Tint]:
    return MappingProxyType({name: _tint({**own[name], **user.get(name, {})}) for name in names})


def _tint(roles: Mapping[str, str]) -> Tint:
    return Tint(_colour(roles["fg"]), _colour(roles["bg"]), _colour(roles.get("line", roles["fg"])))


def _colour(value: str) -> QColor:
    colour = QColor(value)
    if not colour.isValid():
        raise ValueError(f"{value!r} is no colour")
    return colour


def _luminance(colour: QColor) -> float:
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
