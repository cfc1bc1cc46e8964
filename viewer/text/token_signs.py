"""Signs of JSON and of the engines' own text, by number, and what the reading of a token says."""

from __future__ import annotations

TAB, LINE, RETURN, BLANK, QUOTE, AND, OPEN, CLOSE, PLUS, COMMA, MINUS, POINT = (
    *(9, 10, 13, 32, 34, 38),
    *(40, 41, 43, 44, 45, 46),
)
ZERO, NINE, COLON, SEMICOLON, EQUALS, UPPER_E, LOW_LINE, LOWER_E = 48, 57, 58, 59, 61, 69, 95, 101
SQUARE, BACKSLASH, UNSQUARE, CURLY, UNCURLY, DELETE = 91, 92, 93, 123, 125, 127
UPPER_A, UPPER_F, UPPER_Z, LOWER_U = 65, 70, 90, 117
HIGH_SURROGATE, LOW_SURROGATE, BEHIND_SURROGATES = 0xD800, 0xDC00, 0xE000

NOTHING, NO_ROOM = -1, -2
"""In the place of where a token ends: it is none, or an unusual one; its bytes have no room."""
SLACK = 1 << 8
"""What numbers take is always less."""
