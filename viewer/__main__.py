"""``python -m viewer``: the same as ``variant-viewer``."""

from __future__ import annotations

import sys

from viewer.cli import main

if __name__ == "__main__":
    sys.exit(main())
