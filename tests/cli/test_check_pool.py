"""``check`` of many files: other processes check them, and what is printed is what one process prints."""

from __future__ import annotations

import argparse
import os
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import ROOT, SAMPLE, Run

from viewer.cli import check_pool, inspect


@pytest.fixture
def many(tmp_path: Path) -> list[str]:
    """Files with a finding each but for two, and one that is not there."""
    names = []
    for k in range(30):
        path = tmp_path / f"{k}.bin"
        path.write_bytes(struct.pack("<3I", 19, 2, 1) + struct.pack("<3I", k, 2, k))
        names.append(str(path))
    return [*names, str(tmp_path / "missing")]


def test_all_processors_print_what_one_does(run: Run, many: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    alone = run("check", *many)
    monkeypatch.setattr(inspect, "MANY", 2)
    monkeypatch.setattr(check_pool, "_processors", lambda: 2)
    assert run("check", *many) == alone
    assert alone.code == 2


@pytest.mark.parametrize("child", ["raise SystemExit", "import marshal, sys; marshal.load(sys.stdin.buffer)"])
def test_what_other_processes_cannot_check_is_checked_here(
    run: Run, many: list[str], monkeypatch: pytest.MonkeyPatch, child: str
) -> None:
    alone = run("check", *many)
    monkeypatch.setattr(inspect, "MANY", 2)
    monkeypatch.setattr(check_pool, "_processors", lambda: 2)
    monkeypatch.setattr(check_pool, "CHILD", child)
    assert run("check", *many) == alone


def test_without_a_second_process_all_is_checked_here(
    run: Run, many: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run("check", *many)

    def refused(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(inspect, "MANY", 2)
    monkeypatch.setattr(check_pool, "_processors", lambda: 2)
    monkeypatch.setattr(subprocess, "Popen", refused)
    assert run("check", *many) == alone


def test_few_files_start_no_process(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_pool, "checked", None)
    assert run("check", SAMPLE, SAMPLE).code == 0


def test_results_come_before_all_files_are_checked(many: list[str]) -> None:
    seen: list[str] = []

    def one(name: str) -> int:
        seen.append(name)
        return 0

    results = check_pool.checked(argparse.Namespace(files=many[:1]), one)
    assert next(results) == (0, "", "")
    assert seen == many[:1]


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl+C there")
def test_ctrl_c_ends_all_of_them_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "odd.bin"
    path.write_bytes(struct.pack("<2I", 1, 7))
    command = [sys.executable, "-m", "viewer", "check", *[str(path)] * 4000]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # where the tests run behind, it is ignored
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.read(1)
        os.killpg(ran.pid, signal.SIGINT)
        said = ran.stderr.read()
        assert ran.wait(60) == 130
        assert said in (b"", b"variant-viewer: Stopped by Ctrl+C before it was done.\n")
        assert not _lives(ran.pid)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
