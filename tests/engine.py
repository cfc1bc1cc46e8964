"""Ask the real Godot 3.2.3 what it reads from bytes, and what it writes for a value.

One start of the engine serves a whole batch. Values come back as JSON, exact to the bit, as in the golden vectors:
``{"int": "5"}``, ``{"float": "0.5", "f64": "3fe0000000000000"}``, ``{"Vector2": ["1.0", "2.0"], "f32": [...]}``.
With objects allowed the engine runs scripts that lie in the bytes: only feed it bytes from our own tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

ENGINE = "godot3-server"
SCRIPTS = Path(__file__).with_name("engine")
SECONDS = 60  # for starting and for a small batch; large inputs add to it
BYTES_PER_SECOND = 50_000  # the slowest that the engine shows values as JSON, with much room

MATHS = {"Vector2", "Rect2", "Vector3", "Transform2D", "Plane", "Quat", "AABB", "Basis", "Transform", "Color"}
POOLS = {"PoolRealArray", "PoolVector2Array", "PoolVector3Array", "PoolColorArray"}

Json = Any
Mode = Literal["bytes2var", "get_var", "get_var_all", "json", "config"]
Opened = Literal["plain", "compressed", "key", "pass"]


class EngineError(RuntimeError):
    """The engine could not be run, or did not understand a text to encode."""


@dataclass(frozen=True, slots=True)
class Request:
    """Bytes, the call that is to read them, and the one that opens the file; *secret* is a key or a UTF-8 password.

    ``bytes2var`` takes one bare value, ``get_var`` the first length-prefixed one, ``get_var_all`` all of them, ``json``
    the text of a JSON file, ``config`` a ConfigFile, which is a dictionary of its sections.
    """

    data: bytes
    mode: Mode = "bytes2var"
    objects: bool = False
    opened: Opened = "plain"
    secret: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine made of a request.

    *error* is the engine's own text when it refused the bytes, or how it died. ``get_var`` gives null for what it
    refuses and goes on, so there may be both values and an error. *position* is where ``get_var`` left the file.
    """

    values: tuple[Json, ...]
    error: str | None
    position: int | None = None

    @property
    def value(self) -> Json:
        """The only value."""
        (only,) = self.values
        return only


@dataclass(frozen=True, slots=True)
class _Job:
    """One line of ``requests.txt`` with the file that belongs to it."""

    mode: str
    objects: bool
    data: bytes
    opened: str = "plain"
    secret: bytes = b""


@dataclass(frozen=True, slots=True)
class _Raw:
    """What the engine said of one job: its answer, if any, and the messages in between."""

    reply: dict[str, Any] | None
    log: str


def available() -> bool:
    """Whether the engine is installed."""
    return shutil.which(ENGINE) is not None


def read_back(requests: Sequence[Request]) -> list[Answer]:
    """What the engine reads from each request, in order.

    Raises:
        EngineError: the engine cannot be run or does not finish in time.
    """
    jobs = [_Job(request.mode, request.objects, request.data, request.opened, request.secret) for request in requests]
    return [_answer(raw) for raw in _ask(jobs)]


def loaded(files: Sequence[bytes], scripts: Path) -> list[list[Json] | None]:
    """The resources that the engine loads from each file, the main one first; None for a file that it refuses.

    Each has a ``class`` and ``properties``: pairs of a name and a value; another resource is ``{"Resource": place}`` or
    its path.

    Args:
        files: the bytes of binary resources, or the text of others.
        scripts: a folder of scripts, which lie at ``res://``.

    Raises:
        EngineError: the engine cannot be run, or dies on a file.
    """
    found: list[list[Json] | None] = []
    for raw in _ask([_Job("load", False, data) for data in files], scripts):
        if raw.reply is None:
            raise EngineError(f"the engine died on a resource: {raw.log}")
        resources = raw.reply["resources"]
        found.append(None if resources is None else [_readable(each) for each in resources])
    return found


def encode(texts: Sequence[str]) -> list[bytes]:
    """The bytes ``var2bytes(str2var(text))`` of each text in the engine's own notation.

    The padding of NodePath names is whatever was in the engine's memory; text behind a complete value is ignored.

    Raises:
        EngineError: the engine does not understand one of the texts, or cannot be run.
    """
    found = []
    for text, raw in zip(texts, _ask([_Job("encode", False, text.encode()) for text in texts]), strict=True):
        if raw.reply is None or not raw.reply["done"]:
            raise EngineError(f"the engine does not understand {text!r} {raw.log}".rstrip())
        found.append(bytes.fromhex(raw.reply["hex"]))
    return found


def streamed(streams: Sequence[Sequence[Sequence[Json]]]) -> list[bytes]:
    """The files that the engine writes in steps; see :mod:`document.doctor.streams`.

    Raises:
        EngineError: the engine does not understand a value, or cannot be run.
    """
    found = []
    for steps, raw in zip(
        streams,
        _ask([_Job("stream", False, json.dumps(each, ensure_ascii=False).encode()) for each in streams]),
        strict=True,
    ):
        if raw.reply is None or not raw.reply["done"]:
            raise EngineError(f"the engine cannot write {str(steps)[:200]} {raw.log}".rstrip())
        found.append(bytes.fromhex(raw.reply["hex"]))
    return found


def packed(files: Mapping[str, bytes]) -> bytes:
    """The package (PCK) that the engine writes for files, by path.

    Raises:
        EngineError: the engine cannot be run.
    """
    (raw,) = _ask([_Job("pack", False, json.dumps({path: data.hex() for path, data in files.items()}).encode())])
    if raw.reply is None or not raw.reply["done"]:
        raise EngineError(f"the engine cannot write a package {raw.log}".rstrip())
    return bytes.fromhex(raw.reply["hex"])


def mounted(packages: Sequence[tuple[bytes, Sequence[str]]]) -> list[dict[str, bytes | None] | None]:
    """What the engine finds in each package at these paths; None where it refuses the package.

    Raises:
        EngineError: the engine cannot be run, or dies on a package.
    """
    found: list[dict[str, bytes | None] | None] = []
    asked = [json.dumps({"data": data.hex(), "paths": list(paths)}).encode() for data, paths in packages]
    for raw in _ask([_Job("mount", False, each) for each in asked]):
        if raw.reply is None:
            raise EngineError(f"the engine died on a package: {raw.log}")
        files = raw.reply["files"]
        found.append(
            None
            if files is None
            else {path: None if each is None else bytes.fromhex(each) for path, each in files.items()}
        )
    return found


def _answer(raw: _Raw) -> Answer:
    if raw.reply is None or not raw.reply["done"]:
        return Answer((), raw.log or "refused")
    values = tuple(_readable(value) for value in raw.reply["values"])
    position = raw.reply["position"]
    if position is None:
        return Answer(values, None)  # bytes2var returns only what it accepts
    return Answer(values, raw.log or None, int(position))


def _ask(jobs: Sequence[_Job], scripts: Path | None = None) -> list[_Raw]:
    """Every job's outcome; an engine that dies on one is started again for the rest."""
    found: list[_Raw] = []
    while len(found) < len(jobs):
        with tempfile.TemporaryDirectory(prefix="engine-") as folder:
            found += _run(Path(folder), jobs[len(found) :], scripts)
    return found


def _run(folder: Path, jobs: Sequence[_Job], scripts: Path | None) -> list[_Raw]:
    """The outcome of one start of the engine: of all jobs, or of those up to the one it died on."""
    project = _project(folder, jobs)
    for script in scripts.glob("*.gd") if scripts is not None else ():
        shutil.copy(script, project)
    seconds = SECONDS + sum(len(job.data) for job in jobs) / BYTES_PER_SECOND
    try:
        done = subprocess.run(
            [ENGINE, "--no-window", "--path", str(project), "-s", "oracle.gd"],
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"{ENGINE}: {error}") from error
    messages = done.stderr.decode(errors="replace")
    found = list(_outcomes(messages, f"the engine ended with code {done.returncode}"))
    if not found:
        raise EngineError(f"{ENGINE} ended with code {done.returncode} before the first request:\n{messages}")
    return found


def _project(folder: Path, jobs: Sequence[_Job]) -> Path:
    project = folder / "project"
    shutil.copytree(SCRIPTS, project)
    inputs = project / "in"
    inputs.mkdir()
    for number, job in enumerate(jobs):
        (inputs / str(number)).write_bytes(job.data)
    lines = [
        f"{number} {job.mode} {job.objects:d} {job.opened} {job.secret.hex() or '-'}\n"
        for number, job in enumerate(jobs)
    ]
    (project / "requests.txt").write_text("".join(lines), encoding="ascii")
    return project


def _environment(folder: Path) -> dict[str, str]:
    """Ours, with every folder that the engine writes to inside *folder* and a locale that it knows."""
    home = str(folder)
    own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), home)
    return {**os.environ, **own, "LANG": "en_US.UTF-8"}


def _outcomes(messages: str, death: str) -> Iterator[_Raw]:
    """Each job's share of the engine's messages; the last one may have no end."""
    for share in re.split(r"^@@BEGIN \d+\n", messages, flags=re.MULTILINE)[1:]:
        reply: dict[str, Any] | None = None
        log: list[str] = []
        for line in share.splitlines():
            if line.startswith("@@END"):
                break
            if line.startswith("@@ANSWER "):
                reply = json.loads(line.removeprefix("@@ANSWER "))
            else:
                log.append(line)
        else:
            reply, log = None, [*log, death]
        yield _Raw(reply, "\n".join(log))


def _readable(raw: Json) -> Json:
    """The engine's JSON with the text of every string and number beside its bits."""
    if isinstance(raw, list):
        return [_readable(item) for item in raw]
    if not isinstance(raw, dict):
        return raw
    if "str" in raw:
        return _text(raw["str"])
    if "float" in raw:
        return {"float": _number(raw["float"]), "f64": raw["float"]}
    for name in (MATHS | POOLS) & raw.keys():
        return {name: _numbers(raw[name]), "f32": raw[name]}
    return {name: value if name == "PoolByteArray" else _readable(value) for name, value in raw.items()}


def _text(utf8: str) -> Json:
    try:
        return {"str": bytes.fromhex(utf8).decode()}
    except UnicodeDecodeError:
        return {"str": None, "utf8": utf8}


def _numbers(bits: Json) -> Json:
    if isinstance(bits, str):
        return _number(bits)
    if isinstance(bits, list):
        return [_numbers(item) for item in bits]
    return {name: _numbers(item) for name, item in bits.items()}


def _number(bits: str) -> str:
    (number,) = struct.unpack(">f" if len(bits) == 8 else ">d", bytes.fromhex(bits))
    return repr(number)
