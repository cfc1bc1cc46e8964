"""More of what a random session does: many values at once, types of collections, and raw bytes with their mending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.base.span import Span
from viewer.document.bulk import plan
from viewer.document.edits.length_fixups import UnfixedEdits, mend
from viewer.document.edits.raw_bytes import fill, insert_bytes, remove_bytes
from viewer.document.edits.retype import ContentPart, fitting_types, held_of, set_element_type
from viewer.document.edits.slots import EditError
from viewer.document.searching.query import QueryError, parse_query
from viewer.document.searching.replace import plan_replace
from viewer.document.searching.search import find_all

if TYPE_CHECKING:
    from document.sessions import Session

EVERYTHING = 1 << 30
EXPRESSIONS = ("..hp -> value + 1", '..[type == "int"] -> value * 2', '..name -> "Zoë"', "..* == 5 -> 6", "..[0] -> 7")
REPLACEMENTS = (("text: a", "aa"), ("text: e", ""), ("number: 7", "8"), ("key: hp", "health"), ("hex: 05 00", "06 00"))


def bulk(session: Session) -> None:
    found = plan(session.document, session.dice.choice(EXPRESSIONS))
    if found.edit is None:
        raise EditError("Nothing changes.")
    session.apply(found.edit)


def replace(session: Session) -> None:
    wanted, by = session.dice.choice(REPLACEMENTS)
    query = parse_query(wanted)
    try:
        spans = [hit.span for hit in find_all(session.document, query, EVERYTHING)]
        found = plan_replace(session.document, spans, query, by)
    except QueryError as error:
        raise EditError(str(error)) from error
    if found.edit is None:
        raise EditError("Nothing changes.")
    if wanted.startswith("hex"):
        raw(session, lambda: session.apply(found.edit))  # type: ignore[arg-type]  # it is there
    else:
        session.apply(found.edit)


def element_type(session: Session) -> None:
    item = session.item()
    which = held_of(session.document, item)
    if not which:
        raise EditError("This holds nothing of one type.")
    held: ContentPart = session.dice.choice(which)
    types = [None, *fitting_types(session.document, item, held)]
    session.apply(set_element_type(session.document, item, held, session.dice.choice(types)))


def raw_bytes(session: Session) -> None:
    """Bytes put in, taken out or filled, without any fix-up; taken back, because they may have broken everything."""
    document, dice = session.document, session.dice
    at = dice.randint(0, len(document.buffer))
    span = Span(at, min(len(document.buffer), at + dice.randint(1, 8)))
    makes = (
        lambda: insert_bytes(document, at, dice.randbytes(3)),
        lambda: remove_bytes(document, span),
        lambda: fill(document, span, b"\x01"),
    )
    edit = dice.choice(makes)()
    raw(session, lambda: session.apply(edit))


def mended(session: Session) -> None:
    """Bytes put into a text or an array, and what they made untrue put right: nothing is broken then."""
    document, dice = session.document, session.dice
    edit = insert_bytes(document, dice.randint(0, len(document.buffer)), b"abcd")
    wound = UnfixedEdits().before(document, edit.splices[0])
    if not session.is_sound or not wound.runs:
        raise EditError("No length is made untrue here.")
    session.apply(edit)
    right = mend(document, wound.after(edit.splices))
    if right is None:
        document.undo()
        return
    session.apply(right)
    while not session.is_sound and document.undo() is not None:
        pass


def raw(session: Session, do: object) -> None:
    """Do something to raw bytes, look, and take it back."""
    assert callable(do)
    revision = session.document.revision
    do()
    session.check()
    if session.document.revision != revision:
        session.document.undo()
