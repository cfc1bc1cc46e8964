"""What every test stands on: no screen, folders of its own, and the engine where it is installed."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import engine
import engine4
import pytest
from command_line import SAMPLE, Run, runner
from pytestqt.qtbot import QtBot

from viewer.variant.scan import COMPILED

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background, whose programs would ignore it as well
    signal.signal(signal.SIGINT, signal.default_int_handler)
USES_QT = frozenset({"qapp", "qtbot"})
MANY = 20_000
"""With fewer new objects than that, garbage that tests of windows left is not looked for."""
PATIENCE = 60_000
"""Milliseconds that a test waits for the window before it fails: on a busy machine what is late is not wrong."""
for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitCallback):
    assert wait.__kwdefaults__ is not None
    wait.__kwdefaults__["timeout"] = PATIENCE


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the settings and data of whoever runs the tests out of them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    """The style that the program asks for when it starts."""
    return ["tests", "-style", "fusion"]


@pytest.fixture(scope="session")
def godot4() -> Iterator[engine4.Godot]:
    """One running Godot 4 for all tests of this process that ask it."""
    with engine4.Godot() as godot:
        yield godot


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs command lines and catches what they print."""
    return runner(capfd)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """A copy of the sample save, to be changed."""
    path = tmp_path / "game.save"
    path.write_bytes(SAMPLE.read_bytes())
    return path


@pytest.fixture(scope="module")
def own_garbage() -> None:
    """Keep what earlier tests left out of each search for garbage: late in a long session it takes a second."""
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    """Keep the tests themselves, tens of thousands, out of each search for garbage that one of them asks for."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have objects of Qt taken away by this thread alone, as the program does."""
    if USES_QT.isdisjoint(getattr(item, "fixturenames", ())):
        if not gc.isenabled():
            gc.collect()
            gc.enable()
    else:
        gc.disable()
        if gc.get_count()[0] > MANY:
            gc.collect()
    skip_what_cannot_be_run(item)


def skip_what_cannot_be_run(item: pytest.Item) -> None:
    """Skip what this machine cannot run; in CI a missing engine is a failure."""
    if item.get_closest_marker("engine") and not engine.available():
        reason = f"{engine.ENGINE} is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    reason4 = engine4.missing() if item.get_closest_marker("engine4") else None
    if reason4 is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(reason4, pytrace=False)
        pytest.skip(reason4)
    if item.get_closest_marker("compiled") and not COMPILED:
        reason = "the scanner is not compiled: there is no C compiler here"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    if item.get_closest_marker("xcb") and os.environ["QT_QPA_PLATFORM"] != "xcb":
        pytest.skip("needs an X server: QT_QPA_PLATFORM=xcb pytest -p xvfb -m xcb")
