"""What a package of the program holds: its requirements, how it is compiled, and what a desktop finds of it."""

from __future__ import annotations

import ast
import configparser
import inspect
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar
from xml.etree import ElementTree

import corpus
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from viewer.container.codecs import CODECS
from viewer.ui.look import program_icon
from viewer.ui.window.first_frame import APPLICATION

ROOT = Path(__file__).parents[1]
DESKTOP = ROOT / "resources" / "desktop"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA_FILES: dict[str, list[str]] = PROJECT["tool"]["setuptools"]["data-files"]
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
IMPORTED = {"pyside6-essentials": "PySide6"}
"""What a distribution is imported as, where that is another name."""
ASK_QT = """
import sys
from PySide6.QtCore import QMimeDatabase
for path in sys.argv[1:]:
    with open(path, "rb") as stream:
        print(QMimeDatabase().mimeTypeForData(stream.read(64)).name())
"""
ASK_ICON = """
from viewer.ui.window.app import make_application
print(*(size.width() for size in make_application().windowIcon().availableSizes()))
"""


# What is required


def imported_by_the_program() -> set[str]:
    found = set()
    for path in (ROOT / "viewer").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found


def test_the_program_requires_what_it_imports_and_nothing_else() -> None:
    names = {re.split(r"[^\w-]", line, maxsplit=1)[0].lower() for line in PROJECT["project"]["dependencies"]}
    own = {*sys.stdlib_module_names, "viewer", "cython", "shiboken6"}  # without Cython the plain files run
    assert {IMPORTED.get(name, name) for name in names} == imported_by_the_program() - own


# How it is compiled


class FakeExtension:
    def __init__(self, name: str, sources: list[str], **options: Any) -> None:
        self.name = name
        self.sources = sources
        self.options = options


class FakeBuildExt:
    """Compiles by writing down for which modules it was asked to."""

    editable_mode = True
    asked: ClassVar[list[str]] = []

    def get_ext_filename(self, name: str) -> str:
        return f"{name.replace('.', '/')}.abi3.so"

    def get_ext_fullpath(self, name: str) -> str:
        return f"built/{self.get_ext_filename(name)}"

    def build_extension(self, ext: FakeExtension) -> None:
        self.asked.append(ext.name)
        path = Path(self.get_ext_fullpath(ext.name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"compiled {ext.name}")


def handed_over(monkeypatch: pytest.MonkeyPatch, platform: str, **environment: str) -> dict[str, Any]:
    """What ``setup.py`` hands to setuptools on a platform."""
    handed: dict[str, Any] = {}
    fakes: dict[str, dict[str, Any]] = {
        "Cython": {"__version__": "3.1"},
        "Cython.Build": {"cythonize": lambda wanted, **_: wanted},
        "setuptools": {"Extension": FakeExtension, "setup": handed.update},
        "setuptools.command": {},
        "setuptools.command.build_ext": {"build_ext": FakeBuildExt},
        "setuptools.command.build_py": {"build_py": object},
    }
    for name, members in fakes.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("VARIANT_VIEWER_COMPILED", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    runpy.run_path(str(ROOT / "setup.py"))
    return handed


def extensions(monkeypatch: pytest.MonkeyPatch, platform: str, **environment: str) -> list[Any]:
    found: list[Any] = handed_over(monkeypatch, platform, **environment)["ext_modules"]
    return found


@pytest.mark.parametrize(
    ("platform", "compiling", "linking"),
    [("linux", "-g0", ["-s", "-Wl,-z,noseparate-code"]), ("darwin", "-g0", ["-Wl,-x"]), ("win32", None, [])],
)
def test_compiled_modules_carry_nothing_for_a_debugger(
    monkeypatch: pytest.MonkeyPatch, platform: str, compiling: str | None, linking: list[str]
) -> None:
    for extension in extensions(monkeypatch, platform):
        assert extension.options["extra_link_args"] == linking
        assert (compiling in extension.options["extra_compile_args"]) is (compiling is not None)


def test_compiled_modules_are_told_the_flags_of_code_that_python_has(monkeypatch: pytest.MonkeyPatch) -> None:
    for extension in extensions(monkeypatch, "linux"):
        told = {name: int(flag) for name, flag in extension.options["define_macros"] if name.startswith("CO_")}
        assert told == {name: getattr(inspect, name) for name in told}
        assert {"CO_OPTIMIZED", "CO_NEWLOCALS"} <= set(told)


@pytest.mark.parametrize(("wish", "optional"), [(None, True), ("", True), ("0", True), ("1", False)])
def test_a_build_that_must_compile_may_not_go_on_without(
    monkeypatch: pytest.MonkeyPatch, wish: str | None, optional: bool
) -> None:
    environment = {} if wish is None else {"VARIANT_VIEWER_COMPILED": wish}
    assert {extension.optional for extension in extensions(monkeypatch, "linux", **environment)} == {optional}


def install(monkeypatch: pytest.MonkeyPatch, editable: bool = True, **environment: str) -> list[str]:
    """The modules that an install in the folder compiles; what it has made lies in the folder afterwards."""
    handed = handed_over(monkeypatch, "linux", **environment)
    build = handed["cmdclass"]["build_ext"]()
    build.editable_mode = editable
    build.asked.clear()
    for extension in handed["ext_modules"]:
        build.build_extension(extension)
        shutil.copy(build.get_ext_fullpath(extension.name), build.get_ext_filename(extension.name))
    shutil.rmtree("built")
    return list(build.asked)


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names of the compiled modules, whose sources lie in a folder of this test, in which they were installed."""
    names = [extension.name for extension in extensions(monkeypatch, "linux")]
    for file in ["setup.py", *(f"{name.replace('.', '/')}{suffix}" for name in names for suffix in (".py", ".pxd"))]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    monkeypatch.chdir(tmp_path)
    assert install(monkeypatch) == names
    return names


def test_an_editable_install_takes_what_it_compiled_before(monkeypatch: pytest.MonkeyPatch, sources: list[str]) -> None:
    assert install(monkeypatch) == []
    Path("viewer/variant/scan.abi3.so").write_text("not what the install has left")
    assert install(monkeypatch) == ["viewer.variant.scan"]
    Path("viewer/text/token_hops.abi3.so").unlink()
    assert install(monkeypatch) == ["viewer.text.token_hops"]
    assert install(monkeypatch) == []


@pytest.mark.parametrize("file", ["setup.py", "viewer/variant/hops.py", "viewer/variant/scan.pxd"])
def test_all_is_compiled_again_where_one_source_has_changed(
    monkeypatch: pytest.MonkeyPatch, sources: list[str], file: str
) -> None:
    Path(file).write_text(Path(file).read_text() + "\n")
    assert install(monkeypatch) == sources


@pytest.mark.parametrize("name", ["CC", "CFLAGS", "LDFLAGS"])
def test_all_is_compiled_again_by_another_compiler(
    monkeypatch: pytest.MonkeyPatch, sources: list[str], name: str
) -> None:
    assert install(monkeypatch, **{name: "another"}) == sources


def test_a_package_is_always_compiled(monkeypatch: pytest.MonkeyPatch, sources: list[str]) -> None:
    assert install(monkeypatch, editable=False) == sources


# What a package holds


def test_the_types_are_for_others_too() -> None:
    assert (ROOT / "viewer" / "py.typed").is_file()
    assert PROJECT["tool"]["setuptools"]["package-data"]["viewer"] == ["py.typed"]


def installed() -> dict[str, Path]:
    """By its place below the prefix, every file that goes outside the package."""
    return {
        f"{folder}/{path.name}": path
        for folder, patterns in DATA_FILES.items()
        for pattern in patterns
        for path in ROOT.glob(pattern)
    }


def test_every_pattern_of_files_outside_the_package_finds_some() -> None:
    assert [each for patterns in DATA_FILES.values() for each in patterns if not [*ROOT.glob(each)]] == []


def test_links_between_installed_pages_hold() -> None:
    there = installed()
    top = "share/doc/variant-viewer"
    for page in ROOT.glob("*.md"):
        linked = {*re.findall(r"[(\"]([\w/-]+\.(?:md|png|svg|json))[)\"]", page.read_text(encoding="utf-8"))}
        assert [name for name in linked if (ROOT / name).is_file() and f"{top}/{name}" not in there] == [], page.name
    assert f"{top}/CHANGELOG.md" in there
    assert f"{top}/docs/engines.md" in there


def test_every_desktop_file_is_installed() -> None:
    assert {*installed().values()} >= {path for path in DESKTOP.rglob("*") if path.is_file()}


def test_a_source_package_holds_what_the_tests_and_readers_need() -> None:
    lines = [line.split() for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()]
    assert {line[1] for line in lines if line[0] == "graft"} >= {"docs", "resources", "tests", "tools"}
    assert any(fnmatch("CHANGELOG.md", each) for line in lines if line[0] == "include" for each in line[1:])


# What a desktop finds


def entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DESKTOP / "variant-viewer.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def test_the_desktop_entry_starts_the_console_script() -> None:
    found = entry()
    assert {"Type", "Name", "Comment", "Exec", "Icon", "Categories", "MimeType"} <= {*found}
    assert found["Type"] == "Application"
    script, argument = found["Exec"].split()
    assert [script] == [*PROJECT["project"]["scripts"]] == [found["TryExec"]]
    assert argument == "%F"  # all files that are dropped on the icon
    for key in ("Categories", "Keywords", "MimeType"):
        assert found[key].endswith(";")


def test_the_desktop_knows_the_window_by_the_name_of_its_entry() -> None:
    found = entry()
    assert (DESKTOP / f"{APPLICATION}.desktop").is_file()
    assert found["Icon"] == found["StartupWMClass"] == APPLICATION
    assert f"share/icons/hicolor/scalable/apps/{found['Icon']}.svg" in installed()


def mime_types() -> Iterator[ElementTree.Element]:
    return ElementTree.parse(DESKTOP / "variant-viewer-mime.xml").getroot().iter(f"{MIME}mime-type")


def test_the_desktop_entry_opens_every_type_that_the_program_declares() -> None:
    assert {found.get("type") for found in mime_types()} <= {*entry()["MimeType"].split(";")}


def test_every_wrap_of_an_engine_is_told_by_its_magic() -> None:
    magics = {each.get("value", "") for found in mime_types() for each in found.iter(f"{MIME}match")}
    wraps = {codec.name for codec in CODECS if codec.name.startswith("g") and codec.name != "gzip"}
    assert {value for value in magics if value.startswith("G")} == {name.upper() for name in wraps}


def test_the_metainfo_names_what_there_is() -> None:
    found = ElementTree.parse(DESKTOP / "variant-viewer.metainfo.xml").getroot()
    assert (found.tag, found.get("type")) == ("component", "desktop-application")
    for name in ("id", "metadata_license", "name", "summary", "description", "content_rating"):
        assert found.find(name) is not None, name
    assert found.findtext("name") == entry()["Name"]
    assert found.findtext("project_license") == PROJECT["project"]["license"]
    assert (DESKTOP / found.findtext("launchable", "")).is_file()
    assert found.findtext("provides/binary") in PROJECT["project"]["scripts"]
    assert {each.text for each in found.iter("mediatype")} <= {each.get("type") for each in mime_types()}


@pytest.mark.skipif(sys.platform != "linux", reason="desktops that use shared-mime-info")
def test_a_desktop_tells_real_files_by_their_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "mime" / "packages"
    folder.mkdir(parents=True)
    (folder / "variant-viewer-mime.xml").write_bytes((DESKTOP / "variant-viewer-mime.xml").read_bytes())
    expected = {
        ".gcpf": "application/x-godot-compressed",
        ".gcmp": "application/x-godot-compressed",
        ".gdec": "application/x-godot-encrypted",
    }
    wrapped = [saved.path for engine in corpus.ENGINES for saved in corpus.wrapped(engine.folder)]
    files = {path: expected[path.suffix] for path in wrapped if path.suffix in expected}
    assert {path.suffix for path in files} == {*expected}
    section = tmp_path / "some.dat"
    section.write_bytes(bytes.fromhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000"))
    files[section] = "application/vnd.tcpdump.pcapng"
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", ASK_QT, *map(str, files)], env=env, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == [*files.values()]


# The icon


def test_the_window_has_the_icon_in_every_usual_size() -> None:
    told = subprocess.run([sys.executable, "-c", ASK_ICON], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {*map(int, told.stdout.split())} >= {16, 24, 32, 48, 64, 128, 256}


def test_icons_of_a_desktop_are_the_drawing_in_their_size(qapp: QApplication) -> None:
    sizes = set()
    for place, path in installed().items():
        if not place.endswith(".png") or "/icons/" not in place:
            continue
        size = int(place.split("/")[3].partition("x")[0])
        sizes.add(size)
        kept, drawn = QImage(str(path)), program_icon.pixmap(size).toImage()
        assert (kept.width(), kept.height()) == (size, size)
        for x, y in [(size // 2, size // 6), (size * 22 // 32, size // 4), (0, 0), (size // 4, size * 7 // 9)]:
            assert difference(kept.pixelColor(x, y), drawn.pixelColor(x, y)) < 24, (place, x, y)
    assert sizes >= {16, 22, 24, 32, 48, 64, 128, 256, 512}


def difference(one: QColor, other: QColor) -> int:
    mine, others = (one.red(), one.green(), one.blue(), one.alpha()), (other.red(), other.green(), other.blue())
    return max(abs(a - b) for a, b in zip(mine, (*others, other.alpha()), strict=True))
