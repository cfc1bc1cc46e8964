"""The command line: a file or nothing opens the window, a sub-command works in the terminal.

Exit codes: 0 fine, 1 findings of severity error, 2 cannot be read or bad usage. Every error is one line.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import NoReturn

from viewer.base.assets import user_files
from viewer.base.interrupts import STOPPED, ending_at_once
from viewer.base.unseen import printable
from viewer.base.version import VERSION
from viewer.cli.arguments import ARGUMENTS, MODULES, USAGE, WITH_VALUE, window
from viewer.cli.input import DIALECTS, STDIN, Problem, add_options, choice, forget, opened_path, without_values
from viewer.cli.screen import missing
from viewer.container.frames import FramingKind
from viewer.document.disk.files import FileProblem
from viewer.variant.dialect import Precision
from viewer.variant.scan import COMPILED

PROGRAM = "variant-viewer"
MAX_PIXELS = 16384
WIDTH = 80
CLOSE = 0.6
"""How alike a word must be to the name of a sub-command to be taken for a slip of the keyboard, 0 to 1."""
LIKE_A_NUMBER = (*(f"-{sign}" for sign in "0123456789."), "-inf", "-nan", "-INF", "-NAN")


class _Closed(io.TextIOBase):
    """Standard output that nobody opened: writing to it is an error of the system's kind."""

    def write(self, _: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")

    @property
    def buffer(self) -> NoReturn:
        """There are no bytes to write to either."""
        raise OSError(errno.EBADF, "standard output is closed")


class _Parser(argparse.ArgumentParser):
    """A parser that reports in one line."""

    def _get_formatter(self) -> argparse.HelpFormatter:
        return argparse.HelpFormatter(self.prog, width=WIDTH)  # which asks the terminal otherwise, by five modules

    def error(self, message: str) -> NoReturn:
        message = without_values(message)
        raise Problem(f"{message[:1].upper()}{message[1:]}; see {PROGRAM} --help.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        words = list(sys.argv[1:] if argv is None else argv)
        forget(sys.argv)
        code = _run(words)
        sys.stdout.flush()
        return code
    except (Problem, FileProblem) as problem:
        return _fail(str(problem))
    except BrokenPipeError:
        _silence()
        return 141
    except KeyboardInterrupt:
        _fail("Stopped by Ctrl+C before it was done.")
        return STOPPED
    except MemoryError:
        return _fail("There is not enough memory for this file.")
    except OSError as error:
        _silence()
        return _fail(f"The output cannot be written: {error.strerror or error}.")


def _replace_closed_streams() -> None:
    """Where the program was started with closed streams, as by ``>&-``: say so when something is to be written.

    No file that is opened later may take their numbers, which libraries write to.
    """
    if sys.stdout is None or sys.stderr is None:
        while (number := os.open(os.devnull, os.O_RDWR)) < 2:
            pass
        if number > 2:
            os.close(number)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # stays open as long as the program runs


def _fail(sentence: str) -> int:
    line = printable(" ".join(sentence.split()))
    with contextlib.suppress(OSError):
        print(f"{PROGRAM}: {line}", file=sys.stderr)
    return 2


def _silence() -> None:
    """Nobody reads the output any more: let the last flush of the interpreter go nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str]) -> int:
    options, words = _split(argv)
    command = words[0] if words and words[0] in ARGUMENTS else ""
    if words and not command:
        _refuse_misspelt(words)
    parser = _parser(command)
    wanted = parser.parse_args([*options, "--", *words[1 if command else 0 :]])
    if wanted.help:
        print(_help(parser, command), end="")
        return 0
    if wanted.version:
        print(f"{PROGRAM} {VERSION}, {'compiled' if COMPILED else 'plain Python'} scanner")
        return 0
    wanted.choice = choice(wanted)
    forget(argv)
    forget(options)
    if command:
        _tell_broken_layouts()
    return _command(command)(wanted)


def _tell_broken_layouts() -> None:
    """Say which layouts of the person's own cannot be used; everything else goes on."""
    if user_files("layouts", ".toml"):
        from viewer.document.readers.layout_folder import broken_layouts

        for problem in broken_layouts():
            print(f"{PROGRAM}: A layout of yours cannot be used: {printable(str(problem))}", file=sys.stderr)


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Options with their values, and all other words: a literal like ``-5`` and a lone ``-`` are words."""
    options: list[str] = []
    words: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word == "--":
            words.extend(rest)
        elif not word.startswith("-") or word == "-" or word.startswith(LIKE_A_NUMBER):
            words.append(word)
        elif word in WITH_VALUE:
            value = next(rest, None)
            if value is None:
                raise Problem(f"{word} needs a value after it; see {PROGRAM} --help.")
            options.append(f"{word}={value}" if word.startswith("--") else f"{word}{value}")
        else:
            options.append(word)
    return options, words


def _refuse_misspelt(words: list[str]) -> None:
    """Say which sub-command may be meant where the first word is neither one nor a file, or a later one is no file.

    Raises:
        Problem: it is none of both.
    """
    word = words[0]
    if word == STDIN or os.path.lexists(word):
        missing = next((each for each in words[1:] if each != STDIN and not os.path.lexists(each)), None)
        if missing in ARGUMENTS:
            raise Problem(f"A command goes before its file: {PROGRAM} {missing} {word[:80]}")
        if missing is not None:
            raise Problem(f"There is no file “{missing[:80]}”; see {PROGRAM} --help.")
        return
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), ARGUMENTS, 1, CLOSE)
    hint = f"did you mean {close[0]}?" if close else f"see {PROGRAM} --help."
    if close or len(words) > 1:
        raise Problem(f"“{word[:80]}” is neither a command nor a file; {hint}")


def _parser(command: str) -> _Parser:
    """The parser for one sub-command, or for the window."""
    parser = _Parser(prog=f"{PROGRAM} {command}".strip(), add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--version", action="store_true")
    parser.add_argument("--dialect", choices=("auto", *DIALECTS), default="auto")
    parser.add_argument("--precision", choices=("auto", *(each.value for each in Precision)), default="auto")
    parser.add_argument("--framing", choices=("auto", *(each.value for each in FramingKind)), default="auto")
    parser.add_argument("--byte-order", choices=("auto", "little", "big"), default="auto")
    add_options(parser)
    parser.add_argument("--layers", metavar="NAMES", default="auto")
    parser.add_argument("--max-unpacked", metavar="SIZE")
    ARGUMENTS.get(command, window)(parser)
    return parser


def _help(parser: _Parser, command: str) -> str:
    common = (
        f"  --dialect auto|{'|'.join(DIALECTS)}\n"
        "  --precision auto|single|double\n  --framing auto|stored|bare|concatenated\n"
        "  --byte-order auto|little|big                     of the lengths before stored values\n"
        "  --password-file FILE, --password-env NAME        for encrypted files: the password in a file, or in the\n"
        "                                                   environment; --key-file, --key-env: 64 hex digits\n"
        "  --password -, --key -                            asks at the terminal, which does not show it\n"
        "  --password TEXT, --key HEX                       others on this machine can read it\n"
        "  --layers auto|none|NAME,NAME,...                 the wraps, outermost first: gdec, gcpf, base64, gzip ...\n"
        "  --max-unpacked SIZE                              the most that may come out of all wraps: 512M, 2G ...\n"
    )
    lines = USAGE.splitlines(keepends=True)
    if command:
        start = next(k for k, line in enumerate(lines) if line.startswith(f"  {PROGRAM} {command}"))
        stop = next(k for k in range(start + 1, len(lines)) if not lines[k].startswith("      "))
        return "".join(lines[start:stop]) + "\nCommon options:\n" + common
    return f"Variant Viewer {VERSION}\n\n{USAGE}\nCommon options:\n{common}"


# What needs the window's code, which is loaded only here


def _window(wanted: argparse.Namespace) -> int:
    lacking = missing()
    names: list[str] = list(dict.fromkeys(wanted.files))
    if lacking and not names:
        raise Problem(f"{lacking}; name a file, or see {PROGRAM} --help for what works without one.")
    if lacking:
        from viewer.cli.inspect import print_text

        for name in names:
            if len(names) > 1:
                print(f"{printable(name)}:")
            print_text(name, wanted.choice)
        sys.stdout.flush()
        hint = f"{PROGRAM}: {lacking}, so this is the text view; `{PROGRAM} shot FILE -o OUT.png` draws the window."
        print(hint, file=sys.stderr)
        return 0
    with contextlib.ExitStack() as stack:
        paths = [stack.enter_context(opened_path(name)) for name in names]
        stack.enter_context(_window_code())
        gc.disable()  # what is made from here to the first frame stays; run_window lets the collector in again
        with ending_at_once():
            from viewer.ui.window.app import run_window
        return int(run_window(paths, wanted.choice))


def _shot(wanted: argparse.Namespace) -> int:
    if wanted.file is None or wanted.out is None:
        raise Problem(f"shot needs a FILE and -o OUT.png; see {PROGRAM} --help.")
    size = _size(wanted.size)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with contextlib.ExitStack() as stack:
        path = stack.enter_context(opened_path(wanted.file))
        stack.enter_context(_window_code())
        stack.enter_context(ending_at_once(stack.close))
        from viewer.ui.window.app import shot

        return int(shot(path, wanted.out, wanted.select, size, wanted.theme, wanted.choice))


def _size(text: str) -> tuple[int, int]:
    """Width and height of ``1280x800``."""
    found = re.fullmatch(r"([0-9]{1,5})[xX]([0-9]{1,5})", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(0 < pixels <= MAX_PIXELS for pixels in size):
        raise Problem(f"--size is a width and a height up to {MAX_PIXELS}, like 1280x800, not “{text[:40]}”.")
    return size


@contextlib.contextmanager
def _window_code() -> Iterator[None]:
    """A window that cannot be loaded is one sentence."""
    try:
        yield
    except ImportError as error:
        raise Problem(f"The window cannot be loaded: {error}.") from error


Command = Callable[[argparse.Namespace], int]


def _command(name: str) -> Command:
    """What a sub-command does; the window stands for no name, and starts without the code of the others."""
    if not name:
        return _window
    if name == "shot":
        return _shot
    commands: dict[str, Command] = import_module(MODULES.get(name, "viewer.cli.inspect")).COMMANDS
    return commands[name]
