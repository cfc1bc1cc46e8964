"""Threads call into the main thread, and never into what is gone."""

from __future__ import annotations

import gc
import threading

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.ui.main_thread import FEW, Collector, MainThread, collect_here
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


def test_garbage_made_by_a_thread_is_looked_for_in_the_main_one(qtbot: QtBot) -> None:
    """As Python does it by itself, a thread that makes many objects takes away what belongs to windows."""
    where, was_on = set[str](), gc.isenabled()
    noted = [lambda phase, info: where.add(threading.current_thread().name)]
    owner = QObject()
    gc.enable()
    collector = Collector(owner)
    gc.callbacks.extend(noted)
    try:
        thread = threading.Thread(target=lambda: [[[]] for _ in range(50_000)], name="busy")
        thread.start()
        thread.join()
        assert not where
        kept = [[[]] for _ in range(FEW)]
        collector.look()
        assert where == {threading.main_thread().name}
        assert kept
    finally:
        gc.callbacks.remove(noted[0])
        if was_on:
            gc.enable()


def test_all_objects_are_looked_at_seldom_and_few_new_ones_not_at_all(qtbot: QtBot) -> None:
    was_on, seen = gc.isenabled(), list[int]()
    noted = [lambda phase, info: seen.append(info["generation"]) if phase == "start" else None]
    owner = QObject()
    collector = Collector(owner)
    gc.collect()
    gc.callbacks.extend(noted)
    try:
        collector.look()
        assert seen == []
        kept = [[[]] for _ in range(FEW)]
        collector.look()
        kept += [[[]] for _ in range(FEW)]
        collector.look()
        assert seen == [2, 1]
        assert kept
    finally:
        gc.callbacks.remove(noted[0])
        if was_on:
            gc.enable()


def test_an_application_has_one_collector(qapp: QApplication) -> None:
    was_on, before = gc.isenabled(), len(qapp.findChildren(Collector))
    try:
        for _ in range(2):
            collect_here(qapp)
            assert not gc.isenabled()
        assert len(qapp.findChildren(Collector)) == max(before, 1)
    finally:
        if was_on:
            gc.enable()
