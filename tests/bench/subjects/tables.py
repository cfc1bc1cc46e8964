"""The table of nodes: its memory, and how fast a byte finds its node and its colours."""

from __future__ import annotations

from bench import child, data
from bench.measure import Measure, Series, Unit, at_most
from bench.peers import godot
from bench.setting import Setting

MICROSECOND = 1e-6
TWICE = 2
GODOT = "values of Godot 3.2.3"


def bytes_a_node(setting: Setting) -> Series:
    """Growth of the process between a few nodes and many, by their difference."""
    small_file, large_file = data.path(setting, "save8k"), data.many_saves(setting)
    found = []
    for _ in range(TWICE):
        small = child.run_anew("children.table_memory", small_file)
        large = child.run_anew("children.table_memory", large_file)
        found.append((large["growth"][0] - small["growth"][0]) / (large["nodes"][0] - small["nodes"][0]))
    return Series(tuple(found))


def node_beside_godot(setting: Setting) -> Series:
    """Bytes a node of 50 MB: of our table, and of the values that the engine makes."""
    path = data.path(setting, "save50")
    ours = child.run(setting, "children.table_memory", path)
    nodes = ours["nodes"][0]
    with godot.decoder(path) as floor:
        return Series((ours["growth"][0] / nodes,), (floor.kept_memory() / nodes,))


def byte_to_node(setting: Setting) -> Series:
    """Random bytes of an array of saves."""
    found = child.run(setting, "children.table_lookup", data.many_saves(setting), setting.budget)
    return Series(tuple(found["ours"]))


def colours(setting: Setting) -> Series:
    """Random viewports of a 50 MB save."""
    found = child.run(setting, "window.colours", data.path(setting, "save50"), setting.budget)
    return Series(tuple(found["ours"]))


MEASURES = [
    Measure("node-bytes", "memory of the table, 12 M nodes", bytes_a_node, "", at_most(12), Unit.BYTES_A_NODE),
    Measure("node-godot", "memory of the table, 50 MB save", node_beside_godot, GODOT, unit=Unit.BYTES_A_NODE),
    Measure("lookup", "byte to deepest node among 12 M nodes", byte_to_node, goal=at_most(10 * MICROSECOND)),
    Measure("colours", "colours of 60 x 32 bytes, 50 MB save", colours, goal=at_most(100 * MICROSECOND)),
]
