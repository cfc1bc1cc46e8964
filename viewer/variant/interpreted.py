"""What stands for the compiler's module ``cython`` where there is none: nothing is compiled, no lock is released."""

from __future__ import annotations

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
