"""Build steps that pyproject.toml cannot say: the scanner is compiled where that is possible, and a wheel carries
resources/ inside the package. With VARIANT_VIEWER_COMPILED=1 a build that cannot compile fails. An editable install
takes what it compiled before, if that was from the same sources in the same way.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

from Cython import __version__ as cython_version
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

COMPILED = (
    "viewer.variant.scan",
    "viewer.variant.walks",
    "viewer.variant.tints",
    "viewer.variant.clean",
    "viewer.variant.hops",
    "viewer.variant.recovery.hopping",
    "viewer.text.token_writer",
    "viewer.text.token_hops",
)
"""Modules that also run as they stand; each has a ``.pxd`` with its types beside it."""
DIRECTIVES = {"language_level": 3, "annotation_typing": False, "boundscheck": True, "wraparound": False}
LIMITED_API = "0x030B0000"
COMPILE = [] if sys.platform == "win32" else ["-O2", "-falign-functions=64", "-g0", "-fno-asynchronous-unwind-tables"]
"""Where a function begins must not depend on what stands before it: that alone made the scanner a twelfth slower. And
no debug information: it is four fifths of a module."""
LINK = {"darwin": ["-Wl,-x"], "linux": ["-s", "-Wl,-z,noseparate-code"]}.get(sys.platform, [])
"""Without the names that only a debugger asks for, and the fill between what is code and what is not."""
CODE_FLAGS = {
    "CO_OPTIMIZED": 1,
    "CO_NEWLOCALS": 2,
    "CO_VARARGS": 4,
    "CO_VARKEYWORDS": 8,
    "CO_GENERATOR": 32,
    "CO_COROUTINE": 128,
    "CO_ASYNC_GENERATOR": 512,
}
"""What Cython's C asks the module ``inspect`` for, which loads five others: a tenth of the time that ``get`` takes."""
MUST_COMPILE = os.environ.get("VARIANT_VIEWER_COMPILED", "0") not in ("", "0")
"""Whether a module that does not compile stops the build; else it goes on and the plain file runs."""
STAMPS = Path("build", "compiled")
"""For each module that an editable install compiled, the stamp of what it was made of and of what it became."""
DESKTOP_ONLY = shutil.ignore_patterns("hicolor", "*.desktop", "*.xml")
"""What of ``resources/`` the program does not read: a wheel puts it where a desktop looks for it."""


class BuildWithResources(build_py):
    """Copy ``resources/`` to ``viewer/resources``; an editable install reads it from the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        inside = Path(self.build_lib, "viewer", "resources")
        shutil.rmtree(inside, ignore_errors=True)  # a build folder may be left from before
        shutil.copytree("resources", inside, ignore=DESKTOP_ONLY)


class BuildWhatChanged(build_ext):
    """Compile modules beside each other; an editable install only those that it does not find as it would make them."""

    def build_extension(self, ext: Extension) -> None:
        name = self.get_ext_filename(ext.name)
        left, wanted, note = Path(name), Path(self.get_ext_fullpath(ext.name)), STAMPS / ext.name
        kept = self.editable_mode and left.is_file() and note.is_file()
        if kept and note.read_text(encoding="ascii") == stamp(left):
            wanted.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(left, wanted)
            return
        super().build_extension(ext)
        if self.editable_mode:
            STAMPS.mkdir(parents=True, exist_ok=True)
            note.write_text(stamp(wanted), encoding="ascii")


def stamp(module: Path) -> str:
    """A digest of a compiled module and of all that decides what it is like."""
    return sha256(made_of() + module.read_bytes()).hexdigest()


@cache
def made_of() -> bytes:
    """The sources of all compiled modules, for they take types from each other, and the ways of compiling them."""
    paths = [Path(f"{module.replace('.', '/')}{suffix}") for module in COMPILED for suffix in (".py", ".pxd")]
    surroundings = [cython_version, sys.version, platform.system(), platform.machine()]
    surroundings += [os.environ.get(name, "") for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS")]
    parts = [path.read_bytes() for path in (Path("setup.py"), *paths)]
    return sha256(
        b"".join(sha256(part).digest() for part in [*parts, *(each.encode() for each in surroundings)])
    ).digest()


def extensions() -> list[Extension]:
    """One extension a module, for all versions of Python from 3.11 on."""
    macros = [("Py_LIMITED_API", LIMITED_API), *((name, str(flag)) for name, flag in CODE_FLAGS.items())]
    wanted = [
        Extension(
            module,
            [f"{module.replace('.', '/')}.py"],
            define_macros=macros,
            extra_compile_args=COMPILE,
            extra_link_args=LINK,
            py_limited_api=True,
        )
        for module in COMPILED
    ]
    found: list[Extension] = cythonize(wanted, build_dir="build/cython", compiler_directives=DIRECTIVES)
    for extension in found:
        extension.optional = not MUST_COMPILE  # Cython does not hand it on
        for source in map(Path, extension.sources):
            _tell_flags(source)
    return found


def _tell_flags(source: Path) -> None:
    """Have C that knows :data:`CODE_FLAGS` load nothing that is not there already."""
    before = source.read_text(encoding="utf-8")
    after = before.replace('PyImport_ImportModule("inspect")', 'PyImport_ImportModule("builtins")')
    asked = set(re.findall(r'__Pyx_init_co_variable\(inspect, "(\w+)"', before))
    if after != before and asked <= CODE_FLAGS.keys():  # another Cython may ask for more
        source.write_text(after, encoding="utf-8")


setup(
    cmdclass={"build_ext": BuildWhatChanged, "build_py": BuildWithResources},
    ext_modules=extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": os.cpu_count() or 1}},
)
