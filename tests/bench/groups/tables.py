"""The table of nodes: its memory, and how fast a byte finds its node and its colours."""

from __future__ import annotations

from collections.abc import Callable

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most
from bench.peers import godot
from bench.setting import Setting

MICROSECOND = 1e-6
MILLISECOND = 1e-3
GODOT = "Godot 3.2.3"


def bytes_a_node(setting: Setting) -> Series:
    """Growth of the process between a few nodes and many, by their difference."""
    small_file, large_file = data.path(setting, "save10"), data.many_saves(setting)
    found = []
    for _ in range(setting.rounds(5)):
        small, large = child.run_anew("table_memory", small_file), child.run_anew("table_memory", large_file)
        found.append((large["growth"][0] - small["growth"][0]) / (large["nodes"][0] - small["nodes"][0]))
    return Series(tuple(found))


def node_beside_godot(setting: Setting) -> Series:
    """Bytes a node of 50 MB: of our table, and of the values that the engine makes."""
    ours = child.run(setting, "table_memory", data.path(setting, "save50"))
    nodes = ours["nodes"][0]
    return Series((ours["growth"][0] / nodes,), (_kept(setting, "save50") / nodes,))


def open_file(name: str) -> Callable[[Setting], Series]:
    """Memory of an opened file, its bytes included; the engine's of the decoded value."""

    def take(setting: Setting) -> Series:
        ours = child.run(setting, "document_memory", data.path(setting, name))
        return Series(tuple(ours["growth"]), (_kept(setting, name),))

    return take


def _kept(setting: Setting, name: str) -> float:
    with godot.decoder(data.path(setting, name)) as peer:
        return float(peer.kept_memory())


def byte_to_node(setting: Setting) -> Series:
    """Random bytes of an array of saves."""
    found = child.run(setting, "table_lookup", data.many_saves(setting), setting.rounds(200, 20))
    return Series(tuple(found["ours"]))


def colours(setting: Setting) -> Series:
    """Random viewports of a 50 MB save, none seen before."""
    found = child.run(setting, "window.colours", data.path(setting, "save50"), setting.rounds(200, 20))
    return Series(tuple(found["ours"]))


MEASURES = [
    Measure("node-bytes", "memory of the table, 12 M nodes", bytes_a_node, Unit.BYTES_A_NODE, goal=at_most(12)),
    Measure("node-godot", "memory of the table, 50 MB save", node_beside_godot, Unit.BYTES_A_NODE, GODOT),
    Measure("memory-ints", "memory of an opened array of 1 M ints", open_file("ints"), Unit.BYTES, GODOT),
    Measure("memory-reals", "memory of 10 M packed floats, opened", open_file("reals"), Unit.BYTES, GODOT),
    Measure("memory-raw", "memory of 100 MB packed bytes, opened", open_file("raw"), Unit.BYTES, GODOT),
    Measure("lookup", "byte to deepest node among 12 M nodes", byte_to_node, goal=at_most(10 * MICROSECOND)),
    Measure("colours", "colours of 60 x 32 bytes, 50 MB save", colours, goal=at_most(0.1 * MILLISECOND)),
]
