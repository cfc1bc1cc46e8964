"""TOML: read within bounds, with the lines in which its tables begin, for what is wrong there; and written."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from viewer.base.late_pattern import late_pattern

_TOKEN = late_pattern(
    r'"""(?:\\.|[^\\])*?"""|'
    + r"'''[\s\S]*?'''|"
    + r'"(?:\\.|[^"\\\n])*"|'
    + r"'[^'\n]*'|#[^\n]*|\n|\[\[|[\[\]{},=]|[^\s]",
    re.DOTALL,
)


class TomlProblem(ValueError):
    """A text that is no TOML, or too long; one sentence, with its file and line."""


def read_toml(text: str, place: str, longest: int, what: str) -> dict[str, Any]:
    """The tables of a text.

    Args:
        text: the TOML.
        place: the name of its file, for what is wrong.
        longest: so many letters it may have.
        what: what it is, ``A layout``.

    Raises:
        TomlProblem: it cannot be read.
    """
    if len(text) > longest:
        raise TomlProblem(f"{place}: {what} has at most {longest} letters.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlProblem(f"{place}: {error}.") from error
    except (RecursionError, ValueError) as error:
        raise TomlProblem(
            f"{place}: This is not TOML that can be read: too many brackets, or too long a number."
        ) from error


def table_lines(text: str) -> list[int]:
    """The lines in which tables of a list begin, in the order in which they stand: ``[[field]]``, ``{`` in a list."""
    heads, line, before, starts = [], 1, "", True
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "\n":
            starts, line = True, line + 1
            continue
        if token[0] != "#":
            if (token == "[[" and starts) or (token == "{" and before in ("[", "[[", ",")):
                heads.append(line)
            before, starts = token, False
        line += token.count("\n")
    return heads


def toml_of(found: object) -> str:
    """A value as TOML in one line."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, list):
        return f"[{', '.join(map(toml_of, found))}]"
    if isinstance(found, dict):
        return "{ " + ", ".join(f"{toml_of(key)} = {toml_of(each)}" for key, each in found.items()) + " }"
    if not isinstance(found, str):
        return str(found)
    signs = (
        f"\\{sign}" if sign in '"\\' else f"\\u{ord(sign):04X}" if ord(sign) < 0x20 or ord(sign) == 0x7F else sign
        for sign in found
    )
    return '"' + "".join(signs) + '"'
