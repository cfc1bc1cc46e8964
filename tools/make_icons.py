"""Draw the program's icon in the sizes that desktops keep, from ``resources/desktop/variant-viewer.svg``.

The pictures are kept in the repository, so that a package is built without Qt.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QGuiApplication

from viewer.ui.look.program_icon import pixmap

ROOT = Path(__file__).resolve().parent.parent
HICOLOR = ROOT / "resources" / "desktop" / "hicolor"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
"""Pixels a side."""


def main() -> None:
    """Write every size."""
    application = QGuiApplication([])
    for size in SIZES:
        folder = HICOLOR / f"{size}x{size}" / "apps"
        folder.mkdir(parents=True, exist_ok=True)
        pixmap(size).save(str(folder / "variant-viewer.png"), "PNG")
    del application


if __name__ == "__main__":
    main()
