"""The doctor's answers for tests that are about what is made of them: the same bytes are searched once.

The same search always finds the same: ``document/doctor/test_bounds.py`` proves it by two searches.
"""

from __future__ import annotations

from viewer.base.progress import Progress
from viewer.document.doctor import examine
from viewer.document.doctor.diagnose import Answer, Found
from viewer.document.document import Document

_ANSWERS: dict[tuple[object, ...], Answer] = {}
"""What was found in some bytes, read in some way."""


def examined_once(document: Document, progress: Progress | None = None, found: Found | None = None) -> Answer:
    """What :func:`examine` says, remembered for as long as the process lives.

    What lies in wraps, is a text or was read again by who knows the mistake is always searched.
    """
    if len(document.layers) > 1 or document.text is not None or document.is_learned or document.task is not None:
        return examine(document, progress, found)
    way = document.choice, document.dialect.key, document.precision, document.framing, document.structure is None
    key = bytes(document.buffer[:]), document.path is None, *way
    if key not in _ANSWERS:
        _ANSWERS[key] = examine(document, progress, found)
    elif found is not None:
        found(_ANSWERS[key])
    return _ANSWERS[key]
