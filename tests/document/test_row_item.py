"""Which row of the tree stands for what is in a broken value."""

from __future__ import annotations

from viewer.document import outline
from viewer.document.document import Document


def test_a_piece_of_an_element_that_is_not_whole_stands_in_the_row_of_its_array() -> None:
    document = Document(b'"\0\0\0\x02\0\0\0\xff\0\0\0abc')
    for at in range(len(document.buffer)):
        item = outline.item_at(document, at)
        assert item is not None
        assert outline.exists(document, outline.row_item(document, item))
