"""Build steps that pyproject.toml cannot say: a wheel carries resources/ inside the package."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithResources(build_py):
    """Copy ``resources/`` to ``viewer/resources``; an editable install reads it from the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        inside = Path(self.build_lib, "viewer", "resources")
        shutil.rmtree(inside, ignore_errors=True)  # a build folder may be left from before
        shutil.copytree("resources", inside)


setup(cmdclass={"build_py": BuildWithResources})
