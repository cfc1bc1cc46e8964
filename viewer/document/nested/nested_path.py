"""Paths that lead into values: ``[0].blob!0.gold`` is the value ``[0].gold`` of what is inside ``[0].blob``."""

from __future__ import annotations

from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.nested.nested_document import NestedError, open_nested
from viewer.document.path import INSIDE, PathError, PathLevel, closing, numbered


def split_levels(text: str) -> list[str]:
    """The paths of a path from level to level.

    Raises:
        PathError: a bracket is not closed.
    """
    out, begin, at = [], 0, 0
    while at < len(text):
        if text[at] == "[":
            at = closing(text, at)
        elif text[at] == INSIDE:
            out.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*out, text[begin:]]


def enter(document: Document, text: str, secret: Secret | None = None) -> PathLevel:
    """The innermost document that a path leads to, and the path in it.

    Args:
        document: the outermost one.
        text: the path.
        secret: a password or key for what is encrypted on the way.

    Raises:
        PathError: a value on the way is not there, or nothing is inside it.
    """
    first, *others = split_levels(text.strip()) if INSIDE in text else [text]
    level, nested = PathLevel(document, first), None
    for rest in others:
        try:
            nested = open_nested(level.document, level.item(), nested, secret)
        except NestedError as error:
            raise PathError(str(error)) from error
        if nested.document.wraps.blocked is not None:
            raise PathError(f"{nested.path.removesuffix(INSIDE)} stays closed: {nested.document.wraps.blocked}")
        level = PathLevel(nested.document, inside_path(numbered(nested.document, rest)), nested)
    return level


def inside_path(rest: str) -> str:
    """A path inside as it is written by itself.

    Raises:
        PathError: it does not begin with a value.
    """
    digits = len(rest) - len(rest.lstrip("0123456789"))
    if digits:
        return f"[{rest[:digits]}]{rest[digits:]}"
    if rest.startswith(("[", "@")):
        return rest
    raise PathError(f"Behind {INSIDE} stands the number of a value, for example {INSIDE}0, not “{rest[:20]}”.")
