"""Draw the program's icon in the sizes that desktops keep, and colour the drawings that the style sheet names.

The pictures come from ``resources/desktop/variant-viewer.svg`` and are kept in the repository, so that a package is
built without Qt. A style sheet can name files alone, so that its drawings stand there once for each theme.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QGuiApplication

from viewer.base import assets
from viewer.ui.look.palette import DARK, LIGHT, theme
from viewer.ui.look.program_icon import pixmap
from viewer.ui.look.theme import SHEET_DRAWINGS

ROOT = Path(__file__).resolve().parent.parent
HICOLOR = ROOT / "resources" / "desktop" / "hicolor"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
"""Pixels a side."""


def main() -> None:
    """Write every size, and every coloured drawing."""
    application = QGuiApplication([])
    for size in SIZES:
        folder = HICOLOR / f"{size}x{size}" / "apps"
        folder.mkdir(parents=True, exist_ok=True)
        pixmap(size).save(str(folder / "variant-viewer.png"), "PNG")
    for name in (LIGHT, DARK):
        folder = ROOT / "resources" / "icons" / name
        folder.mkdir(exist_ok=True)
        for drawing, role in SHEET_DRAWINGS.items():
            colour = theme(name).named(role).name()
            drawn = assets.text("icons", f"{drawing}.svg").replace("currentColor", colour)
            (folder / f"{drawing}.svg").write_text(drawn, encoding="utf-8")
    del application


if __name__ == "__main__":
    main()
