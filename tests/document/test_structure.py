"""Structure: values come, go and move, and the file stays one that opens to just that."""

from __future__ import annotations

import os
import random

import corpus
import pytest
from corpus import Engine
from document.sessions import OPERATIONS, Session
from variant.exercise import assert_tiled

from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load

STEPS = int(os.environ.get("SESSION_STEPS", "40"))
SEED = int(os.environ.get("SESSION_SEED", "4"))
SMALL = 1 << 14


def saves(engine: Engine) -> list[Document]:
    """The small saved files of an engine that are not wrapped."""
    found = []
    for file in corpus.files(engine.folder):
        raw = file.path.read_bytes()
        if len(raw) <= SMALL and raw[:4] not in (b"GCPF", b"GDEC", b"GCMP"):
            choice = ReadOptions(load(engine.dialect), Precision(engine.precision))
            found.append(Document(raw, name=file.path.name, choice=choice))
    return [document for document in found if document.frames and all(frame.sound for frame in document.frames)]


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_a_random_session_always_leaves_what_a_fresh_open_sees_and_undo_leads_back(engine: Engine) -> None:
    for number, document in enumerate(saves(engine)):
        print(f"{document.name}: seed {SEED + number}")  # pytest shows it where the test fails
        session = Session(document, random.Random(SEED + number))
        for _ in range(STEPS):
            session.step()
            session.check()
            for frame in document.frames:
                assert_tiled(frame.table)
        session.undo_all()
        session.check()


def test_random_sessions_do_everything_that_there_is() -> None:
    done: set[str] = set()
    for number, document in enumerate(document for engine in corpus.ENGINES for document in saves(engine)):
        session = Session(document, random.Random(SEED + number))
        for _ in range(STEPS):
            session.step()
        done |= set(session.done)
    assert done == set(OPERATIONS)
