"""A save with something of everything that a save editor shows, and what lies around it: games, profiles, versions."""

from __future__ import annotations

import math
import os
import struct
import zlib
from pathlib import Path

from viewer.base import assets
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.journals.journal import Journal
from viewer.document.timeline.timeline import Timeline
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, Value

SAMPLE = "godot3-rpg.save"
GODOT3 = load("godot3")
DEEP = 40
STORY = (
    "In the year of the long rain Mira Oakhand left the village of Lower Fen, with a lantern, a dull sword and the map "
    "that her grandmother had drawn.\n\nNobody had walked the old causeway for thirty years; the reeds stood higher "
    "than a rider, and whoever went astray there was sought in vain.\n\n“Follow the third light, never the second,” "
    "the ferryman had said.\n"
)
FAVOURITE = """name = "{name}"
has = ["player.gold"]
[[key]]
at = "player.gold"
name = "Money in the purse of the hero"
unit = "pieces of gold"
range = "0..9"
favourite = true
"""


def text(words: str) -> Value:
    """A String."""
    return Value("String", words)


def bag(**values: Value) -> Value:
    """A Dictionary with String keys."""
    return Value("Dictionary", Dictionary(tuple((text(name), value) for name, value in values.items())))


def array(*values: Value) -> Value:
    """An Array."""
    return Value("Array", Array(values))


def whole(number: int) -> Value:
    """An int."""
    return Value("int", number)


def picture(width: int = 48, height: int = 32) -> bytes:
    """A PNG in RGB, with colours that run into each other."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(
        b"\0" + bytes(c for x in range(width) for c in (x * 5 % 256, y * 8 % 256, (x + y) * 3 % 256))
        for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _foe(number: int) -> Value:
    values = {
        "name": text(("Rat", "Bat", "Marsh wolf", "Reed ghost")[number % 4]),
        "hp": whole(12 + number * 7 % 50),
        "gold": whole(number * number),
        "at": Value("Vector2", (10.0 + number * 3, 5.0 + 9 * math.sin(number))),
    }
    if number % 3 == 0:
        values["loot"] = text("amber")
    if number % 4 == 1:
        del values["gold"]
    return bag(**values)


def _deep() -> Value:
    value = array()
    for level in range(DEEP):
        value = array(whole(level), value)
    return value


def _turned(angle: float) -> Value:
    cosine, sine = math.cos(angle), math.sin(angle)
    return Value("Transform", (cosine, 0.0, sine, 0.0, 1.0, 0.0, -sine, 0.0, cosine, angle * 4, 0.0, 2.0))


def desk_save() -> bytes:
    """The bytes of the save, stored as Godot 3 does."""
    ring = [k * math.tau / 40 for k in range(40)]
    value = bag(
        name=text("Mira Oakhand"),
        story=text(STORY),
        motto=text(STORY.split("\n")[0]),
        gold=whole(1375),
        health=Value("float", 82.5),
        cloak=Value("Color", (0.2, 0.4, 0.6, 1.0)),
        notes=array(text("find the well"), text("ask the ferryman")),
        mixed=array(whole(3), text("three"), Value("bool", True)),
        foes=array(*(_foe(number) for number in range(12))),
        stock=bag(
            item=Value("PoolStringArray", ("sword", "potion", "arrow", "rope")),
            count=Value("PoolIntArray", (1, 4, 48, 2)),
            weight=Value("PoolRealArray", (3.5, 0.5, 0.0625, 2.0)),
        ),
        levels=Value("PoolIntArray", tuple(k * k % 97 for k in range(60))),
        wave=Value("PoolRealArray", tuple(math.sin(k / 9) * 40 for k in range(300))),
        way=Value("PoolVector2Array", tuple((math.cos(a) * (20 + a), math.sin(a) * 20) for a in ring)),
        coil=Value("PoolVector3Array", tuple((math.cos(a), a / 6, math.sin(a)) for a in ring)),
        areas=array(*(Value("Rect2", (k * 12.0, k * 5.0, 10.0, 4.0 + k)) for k in range(5))),
        boxes=array(*(Value("AABB", (k * 3.0, 0.0, k * 2.0, 2.0, 1.0 + k, 2.0)) for k in range(4))),
        poses=array(*(_turned(k * 0.5) for k in range(5))),
        colours=Value("PoolColorArray", tuple((k / 11, 0.5, 1 - k / 11, 1.0) for k in range(12))),
        portrait=Value("PoolByteArray", picture()),
        raw=Value("PoolByteArray", bytes((x * 7 + y * 5) % 256 for y in range(24) for x in range(24 * 4))),
        deep=_deep(),
    )
    raw = encode(value, GODOT3)
    return len(raw).to_bytes(4, "little") + raw


def write_games(folder: Path) -> None:
    """Games with saves, as engines lay them out below a folder of data."""
    for place, sample, when in (
        ("The Lantern Fens/godot3-rpg 2.save", SAMPLE, 2_000_000),
        ("The Lantern Fens/godot3-rpg 1.save", SAMPLE, 1_000_000),
        ("The Lantern Fens/godot3-rpg 1.save.bak", SAMPLE, 900_000),
        ("Kestrel Farm, the long winter and the short summer/godot4-typed of the farm.save", "godot4-typed.save", 3e6),
    ):
        path = folder / "godot" / "app_userdata" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(assets.data("samples", sample))
        os.utime(path, (when, when))


def write_profile(folder: Path, is_broken: bool = False) -> None:
    """A profile in the person's own folder, or one that cannot be read."""
    folder.mkdir(parents=True, exist_ok=True)
    words = FAVOURITE.format(name="A game of one's own")
    (folder / "own.toml").write_text(words.replace("range", "reach") if is_broken else words, encoding="utf-8")


def write_kept(folder: Path) -> Path:
    """Unsaved changes of an earlier run: some fit, of some the file is another or gone. Returns where they are kept."""
    kept = folder / "journals"
    for number, name in enumerate(("fits.save", "replaced.save", "gone in the long winter.save")):
        path = folder / name
        path.write_bytes(assets.data("samples", SAMPLE))
        document = Document.open(path)
        edit = overwrite(document, 540, b"\7\7\7")
        document.apply(edit)
        place = kept / "dead" / f"{name}.journal"
        Journal(place, document).add(edit.splices)
        os.utime(place, (2e9 - number, 2e9 - number))
    (folder / "replaced.save").write_bytes(b"another" * 90)
    (folder / "gone in the long winter.save").unlink()
    return kept


SCRIPTS = (
    "set [0].player.gold 1425",
    "set [0].player.health 99.0\nset [0].play_time 2.5",
    "set [0].player.gold 1500\ndelete [0].inventory[0]",
)
"""What was done between the versions of a timeline, as lines of ``bulk --script``."""


def write_versions(path: Path) -> None:
    """A save with a timeline of four versions; the second change was marked."""
    from viewer.document.compare.change_script import run_script

    path.write_bytes(assets.data("samples", SAMPLE))
    timeline, document = Timeline(path), Document.open(path)
    timeline.add(path.read_bytes())
    for number, script in enumerate(SCRIPTS):
        if number == 1:
            timeline.mark("drink the potion of the ferryman")
        run_script(document, script)
        timeline.add(bytes(document.buffer[:]))
        if number == 1:
            timeline.done()
    path.write_bytes(bytes(document.buffer[:]))
