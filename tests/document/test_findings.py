"""What is known of very many values: all that is wrong, without a look at those of which nothing is to be said."""

from __future__ import annotations

from corpus import files, malformed
from document.readers.made_resources import many

from viewer.base.diagnostic import Diagnostic
from viewer.document.document import Document
from viewer.document.splice import Edit, Splice


def told(document: Document) -> list[Diagnostic]:
    """What the tables of all frames say."""
    frames = enumerate(document.frames)
    return [each.located(index, frame.start) for index, frame in frames for each in frame.table.diagnostics]


def assert_all_known(document: Document) -> None:
    """Nothing that a frame says is missing, and no byte that none of them claims."""
    known = document.findings.known()
    assert all(each in known for each in told(document))
    unclaimed = sum(map(len, document.unexplained)) + sum(len(gap) for frame in document.frames for gap in frame.gaps)
    assert document.explained == 1 - unclaimed / max(1, len(document.buffer)) or not document.buffer


def test_what_frames_say_is_known() -> None:
    for row in malformed("godot3")[::5]:
        assert_all_known(Document(bytes.fromhex(row["hex"])))
    for file in files("godot4")[::7]:
        assert_all_known(Document.open(file.path))


def test_an_edit_is_known_and_its_undoing() -> None:
    document = Document(many("godot4", 50))
    assert not document.findings.known()
    assert document.findings.odd_frames == []
    at = document.frames[20].start
    document.apply(Edit("bytes", (Splice(at, bytes(document.buffer[at : at + 4]), b"\xff\xff\xff\x7f"),)))
    assert document.findings.odd_frames == [20]
    assert {each.frame for each in document.findings.known()} == {20}
    assert_all_known(document)
    document.undo()
    assert not document.findings.known()
