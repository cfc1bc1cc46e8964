"""A child: operations on the structure of a large save, and the undo of each, from the call to the painted tree.

Arguments: the file, seconds for all rounds. Of a round ``ours`` is the mean and ``slowest`` the longest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean

from PySide6.QtGui import QAction

from bench.child import report
from bench.rounds import in_turns
from bench.setting import BenchError
from bench.window.stage import Stage
from bench.window.steps import PAUSE, SETTLING, until_read
from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.retype import retype
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot, slot_of
from viewer.document.edits.structure import insert, move, sort_keys
from viewer.document.path import parse_path
from viewer.document.splice import Edit
from viewer.variant.items import Item

NUMBER = 321
HOME = "[0].settlers"
PLACE, FIRST, TEXT = f"{HOME}[{NUMBER}]", f"{HOME}[0]", f"{HOME}[{NUMBER}].given"
COPIED = f"{PLACE}.bag[0]"
ACTIONS = ("duplicate", "delete", "move_up", "move_down", "cut", "paste_value", "paste_into")
EDITS: dict[str, Callable[[Document], Edit]] = {
    "insert": lambda document: insert(document, _slot(document), [written(document, '"a text of some length"')]),
    "sort keys": lambda document: sort_keys(document, _at(document, PLACE)),
    "retype": lambda document: retype(document, _at(document, TEXT), "NodePath").edit,
    "move to the front": lambda document: move(
        document, [_at(document, PLACE)], slot_of(document, _at(document, FIRST))
    ),
    "set a text": lambda document: set_literal(document, _at(document, TEXT), '"another one, somewhat longer"'),
}
"""What an entry of a menu does when it has asked for more."""


def measure(stage: Stage, document: Document) -> list[float]:
    """The processor time of each operation and of its undo, in the order in which they were done."""
    session, found = stage.window.session, []
    works = [*(_chosen(stage, name) for name in ACTIONS), *(_applied(stage, document, name) for name in EDITS)]
    session.go_to_place(COPIED)
    _chosen(stage, "copy")()
    for work in works:
        session.go_to_place(PLACE)
        stage.tree.setFocus()
        for step in (work, session.undo):
            stage.rest(PAUSE)
            found.append(until_read(stage, step))
    return found


def _chosen(stage: Stage, name: str) -> Callable[[], object]:
    """What choosing an entry of a menu does."""
    action = stage.window.findChild(QAction, name)
    if not isinstance(action, QAction):
        raise BenchError(f"there is no action {name}")
    return action.trigger


def _applied(stage: Stage, document: Document, name: str) -> Callable[[], object]:
    return lambda: stage.window.session.apply(EDITS[name](document))


def _at(document: Document, path: str) -> Item:
    return parse_path(document, path)


def _slot(document: Document) -> Slot:
    return Slot(0, _at(document, HOME).node, NUMBER)


def main() -> None:
    """Do all of them, round by round."""
    stage = Stage()
    document = stage.open(Path(sys.argv[1]))
    stage.rest(SETTLING)
    (found,) = in_turns([lambda: measure(stage, document)], float(sys.argv[2]), mean)
    report({"ours": [mean(one) for one in found], "slowest": [max(one) for one in found]})


if __name__ == "__main__":
    main()
