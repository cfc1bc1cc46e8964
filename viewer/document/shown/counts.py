"""Counts as a person reads them."""

from __future__ import annotations


def counted(number: int, unit: str) -> str:
    """A number with its unit: ``1 pair``, ``1 500 pairs``."""
    return f"{grouped(number)} {unit}" if number == 1 else f"{grouped(number)} {unit}s"


def grouped(number: int) -> str:
    """A number with its digits in groups of three, kept together by a narrow space; up to 9999 as it is."""
    return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", "\u202f")
