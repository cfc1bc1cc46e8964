"""A line with a checksum in front of a text: known, made anew where it was right, else kept and told."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
from command_line import Run

from viewer.base.diagnostic import Code
from viewer.container.checksum_line import CHECKSUM_LINE
from viewer.container.layer import WrapError
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path

JSON = b'{"hp":12,"seen":[1,2]}'
AFTER = JSON.replace(b"12", b"99")


def line(name: str, text: bytes) -> bytes:
    return hashlib.new(name, text).hexdigest().encode()


def changed(raw: bytes, path: str = "[0].hp", literal: str = "99.0") -> bytes:
    document = Document(raw)
    document.apply(set_literal(document, parse_path(document, path), literal))
    return bytes(document.to_be_written()[:])


@pytest.mark.parametrize("name", ["md5", "sha1", "sha256"])
@pytest.mark.parametrize("behind", [b"", b"\n", b"\r\n"])
def test_a_checksum_that_was_right_is_made_anew(name: str, behind: bytes) -> None:
    raw = line(name, JSON) + b"\n" + JSON + behind
    document = Document(raw)
    assert document.wraps.names == ("checksum-line", "json")
    assert [found.code for found in document.findings.all()] == [Code.WRAP_NOTE]
    assert "is made anew" in document.findings.all()[0].message
    assert bytes(document.to_be_written()[:]) == raw
    assert changed(raw) == line(name, AFTER) + b"\n" + AFTER + behind


def test_it_may_be_of_all_that_follows_in_upper_case_or_behind_another_line_end() -> None:
    raw = line("md5", JSON + b"\n").upper() + b"\r\n" + JSON + b"\n"
    assert changed(raw) == line("md5", AFTER + b"\n").upper() + b"\r\n" + AFTER + b"\n"


def test_any_other_line_is_kept_and_told(run: Run, tmp_path: Path) -> None:
    head = line("md5", b"salt" + JSON) + b"\n"
    document = Document(head + JSON)
    told = "The first line is as long as an MD5, but not that of what follows it: it is kept as it is"
    assert [told in found.message for found in document.findings.all()] == [True]
    assert changed(head + JSON) == head + AFTER
    path = tmp_path / "a.sav"
    path.write_bytes(head + JSON)
    code, _, err = run("set", str(path), "[0].hp", "99.0")
    assert (code, path.read_bytes()) == (0, head + AFTER)
    assert err.startswith(f"variant-viewer: {told}")


def test_that_it_is_kept_is_told_of_each_file_that_is_another_one_behind_it(run: Run, tmp_path: Path) -> None:
    texts = [b"[a]\nhp=1\nx=Vector2i(1, 2)\n", b"[a]\nhp=2\nx=Vector2i(1, 2)\n"]
    one, two = (tmp_path / name for name in ("one.cfg", "two.cfg"))
    for path, text in zip((one, two), texts, strict=True):
        path.write_bytes(line("md5", b"salt") + b"\n" + text)
    out, told = str(tmp_path / "out.cfg"), "it is kept as it is, and a game that checks it may refuse the changed file."
    assert told in run("merge", str(one), str(one), str(two), "-o", out)[2]
    assert told not in run("merge", str(one), str(two), str(two), "-o", out)[2]
    assert told in run("convert", str(one), "--to", "godot3", "--allow-loss", "-o", out)[2]
    assert told not in run("convert", str(one), "--to", "godot4", "-o", out)[2]
    assert told not in run("convert", str(one), "--to", "json", "--allow-loss", "-o", out)[2]


def test_what_follows_may_be_any_text_of_values() -> None:
    settings = b'[a]\nhp=12\nname="x"\n'
    raw = line("sha1", settings) + b"\n" + settings
    assert Document(raw).wraps.names == ("checksum-line", "config")
    assert changed(raw, "[0].a.hp", "99") == line("sha1", after := settings.replace(b"12", b"99")) + b"\n" + after
    wrapped = base64.b64encode(JSON)
    again = base64.b64encode(AFTER)
    assert Document(line("md5", wrapped) + b"\n" + wrapped).wraps.names == ("checksum-line", "base64", "json")
    assert changed(line("md5", wrapped) + b"\n" + wrapped) == line("md5", again) + b"\n" + again


@pytest.mark.parametrize(
    "raw",
    [
        line("md5", JSON) + b"\nhello, this is no text of values\n",
        (line("md5", JSON) + b"\n") * 20,
        line("md5", JSON)[:-1] + b"\n" + JSON,
        line("md5", JSON) + b" " + JSON,
        line("sha1", JSON)[:36] + b"\n" + JSON,
    ],
)
def test_all_else_is_none(raw: bytes) -> None:
    assert "checksum-line" not in Document(raw).wraps.names


def test_bytes_without_such_a_line_are_not_unwrapped() -> None:
    with pytest.raises(WrapError, match="does not begin with a line that is a checksum"):
        CHECKSUM_LINE.unwrap(line("md5", JSON) + JSON)
