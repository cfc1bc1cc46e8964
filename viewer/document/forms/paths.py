"""Node paths in their parts, as lists with one name a line."""

from __future__ import annotations

from viewer.document.edits.error import EditError
from viewer.document.forms.texts import escaped, unescaped
from viewer.variant.value import NodePath


def lines(names: tuple[str, ...]) -> str:
    """Names, one a line."""
    return "\n".join(escaped(name) for name in names)


def names(text: str) -> tuple[str, ...]:
    """The names of a list; an empty line in it is an empty name, an empty list none.

    Raises:
        EditError: a backslash is followed by something unknown.
    """
    return tuple(unescaped(line) for line in text.split("\n")) if text else ()


def node_path(names_text: str, subnames_text: str, absolute: bool, prop: str | None) -> NodePath:
    """The path of these parts; *prop* is None where it has no property.

    Raises:
        EditError: as :func:`names`.
    """
    return NodePath(names(names_text), names(subnames_text), absolute, unescaped(prop) if prop is not None else None)


def from_text(text: str, with_property: bool) -> NodePath:
    """The path that an engine makes of ``/A/B:sub``; *with_property*: the last sub-name is a property.

    Raises:
        EditError: the text has no name between two slashes.
    """
    path, *tail = text.split(":")
    parts = tuple(name for name in path.split("/") if name)
    if "" in tail:
        raise EditError("A sub-name is missing behind a colon.")
    prop = tail.pop() if tail and with_property else None
    return NodePath(parts, tuple(tail), path.startswith("/"), prop)
