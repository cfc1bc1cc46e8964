"""Places in a dump: what stands there, checked, or one sentence that says where something else stands."""

from __future__ import annotations

from typing import TypeAlias

Node: TypeAlias = "dict[str, object]"
Place: TypeAlias = "tuple[Place, str] | None"
"""Where in the JSON: the place above and one more step; spelt only for an error."""


class UndumpError(ValueError):
    """JSON that gives no bytes: one sentence that says where."""


def list_in(node: Node, key: str, place: Place) -> list[object]:
    """A list in an object of the dump, empty where it is not there.

    Raises:
        UndumpError: something else stands there.
    """
    found = node.get(key, [])
    if not isinstance(found, list):
        raise error_at((place, f".{key}"), "A list belongs here.")
    return found


def span_in(node: Node, place: Place) -> tuple[int, int] | None:
    """The first byte of an object and the one behind its last, None where it says none.

    Raises:
        UndumpError: something else stands there.
    """
    span = node.get("span")
    if span is None:
        return None
    if isinstance(span, list) and len(span) == 2 and all(type(offset) is int for offset in span):
        return span[0], span[1]
    raise error_at((place, ".span"), "A span is two offsets, [start, end].")


def from_hex(digits: object, place: Place) -> bytes:
    """The bytes that hexadecimal digits stand for.

    Raises:
        UndumpError: something else stands there.
    """
    try:
        if isinstance(digits, str):
            return bytes.fromhex(digits)
    except ValueError:
        pass
    raise error_at(place, "Bytes in hexadecimal digits belong here.")


def error_at(place: Place, reason: str) -> UndumpError:
    """The error with its place, spelt as a path; the middle of a very long one is left out."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step)
    path = "$" + "".join(reversed(steps))
    return UndumpError(f"At {path if len(path) < 400 else f'{path[:200]}…{path[-100:]}'}: {reason}")
