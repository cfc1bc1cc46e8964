"""All that is inside the values of a document, however deep: what a search on wish looks through."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.container.unpacking import size_in_words
from viewer.document.document import Document
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.inside_hint import holds_file
from viewer.document.nested.nested_document import MOST_INSIDE, NestedDocument, NestedError, open_nested
from viewer.document.nested.value_content import holds_bytes
from viewer.document.outline import gap_item
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.items import Item


def candidates(document: Document) -> Iterator[Item]:
    """All that could hold values: files in a package, then byte arrays and texts in byte order."""
    for number in range(len(document.fields) if document.structure is not None else 0):
        if holds_file(document, gap_item(number)):
            yield gap_item(number)
    for index, frame in enumerate(document.frames):
        table = frame.table
        for node in range(len(table)):
            row = table.row(node)
            if row is None:
                continue
            if row.kind is Kind.STRING or holds_bytes(row):
                yield Item(index, node)
            elif row.kind is Kind.PACKED_STRINGS:
                for part in items.parts(table, node):
                    if part.name.startswith("[") and part.name.endswith("]"):
                        yield Item(index, node, part.name)


def nested_documents(document: Document, left_out: Callable[[str], None]) -> Iterator[NestedDocument]:
    """What is inside the values of a document and, one level after another, inside these.

    Args:
        document: the outermost one.
        left_out: told in a sentence where more would be unpacked than is allowed; then it ends.
    """
    spent = 0
    stack: list[tuple[Document, NestedDocument | None, Iterator[Item]]] = [(document, None, candidates(document))]
    while stack:
        outer, above, rest = stack[-1]
        item = next(rest, None)
        if item is None:
            stack.pop()
            continue
        if not inside_of(outer, item):
            continue
        try:
            found = open_nested(outer, item, above)
        except NestedError as error:
            left_out(str(error))
            continue
        spent += found.spent - (above.spent if above is not None else 0)
        if spent > MOST_INSIDE:
            left_out(f"More than {size_in_words(MOST_INSIDE)} would be unpacked; the rest is left out.")
            return
        yield found
        stack.append((found.document, found, candidates(found.document)))
