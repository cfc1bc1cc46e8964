"""Prove what is said of binary resources and of values inside values, at a size that the tests have no time for.

    python tools/resource_proofs.py edits
    python tools/resource_proofs.py malformed [FOLDER]
    python tools/resource_proofs.py fuzz [MINUTES [READER ...]]
    python tools/resource_proofs.py nested

``edits`` sets a value of each type, in the main resource and in another one, to others of the same and of another
length, in each kind of file, and asks the real engines what they load. ``malformed`` compares verdicts on broken
resources with those of the engines; FOLDER may hold ``godot3-resources/malformed.jsonl`` and its like. ``fuzz`` lets
each reader, or each named one, read damaged files for so many minutes (1) of processor time, shared by its kinds of
files. ``nested`` edits inside values that lie three levels deep, lets the engines read them back, and counts marks on
ordinary values.
Each prints a table; a missed goal ends with code 1.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import corpus  # noqa: E402
import engine  # noqa: E402
from document.nested.test_engine_nested import LEVELS, SAVES, of_godot3, of_godot4, wrong_saves  # noqa: E402
from document.nested.test_ordinary_values import marked, ordinary_files  # noqa: E402
from document.readers import test_engine4_resources, test_engine_resources  # noqa: E402
from document.readers.resource_edits import FOLDER, ResourceEdit, edits, files, readable, scripts  # noqa: E402
from document.readers.test_resource_file import OTHERWISE, use  # noqa: E402
from document.readers.test_shipped_layouts import PACKAGES, debugger_stream, id_cache, texture  # noqa: E402
from engine4 import Godot  # noqa: E402

from viewer.base.diagnostic import Severity  # noqa: E402
from viewer.container.layer import WrapError  # noqa: E402
from viewer.document.document import Document  # noqa: E402
from viewer.document.edits.fragment import written  # noqa: E402
from viewer.document.edits.setting import set_literal  # noqa: E402
from viewer.document.edits.slots import inside  # noqa: E402
from viewer.document.edits.structure import insert  # noqa: E402
from viewer.document.nested.nested_document import candidates  # noqa: E402
from viewer.document.nested.value_content import content  # noqa: E402
from viewer.variant.items import Item  # noqa: E402

LINES = {"godot3": "Godot 3.2.3", "godot4": "Godot 4.6"}
Loaded = dict[tuple[Any, str], Any]
"""What an engine loads: each property by its resource and its name."""


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print columns as wide as what stands in them."""
    lines = [heads, *([str(each) for each in row] for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(heads))]
    for line in lines:
        print("  ".join(each.ljust(width) for each, width in zip(line, widths, strict=True)).rstrip())


# Edits

GOALS = {"godot3": 120, "godot4": 150}
BOTH = {
    "int": ("77", "-8", "5000000000"),
    "float": ("2.25", "-0.5", "0.1"),
    "bool": ("true", "false", ""),
    "String": ('"one"', '"two"', '"a much longer text, with ünïcode"'),
    "NodePath": ('NodePath("A/B:c")', 'NodePath("B/A:c")', 'NodePath("/root/A/new_name")'),
    "Vector2": ("Vector2(9, -8.5)", "Vector2(0.5, 1)", ""),
    "Rect2": ("Rect2(1, 2, 3, 4.5)", "Rect2(4, 3, 2, 1)", ""),
    "Vector3": ("Vector3(1, 2, 3.5)", "Vector3(-1, 0, 9)", ""),
    "Transform2D": ("Transform2D(1, 0, 0, 1, 5, 6)", "Transform2D(0, 2, -2, 0, 7, 8)", ""),
    "Plane": ("Plane(0, 1, 0, 2)", "Plane(1, 0, 0, -3)", ""),
    "AABB": ("AABB(1, 2, 3, 4, 5, 6)", "AABB(6, 5, 4, 3, 2, 1)", ""),
    "Basis": ("Basis(1, 0, 0, 0, 1, 0, 0, 0, 2)", "Basis(2, 0, 1, 0, 1, 0, 3, 0, 2)", ""),
    "Color": ("Color(0, 1, 0, 0.5)", "Color(0.25, 0, 1, 1)", ""),
    "Array": ('[1, "two", [3.5]]', '[3, "one", [1.5]]', "[]"),
    "Dictionary": ('{"k": 1, 5: [true]}', '{"q": 2, 6: [false]}', "{}"),
}
"""By type: a value, one of the same length, one of another; nothing where all values of a type are of one length."""
OF_LINE = {
    "godot3": {
        "Quat": ("Quat(0, 0, 0, 1)", "Quat(0.5, 0.5, 0.5, 0.5)", ""),
        "Transform": (
            "Transform(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)",
            "Transform(2, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)",
            "",
        ),
        "PoolByteArray": ("PoolByteArray( 1, 2, 3 )", "PoolByteArray( 9, 8, 7, 6 )", "PoolByteArray( 1, 2, 3, 4, 5 )"),
        "PoolIntArray": ("PoolIntArray( 1, -2 )", "PoolIntArray( 7, 8 )", "PoolIntArray(  )"),
        "PoolRealArray": ("PoolRealArray( 0.5 )", "PoolRealArray( -2.25 )", "PoolRealArray( 1, 2, 3 )"),
        "PoolStringArray": ('PoolStringArray( "a", "" )', 'PoolStringArray( "", "b" )', 'PoolStringArray( "long" )'),
        "PoolVector2Array": ("PoolVector2Array( 1, 2 )", "PoolVector2Array( 3, 4 )", "PoolVector2Array( 1, 2, 3, 4 )"),
        "PoolVector3Array": ("PoolVector3Array( 1, 2, 3 )", "PoolVector3Array( 3, 2, 1 )", "PoolVector3Array(  )"),
        "PoolColorArray": ("PoolColorArray( 1, 0, 0, 1 )", "PoolColorArray( 0, 1, 0, 1 )", "PoolColorArray(  )"),
    },
    "godot4": {
        "StringName": ('&"one"', '&"two"', '&"another_name"'),
        "Vector2i": ("Vector2i(7, -8)", "Vector2i(1, 2)", ""),
        "Rect2i": ("Rect2i(1, 2, 3, 4)", "Rect2i(4, 3, 2, 1)", ""),
        "Vector3i": ("Vector3i(1, 2, 3)", "Vector3i(-3, 2, 1)", ""),
        "Vector4": ("Vector4(1, 2, 3, 4.5)", "Vector4(4, 3, 2, 1)", ""),
        "Vector4i": ("Vector4i(1, 2, 3, 4)", "Vector4i(-4, 3, 2, 1)", ""),
        "Quaternion": ("Quaternion(0, 0, 0, 1)", "Quaternion(0.5, 0.5, 0.5, 0.5)", ""),
        "Transform3D": (
            "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 9)",
            "Transform3D(2, 0, 1, 0, 1, 0, 3, 0, 1, 1, 2, 3)",
            "",
        ),
        "Projection": (
            "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
            "Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
            "",
        ),
        "PackedByteArray": (
            "PackedByteArray(1, 2, 3)",
            "PackedByteArray(9, 8, 7, 6)",
            "PackedByteArray(1, 2, 3, 4, 5)",
        ),
        "PackedInt32Array": ("PackedInt32Array(1, -2)", "PackedInt32Array(7, 8)", "PackedInt32Array()"),
        "PackedInt64Array": ("PackedInt64Array(1)", "PackedInt64Array(5000000000)", "PackedInt64Array(1, 2, 3)"),
        "PackedFloat32Array": ("PackedFloat32Array(0.5)", "PackedFloat32Array(-2.25)", "PackedFloat32Array(1, 2, 3)"),
        "PackedFloat64Array": ("PackedFloat64Array(0.1)", "PackedFloat64Array(-0.2)", "PackedFloat64Array(0.1, 0.2)"),
        "PackedStringArray": ('PackedStringArray("a", "")', 'PackedStringArray("", "b")', 'PackedStringArray("long")'),
        "PackedVector2Array": (
            "PackedVector2Array(1, 2)",
            "PackedVector2Array(3, 4)",
            "PackedVector2Array(1, 2, 3, 4)",
        ),
        "PackedVector3Array": ("PackedVector3Array(1, 2, 3)", "PackedVector3Array(3, 2, 1)", "PackedVector3Array()"),
        "PackedVector4Array": (
            "PackedVector4Array(1, 2, 3, 4)",
            "PackedVector4Array(4, 3, 2, 1)",
            "PackedVector4Array()",
        ),
        "PackedColorArray": ("PackedColorArray(1, 0, 0, 1)", "PackedColorArray(0, 1, 0, 1)", "PackedColorArray()"),
    },
}
BASES = {
    "godot3": ("sub_shared.res", "game_compressed.res", "game_big_endian.res", "scene_one.scn"),
    "godot4": (
        "sub_shared.res",
        "game_compressed.res",
        "big_endian_types.res",
        "game_compressed_big_endian.res",
        "scene_tree.scn",
    ),
}
"""A file of each kind: plain, compressed, big-endian, both, a scene."""
HOLDERS = {"godot3": ("__meta__", '{{"proof": {}}}'), "godot4": ("metadata/proof", "{}")}
"""The property that takes a value of any type: its name, and what stands around that value."""


class Asked(Protocol):
    """An engine."""

    def loaded(self, made: Sequence[tuple[str, bytes]]) -> list[Loaded | None]:
        """What it loads from files, each with a name."""

    def meant(self, texts: Sequence[str]) -> list[Any]:
        """What its own texts of values mean."""


class Asked3:
    """Godot 3.2.3."""

    def loaded(self, made: Sequence[tuple[str, bytes]]) -> list[Loaded | None]:
        found = engine.loaded([raw for _, raw in made], FOLDER / "godot3" / "scripts")
        return [None if each is None else dict(test_engine_resources.shown(each)) for each in found]

    def meant(self, texts: Sequence[str]) -> list[Any]:
        return [each.value for each in engine.read_back([engine.Request(raw) for raw in engine.encode(texts)])]


class Asked4:
    """Godot 4.6."""

    def __init__(self, running: Godot) -> None:
        self._running, self._scripts = running, scripts("godot4")

    def loaded(self, made: Sequence[tuple[str, bytes]]) -> list[Loaded | None]:
        found = (self._running.loaded(raw, f"res://{name}", self._scripts)[0] for name, raw in made)
        return [None if each is None else dict(test_engine4_resources.shown(each)) for each in found]

    def meant(self, texts: Sequence[str]) -> list[Any]:
        return [test_engine4_resources.untyped(each.values[0].shown) for each in self._running.texts(texts)]


@dataclass(frozen=True, slots=True)
class Tried:
    """An edit of a value: *before* and *after* are the bytes of the file, *text* is what the property must be."""

    kind: str
    where: str
    keeps: bool
    what: str
    name: str
    before: bytes
    after: bytes
    text: str


def tried(line: str, path: Path) -> Iterator[Tried]:
    """Each type in the main and in another resource of a file, in a property that it did not have."""
    holder, around = HOLDERS[line]
    document = Document.open(path)
    kind = " ".join(document.wraps.names) or "plain"
    kind = "scene" if path.suffix == ".scn" else kind
    main = document.frames.index(document.frames[document.structure.main]) if document.structure else 0
    others = [frame for frame in range(len(document.frames)) if frame != main]
    if (
        others and line == "godot4"
    ):  # what only properties of a script's own classes hold, no engine without the project sees
        held = written(document, f"SubResource({others[-1]})", '"metadata/held"')
        document.apply(insert(document, inside(document, Item(main, 0)), [held]))
    for where, frame in (("main", main), *((("inside", others[-1]),) if others else ())):
        for name, (first, same, longer) in {**BOTH, **OF_LINE[line]}.items():
            more = (first, longer) if longer else (f"[{first}]", f"[{same}, {first}]")
            for keeps, (old, new) in ((True, (first, same)), (False, more)):
                value = written(document, around.format(old), f'"{holder}"')
                document.apply(insert(document, inside(document, Item(frame, 0)), [value]))
                before, size = bytes(document.to_be_written()), len(document.buffer)
                document.apply(set_literal(document, last_property(document, frame, line), new))
                assert keeps == (len(document.buffer) == size), (path.name, name, new)
                after = bytes(document.to_be_written())
                yield Tried(kind, where, keeps, name, holder, before, after, around.format(new))
                document.undo()
                document.undo()


def last_property(document: Document, frame: int, line: str) -> Item:
    """The value of the last property, in Godot 3 inside the dictionary that it is."""
    found = document.frames[frame].table
    *_, node = found.children(0)
    return Item(frame, list(found.children(node))[1] if line == "godot3" else node)


def prove_edits() -> bool:
    """Let the engines load what was edited."""
    rows: list[tuple[object, ...]] = []
    wrong, is_met = [], True
    with Godot() as running:
        asked: dict[str, Asked] = {"godot3": Asked3(), "godot4": Asked4(running)}
        for line, each in asked.items():
            counts, faults = judged(each, [made for name in BASES[line] for made in tried(line, FOLDER / line / name)])
            wrong += faults
            for kind, where in dict.fromkeys(sort[:2] for sort in counts):
                (kept, total), (changed, more) = (counts[kind, where, keeps] for keeps in (True, False))
                rows.append((LINES[line], kind, where, kept, changed, kept + changed, total + more))
            for words, right, found in own_properties(line, each):
                wrong += found
                rows.append((LINES[line], "all files", words, "", "", right, right + len(found)))
            is_met = is_met and sum(right for right, _ in counts.values()) >= GOALS[line]
    table(("engine", "file", "resource", "length kept", "changed", "as meant", "of"), rows)
    return told(wrong) and is_met


def judged(asked: Asked, made: Sequence[Tried]) -> tuple[dict[tuple[str, str, bool], tuple[int, int]], list[str]]:
    """How many edits of each sort are what the engine loads, and what else it has."""
    raws = list(dict.fromkeys(raw for each in made for raw in (each.before, each.after)))
    known = dict(zip(raws, asked.loaded([(f"{k}.res", raw) for k, raw in enumerate(raws)]), strict=True))
    texts = list(dict.fromkeys(each.text for each in made))
    meant = dict(zip(texts, asked.meant(texts), strict=True))
    counts: dict[tuple[str, str, bool], tuple[int, int]] = {}
    faults = []
    for each in made:
        old, new, sort = known[each.before], known[each.after], (each.kind, each.where, each.keeps)
        told = "the engine refuses it"
        if old is not None and new is not None:
            changed = [key for key in new if new[key] != old.get(key)]
            is_right = len(changed) == 1 and old.keys() == new.keys() and changed[0][1] == each.name
            told = "" if is_right and new[changed[0]] == meant[each.text] else f"{changed} changed"
        right, total = counts.get(sort, (0, 0))
        counts[sort] = right + (not told), total + 1
        if told:
            faults.append(f"{each.kind}, {each.where}, {each.what} to {each.text}: {told}")
    return counts, faults


RULED = {
    "godot3": ("sub_of_engine", "engine_", "scene_"),
    "godot4": test_engine4_resources.OF_ENGINE,
}
"""Files whose classes have rules of their own for what a property may hold: that they are loaded is all that counts."""


def own_properties(line: str, asked: Asked) -> Iterator[tuple[str, int, list[str]]]:
    """The same of the properties that files have: what is asked, how many are right, and what is wrong."""
    paths = readable(line)
    before = dict(zip(paths, asked.loaded([(path.name, path.read_bytes()) for path in paths]), strict=True))
    made = [edit for path in paths if before[path] is not None for edit in edits(path)]
    after = asked.loaded([(edit.path.name, edit.saved) for edit in made])
    texts = list(dict.fromkeys(spelled(line, edit) for edit in made))
    meant = dict(zip(texts, asked.meant(texts), strict=True))
    for ruled, words in ((False, "own properties"), (True, "ruled by class, loads")):
        right, faults = 0, []
        for edit, new in zip(made, after, strict=True):
            if edit.path.name.startswith(RULED[line]) != ruled:
                continue
            old = before[edit.path] or {}
            changed = [key for key in new or () if new is not None and new[key] != old.get(key)]
            is_right = new is not None and (ruled or is_only(new, changed, edit.name, meant[spelled(line, edit)]))
            right += is_right
            faults += [] if is_right else [f"{edit.path.name}, {edit.name} to {edit.text}: {changed} changed"]
        yield words, right, faults


def is_only(new: Loaded, changed: Sequence[tuple[Any, str]], name: str, meant: Any) -> bool:
    """Whether a property alone changed, to what was meant; it may have been that before."""
    keys = changed or [key for key in new if key[1] == name]
    return len(changed) < 2 and any(key[1] == name and new[key] == meant for key in keys)


def spelled(line: str, edit: ResourceEdit) -> str:
    """What a property is set to, as its engine spells it."""
    return edit.text.replace('&"', '"') if line == "godot3" else edit.text


def told(wrong: Sequence[str]) -> bool:
    """Tell each fault; whether there is none."""
    for fault in wrong:
        print(f"  wrong: {fault}")
    return not wrong


# Broken files

AGREED = 0.97
PUBLIC = "malformed.jsonl"


def broken(line: str, folder: Path | None) -> list[dict[str, Any]]:
    """Resources that are broken one way each, with what the engine made of them."""
    if folder is not None:
        lines = (folder / f"{line}-resources" / PUBLIC).read_text(encoding="utf-8").split("\n")
        return [json.loads(each) for each in lines if each]
    with gzip.open(FOLDER / line / f"{PUBLIC}.gz", "rt", encoding="utf-8") as rows:
        return [json.loads(each) for each in rows]


def prove_malformed(folder: Path | None = None) -> bool:
    """Compare what is said of broken files with what engines do."""
    rows, others, wrong, is_met = [], [], [], True
    for line, name in LINES.items():
        found, differs = broken(line, folder), []
        ends = Counter(row["outcome"] for row in found)
        for row in found:
            try:
                use(raw := bytes.fromhex(row["hex"]))
                is_refused = any(each.severity is Severity.ERROR for each in Document(raw).findings.all())
            except Exception:  # there must be none
                wrong.append(f"{name}, {row['id']}: {traceback.format_exc(limit=-1)}")
                continue
            if row["outcome"] in ("null", "loaded") and (row["outcome"] == "null") != is_refused:
                differs.append(row["id"])
        total = ends["null"] + ends["loaded"]
        share = (total - len(differs)) / total
        is_met = is_met and share >= AGREED
        rows.append((name, len(found), ends["crash"], ends["hang"], total, total - len(differs), f"{share:.1%}"))
        others += [(name, each, OTHERWISE[line].get(each, "not known")) for each in differs]
    table(("engine", "files", "it dies", "it hangs", "asked", "agreed", "share"), rows)
    table(("other than", "file", "because"), others)
    return told(wrong) and is_met


# Fuzzing

SLOW = 5.0
"""Seconds that no small file may take."""
MOST_FAULTS = 5
ODD = (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x01000000, 0x00010000, 0)


def samples() -> dict[str, list[bytes]]:
    """Sound files by the reader that cuts them."""
    found: dict[str, list[bytes]] = {}
    for line, name in LINES.items():
        for path in files(line):
            wraps = " ".join(Document.open(path).wraps.names)
            found.setdefault(f"resource of {name}{f', {wraps}' if wraps else ''}", []).append(path.read_bytes())
    found |= {f"package, version {kind[-1]}": [raw] for kind, raw in PACKAGES.items()}
    found["settings of a project"] = [path.read_bytes() for path in (corpus.DATA / "projects").glob("*.binary")]
    found["cache of ids"] = [id_cache({number: f"res://{number}/ünicode.tscn" for number in range(1, 40)})]
    found["debugger stream of Godot 3"] = [(corpus.DATA / "fields" / "godot3.2.3-debugger.bin").read_bytes()]
    found["debugger stream of Godot 4"] = [debugger_stream()]
    found["texture"] = [texture()]
    found["values among fields"] = [path.read_bytes() for path in (corpus.DATA / "mixed").glob("*.save")]
    return found


def reader_of(kind: str) -> str:
    """What reads a kind of file: ``package`` each version of packages."""
    return kind.partition(",")[0].partition(" of ")[0]


def prove_fuzz(minutes: float = 1, *readers: str) -> bool:
    """Let each reader, or each named one, read damaged files."""
    rows, wrong = [], []
    kinds = {name: sound for name, sound in samples().items() if not readers or reader_of(name) in readers}
    shares = Counter(map(reader_of, kinds))
    for name, sound in kinds.items():
        dice, count, slowest, faults = random.Random(name), 0, 0.0, 0
        end = time.process_time() + 60 * minutes / shares[reader_of(name)]
        while time.process_time() < end and faults < MOST_FAULTS:
            raw, start = damaged(dice, dice.choice(sound)), time.process_time()
            try:
                use(raw)
            except Exception:  # there must be none
                wrong.append(f"{name}: {raw.hex()}\n{traceback.format_exc(limit=-2)}")
                faults += 1
            count, slowest = count + 1, max(slowest, time.process_time() - start)
        rows.append((name, len(sound), count, f"{1000 * slowest:.0f} ms", faults))
        wrong += [f"{name}: a file took {slowest:.1f} s"] if slowest > SLOW else []
        print(*rows[-1], sep=", ", file=sys.stderr, flush=True)
    table(("reader", "files", "damaged", "slowest", "exceptions"), rows)
    return told(wrong)


def damaged(dice: random.Random, whole: bytes) -> bytes:
    """A file with some bytes changed, words set, a piece lost or doubled, or cut; also inside a wrap."""
    wraps = Document(whole).wraps if dice.random() < INSIDE else None
    if wraps is not None and wraps.names:
        try:
            return bytes(wraps.put_on(spoilt(dice, bytes(wraps.inside))).outside)
        except WrapError:
            pass  # a form may need to follow what it wraps
    return spoilt(dice, whole)


INSIDE = 0.5
"""How often what lies inside a wrap is damaged instead of the wrap."""


def spoilt(dice: random.Random, whole: bytes) -> bytes:
    """The same bytes with some damage."""
    out = bytearray(whole)
    for _ in range(dice.randrange(1, 5)):
        at = dice.randrange(len(out) + 1)
        match dice.randrange(6):
            case 0 | 1 if at < len(out):
                out[at] ^= 1 << dice.randrange(8)
            case 2:
                out[at : at + 4] = dice.choice((*ODD, dice.randrange(60))).to_bytes(4, dice.choice(("little", "big")))
            case 3:
                del out[at : at + dice.randrange(1, 9)]
            case 4:
                out[at:at] = out[at : at + dice.randrange(1, 60)]
            case _ if dice.random() < 0.3:
                del out[at:]
    return bytes(out)


# Values inside values

ORDINARY = 1000


def prove_nested() -> bool:
    """Edit inside values, and look for marks where nothing is inside."""
    rows, wrong = [], []
    with Godot() as running:
        for line, asked in (("godot3", of_godot3()), ("godot4", of_godot4(running))):
            faults = wrong_saves(line, *asked)
            wrong += [f"{LINES[line]}: {save.path} of {' in '.join(reversed(save.ways))}" for save in faults]
            rows.append((LINES[line], SAVES, LEVELS, SAVES - len(faults)))
    table(("engine", "saves", "levels", "read as meant"), rows)
    seen: set[bytes] = set()
    marks: list[str] = []
    for path, document in ordinary_files():
        seen.update(filter(None, (content(document, item) for item in candidates(document))))
        marks += [f"{path.name}: {where} is said to hold {words}" for where, words in marked(document)]
    table(("different byte arrays and strings of games", "marks"), [(len(seen), len(marks))])
    return told(wrong + marks) and len(seen) >= ORDINARY


PROOFS: dict[str, Callable[..., bool]] = {
    "edits": prove_edits,
    "malformed": lambda folder=None: prove_malformed(Path(folder) if folder else None),
    "fuzz": lambda minutes=1, *readers: prove_fuzz(float(minutes), *readers),
    "nested": prove_nested,
}


def main(words: Sequence[str]) -> int:
    """Give a proof; 1 where the goal is missed, 2 where there is no such proof."""
    if not words or words[0] not in PROOFS:
        print(__doc__, file=sys.stderr)
        return 2
    return 0 if PROOFS[words[0]](*words[1:]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
