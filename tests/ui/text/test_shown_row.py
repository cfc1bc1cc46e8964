"""What a row shows, and where its bytes stand in it."""

from hypothesis import given
from hypothesis import strategies as st

from viewer.ui.text.shown_row import ShownRow


def test_plain_text_is_shown_as_it_is() -> None:
    row = ShownRow(b'\t"gold": 12')
    assert row.text == '\t"gold": 12'
    assert [row.column(k) for k in range(12)] == list(range(12))


def test_nothing_unseen_is_hidden() -> None:
    assert ShownRow("a\u202eb\x1b\ufeff".encode()).text == "a\\u202eb\\u001b\\ufeff"
    assert ShownRow(b"a\xff\x80b\r").text == "a\\xff\\x80b\\r"


def test_columns_are_those_of_utf_16() -> None:
    row = ShownRow("ä😀b".encode())
    assert row.text == "ä😀b"
    assert [row.column(k) for k in (0, 2, 6, 7)] == [0, 1, 3, 4]
    assert [row.byte(k) for k in (0, 1, 3, 4)] == [0, 2, 6, 7]
    assert row.column(4) == 1  # within the character
    assert row.byte(2) == 2


@given(st.binary(max_size=40))
def test_each_sign_has_its_place_whatever_the_bytes(raw: bytes) -> None:
    row = ShownRow(raw)
    columns = [row.column(k) for k in range(len(raw) + 1)]
    assert columns == sorted(columns)
    assert columns[-1] == len(row.text.encode("utf-16-le")) // 2
    for k in range(len(raw) + 1):
        assert row.column(row.byte(columns[k])) == columns[k]
