"""Build steps that pyproject.toml cannot say: the scanner is compiled where that is possible, and a wheel carries
resources/ inside the package.
"""

from __future__ import annotations

import shutil
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
)
"""Modules that also run as they stand; each has a ``.pxd`` with its types beside it."""
DIRECTIVES = {"language_level": 3, "annotation_typing": False, "boundscheck": True, "wraparound": False}
LIMITED_API = "0x030B0000"


class BuildWithResources(build_py):
    """Copy ``resources/`` to ``viewer/resources``; an editable install reads it from the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        inside = Path(self.build_lib, "viewer", "resources")
        shutil.rmtree(inside, ignore_errors=True)  # a build folder may be left from before
        shutil.copytree("resources", inside)


def extension(module: str) -> Extension:
    """One extension for all versions of Python from 3.11 on; where no C compiler is found, the install goes on."""
    source = f"{module.replace('.', '/')}.py"
    macros = [("Py_LIMITED_API", LIMITED_API)]
    return Extension(module, [source], define_macros=macros, py_limited_api=True, optional=True)


setup(
    cmdclass={"build_py": BuildWithResources},
    ext_modules=cythonize(
        [extension(module) for module in COMPILED],
        build_dir="build/cython",
        compiler_directives=DIRECTIVES,
        show_all_warnings=False,
    ),
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
