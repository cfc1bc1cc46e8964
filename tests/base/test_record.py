"""Records are what the standard library makes of the same class."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from viewer.base import record as records

MAKERS = [pytest.param(module, id=module.__name__) for module in (dataclasses, records)]
Maker = Callable[..., Any]


def classes(module: Any) -> dict[str, Any]:
    """The same classes, made by the standard library or by us."""

    @module.dataclass(frozen=True, slots=True, order=True)
    class Place:
        """Two numbers."""

        row: int
        column: int = 7

        def __str__(self) -> str:
            return f"{self.row}:{self.column}"

    @module.dataclass(slots=True)
    class Room:
        """One of each kind of field."""

        name: str
        things: list[str] = module.field(default_factory=list)
        secret: str = module.field(default="none", repr=False)
        seen: bool = module.field(default=False, compare=False)

    @module.dataclass(frozen=True)
    class Loose:
        """Without slots, so that an instance takes other attributes."""

        key: str
        words: dict[str, str] = module.field(hash=False)
        size: int = 3

    @module.dataclass(frozen=True, slots=True, eq=False)
    class Single:
        """The same only as itself."""

        value: float

    @module.dataclass(frozen=True, slots=True)
    class Nothing:
        """Without fields."""

    return {made.__name__: made for made in (Place, Room, Loose, Single, Nothing)}


TOLD = {
    "repr": lambda own: [repr(own["Place"](1)), repr(own["Room"]("hall", seen=True)), repr(own["Nothing"]())],
    "words of its own": lambda own: str(own["Place"](2, 3)),
    "defaults": lambda own: [own["Place"](row=4).column, own["Loose"].size, own["Room"]("hall").things],
    "each has things of its own": lambda own: own["Room"]("a").things is own["Room"]("b").things,
    "equal": lambda own: [own["Place"](1) == own["Place"](1, 7), own["Place"](1) == own["Place"](2)],
    "equal but for what is not compared": lambda own: own["Room"]("a", seen=True) == own["Room"]("a"),
    "equal to another kind": lambda own: [own["Place"](1) == (1, 7), own["Nothing"]() == own["Nothing"]()],
    "equal by identity": lambda own: own["Single"](1.0) == own["Single"](1.0),
    "not a number": lambda own: [own["Place"](nan, 1) == own["Place"](nan, 1) for nan in [float("nan")]],
    "hash": lambda own: [hash(own["Place"](1)), hash(own["Loose"]("a", {})), hash(own["Nothing"]())],
    "no hash": lambda own: own["Room"].__hash__,
    "order": lambda own: [str(each) for each in sorted([own["Place"](2), own["Place"](1, 9), own["Place"](1)])],
    "less and more": lambda own: [own["Place"](1) < own["Place"](2), own["Place"](1) >= own["Place"](2)],
    "fields": lambda own: [each.name for each in records.fields(own["Room"])],
    "match": lambda own: [own["Place"].__match_args__, own["Nothing"].__match_args__],
    "slots": lambda own: [own["Place"].__slots__, hasattr(own["Loose"]("a", {}), "__dict__")],
    "doc": lambda own: [made.__doc__ for made in own.values()],
    "name": lambda own: [own["Place"].__qualname__, own["Place"].__init__.__name__],
    "copy": lambda own: repr(copy.deepcopy(own["Room"]("hall", ["key"]))),
}


@pytest.mark.parametrize("what", TOLD)
def test_a_record_says_what_a_dataclass_says(what: str) -> None:
    ours, theirs = (TOLD[what](classes(module)) for module in (records, dataclasses))
    assert ours == theirs


@pytest.mark.parametrize("module", MAKERS)
def test_a_frozen_one_refuses_to_be_written(module: ModuleType) -> None:
    own = classes(module)
    for made in (own["Place"](1), own["Loose"]("a", {})):
        name = made.__match_args__[0]
        with pytest.raises(AttributeError, match=name):
            setattr(made, name, 5)
        with pytest.raises(AttributeError, match=name):
            delattr(made, name)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda own: own["Place"](),
        lambda own: own["Place"](1, 2, 3),
        lambda own: own["Place"](1, row=1),
        lambda own: own["Place"](1, depth=1),
        lambda own: own["Place"](1) < 3,
        lambda own: hash(own["Room"]("hall")),
    ],
)
@pytest.mark.parametrize("module", MAKERS)
def test_what_does_not_fit_is_a_type_error(module: ModuleType, wrong: Maker) -> None:
    with pytest.raises(TypeError):
        wrong(classes(module))


def test_a_copy_with_another_field() -> None:
    place = classes(records)["Place"](1, 2)
    assert str(records.replace(place, column=5)) == "1:5"
    with pytest.raises(TypeError):
        records.replace(place, depth=5)


def test_a_frozen_one_is_copied_and_stored_whole() -> None:
    from viewer.base.span import Span

    assert pickle.loads(pickle.dumps(Span(1, 2))) == copy.copy(Span(1, 2)) == Span(1, 2)


def test_classes_of_as_many_fields_do_not_take_each_others_names() -> None:
    @records.dataclass(frozen=True, slots=True)
    class First:
        one: int
        other: int

    @records.dataclass(frozen=True, slots=True)
    class Second:
        left: int
        right: int

    assert (First(one=1, other=2).other, Second(left=3, right=4).left) == (2, 3)
    assert (First(1, 2) == First(1, 3), Second(1, 2) == Second(1, 2)) == (False, True)


def test_records_need_none_of_the_library_that_they_stand_for() -> None:
    probe = "import sys, viewer.base.span; sys.exit('dataclasses' in sys.modules or 'inspect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
