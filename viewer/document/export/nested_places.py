"""Found places inside values: hits of a search in what byte arrays and texts hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.base.record import replace
from viewer.document.document import Document
from viewer.document.export.findings_export import FoundPlace, found_places
from viewer.document.nested.nested_document import inner_form, nested_documents
from viewer.document.searching.query import Query


def found_inside(document: Document, query: Query, left_out: Callable[[str], None]) -> Iterator[FoundPlace]:
    """All hits inside the values of a document; offsets are those of the bytes inside.

    Args:
        document, query, left_out: as for :func:`~viewer.document.export.findings_export.found_places`.

    Raises:
        SearchError: the search takes too long.
    """
    for nested in nested_documents(document, left_out):
        for place in found_places(nested.document, query, left_out):
            yield replace(place, path=None if place.path is None else nested.path + inner_form(place.path))
