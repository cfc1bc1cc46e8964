"""Tally: what a capture held beside UDP and TCP, and what was wrong with it."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from viewer.base.record import dataclass, field

MOST_DETAILS = 64
NO_DETAIL = -1


class FrameSkip(Enum):
    """Why a frame gave nothing: what is said of it, and what is said where a number is known."""

    LINK_TYPE = ("came over a kind of link that is not read", "came over link type {detail}, which is not read")
    NOT_IP = ("carried no IP (ARP, for example)", "")
    OTHER_PROTOCOL = ("carried neither UDP nor TCP", "carried IP protocol {detail}, neither UDP nor TCP")
    CUT_HEADER = ("ended within the headers", "")
    DAMAGED = ("had headers that contradict themselves", "")
    FRAGMENT = ("was a fragment of a datagram whose beginning was never seen", "")
    OVERLAP = ("was a fragment that contradicts others of its datagram", "")
    NO_INTERFACE = ("named an interface that the capture does not describe", "")

    def __init__(self, words: str, detailed: str) -> None:
        self.words = words
        self.detailed = detailed


@dataclass(slots=True)
class CaptureTally:
    """Counts, kept while a capture is read.

    Args:
        frames: frames read.
        captured: UDP datagrams and TCP segments given back.
        cut: frames of which the capture kept less than was sent.
        incomplete: datagrams given back although fragments of them are missing.
        skipped: frames that gave nothing, by reason and number (a link type or a protocol, -1 for none).
        finding: one sentence about the file itself where something is wrong with it, else empty.
    """

    frames: int = 0
    captured: int = 0
    cut: int = 0
    incomplete: int = 0
    skipped: Counter[tuple[FrameSkip, int]] = field(default_factory=Counter)
    finding: str = ""

    def skip(self, why: FrameSkip, detail: int = NO_DETAIL, frames: int = 1) -> None:
        """Count frames that gave nothing."""
        key = (why, detail)
        if len(self.skipped) >= MOST_DETAILS and key not in self.skipped:
            key = (why, NO_DETAIL)
        self.skipped[key] += frames

    def find(self, sentence: str) -> None:
        """Keep the first thing that is wrong with the file."""
        self.finding = self.finding or sentence

    def of(self, why: FrameSkip) -> int:
        """Frames skipped for a reason, whatever their numbers."""
        return sum(count for (reason, _), count in self.skipped.items() if reason is why)

    @property
    def damaged(self) -> int:
        """Frames whose headers or fragments contradict themselves."""
        return self.of(FrameSkip.DAMAGED) + self.of(FrameSkip.OVERLAP)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that a person should know, one sentence each; the most frequent first."""
        said = [_skipped(why, detail, count) for (why, detail), count in self.skipped.most_common()]
        if self.cut:
            said.append(f"{_frames(self.cut)} kept less than was sent.")
        if self.incomplete:
            said.append(f"Datagrams with fragments missing: {self.incomplete}.")
        return (self.finding, *said) if self.finding else tuple(said)


def _skipped(why: FrameSkip, detail: int, count: int) -> str:
    words = why.words if detail == NO_DETAIL else why.detailed.format(detail=detail)
    return f"{_frames(count)} {words if count == 1 else words.replace('was a fragment', 'were fragments')}."


def _frames(count: int) -> str:
    return f"{count} frame" if count == 1 else f"{count} frames"
