"""Keys of settings and resources that stand there, and that the engines do not keep [run: 3.2.3 and 4.6]."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import Damage
from viewer.text.source_map import SourceMap

NO_KEY = "There is no key in front of this “=”: "
DROPPED = NO_KEY + "the engines drop the value."
REFUSED = NO_KEY + "the engines refuse the file."
BEGUN_AGAIN = (
    NO_KEY + "the engines begin this section again: a node is there twice, and a resource may lose what stands before."
)
NULL = "The engines drop a key whose value is null, and a value that it had before."
_NO_NAME = late_pattern(rb'""[\x01-\x20]*+=')
_NULL = late_pattern(rb"=[\x01-\x20]*+(null|nil)(?![\w(])")


def without_a_name(data: bytes, places: SourceMap) -> Iterator[tuple[int, Span]]:
    """Keys that are an empty text: the number and the place of each."""
    for found in _NO_NAME.finditer(data) if b'""' in data else ():
        number = _of_section(places, found.start())
        span = Span(found.start(), found.start() + 2)
        if number and places.span(number) == span and _is_followed(places, number, found.end()):
            yield number, span


def without_a_value(data: bytes, places: SourceMap) -> Iterator[Damage]:
    """Keys of settings whose value is null."""
    for found in _NULL.finditer(data) if b"null" in data or b"nil" in data else ():
        if _of_section(places, found.start(1)):
            yield Damage(Span(*found.span(1)), NULL)


def _of_section(places: SourceMap, at: int) -> int:
    """The number of the key or the value of a section that begins at a byte, else 0."""
    number = places.begun(at)
    is_there = number > 0 and places.start[number] == at
    return number if is_there and places.parent[number] and not places.parent[places.parent[number]] else 0


def _is_followed(places: SourceMap, number: int, at: int) -> bool:
    """Whether the next value begins at a byte or behind it."""
    return number + 1 < len(places) and places.start[number + 1] >= at
