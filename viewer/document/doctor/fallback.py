"""Where nothing makes the bytes whole: what they are instead, or what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import count_bytes
from viewer.document.detect import looks_like_values
from viewer.document.doctor.cause import Cause
from viewer.document.doctor.cut_off import cut_off
from viewer.document.doctor.foreign import codec_of, named
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.document.wraps import Opening

SHORTEST, MOST_LEFT, MOST_LOOKED = 4, 3, 4096
OTHER_COPY = "Copy all of it again where it came from; what is missing in it cannot be known."
GET_MORE = "Take the whole buffer, with its length, instead of a text: a text ends at its first zero."


def wrapped(document: Document, data: bytes) -> Iterator[Repair]:
    """A wrap that was not taken off, or something that is no stored value at all."""
    found = codec_of(data, document.wraps.secret)
    if found is not None and document.wraps.blocked is None:
        name, inside = found
        if looks_like_values(inside) or codec_of(inside, document.wraps.secret) is not None:
            reason = f"It is {name}; inside there are {count_bytes(len(inside))} that make sense."
            choice = Choice(opening=Opening((*document.wraps.names, name)[-1:], document.wraps.secret))
            yield Repair(Cause.WRAPPED, Cause.WRAPPED.sentence, reason, 0.95, choice=choice)
            return
    lacking = ((wrap, damage) for wrap, damage in document.wraps.damages if damage.inside is not None)
    for wrap, damage in lacking:
        name, sentence = f"{wrap.codec.name}-damaged", Cause.WRAP_DAMAGED.sentence
        yield Repair(Cause.WRAP_DAMAGED, sentence, damage.sentence, 0.95, note=OTHER_COPY, slug=name)
        return
    other = named(data)
    if other is not None:
        reason = f"This {'is' if other.is_sure else 'seems to be'} {other.name}: {other.fact}."
        is_text = bytes(data[:MOST_LOOKED]).isascii()
        likely = 0.5 if is_text or not other.is_sure else 0.95  # a text may be one of the many forms of bytes in logs
        yield Repair(Cause.NO_VARIANT, Cause.NO_VARIANT.sentence, reason, likely, note=other.advice)
    elif document.wraps.blocked is not None:
        reason = str(document.wraps.blocked)
        if document.wraps.needs_key:
            note = "Give the password or key that the game uses."
            yield Repair(Cause.WRAPPED, Cause.WRAPPED.sentence, reason, 0.9, note=note)


def fallbacks(document: Document, data: bytes) -> Iterator[Repair]:
    """What can be said where nothing makes the bytes whole."""
    if len(data) <= MOST_LEFT and 0 not in data and data.strip():
        reason = (
            f"Only {count_bytes(len(data))} came, without a zero; a header or a length takes 4 bytes, zeros among them."
        )
        likely = 0.7 if document.dialect.row(data[0]) is not None else 0.5
        yield Repair(Cause.CUT_AT_NUL, Cause.CUT_AT_NUL.sentence, reason, likely, note=GET_MORE)
    elif len(data) >= SHORTEST:
        yield from cut_off(document, data)
