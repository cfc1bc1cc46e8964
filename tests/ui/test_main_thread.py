"""Threads call into the main thread, and never into what is gone."""

from __future__ import annotations

import threading

import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from viewer.ui.main_thread import MainThread
from viewer.ui.worker import Worker


def from_a_thread(way: MainThread, told: list[str]) -> None:
    """Have the name of the thread noted in which a call of another one is done."""
    thread = threading.Thread(target=lambda: way.call(lambda: told.append(threading.current_thread().name)))
    thread.start()
    thread.join()


def test_a_call_is_done_in_the_main_thread(qtbot: QtBot) -> None:
    owner, told = QObject(), list[str]()
    from_a_thread(MainThread(owner), told)
    assert not told
    qtbot.waitUntil(lambda: bool(told))
    assert told == [threading.main_thread().name]


def test_nothing_is_called_for_what_is_gone(qtbot: QtBot) -> None:
    gone, there, told = QObject(), QObject(), list[str]()
    ways = MainThread(gone), MainThread(there)
    for way in ways:
        from_a_thread(way, told)
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: bool(told))
    assert len(told) == 1


def test_a_worker_that_goes_while_its_thread_ends_is_told_nothing(qtbot: QtBot) -> None:
    for _ in range(50):
        may_end, worker, told = threading.Event(), Worker(), list[object]()
        worker.finished.connect(told.append)
        worker.start(lambda _, gate=may_end: gate.wait(5))
        thread = worker._thread
        assert thread is not None
        may_end.set()
        shiboken6.delete(worker)
        thread.join(5)
        qtbot.wait(0)
        assert not told
