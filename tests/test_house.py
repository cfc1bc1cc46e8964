"""The house: names stand once, packages do not lean on each other, and the pages at the top say what is there."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")
SHARED = {
    "preview": "of a value, and of a repair",
    "retype": "a value, and as an edit of a document",
    "view": "the tree's and the bytes', each the middle of its package",
}
"""Base names that two modules may share, and why."""
MOST_LINES = 700
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")
MODULE = re.compile(r"viewer(?:\.\w+)+(?::[A-Za-z_][\w.]*)?")
FILE = re.compile(r"(?!\.\.)(?!\.venv)[\w.*-]+(?:/[\w.*-]+)*/?")
SUFFIXES = {".md", ".py", ".pxd", ".toml"}
NAME = re.compile(r"_?[A-Z]\w{3,}(?:\.\w+)?")
HOP = re.compile(r"^\d+\. `([^`]+)`", re.MULTILINE)
SECTION = re.compile(r"^(##+) (.+)$", re.MULTILINE)


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house_figures", ROOT / "tools" / "house_figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


FIGURES = _tool()


@cache
def this_house() -> dict[str, Any]:
    """The modules of the package; not before a test asks, for whoever only lists the tests would wait."""
    found: dict[str, Any] = FIGURES.modules(ROOT)
    return found


def page(name: str) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))


def section(text: str, title: str) -> str:
    """What stands below a heading, up to the next one of its level."""
    found = [(match.start(), match.end(), len(match[1]), match[2]) for match in SECTION.finditer(text)]
    at = next(k for k, each in enumerate(found) if each[3] == title)
    after = (start for start, _, level, _ in found[at + 1 :] if level <= found[at][2])
    return text[found[at][1] : next(after, len(text))]


def journeys() -> dict[str, list[str]]:
    """The hops of each journey, by its heading."""
    text = section(page("ARCHITECTURE.md"), "Four journeys")
    return {match[2]: HOP.findall(section(text, match[2])) for match in SECTION.finditer(text)}


@cache
def defined(path: Path) -> set[str]:
    """The names that a module defines, those in its classes behind a dot."""
    return set(_names(ast.parse(path.read_text(encoding="utf-8")).body, ""))


def _names(body: list[ast.stmt], before: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield before + node.name
            yield from _names(node.body, f"{before}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield before + node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (
                before + each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
            )
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _names(node.body, before)


def is_there(name: str) -> bool:
    """Whether there is such a ``module.path`` or ``module.path:Name``."""
    module, _, inside = name.partition(":")
    return module in this_house() and (not inside or inside in defined(ROOT / this_house()[module].path))


def words(text: str) -> Iterator[str]:
    """What stands in code font, commands word by word."""
    for found in CODE.findall(text):
        yield from found.split()


def is_file(word: str) -> bool:
    return FILE.fullmatch(word) is not None and ("/" in word or Path(word).suffix in SUFFIXES)


def missing(text: str) -> list[str]:
    """The modules, names and files that a page speaks of and that are not there."""
    lost = [word for word in words(text) if MODULE.fullmatch(word) and not is_there(word)]
    files = [word for word in words(text) if not MODULE.fullmatch(word) and is_file(word)]
    lost += [file for file in [*files, *LINK.findall(text)] if not any(ROOT.glob(file.rstrip("/")))]
    known = {name for module in this_house().values() for name in defined(ROOT / module.path)} | defined(
        ROOT / "setup.py"
    )
    names = [word for word in CODE.findall(text) if NAME.fullmatch(word) and not is_file(word)]
    return lost + [name for name in names if name not in known]


def test_a_public_class_name_stands_once() -> None:
    assert {name: found for name, found in FIGURES.class_places(this_house()).items() if len(found) > 1} == {}


def test_a_base_name_of_a_module_stands_once_but_for_a_handful() -> None:
    twice = {name: found for name, found in FIGURES.base_name_places(this_house()).items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in SHARED or len(found) > 2} == {}
    assert SHARED.keys() == twice.keys(), "the list has a name that is not shared any more"


def test_packages_side_by_side_do_not_import_each_other() -> None:
    pairs = FIGURES.mutual(this_house())
    told = {
        pair: [*FIGURES.crossing(this_house(), *pair)][:3] + [*FIGURES.crossing(this_house(), *reversed(pair))][:3]
        for pair in pairs
    }
    assert told == {}


def test_no_two_folders_import_each_other() -> None:
    pairs = FIGURES.mutual_folders(this_house())
    assert {
        pair: [*FIGURES.between(this_house(), *pair), *FIGURES.between(this_house(), *reversed(pair))] for pair in pairs
    } == {}


def test_no_module_is_long() -> None:
    assert {name: module.lines for name, module in this_house().items() if module.lines > MOST_LINES} == {}


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_names_is_there(name: str) -> None:
    assert missing(page(name)) == []


def test_there_are_four_journeys_and_every_hop_is_there() -> None:
    found = journeys()
    assert len(found) == 4
    assert all(len(hops) > 8 for hops in found.values())
    assert [hop for hops in found.values() for hop in hops if ":" not in hop or not is_there(hop)] == []


def test_opening_a_file_is_told_in_four_modules() -> None:
    hops = journeys()["Open a save, to painted rows"]
    before = hops[: hops.index("viewer.ui.session:Session.show")]
    assert len({hop.partition(":")[0] for hop in before}) <= 4


def test_every_package_is_on_the_map() -> None:
    told = set(CODE.findall(section(page("ARCHITECTURE.md"), "The map")))
    assert {name for name, module in this_house().items() if module.is_package and name != "viewer"} - told == set()


def test_what_is_said_to_be_loaded_late_is_not_loaded_at_the_start() -> None:
    text = section(page("ARCHITECTURE.md"), "What holds, and what is not there")
    told = CODE.findall(text[text.index("**Loaded late.**") : text.index("\n  `viewer.ui.lazy:LazyPart`")])
    late = [name for name in told if name in this_house()]
    assert len(late) > 10
    probe = "import sys, viewer.cli, viewer.ui.window.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert {name for name in done.stdout.split() if name in late} == set()


# The checks see what they are for


def house(folder: Path, **files: str) -> dict[str, Any]:
    """A house of a few modules, by their paths with ``__`` for a slash."""
    for name, text in files.items():
        path = folder / "viewer" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        for package in (path.parent, folder / "viewer"):
            (package / "__init__.py").touch()
        path.write_text(text)
    found: dict[str, Any] = FIGURES.modules(folder)
    return found


def test_a_class_and_a_base_name_that_stand_twice_are_seen(tmp_path: Path) -> None:
    found = house(
        tmp_path, one__same="class Twice: ...\nclass _Own: ...", other__same="class Twice: ...\nclass _Own: ..."
    )
    assert FIGURES.class_places(found) == {"Twice": ["viewer.one.same", "viewer.other.same"]}
    assert FIGURES.base_name_places(found) == {"same": ["viewer.one.same", "viewer.other.same"]}


@pytest.mark.parametrize(
    "late", ["import viewer.one.a", "from viewer.one import a", "def f():\n    from viewer.one.a import A"]
)
def test_packages_that_import_each_other_are_seen(tmp_path: Path, late: str) -> None:
    found = house(
        tmp_path, one__a="class A: ...", one__b="from viewer.other.c import C", other__c="class C: ...", other__d=late
    )
    assert FIGURES.mutual(found) == [("viewer.one", "viewer.other")]
    assert list(FIGURES.crossing(found, "viewer.other", "viewer.one")) == [("viewer.other.d", "viewer.one.a")]


@pytest.mark.parametrize("deep", ["", "__deep"])
def test_folders_that_import_each_other_are_seen(tmp_path: Path, deep: str) -> None:
    files = {f"one{deep}__a": "class A: ...", f"one{deep}__b": "from viewer.one.c import C"}
    found = house(tmp_path, **files, one__c=f"import viewer.one{deep.replace('__', '.')}.a")
    pair = ("viewer.one", "viewer.one.deep")
    assert FIGURES.mutual_folders(found) == ([pair] if deep else [])
    if deep:
        assert list(FIGURES.between(found, *pair)) == [("viewer.one.c", "viewer.one.deep.a")]


def test_a_module_is_measured(tmp_path: Path) -> None:
    found = house(tmp_path, one__a="import sys\nfrom viewer.one.b import (\n    B,\n)\n\nX = B", one__b="class B: ...")
    module = found["viewer.one.a"]
    assert (module.lines, module.import_lines, module.imports) == (6, 4, {"viewer.one.b"})
    assert FIGURES.only_for_a_neighbour(found) == ["viewer.one.b"]


@pytest.mark.parametrize(
    "word",
    [
        "viewer.document.nowhere",
        "viewer.document.document:Nobody",
        "viewer.document.document:Document.fly",
        "tests/nowhere.py",
        "python tools/nowhere.py",
        "NOWHERE.md",
        "NoSuchName",
    ],
)
def test_what_is_not_there_is_missed(word: str) -> None:
    assert missing(f"Look at `{word}`.") == [word.split()[-1]]


def test_a_link_to_a_page_that_is_not_there_is_missed() -> None:
    assert missing("[here](docs/nowhere.md), [there](https://example.org/nowhere.md)") == ["docs/nowhere.md"]
