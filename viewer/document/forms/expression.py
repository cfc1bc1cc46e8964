"""Reckoning with the number in a cell: ``= value * 2``, ``= row + 1``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from viewer.document.edits.error import EditError

BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
HELP = "After = write numbers, value, row, + - * / // % and brackets, for example = value * 2."
LONGEST = 200
DEEPEST = 40


def is_expression(text: str) -> bool:
    """Whether a text is to be reckoned."""
    return text.lstrip().startswith("=")


def evaluate(text: str, value: float, row: int, whole: bool) -> str:
    """The result as text; *whole*: rounded to a whole number.

    Raises:
        EditError: the text cannot be understood, or divides by zero.
    """
    source = text.strip().removeprefix("=").strip()
    if len(source) > LONGEST:
        raise EditError(HELP)
    try:
        tree = ast.parse(source, mode="eval")
        result = _result(tree.body, {"value": value, "row": row}, 0)
        return str(round(result)) if whole else repr(float(result))
    except ZeroDivisionError:
        raise EditError("This divides by zero.") from None
    except OverflowError:
        raise EditError("The result is too large.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise EditError(HELP) from None


def _result(node: ast.expr, names: dict[str, float], depth: int) -> float:
    if depth > DEEPEST:
        raise EditError(HELP)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]  # just asked
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _result(node.operand, names, depth + 1)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        left, right = _result(node.left, names, depth + 1), _result(node.right, names, depth + 1)
        return BINARY[type(node.op)](left, right)
    raise EditError(HELP)
