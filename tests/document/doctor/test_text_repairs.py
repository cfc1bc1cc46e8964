"""How much is tried to mend a text: no more for one long line, and nothing when nobody waits for it."""

from __future__ import annotations

import pytest

from viewer.container.layer import Damage
from viewer.document.doctor import diagnose, examine
from viewer.document.document import Document
from viewer.text.json_codec import JSON
from viewer.text.mending import mends

LINE = ("{" + ",".join(f'"k{i}": [{i}, "v{i}", {{"z": {i}.5}}]' for i in range(3000)) + "}").encode()
BROKEN = LINE.replace(b'"v100", ', b'"v100 ').replace(b"[200, ", b"[200 ").replace(b'"k700":', b'"k700"')
MOST_TRIED = 1000


def test_a_long_line_takes_no_more_guesses_than_a_short_one() -> None:
    tried = []

    def read(text: bytes) -> tuple[list[Damage], int]:
        tried.append(len(text))
        found = JSON.unwrap(text)
        return list(found.damages), len(found.inside)

    mends(BROKEN, JSON.unwrap(BROKEN).damages, read, True)
    assert len(tried) < MOST_TRIED


def test_one_mistake_in_a_long_line_is_mended() -> None:
    best = diagnose(Document(LINE.replace(b'"v1500", ', b'"v1500" ')))[0]
    assert (best.name, best.reason) == ("text-comma", "In line 1, column 55585: nothing is wrong then.")


def test_the_search_ends_when_nobody_wants_more() -> None:
    answer = examine(Document(BROKEN), progress=lambda _: False)
    assert not answer.repairs
    assert answer.cut


def test_what_was_not_seen_to_the_end_is_not_offered() -> None:
    assert not examine(Document(BROKEN), work=1).repairs


@pytest.mark.parametrize(
    "text",
    [
        "[global]\nindex-url = https://here/simple\n",
        "[Time]\n#NTP=\n#FallbackNTP=one two\n",
        "[event:first]\ncommand = record\nargs    = -C 0 kill >/dev/null\nret     = 1\n# none\ncpu=0\n",
        '[project]\nname = "some"\nrequires-python = ">=3.9"\nauthors = [\n  { name="One", email="one@two" },\n]\n',
        "[[point]]\nat = [\n    1,\n    2,\n]\n[[point]]\nname = 'x'\n",
    ],
)
def test_settings_that_other_programs_read_are_no_config_file_with_mistakes(text: str) -> None:
    assert [repair for repair in diagnose(Document(text.encode())) if repair.edit is not None] == []


def test_a_config_file_with_a_mistake_is_mended_though_it_has_a_key_with_a_dash() -> None:
    text = b'[player]\nhit-points=3\nat=Vector2( 1, 2\nname="Bob"\n'
    assert any(repair.edit is not None for repair in diagnose(Document(text)))
