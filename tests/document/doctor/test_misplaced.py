"""Sound parts that stand where they do not belong: found, and put where they belong or taken out."""

from __future__ import annotations

import pytest
from document.doctor.test_stretches import SAVE, frame, mended, number, pairs, save, text

from viewer.document.doctor import diagnose
from viewer.document.document import Document

OTHER = pairs(
    ("audio", pairs(("master", number(80)), ("music", number(60)))),
    ("keys", pairs(("jump", text("Space")), ("left", text("A")))),
    ("language", text("de")),
)


# A value inside another


@pytest.mark.parametrize("at", [46, 131, 254, 256, 401])
def test_a_value_inside_another_is_taken_out(at: int) -> None:
    data = SAVE[:at] + OTHER + SAVE[at:]
    assert mended(data, "packets-mixed") == SAVE
    assert "kept nowhere else" in diagnose(Document(data))[0].note


@pytest.mark.parametrize("at", [64, 255, 300])
def test_a_packet_inside_another_is_put_behind_it(at: int) -> None:
    outer, inner = frame(save("Kim", 9)), frame(OTHER)
    data = outer[:at] + inner + outer[at:]
    assert mended(data, "packets-mixed") == outer + inner
