"""Chance: whether values that were found among many other bytes are there because any bytes hold some.

Among some hundred words there is one that is the length of what follows it, and a null behind it. A game that stores
values stores more than these, and what it stores is lost where the words stand in another order; chance is not.
"""

from __future__ import annotations

from random import Random

from viewer.container.frames import MIN_VALUE
from viewer.document.detection.attempt import BUDGET, JUDGED, SAMPLE, DetectionAttempt, attempt
from viewer.document.detection.plausible import plausibility
from viewer.document.pieces.framing import Frame, ScratchColumns
from viewer.variant.evidence import has_words

FEW_OF_ALL, SURELY_TOLD, LOOKS_LIKELY = 0.2, 256, 0.4
"""Values may be there by chance that claim a smaller share of the bytes, and of which those that are more plausible
than that take fewer bytes together."""
NODES = 16
"""How many nodes of each value are judged."""
ODD_BITS, LONG_RUN = 0xFFF0_FF00, 4
"""Bits that no header has; so many nulls one behind another, or half as many other values, are hardly chance."""
ORDERS, BY_CHANCE = 4, 4
"""The bytes are read in so many other orders of their words; what is there by chance claims less than so many times
what is found then."""


def is_by_chance(trial: DetectionAttempt) -> bool:
    """Whether values behind lengths, among many other bytes, are hardly more than any bytes hold."""
    if not trial.frames:
        return False
    if trial.frames[0].span.start == 0 and not trial.is_clean:
        return False  # a true length with a value behind it that breaks is damage
    told, are_many = _told(trial), trial.explained >= FEW_OF_ALL
    if (told and are_many) or told >= SURELY_TOLD or _tells_words(trial):
        return False
    says_something = told or (are_many and not _are_nulls(trial)) or _longest_run(trial) >= LONG_RUN
    return not says_something or _is_found_in_any_order(trial)


def _told(trial: DetectionAttempt) -> int:
    """How many bytes of values look likely and are no nulls."""
    sizes = ((frame.table.end_of_data, frame.table) for frame in trial.frames)
    return sum(size for size, table in sizes if size > MIN_VALUE and plausibility(table, NODES) > LOOKS_LIKELY)


def _tells_words(trial: DetectionAttempt) -> bool:
    """Whether a value holds texts that somebody wrote."""
    return any(frame.sound and has_words(frame.table) for frame in trial.frames[:JUDGED])


def _are_nulls(trial: DetectionAttempt) -> bool:
    """Whether all that was found are nulls, or headers with bits that mean nothing."""
    return all(frame.table.end_of_data <= MIN_VALUE or _header(frame) & ODD_BITS for frame in trial.frames)


def _longest_run(trial: DetectionAttempt) -> int:
    """How many nulls stand one behind another; any other value counts as two."""
    longest = run = 0
    end = -1
    for frame in trial.frames:
        header, is_null = _header(frame), frame.table.end_of_data <= MIN_VALUE
        counts = int(not header) if is_null else 2 * int(not header & ODD_BITS)
        run = run + counts if counts and frame.span.start == end else counts
        longest, end = max(longest, run), frame.span.end
    return longest


def _header(frame: Frame) -> int:
    return frame.table.header(0) if len(frame.table) else 0


def _is_found_in_any_order(trial: DetectionAttempt) -> bool:
    """Whether about as much is found where the words of the bytes stand in another order."""
    raw = bytes(trial.sample[:SAMPLE])
    words = [raw[at : at + MIN_VALUE] for at in range(0, len(raw), MIN_VALUE)]
    found, dice = 0, Random(len(raw))  # the same bytes are always read in the same way
    for _ in range(ORDERS):
        dice.shuffle(words)
        mixed = b"".join(words)
        found += _framed(attempt(mixed, len(mixed), trial.dialect, trial.framing, BUDGET, ScratchColumns()))
    return _framed(trial) * ORDERS < BY_CHANCE * found


def _framed(trial: DetectionAttempt) -> int:
    """How many bytes belong to frames in which nothing is wrong."""
    return sum(len(frame.span) for frame in trial.frames if frame.sound and trial.is_told(frame))
