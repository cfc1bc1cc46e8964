"""The facts about the format, read from a resource, by the subjects that they are about."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from viewer.base import assets
from viewer.document.engines.lines import Evidence
from viewer.document.explain.page import Note
from viewer.document.shown.counts import grouped_in


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known.

    Args:
        about: its subjects.
        text: what is known.
        engines: the beginnings of the dialects' keys that it holds for; none for all.
        evidence, basis: where it is from.
    """

    about: frozenset[str]
    text: str
    engines: tuple[str, ...]
    evidence: Evidence
    basis: str

    def holds_for(self, dialect: str) -> bool:
        """Whether it is true of a dialect, given by its key."""
        return not self.engines or dialect.startswith(self.engines)

    @property
    def source(self) -> str:
        """Where it is from, in words."""
        if self.evidence is Evidence.RUN:
            return f"found by running {self.basis}"
        return f"from source: {self.basis}"


@cache
def facts() -> tuple[Fact, ...]:
    """All facts, in the order of the resource."""
    entries = tomllib.loads(assets.text("facts.toml"))["facts"]
    return tuple(
        Fact(
            frozenset(entry["about"]),
            entry["text"],
            tuple(entry.get("engines", ())),
            Evidence(entry["evidence"]),
            entry["basis"],
        )
        for entry in entries
    )


def notes(subjects: Iterable[str], dialect: str) -> tuple[Note, ...]:
    """What is known about any of these subjects in a dialect, given by its key."""
    wanted = frozenset(subjects)
    return tuple(
        Note(grouped_in(fact.text), fact.source) for fact in facts() if fact.about & wanted and fact.holds_for(dialect)
    )
