"""Names of methods that a person gives, checked by the sum that engines send."""

from __future__ import annotations

import pytest
from document.packets.payloads import conversations, sample, texts

from viewer.document.packets.conversation import Flow
from viewer.document.packets.node_paths import MethodNames

SCRIPT = ("chan3", "hit", "many", "noargs", "one", "say", "tell", "uord", "upos")
RIGHT = MethodNames.of(SCRIPT, ["set_process_priority"])
WRONG = MethodNames.of(("chan3", "hit"))
ROWS = conversations()["g4_enet_none 51667 ENet reliable"]


def _summaries(names: MethodNames) -> list[str]:
    flow = Flow(methods=[names])
    flow.learn(map(sample, ROWS))
    return [flow.explain(sample(row)).summary for row in ROWS]


def test_sum_is_that_of_the_names_one_after_the_other_those_of_the_node_first() -> None:
    assert RIGHT.md5 == "584a871d1ec3c349a8500f1da9b1f1ef"


def test_names_may_be_given_in_any_order() -> None:
    assert MethodNames.of(reversed(SCRIPT), ["set_process_priority", " "]) == RIGHT


def test_right_list_names_every_call() -> None:
    for row, summary in zip(ROWS, _summaries(RIGHT), strict=True):
        if "REMOTE_CALL" in row["what"]:
            assert f".{row['what'].rpartition('method=')[2]}(" in summary, row


def test_wrong_list_leaves_the_numbers() -> None:
    assert 'Main.method 1(1, "abc")' in _summaries(WRONG)


@pytest.mark.parametrize(
    ("names", "said"), [(RIGHT, "10 methods known by name"), (WRONG, "no given list of names fits")]
)
def test_simplify_path_says_whether_a_list_fits(names: MethodNames, said: str) -> None:
    flow = Flow(methods=[names])
    flow.learn(map(sample, ROWS))
    found = [texts(flow.explain(sample(row))) for row in ROWS]
    assert any(said in each.get("method list", "") for each in found if each.get("path") == "Main")


def test_flow_tells_the_nodes_whose_methods_a_list_names() -> None:
    flow = Flow()
    flow.learn(map(sample, ROWS))
    for row in ROWS:
        flow.explain(sample(row))
    assert (flow.nodes_of(RIGHT), flow.nodes_of(WRONG)) == (("Main",), ())


def test_new_names_make_a_new_version() -> None:
    flow = Flow()
    before = flow.version
    flow.name_methods([RIGHT])
    assert flow.version > before
