"""The look of a line edit that lies in a frame which somebody else paints."""

from __future__ import annotations

from viewer.ui.look.palette import Theme


def plain_field_style(theme: Theme) -> str:
    """A style sheet: no frame, no surface, colours by role."""
    ui = theme.ui
    return (
        "QLineEdit { border: none; background: transparent; padding: 0; margin: 0; min-height: 0;"
        f" color: {ui.text.name()}; placeholder-text-color: {ui.text_secondary.name()};"
        f" selection-background-color: {ui.selection.name()}; selection-color: {ui.text.name()}; }}"
    )
