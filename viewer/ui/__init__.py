"""The window: the only room that imports PySide6."""

import builtins

import PySide6.QtCore  # noqa: F401  # puts its own import function in the place of Python's

# PySide6 reads the source of each module that is imported after it, to learn whether `__feature__` changes names there.
# It changes none here, and a window of two hundred modules is there a twentieth of a second sooner without it.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
