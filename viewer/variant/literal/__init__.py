"""Values as the engines' own text: ``Vector2(1, 2)``, ``{"a": 1}``. Printing and parsing."""

from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal, quoted

__all__ = ["LiteralError", "format_literal", "parse_literal", "quoted"]
