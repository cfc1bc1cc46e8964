"""The sub-command about the timeline of a save: what is kept of it, recording, and questions to it."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from viewer.base.unseen import printable
from viewer.base.words import counted
from viewer.cli.file_access import need, open_document, write
from viewer.cli.input import STDIN, Problem
from viewer.container.unpacking import parse_size, size_in_words
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference_words import difference_line, summary
from viewer.document.document import Document
from viewer.document.path import PathError
from viewer.document.pieces.framing import uncollected
from viewer.document.timeline.act_finding import FoundAct, acts_of, found_acts
from viewer.document.timeline.recording import VersionRecorder
from viewer.document.timeline.timeline import KeptVersion, Timeline, TimelineBounds, TimelineProblem
from viewer.document.timeline.version_documents import VersionDocuments

NOW = "now"
TICK = 0.2
ASKED = ("watch", "done", "diff", "mark", "did", "show", "follow", "pin", "unpin", "most", "room")
MOST_TOLD = 20
"""So many suspects of an act are listed."""


def timeline(wanted: argparse.Namespace) -> int:
    """``timeline FILE …``, see the list of sub-commands; 1 where ``--diff`` finds a difference."""
    need(wanted, "timeline", ("file", "a FILE"))
    if wanted.file == STDIN:
        raise Problem("A timeline is about a file with a name, not about standard input.")
    asked = [name for name in ASKED if getattr(wanted, name) not in (None, False)]
    if len(asked) > 1 and set(asked) != {"most", "room"}:
        raise Problem(f"Give only one of {' and '.join(f'--{name}' for name in asked)}.")
    if wanted.versions and not wanted.diff:
        raise Problem("timeline takes one FILE; see variant-viewer timeline --help.")
    try:
        kept = Timeline(Path(wanted.file))
        if not kept.versions:
            _check(kept.file, bool(asked) and asked[0] not in ("diff", "show", "follow", "did"))
        return _WAYS[asked[0] if asked else "list"](kept, wanted)
    except (TimelineProblem, PathError) as problem:
        raise Problem(printable(str(problem))) from problem


def _check(file: Path, may_come: bool) -> None:
    """Nothing is kept of a file: it must be there, unless it *may come* still.

    Raises:
        Problem: there is no such file, or it is none.
    """
    if file.is_dir():
        raise Problem(f"“{printable(file.name)}” is a folder; choose a file in it.")
    if not may_come and not file.exists():
        raise Problem(f"Nothing is kept of “{printable(file.name)}”, and there is no such file.")


def _documents(kept: Timeline, wanted: argparse.Namespace) -> VersionDocuments:
    return VersionDocuments(kept, wanted.choice)


def _list(kept: Timeline, wanted: argparse.Namespace) -> int:
    documents, versions = _documents(kept, wanted), kept.versions
    told = []
    with uncollected():
        for number, version in enumerate(versions):
            said = documents.summary(versions[number - 1] if number else None, version)
            told.append(said)
            if not wanted.json:
                for mark in kept.marks:
                    if mark.after == (versions[number - 1].number if number else 0):
                        print(f"        {_when(mark.at)}  now: {printable(mark.text)}")
                print(_row(version, said))
    documents.keep_summaries()
    if wanted.json:
        print(json.dumps(_as_json(kept, told), indent=1))
        return 0
    for mark in kept.marks:
        if versions and mark.after == versions[-1].number:
            print(f"        {_when(mark.at)}  now: {printable(mark.text)}")
    sys.stdout.flush()
    bounds, thinned = kept.bounds, f", {counted(kept.thinned, 'old one')} thinned out" if kept.thinned else ""
    about = f"{counted(len(versions), 'version')} in {size_in_words(kept.stored)}{thinned}"
    _remark(
        f"{about}; up to {bounds.versions} are kept, in {size_in_words(bounds.stored)}." if versions else _nothing(kept)
    )
    if kept.problem:
        _remark(kept.problem)
    return 0


def _nothing(kept: Timeline) -> str:
    return f"Nothing is kept of “{kept.file.name}” yet; --watch keeps what a game writes."


def _row(version: KeptVersion, said: str) -> str:
    pin = "*" if version.is_pinned else " "
    return f"{version.number:>5}{pin}  {_when(version.at)}  {version.size:>9}  {printable(said)}"


def _when(at: int) -> str:
    return datetime.fromtimestamp(at / 1e9).strftime("%Y-%m-%d %H:%M:%S")


def _as_json(kept: Timeline, told: Sequence[str]) -> dict[str, object]:
    return {
        "file": str(kept.file),
        "recorded": kept.is_on,
        "stored": kept.stored,
        "thinned": kept.thinned,
        "bounds": {"versions": kept.bounds.versions, "stored": kept.bounds.stored},
        "problem": kept.problem,
        "versions": [
            {
                "number": version.number,
                "time": datetime.fromtimestamp(version.at / 1e9).astimezone().isoformat(),
                "size": version.size,
                "sha256": version.content,
                "pinned": version.is_pinned,
                "encrypted": version.is_secret,
                "summary": said,
            }
            for version, said in zip(kept.versions, told, strict=True)
        ],
        "marks": [
            {"number": mark.number, "text": mark.text, "after": mark.after, "until": mark.until} for mark in kept.marks
        ],
    }


def _remark(sentence: str) -> None:
    print(f"variant-viewer: {printable(sentence)}", file=sys.stderr, flush=True)


# Recording


def _watch(kept: Timeline, wanted: argparse.Namespace) -> int:
    if not kept.file.parent.is_dir():
        raise Problem(f"“{kept.file.parent}” is not a folder; nothing can be recorded there.")
    if wanted.encrypted:
        kept.switch(kept.is_on, keeps_secrets=True)
    documents, count = _documents(kept, wanted), 0
    last = kept.versions[-1] if kept.versions else None

    def tell(version: KeptVersion) -> None:
        nonlocal last, count
        count += 1
        said = documents.summary(last, version)
        last = version
        if wanted.json:
            print(json.dumps({"number": version.number, "size": version.size, "summary": said}), flush=True)
        else:
            print(_row(version, said), flush=True)

    stop, failed = threading.Event(), list[Exception]()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        recorder = VersionRecorder(kept, tell, _remark)
        thread = threading.Thread(target=_run, args=(recorder, stop, failed), name="recorder")
        thread.start()
        _remark(f"recording “{kept.file}”; Ctrl+C stops.")
        while thread.is_alive():
            thread.join(TICK)
    finally:
        signal.signal(signal.SIGINT, before)
    if failed:
        raise failed[0]
    documents.keep_summaries()
    _remark(f"{counted(count, 'version')} kept.")
    return 0


def _run(recorder: VersionRecorder, stop: threading.Event, failed: list[Exception]) -> None:
    try:
        recorder.run(stop)
    except Exception as error:  # told by the thread that waits
        failed.append(error)


# Marks


def _mark(kept: Timeline, wanted: argparse.Namespace) -> int:
    mark = kept.mark(wanted.mark)
    _remark(f"“{mark.text}” begins after version {mark.after}: do it once, have the game save, and say --done.")
    return 0


def _done(kept: Timeline, _: argparse.Namespace) -> int:
    mark = kept.done()
    came = (mark.until or 0) - mark.after
    _remark(f"“{mark.text}” is done; {counted(came, 'version')} came meanwhile.")
    return 0


def _did(kept: Timeline, wanted: argparse.Namespace) -> int:
    marks = acts_of(kept.marks, wanted.did)
    if not marks:
        known = sorted({f"“{mark.text}”" for mark in kept.marks})
        raise Problem(
            f"Nothing was marked “{wanted.did}”; {'marked is ' + ', '.join(known) if known else 'see --mark'}."
        )
    versions = kept.versions
    with uncollected():
        found = found_acts(versions, _documents(kept, wanted).steps(versions), marks)
    if wanted.json:
        print(json.dumps([_act_json(each) for each in found[:MOST_TOLD]], indent=1))
        return 0
    for each in found[:MOST_TOLD]:
        print(printable(act_line(each)))
    sys.stdout.flush()
    if not found:
        _remark("No version came after that mark, or nothing changed in it.")
    elif not found[0].is_exact:
        _remark("Nothing changed exactly then: do it once more with a mark, and something else between.")
    return 0


def act_line(found: FoundAct) -> str:
    """A suspect in words, its path first."""
    change = found.change
    if found.count:
        what = f"{counted(found.count, 'value')} {change.kind.value}"
    elif change.before and change.after:
        what = f"{change.before} -> {change.after}{f' ({change.delta})' if change.delta else ''}"
    else:
        what = f"{change.kind.value}: {change.after or change.before}"
    times = "" if found.acts == 1 else f"{found.times} of {found.acts} times, "
    return f"{found.path}: {what}  [{times}{found.elsewhere} times elsewhere]"


def _act_json(found: FoundAct) -> dict[str, object]:
    change = found.change
    return {
        "path": found.path,
        "kind": change.kind.value,
        "before": change.before,
        "after": change.after,
        "delta": change.delta,
        "times": found.times,
        "acts": found.acts,
        "elsewhere": found.elsewhere,
    }


# Versions


def _number(text: str, option: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Problem(f"{option} takes the number of a version, not “{text[:40]}”.")
    return int(text)


def _show(kept: Timeline, wanted: argparse.Namespace) -> int:
    version = kept.version(_number(wanted.show, "--show"))
    if wanted.out is not None:
        write(wanted.out, kept.read(version))
        return 0
    from viewer.document.export.plain_dump import plain_dump

    document = _opened(_documents(kept, wanted), version)
    with uncollected():
        for line in plain_dump(document):
            print(line)
    return 0


def _opened(documents: VersionDocuments, version: KeptVersion) -> Document:
    document = documents.document(version)
    if document.wraps.needs_key:
        raise Problem(f"Version {version.number} is encrypted; give --password-file or --key-file.")
    return document


def _diff(kept: Timeline, wanted: argparse.Namespace) -> int:
    if len(wanted.versions) != 2:
        raise Problem("--diff takes the numbers of two versions; the second one may be “now”, the file as it is.")
    documents = _documents(kept, wanted)
    old, new = (
        open_document(wanted.file, wanted.choice)
        if name == NOW
        else _opened(documents, kept.version(_number(name, "--diff")))
        for name in wanted.versions
    )
    with uncollected():
        found = compare(old, new)
    lines = [difference_line(found, row) for row in found.changes]
    if wanted.json:
        names = ("path", "new_path", "before", "after", "delta", "about")
        rows = [{"kind": line.kind.value, **{name: getattr(line, name) for name in names}} for line in lines]
        print(json.dumps({"equal": found.is_equal, "rows": rows}, indent=1))
        return int(not found.is_equal)
    for line in lines:
        print(printable(str(line)))
    sys.stdout.flush()
    _remark(summary(found))
    return int(not found.is_equal)


def _follow(kept: Timeline, wanted: argparse.Namespace) -> int:
    versions = kept.versions
    if not versions:
        raise Problem(_nothing(kept))
    with uncollected():
        found = _documents(kept, wanted).followed(versions, len(versions) - 1, wanted.follow)
    if wanted.json:
        rows = [
            {"number": each.version.number, "path": each.path or None, "value": each.text, "as_number": each.number}
            for each in found
        ]
        print(json.dumps(rows, indent=1))
        return 0
    for each in found:
        said = each.text if each.path else "(not there)"
        print(f"{each.version.number:>5}  {_when(each.version.at)}  {printable(said)}")
    return 0


def _pin(kept: Timeline, wanted: argparse.Namespace) -> int:
    option, text = ("--pin", wanted.pin) if wanted.pin is not None else ("--unpin", wanted.unpin)
    number = _number(text, option)
    kept.pin(number, option == "--pin")
    if option == "--unpin":
        for mark in kept.marks:
            if mark.after == number:
                kept.unmark(mark.number)
    return 0


def _bounds(kept: Timeline, wanted: argparse.Namespace) -> int:
    now = kept.bounds
    most = _number(wanted.most, "--most") if wanted.most is not None else now.versions
    try:
        room = parse_size(wanted.room) if wanted.room is not None else now.stored
    except ValueError as error:
        raise Problem(f"--room takes a size like 64M or 2G, not “{wanted.room[:40]}”.") from error
    if most < 2 or room < 1 << 16:
        raise Problem("A timeline keeps at least 2 versions, in 64K.")
    told = kept.bound(TimelineBounds(most, room))
    _remark(told or f"Up to {most} versions are kept, in {size_in_words(room)}.")
    return 0


_WAYS: dict[str, Callable[[Timeline, argparse.Namespace], int]] = {
    "list": _list,
    "watch": _watch,
    "mark": _mark,
    "done": _done,
    "did": _did,
    "show": _show,
    "diff": _diff,
    "follow": _follow,
    "pin": _pin,
    "unpin": _pin,
    "most": _bounds,
    "room": _bounds,
}
COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"timeline": timeline}
"""The sub-commands by name."""
