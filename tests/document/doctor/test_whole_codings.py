"""Codings that all bytes went through, undone."""

from __future__ import annotations

import struct

import pytest
from document.doctor.restoring import case_of, restoring

from viewer.document.doctor import examine, preview
from viewer.document.doctor.causes import Cause
from viewer.document.document import Document


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("http-chunked", Cause.IN_PIECES),
        ("counter-before-pieces", Cause.IN_PIECES),
        ("slip-escaped", Cause.ESCAPED),
        ("hdlc-escaped", Cause.ESCAPED),
        ("cobs", Cause.ESCAPED),
        ("rotated", Cause.PARTS_SWAPPED),
        ("even-then-odd-bytes", Cause.OTHER_ORDER),
        ("control-pictures", Cause.ZEROS_REPLACED),
    ],
)
def test_a_coding_is_undone(kind: str, cause: Cause) -> None:
    repair = restoring(case_of(kind))
    assert repair is not None
    assert repair.cause is cause


@pytest.mark.parametrize("sign", [b" ", b".", b"-", b"_"])
def test_signs_within_texts_stay_where_zeros_became_such_signs(sign: bytes) -> None:
    texts = [b"meet me at the old mill", b"who", b"has the key", b"north side, then left", b"gg"]
    texts = [each.replace(b" ", sign) for each in texts]
    written = [struct.pack("<II", 4, len(each)) + each + bytes(-len(each) % 4) for each in texts]
    data = struct.pack("<II", 28, len(texts)) + b"".join(written)
    document = Document(data.replace(b"\0", sign))
    first = examine(document).repairs[0]
    assert first.cause is Cause.ZEROS_REPLACED
    assert bytes(preview(document, first).buffer[:]) == data


STROKES = {0: b"\\0", 0x22: b'\\"', 0x27: b"\\'", 0x5C: b"\\\\"}
OF_DATABASES = STROKES | {0x0A: b"\\n", 0x0D: b"\\r", 0x1A: b"\\Z"}


@pytest.mark.parametrize(("escapes", "whose"), [(STROKES, "addslashes"), (OF_DATABASES, "MySQL")])
@pytest.mark.parametrize("size", [0, 4])
def test_strokes_before_zeros_and_quotes_are_taken_away(escapes: dict[int, bytes], whose: str, size: int) -> None:
    texts = [b'it\'s "there"', b"C:\\0\\new", b"two\nlines", b"n\x1a\r"]
    written = [struct.pack("<II", 4, len(each)) + each + bytes(-len(each) % 4) for each in texts]
    data = struct.pack("<II", 28, len(texts) + 1) + b"".join(written) + struct.pack("<Ii", 2, -2)
    data = struct.pack("<I", len(data))[:size] + data
    document = Document(b"".join(escapes.get(byte, bytes([byte])) for byte in data))
    first = examine(document).repairs[0]
    assert first.cause is Cause.ESCAPED
    assert whose in first.reason
    assert bytes(preview(document, first).buffer[:]) == data
