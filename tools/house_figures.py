"""Figures of how the package is cut into modules, of this checkout or of others beside each other.

    python tools/house_figures.py [CHECKOUT ...]

Each checkout is a column. What is loaded at start is asked of a Python of its own, without a window and without a file;
where the compiled modules are built in one checkout only, the milliseconds cannot be compared.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

PACKAGE = "viewer"
SMALL = 60
"""A file of fewer lines is a small one."""
ROUNDS = 7
START = """
import os, sys, time
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6 import QtCore, QtGui, QtWidgets
begin = time.process_time()
import viewer.cli
try:
    import viewer.ui.window.app
except ImportError:  # an older checkout
    import viewer.ui.window.app
spent = time.process_time() - begin
print(sum(name.partition(".")[0] == "viewer" for name in sys.modules), spent)
"""
"""What the window needs before it opens; Qt itself is not counted."""


@dataclass(frozen=True, slots=True)
class Module:
    """One file of the package.

    Args:
        name: its dotted name; that of the package for an ``__init__.py``.
        path: where it lies in the checkout.
        lines: how many it has, and how many of them import something.
        classes: the public classes at its top level.
        imports: the modules of the package that it imports, wherever in the file.
    """

    name: str
    path: Path
    lines: int
    import_lines: int
    classes: tuple[str, ...]
    imports: frozenset[str]

    @property
    def is_package(self) -> bool:
        """Whether it is an ``__init__.py``."""
        return self.path.stem == "__init__"

    @property
    def folder(self) -> str:
        """The package that it lies in, or is."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


def modules(checkout: Path) -> dict[str, Module]:
    """All modules of the package, by their dotted names."""
    paths = {_name(path.relative_to(checkout)): path for path in sorted((checkout / PACKAGE).rglob("*.py"))}
    return {name: _module(name, path, checkout, paths.keys()) for name, path in paths.items()}


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _module(name: str, path: Path, checkout: Path, known: Iterable[str]) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    return Module(
        name,
        path.relative_to(checkout),
        len(text.splitlines()),
        sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found),
        tuple(classes),
        frozenset(target for node in found for target in _targets(node) if target in known and target != name)
        | frozenset(_sources(found, known) - {name}),
    )


def _targets(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The names that may be modules: what ``import`` names, and each name behind ``from`` as part of its package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    else:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _sources(found: Iterable[ast.Import | ast.ImportFrom], known: Iterable[str]) -> set[str]:
    """The modules that names are taken from which are no modules themselves."""
    return {
        node.module
        for node in found
        if isinstance(node, ast.ImportFrom)
        and node.module in known
        and any(f"{node.module}.{alias.name}" not in known for alias in node.names)
    }


def class_places(house: Mapping[str, Module]) -> dict[str, list[str]]:
    """The modules that each public class name stands in."""
    places = defaultdict(list)
    for module in house.values():
        for name in module.classes:
            places[name].append(module.name)
    return dict(places)


def base_name_places(house: Mapping[str, Module]) -> dict[str, list[str]]:
    """The modules of each base name; packages have none."""
    places = defaultdict(list)
    for module in house.values():
        if not module.is_package:
            places[module.path.stem].append(module.name)
    return dict(places)


def mutual(house: Mapping[str, Module]) -> list[tuple[str, str]]:
    """Packages that lie side by side in one package and import each other, all that lies in them included."""
    packages = [module.name for module in house.values() if module.is_package]
    return [
        (one, other)
        for one, other in combinations(sorted(packages), 2)
        if one.rpartition(".")[0] == other.rpartition(".")[0]
        and next(crossing(house, one, other), None)
        and next(crossing(house, other, one), None)
    ]


def crossing(house: Mapping[str, Module], one: str, other: str) -> Iterator[tuple[str, str]]:
    """The imports of modules of *other* by modules of *one*."""
    for module in house.values():
        if _inside(module.name, one):
            yield from ((module.name, target) for target in sorted(module.imports) if _inside(target, other))


def _inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def mutual_folders(house: Mapping[str, Module]) -> list[tuple[str, str]]:
    """Folders of which each has a file that imports a file of the other; what lies deeper is a folder of its own."""
    edges = {
        (module.folder, house[target].folder)
        for module in house.values()
        for target in module.imports
        if house[target].folder != module.folder
    }
    return sorted(edge for edge in edges if edge[::-1] in edges and edge[0] < edge[1])


def between(house: Mapping[str, Module], one: str, other: str) -> Iterator[tuple[str, str]]:
    """The imports of files of the folder *other* by files of the folder *one*."""
    for module in house.values():
        if module.folder == one:
            yield from ((module.name, target) for target in sorted(module.imports) if house[target].folder == other)


def only_for_a_neighbour(house: Mapping[str, Module]) -> list[str]:
    """Modules that one other module imports, which lies in the same folder."""
    importers = defaultdict(list)
    for module in house.values():
        for target in module.imports:
            importers[target].append(module)
    return sorted(
        name
        for name, found in importers.items()
        if len(found) == 1 and found[0].folder == house[name].folder and not house[name].is_package
    )


def start(checkout: Path) -> tuple[int, float]:
    """How many modules the window loads before it opens, and the least milliseconds of processor time for that."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    counts, times = [], []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", START], cwd=checkout, env=environment, capture_output=True, text=True, check=True
        )
        count, spent = done.stdout.split()
        counts.append(int(count))
        times.append(float(spent) * 1000)
    return counts[0], min(times)


def figures(checkout: Path) -> dict[str, str]:
    """All figures of a checkout, in words."""
    house = modules(checkout)
    lines = {name: module.lines for name, module in house.items()}
    total, largest = sum(lines.values()), max(lines, key=lines.__getitem__)
    classes, bases = class_places(house), base_name_places(house)
    shared = Counter(len(found) > 1 for found in bases.values())
    sharing = sum(len(found) for found in bases.values() if len(found) > 1)
    loaded, spent = start(checkout)
    return {
        "files": str(len(house)),
        "lines": f"{total:,}",
        "median module": f"{median(lines.values()):.0f} lines",
        "largest module": f"{lines[largest]} lines",
        "which": largest.removeprefix(f"{PACKAGE}."),
        "import lines": f"{sum(module.import_lines for module in house.values()) / total:.1%}",
        "public class names": str(len(classes)),
        "of these standing twice or more": str(sum(len(found) > 1 for found in classes.values())),
        "base names shared": f"{shared[True]} by {sharing} files",
        "files with one importer, in the same folder": str(len(only_for_a_neighbour(house))),
        f"files under {SMALL} lines": str(sum(count < SMALL for count in lines.values())),
        "sibling packages that import each other": f"{len(mutual(house))} pairs",
        "folders that import each other": f"{len(mutual_folders(house))} pairs",
        "modules loaded at start": f"{loaded} of {len(house)}",
        "processor time to load them": f"{spent:.0f} ms",
    }


def main(checkouts: list[str]) -> None:
    """Print the figures of the checkouts, one column each."""
    here = Path(__file__).resolve().parent.parent
    columns = [figures(Path(each).resolve()) for each in checkouts] or [figures(here)]
    left = max(map(len, columns[0]))
    widths = [max(map(len, column.values())) for column in columns]
    for name in columns[0]:
        cells = (column[name].rjust(width) for column, width in zip(columns, widths, strict=True))
        print(name.ljust(left), *cells, sep="  ")


if __name__ == "__main__":
    main(sys.argv[1:])
