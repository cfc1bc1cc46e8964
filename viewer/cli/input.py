"""What the window and the sub-commands share: what a person fixed, and where the bytes come from."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.container.codecs import NAMES
from viewer.container.frames import FramingKind
from viewer.container.layer import Secret, SecretError
from viewer.container.unpacking import parse_size
from viewer.document.disk import files
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import DialectError, Precision, keys, load

if TYPE_CHECKING:
    from viewer.document.engines.lines import EngineCall

# Where the key of an encrypted file comes from: options, files, the environment, or a person at the terminal.
#
# What stands in a command line can be read by everybody on the machine in the list of processes, and stays in the
# shell's history. No error repeats what was given: it may be the secret itself, in the wrong place.

ASKED = "-"
"""The value of ``--password`` or ``--key`` that stands for a question at the terminal."""
MOST = 1 << 16
"""Bytes of a file that holds a password; a longer one holds something else."""
KINDS: dict[str, tuple[str, Callable[[str], Secret]]] = {
    "password": ("Password: ", Secret.of_password),
    "key": ("Key, 64 hexadecimal digits: ", Secret.of_hex),
}
"""What is asked for, and what makes the key of the answer."""
SOURCES = ("", "-file", "-env")
OPTIONS = tuple(f"--{kind}{source}" for kind in KINDS for source in SOURCES)
"""All options that lead to a key; a value stands behind each."""


class SecretProblem(Exception):
    """The key cannot be had; one sentence says why."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let a parser take the options that lead to a key."""
    for option in OPTIONS:
        parser.add_argument(option)


def secret(wanted: argparse.Namespace) -> Secret | None:
    """The key that the options lead to, None where there is none of them; they hold it no longer then.

    Raises:
        SecretProblem: there is more than one, or no key can be had from it.
    """
    given = {option: getattr(wanted, _name(option)) for option in OPTIONS}
    given = {option: value for option, value in given.items() if value is not None}
    for option in OPTIONS:
        setattr(wanted, _name(option), None)
    if not given:
        return None
    if len(given) > 1:
        raise SecretProblem(f"Give only one of {' and '.join(given)}: a file has either a password or a key.")
    ((option, value),) = given.items()
    kind, _, source = option.removeprefix("--").partition("-")
    question, make = KINDS[kind]
    try:
        found = make(_text(option, source, value, question))
    except SecretError as error:
        raise SecretProblem(f"{option} cannot be used: {error}") from None
    if not source and value != ASKED:
        better = f"better use --{kind}-file, --{kind}-env or {option} {ASKED}, which asks"
        print(f"variant-viewer: others on this machine can read what follows {option}; {better}.", file=sys.stderr)
    return found


def forget(argv: list[str]) -> None:
    """Take passwords and keys out of a list of words, in place, so that nothing can show them later."""
    for place, word in enumerate(argv):
        option, equals, _ = word.partition("=")
        if option not in ("--password", "--key"):
            continue
        if equals:
            argv[place] = f"{option}=…"
        elif place + 1 < len(argv):
            argv[place + 1] = "…"


def without_values(words: str) -> str:
    """A message about options without what stands behind their equals signs."""
    return " ".join(word.partition("=")[0] + "=…" if _is_long(word) else word for word in words.split(" "))


def _is_long(word: str) -> bool:
    return word.startswith("--") and "=" in word


def _name(option: str) -> str:
    return option.removeprefix("--").replace("-", "_")


def _text(option: str, source: str, value: str, question: str) -> str:
    """What a person typed, or keeps for the program."""
    if source == "file":
        return _of_file(option, value)
    if source == "env":
        found = os.environ.pop(value, None)  # no process that this one starts is to have it
        if found is None:
            raise SecretProblem(f"{option} needs the name of an environment variable, and there is none of that name.")
        return found
    return _ask(question) if value == ASKED else value


def _of_file(option: str, name: str) -> str:
    """The first line of a file, of standard input for ``-``; a line break behind it does not count."""
    try:
        if name == ASKED:
            stream = getattr(sys.stdin, "buffer", None)
            raw = b"" if stream is None else stream.readline(MOST + 1)
        else:
            with Path(name).open("rb") as stream:
                raw = stream.read(MOST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has no name that a file can have"
        raise SecretProblem(f"The file of {option} cannot be read: {reason}.") from None
    if len(raw) > MOST:
        raise SecretProblem(f"The file of {option} is too long for one: it must hold nothing but the password or key.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SecretProblem(f"The file of {option} is not UTF-8.") from None
    first, *rest = text.splitlines() or [""]
    if any(rest) or not first:
        has = "more than one line" if first or any(rest) else "nothing in it"
        raise SecretProblem(f"The file of {option} has {has}: its first and only line must be the password or key.")
    return first


def _ask(question: str) -> str:
    """What a person types at the terminal, which does not show it."""
    import getpass
    import warnings

    lost = "There is no terminal to ask on: give --password-file, --password-env, --key-file or --key-env."
    if sys.platform == "win32" and not (sys.stdin and sys.stdin.isatty()):
        raise SecretProblem(lost)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)  # it would be shown while it is typed
            answer = getpass.getpass(question)
    except (getpass.GetPassWarning, EOFError, OSError, AttributeError):
        raise SecretProblem(lost) from None
    if not answer:
        raise SecretProblem("Nothing was typed.")
    return answer


STDIN = "-"
DIALECTS = keys()


class Problem(Exception):
    """The command cannot be done; one sentence says why."""


def choice(wanted: argparse.Namespace) -> ReadOptions:
    """What the common options fix."""
    try:
        dialect = None if wanted.dialect == "auto" else load(wanted.dialect)
    except DialectError as error:
        raise Problem(str(error)) from error
    return ReadOptions(
        dialect,
        None if wanted.precision == "auto" else Precision(wanted.precision),
        _framing(wanted),
        UnwrapOptions(_layers(wanted.layers), _secret(wanted), _limit(wanted.max_unpacked)),
        None if wanted.byte_order == "auto" else wanted.byte_order == "big",
    )


def call(wanted: argparse.Namespace) -> EngineCall | None:
    """How the game reads, None for what goes with the framing."""
    named = getattr(wanted, "call", None)
    if named is None:
        return None
    from viewer.document.engines.lines import EngineCall

    return EngineCall(named)


def _framing(wanted: argparse.Namespace) -> FramingKind | None:
    """The framing that is named, else the one that the call asks for; None to find it.

    Raises:
        Problem: the call reads no values that follow each other so.
    """
    named = getattr(wanted, "call", None)
    if wanted.framing == "auto":
        return {"file": FramingKind.STORED, "bytes": FramingKind.BARE}.get(named or "")
    framing = FramingKind(wanted.framing)
    if named == "file" and framing is not FramingKind.STORED:
        raise Problem(f"--call file reads values with a length in front, not --framing {framing.value}.")
    return framing


def _limit(text: str | None) -> int | None:
    """How many bytes may come out of the wraps of a file, None where nothing is said."""
    try:
        return None if text is None else parse_size(text)
    except ValueError as error:
        raise Problem(f"--max-unpacked: {error}") from error


def _secret(wanted: argparse.Namespace) -> Secret | None:
    """The key that the options lead to."""
    try:
        return secret(wanted)
    except SecretProblem as error:
        raise Problem(str(error)) from None


def _layers(text: str) -> tuple[str, ...] | None:
    """The names of the wraps that the option lists, None to find them."""
    if text == "auto":
        return None
    names = () if text == "none" else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in NAMES:
            raise Problem(f"--layers knows no “{name[:40]}”; there are {', '.join(NAMES)}.")
    return names


def read_stdin() -> bytes:
    """All bytes of standard input.

    Raises:
        Problem: it cannot be read.
    """
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise Problem("There is no standard input.")
    try:
        return files.read_stream(stream, "standard input")
    except OSError as error:
        raise Problem(f"Standard input cannot be read: {error.strerror or error}.") from error


@contextlib.contextmanager
def opened_path(name: str) -> Iterator[str]:
    """A path that holds the file's bytes: a temporary one for standard input."""
    if name != STDIN:
        yield name
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "standard-input.bin")
        path.write_bytes(read_stdin())
        yield str(path)
