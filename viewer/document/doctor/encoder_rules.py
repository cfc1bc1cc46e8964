"""Encoder rules: all that encoders that people write are known to do otherwise than the engines.

A rule is a line of a table, of this module's two or of one made for the types of an engine line: what it is called,
what the encoder writes and an engine reads, and how the wire format differs. Nothing else in the doctor knows one rule
from another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from viewer.base.record import replace
from viewer.document.doctor.candidate import Patches
from viewer.document.doctor.encoder_rule import FOUR, HEADER, Changes, EncoderRule
from viewer.document.doctor.structure_rules import STRUCTURE_RULES
from viewer.document.doctor.value_rules import VALUE_RULES
from viewer.variant.dialect import Dialect, Kind, available

WORD = 4
VARIANTS = 3.0
"""Bits that say which of several types or numbers a rule is about."""
RULES = (*VALUE_RULES, *STRUCTURE_RULES)
"""What is looked for in any value; :func:`type_rules` and :func:`number_rules` name types of an engine line too."""

IDENTITIES = ("Dictionary", "Array", "String", "int", "float", "real", "bool", "Vector2", "Vector3", "Color", "Nil")
"""The types for which the number of another is written by mistake."""
COMPONENTS = ("x", "y", "z", "w", "position", "size", "r", "g", "b", "a")


@cache
def type_rules(dialect: Dialect) -> tuple[EncoderRule, ...]:
    """The rules that name a type of an engine line: components that are left out, added or of another width."""
    return tuple(_type_rules(dialect))


def _type_rules(dialect: Dialect) -> Iterator[EncoderRule]:
    for row in dialect.rows:
        if row.kind is not Kind.FIXED or len(row.narrow) < 2 or len(row.narrow) > 4:
            continue
        one, count, name = row.narrow[0].type, len(row.narrow), row.name
        last = row.narrow[-1].name
        a = "an" if name[0] in "AEIOU" else "a"
        if one == "f32":
            yield _laid(
                name,
                f"{name.lower()}-as-doubles",
                f"writes the components of {a} {name} as doubles",
                "reads floats of four bytes",
                ("f64",) * count,
            )
            yield _laid(
                name,
                f"{name.lower()}-as-ints",
                f"writes the components of {a} {name} as integers",
                "reads floats of four bytes",
                ("i32",) * count,
                9.0,
            )
        if name == "Color":
            yield _laid(
                name, "color-without-alpha", "writes a Color without its alpha", "reads four floats", (one,) * 3, 6.5
            )
            yield _laid(name, "color-as-bytes", "writes a Color as four bytes", "reads four floats", ("u8",) * 4)
            yield _laid(
                name, "color-as-three-bytes", "writes a Color as three bytes", "reads four floats", ("u8",) * 3, 9.0
            )
        elif name.startswith("Vector"):
            yield _laid(
                name,
                f"{name.lower()}-with-one-more",
                f"writes {a} {name} with a component too many",
                f"reads {count}",
                (one,) * (count + 1),
                9.0,
            )
            if count > 2:
                yield _laid(
                    name,
                    f"{name.lower()}-without-{last}",
                    f"writes {a} {name} without its {last}",
                    f"reads {count} components",
                    (one,) * (count - 1),
                    9.0,
                )
        if one == "i32":
            yield _laid(
                name,
                f"{name.lower()}-as-floats",
                f"writes the components of {a} {name} as floats",
                "reads integers",
                ("f32",) * count,
                9.0,
            )
            yield _laid(
                name,
                f"{name.lower()}-as-int64",
                f"writes the components of {a} {name} as eight bytes each",
                FOUR,
                ("i64",) * count,
                9.0,
            )


def _laid(name: str, slug: str, writes: str, reads: str, layout: tuple[str, ...], bits: float = 7.5) -> EncoderRule:
    return EncoderRule(slug, writes, reads, name, (("layouts", ((name, layout),)),), bits + VARIANTS)


def number_rules(dialect: Dialect, stuck: tuple[int, ...]) -> Iterator[EncoderRule]:
    """The rules about type numbers.

    Args:
        dialect: the engine line.
        stuck: type numbers at which reading stops.
    """
    yield from _shift_rules(dialect)
    for number in filter(None, stuck):
        yield from _identity_rules(dialect, number)


@cache
def _shift_rules(dialect: Dialect) -> tuple[EncoderRule, ...]:
    """That type numbers from one on are higher or lower than they are."""
    found: list[EncoderRule] = []
    names = {row.number: row.name for row in dialect.rows}
    for first in range(1, len(dialect.rows)):
        for by in (1, -1):
            if by < 0 and first == 1:
                continue
            changes: Changes = (("shift", (first, by)),)
            writes, reads = _shifted(names[first], first, by)
            found.append(EncoderRule("ids-shifted-by-one", writes, reads, HEADER, changes, 6.0 + VARIANTS))
    return tuple(found)


def _shifted(name: str, first: int, by: int) -> tuple[str, str]:
    """What an encoder writes whose type numbers are off from one on at the latest, and what an engine reads."""
    which, what = ("high", "one name too many stands") if by > 0 else ("low", "a name is missing")
    latest = " at the latest" if first > 1 else ""
    where = f": {what} before it in its list of types" if first > 1 else ""
    return f"writes type numbers one too {which}, from {name} on{latest}{where}", f"reads {first} as {name}"


def shifted_from(rule: EncoderRule, data: bytes, patches: Patches, dialect: Dialect) -> EncoderRule:
    """The same rule; if it is that type numbers are off, it tells the lowest type of which that shows."""
    first, by = dict(rule.changes).get("shift", (0, 0))
    words = (each for each in patches if each.size == len(each.new) == WORD)
    shown = (each.new[0] for each in words if each.new[0] + by in (data[each.at], data[each.at + WORD - 1]))
    lowest = min((number for number in shown if number >= max(1, first)), default=0)
    row = dialect.row(lowest) if by and lowest else None
    if row is None:
        return rule
    writes, reads = _shifted(row.name, lowest, by)
    return replace(rule, writes=writes, reads=reads)


def _as_others(number: int, name: str) -> str:
    """Which engine line has this number for a type of this name."""
    rows = ((line, line.by_name.get(name)) for line in available())
    like = min((line.name for line, row in rows if row is not None and row.number == number), key=len, default="")
    return f", as {like} does" if like else ""


@lru_cache(1 << 8)
def _identity_rules(dialect: Dialect, number: int) -> tuple[EncoderRule, ...]:
    """That a type number stands for another type."""
    found: list[EncoderRule] = []
    other = next((row.name for row in dialect.rows if row.number == number), None)
    called = f"{number}, the type number of {other}," if other is not None else f"{number}"
    bits = (18.0 if other is not None else 6.0) + VARIANTS
    for name in IDENTITIES:
        row = dialect.by_name.get(name)
        if row is None or row.number == number:
            continue
        slug = f"{other.lower()}-id-for-{name.lower()}" if other is not None else f"unknown-id-for-{name.lower()}"
        changes: Changes = (("ids", ((number, row.number),)),)
        writes, reads = f"writes {called} for {name}{_as_others(number, name)}", f"reads {row.number} as {name}"
        found.append(EncoderRule(slug, writes, reads, HEADER, changes, bits))
    return tuple(found)
