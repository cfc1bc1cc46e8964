"""Build steps that pyproject.toml cannot say: the scanner is compiled where that is possible, and a wheel carries
resources/ inside the package. With VARIANT_VIEWER_COMPILED=1 a build that cannot compile fails.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
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
LINK = {"darwin": ["-Wl,-x"], "linux": ["-s"]}.get(sys.platform, [])
"""Without the names that only a debugger asks for."""
MUST_COMPILE = os.environ.get("VARIANT_VIEWER_COMPILED", "0") not in ("", "0")
"""Whether a module that does not compile stops the build; else it goes on and the plain file runs."""
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


def extensions() -> list[Extension]:
    """One extension a module, for all versions of Python from 3.11 on."""
    macros = [("Py_LIMITED_API", LIMITED_API)]
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
    return found


setup(
    cmdclass={"build_py": BuildWithResources},
    ext_modules=extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
