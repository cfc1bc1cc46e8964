"""The words and options of each sub-command, and the help that lists them."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from viewer.cli.input import OPTIONS as SECRETS

WITH_VALUE = (
    *("--dialect", "--precision", "--framing", "--byte-order", *SECRETS, "--layers", "--max-unpacked", "--entry-key"),
    *("--select", "--size", "--theme", "-o"),
    *("--filter", "--udp", "--forward", "--count", "--seconds"),
    *("--like", "--as", "--engine", "--apply", "--call", "--inside", "--to", "--instead"),
    *("--ignore", "--tolerance", "--pair-by", "--script"),
    *("--mark", "--did", "--show", "--follow", "--pin", "--unpin", "--most", "--room"),
)
"""Options behind which a value stands."""
USAGE = """\
  variant-viewer [FILE...]                         open the window, with a tab for each file
  variant-viewer dump FILE [--json|--values|--plain] [--inside PATH]
                                                   the tree with the place of every value; --values: only these, as
                                                   the JSON that a game reads, one stored value per line; --plain: one
                                                   value per line without places, for `git diff`; --inside: the tree of
                                                   what a byte array or text holds
  variant-viewer check FILE... [--engine NAME|all] [--call bytes|file|stream] [--objects] [--json]
                                                   what is wrong, one finding per line; or what an engine would do:
                                                   godot4.2, pandemonium5 ..., --objects where the game allows them;
                                                   --call: bytes_to_var(), File.get_var(), or get_var() of a peer
  variant-viewer explain FILE [OFFSET|PATH] [--html] [-o OUT]
                                                   what a byte or value is, its layout, what engines do with it
  variant-viewer doctor FILE... [--call bytes|file|stream] [--json] [--apply N] [-o OUT]
                                                   what went wrong with broken bytes, and what would repair them
  variant-viewer shrink FILE [--as hex|literal|gdscript] [--engine NAME] [-o OUT]
                                                   the smallest value that is refused in the same way
  variant-viewer report FILE [--html|--json] [--call bytes|file|stream] [--objects] [-o OUT]
                                                   all of it, for a bug report
  variant-viewer get FILE PATH [--json]            one value
  variant-viewer find FILE PATTERN [--json] [--case] [--nested]
                                                   places: gold, "key: gold", "text: gold", "number: 5", "hex: 10 4? ??"
                                                   --nested: inside byte arrays and texts, too
  variant-viewer diff OLD NEW [--json|--bulk|--words] [--ignore PATTERN] [--tolerance X] [--pair-by PATTERN=HOW]
                                                   what changed, by value: through wraps, engine lines and texts;
                                                   0 where nothing did, 1 where something did; --ignore '**.play_time';
                                                   --bulk: as a script for `bulk --script`, to do the same to another;
                                                   --pair-by 'party=name': or =order, =place, for rows of arrays
  variant-viewer diff SAVE SAVE [SAVE ...] --learn  patterns for --ignore: what differs between every two of these
  variant-viewer merge BASE OURS THEIRS -o OUT     ours with what theirs changed since the base; 1 where both
                                                   changed the same, which stays as in ours and is reported
  variant-viewer timeline FILE [--watch [--encrypted]] [--json]
                                                   the versions that are kept of a save, and what changed in each;
                                                   --watch: keep each one that a game writes, until Ctrl+C
  variant-viewer timeline FILE --mark TEXT | --done | --did TEXT [--json]
                                                   say what you do now in the game, and that it is done; --did: what
                                                   changed exactly then, the likeliest first
  variant-viewer timeline FILE --show N [-o OUT] | --diff A B | --follow PATH [--json]
                                                   a version, on the terminal or as a file; what changed between two
                                                   (`now` is the file as it is); one value through all versions
  variant-viewer timeline FILE --pin N | --unpin N | --most N | --room SIZE
                                                   never thin a version out; how many are kept, in how much room
  variant-viewer set FILE PATH LITERAL [PATH LITERAL ...] [-o OUT]
                                                   change values (in place, with a .bak, when there is no -o)
  variant-viewer insert FILE PATH LITERAL [--entry-key LITERAL] [-o OUT]
                                                   a new value before PATH; [0].items[] appends, [0].player.mana adds
                                                   @internal_resources[], @external_resources[] add a resource
  variant-viewer delete FILE PATH... [--null-references] [-o OUT]
                                                   delete values, or a resource, with null where it was referenced
  variant-viewer bulk FILE (EXPRESSION [--dry-run] | --script SCRIPT) [-o OUT]
                                                   change many: 'party[*].hp < 10 -> 99', or what `diff --bulk` wrote
  variant-viewer encode IN.json -o OUT             from `dump --json` or the engine's JSON back to bytes
  variant-viewer convert FILE... --to KIND[:LINE[:single|double]] [--instead TYPE=WHAT] [--report] [--allow-loss]
                         [-o OUT]                  for another engine line: --to godot4 keeps the kind of file, and
                                                   encrypts as that line does; as another kind: json, config,
                                                   values (stored), bare, project.binary, each :LINE or not; a resource
                                                   as tres or res, a scene as tscn or scn. What would be lost is said
                                                   first; --report tells what becomes of every value
                                                   --instead Vector2i=String, typed=refuse: nearest, String, Array,
                                                   Dictionary, null or refuse, for what the line lacks
  variant-viewer convert --gdscript -o OUT.gd      a script for Godot 4 that converts saves of Godot 3 where the
                                                   players have them; it says what it does and what it does not
  variant-viewer packets FILE [--json] [--filter TEXT]
                                                   what a capture (pcap, pcapng) holds, one packet per line
  variant-viewer listen --udp PORT [--forward HOST:PORT] [--count N] [--seconds S] [-o OUT.pcapng] [--json]
                                                   live packets: what comes to a port, or passes on to a server
  variant-viewer unwrap FILE -o OUT                the bytes inside: decrypted, decompressed, out of their text
  variant-viewer wrap FILE (--like ORIGINAL | --as NAMES) -o OUT
                                                   the other way: --as gdec:1 or base64,gcpf:zstd, outermost first
  variant-viewer shot FILE -o OUT.png [--select PATH] [--size WxH] [--theme light|dark]
                                                   the window as a picture, no screen needed

A PATH names a value: [0].player.items[3].position.x, or one inside a byte array or text: [0].blob!0.gold.
A FILE of - is standard input, an OUT of - standard output.
"""


def window(parser: argparse.ArgumentParser) -> None:
    """Arguments where no sub-command is named."""
    parser.add_argument("files", metavar="FILE", nargs="*")


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?")


def _told(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("--json", action="store_true")


def _dump(parser: argparse.ArgumentParser) -> None:
    _told(parser)
    parser.add_argument("--values", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--inside", metavar="PATH")


def _call(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--call", choices=("bytes", "file", "stream"))


def _engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", metavar="NAME")
    parser.add_argument("--objects", action="store_true")


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("--json", action="store_true")
    _engine(parser)
    _call(parser)


def _explain(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("place", metavar="OFFSET|PATH", nargs="?")
    parser.add_argument("--html", action="store_true")
    _out(parser)


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("--apply", metavar="N")
    parser.add_argument("--json", action="store_true")
    _call(parser)
    _out(parser)


def _shrink(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("--as", dest="as_", choices=("hex", "literal", "gdscript"))
    _engine(parser)
    _out(parser)


def _report(parser: argparse.ArgumentParser) -> None:
    _told(parser)
    parser.add_argument("--html", action="store_true")
    parser.add_argument("--objects", action="store_true")
    _call(parser)
    _out(parser)


def _get(parser: argparse.ArgumentParser) -> None:
    _told(parser)
    parser.add_argument("path", metavar="PATH", nargs="?")


def _find(parser: argparse.ArgumentParser) -> None:
    _told(parser)
    parser.add_argument("pattern", metavar="PATTERN", nargs="?")
    parser.add_argument("--case", action="store_true")
    parser.add_argument("--nested", action="store_true")


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="OLD", nargs="?")
    parser.add_argument("other", metavar="NEW", nargs="?")
    parser.add_argument("more", metavar="SAVE", nargs="*")
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bulk", action="store_true")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--ignore", metavar="PATTERN", action="append", default=[])
    parser.add_argument("--tolerance", metavar="X", default="0")
    parser.add_argument("--pair-by", metavar="PATTERN=HOW", action="append", default=[])


def _merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="BASE", nargs="?")
    parser.add_argument("ours", metavar="OURS", nargs="?")
    parser.add_argument("theirs", metavar="THEIRS", nargs="?")
    _out(parser)


def _timeline(parser: argparse.ArgumentParser) -> None:
    _told(parser)
    for switch in ("--watch", "--encrypted", "--done", "--diff"):
        parser.add_argument(switch, action="store_true")
    for option in ("--mark", "--did", "--show", "--follow", "--pin", "--unpin", "--most", "--room"):
        parser.add_argument(option)
    parser.add_argument("versions", metavar="A B", nargs="*")
    _out(parser)


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", dest="out", metavar="OUT")


def _set(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("path", metavar="PATH", nargs="?")
    parser.add_argument("literal", metavar="LITERAL", nargs="?")
    parser.add_argument("more", metavar="PATH LITERAL", nargs="*")
    _out(parser)


def _insert(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("path", metavar="PATH", nargs="?")
    parser.add_argument("literal", metavar="LITERAL", nargs="?")
    parser.add_argument("--entry-key", metavar="LITERAL")
    _out(parser)


def _delete(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("path", metavar="PATH", nargs="?")
    parser.add_argument("more", metavar="PATH", nargs="*")
    parser.add_argument("--null-references", action="store_true")
    _out(parser)


def _bulk(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("expression", metavar="EXPRESSION", nargs="?")
    parser.add_argument("--script", metavar="SCRIPT")
    parser.add_argument("--dry-run", action="store_true")
    _out(parser)


def _encode(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN.json", nargs="?")
    _out(parser)


def _convert(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("more", metavar="FILE", nargs="*")
    parser.add_argument("--to", metavar="KIND")
    parser.add_argument("--instead", metavar="TYPE=WHAT", action="append", default=[])
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--allow-loss", action="store_true")
    parser.add_argument("--gdscript", action="store_true")
    _out(parser)


def _packets(parser: argparse.ArgumentParser) -> None:
    _told(parser)
    parser.add_argument("--filter", metavar="TEXT", default="")


def _listen(parser: argparse.ArgumentParser) -> None:
    _out(parser)
    parser.add_argument("--json", action="store_true")
    for option in ("--udp", "--forward", "--count", "--seconds"):
        parser.add_argument(option)
    parser.add_argument("words", nargs="*")


def _unwrap(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    _out(parser)


def _wrap(parser: argparse.ArgumentParser) -> None:
    _unwrap(parser)
    parser.add_argument("--like", metavar="ORIGINAL")
    parser.add_argument("--as", dest="as_", metavar="NAMES")


def _shot(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("-o", dest="out", metavar="OUT.png")
    parser.add_argument("--select", metavar="PATH")
    parser.add_argument("--size", metavar="WxH", default="1280x800")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")


ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "dump": _dump,
    "check": _check,
    "explain": _explain,
    "doctor": _doctor,
    "shrink": _shrink,
    "report": _report,
    "get": _get,
    "find": _find,
    "diff": _diff,
    "merge": _merge,
    "timeline": _timeline,
    "set": _set,
    "insert": _insert,
    "delete": _delete,
    "bulk": _bulk,
    "encode": _encode,
    "convert": _convert,
    "packets": _packets,
    "listen": _listen,
    "unwrap": _unwrap,
    "wrap": _wrap,
    "shot": _shot,
}
"""What fills the parser of each sub-command."""
MODULES = {
    **dict.fromkeys(("set", "insert", "delete", "bulk"), "viewer.cli.edit"),
    **dict.fromkeys(("packets", "listen"), "viewer.cli.captures"),
    **dict.fromkeys(("unwrap", "wrap"), "viewer.cli.wrapping"),
    **dict.fromkeys(("explain", "shrink", "report"), "viewer.cli.diagnosis"),
    "doctor": "viewer.cli.doctor_command",
    "convert": "viewer.cli.converting_command",
    **dict.fromkeys(("diff", "merge"), "viewer.cli.comparing_commands"),
    "timeline": "viewer.cli.timeline_command",
}
"""Which module does a sub-command, where it is not ``viewer.cli.inspect``; its ``COMMANDS`` names them."""
