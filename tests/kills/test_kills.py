"""A few kills of the window at random moments; ``kills.recovery`` does as many as are wanted."""

from __future__ import annotations

import os

import pytest
from kills.recovery import many

KILLS = int(os.environ.get("KILLS", "6"))
SEED = int(os.environ.get("KILL_SEED", "1"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the length of files that fills a disk")
def test_all_that_was_shown_can_be_had_again_and_nothing_else_is_offered() -> None:
    counts = many(KILLS, SEED)
    assert counts["kills"] >= KILLS
    assert counts["done"] > KILLS
    assert counts["FITS"] > 0
