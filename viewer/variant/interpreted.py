"""What stands for the compiler's module ``cython`` where there is none: nothing is compiled, no lock is released."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

Function = TypeVar("Function")
compiled = False
nogil = nullcontext()


def boundscheck(is_on: bool) -> Callable[[Function], Function]:
    """Whether the compiler checks the indices of a function; where nothing is compiled, they always are."""
    return lambda function: function
