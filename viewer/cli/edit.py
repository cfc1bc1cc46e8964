"""The sub-commands that change a file. All is checked before anything is written: all of it is done, or nothing."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from viewer.base.unseen import printable
from viewer.cli.file_access import enter, learn, need, open_knowing, remark_wraps, save, tell_kept, write
from viewer.cli.input import STDIN, Problem, read_stdin
from viewer.document.bulk import BulkError, BulkPlan, plan
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.new_places import new_place
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete as deletion
from viewer.document.edits.structure import insert as insertion
from viewer.document.export.many_paths import PlanLines
from viewer.document.path import INSIDE, PathError, parse_path

Change = Callable[[Document], int]


def _changed(wanted: argparse.Namespace, change: Change) -> int:
    """Open the file, change it, and write it in place or to where it shall go; what cannot be done changes nothing."""
    if wanted.file == STDIN and wanted.out is None and not getattr(wanted, "dry_run", False):
        raise Problem("Standard input cannot be changed in place: name a file after -o.")
    document = open_knowing(wanted.file, wanted.choice)
    try:
        code = change(document)
    except (PathError, EditError, BulkError) as error:
        raise Problem(str(error)) from error
    if getattr(wanted, "dry_run", False):
        return code
    is_changed = document.modified
    if wanted.out is not None:
        write(wanted.out, document.to_be_written())
    elif is_changed:
        save(document)
    if is_changed:
        remark_wraps(document)
    return code


def set_(wanted: argparse.Namespace) -> int:
    """``set FILE PATH LITERAL [PATH LITERAL ...] [-o OUT]``: one after another, each in what the one before it left."""
    need(wanted, "set", ("file", "a FILE"), ("path", "a PATH"), ("literal", "a LITERAL"))
    words = [wanted.path, wanted.literal, *wanted.more]
    if len(words) % 2:
        raise Problem(f"set needs a LITERAL after each PATH, and “{words[-1][:40]}” has none.")

    def change(document: Document) -> int:
        for path, literal in zip(words[::2], words[1::2], strict=True):
            learn(document)
            level = enter(document, path)
            tell_kept(level, path)
            edit = set_literal(level.document, level.item(), literal)
            if level.document.text is not None:
                from viewer.document.viewmodel.verdict import judge

                told = judge(level.document, level.item(), literal)
                if told.ok and told.detail:
                    print(f"variant-viewer: {printable(path)}: {told.detail}", file=sys.stderr)
            document.apply(level.outermost(edit))
        return 0

    return _changed(wanted, change)


def insert(wanted: argparse.Namespace) -> int:
    """``insert FILE PATH LITERAL [--entry-key LITERAL] [-o OUT]``."""
    need(wanted, "insert", ("file", "a FILE"), ("path", "a PATH"), ("literal", "a LITERAL"))

    def change(document: Document) -> int:
        level = enter(document, wanted.path)
        if level.rest.startswith("@") and level.nested is None:
            from viewer.document.edits.resource_edit import resource_from_text

            document.apply(resource_from_text(document, level.rest, wanted.literal))
            return 0
        place = new_place(level.document, level.rest, wanted.entry_key or "")
        fragment = written(level.document, wanted.literal, place.key)
        document.apply(level.outermost(insertion(level.document, place.slot, [fragment], renames=False)))
        return 0

    return _changed(wanted, change)


def delete(wanted: argparse.Namespace) -> int:
    """``delete FILE PATH... [--null-references] [-o OUT]``: all paths are those before anything is taken away."""
    need(wanted, "delete", ("file", "a FILE"), ("path", "a PATH"))

    def change(document: Document) -> int:
        paths = (wanted.path, *wanted.more)
        places = [path.rpartition(INSIDE)[0] for path in paths]
        if len(set(places)) > 1:
            raise Problem("All paths must be of one level: delete what is inside another value separately.")
        level = enter(document, wanted.path)
        rests = [enter(document, path).rest for path in paths] if places[0] else list(paths)
        items = [parse_path(level.document, rest) for rest in rests]
        structure = level.document.structure
        if structure is not None and structure.resources is not None:
            from viewer.document.edits.resource_edit import resource_taken_away

            edit = resource_taken_away(level.document, items, wanted.null_references)
            if edit is not None:
                document.apply(level.outermost(edit))
                return 0
        document.apply(level.outermost(deletion(level.document, items)))
        return 0

    return _changed(wanted, change)


def bulk(wanted: argparse.Namespace) -> int:
    """``bulk FILE (EXPRESSION [--dry-run] | --script SCRIPT) [-o OUT]``: 1 where a value could not be changed."""
    if wanted.script is not None:
        return _by_script(wanted)
    need(wanted, "bulk", ("file", "a FILE"), ("expression", "an EXPRESSION"))

    def change(document: Document) -> int:
        found = _planned(document, wanted.expression)
        listed = PlanLines(found)
        if wanted.dry_run:
            for line in listed.lines():
                print(line)
        sys.stdout.flush()
        for row in found.rows if not wanted.dry_run else ():
            if row.problem:
                print(f"variant-viewer: {listed.place(row)}: {row.problem}", file=sys.stderr)
        for sentence in listed.left_out:
            print(f"variant-viewer: {sentence}", file=sys.stderr)
        print(f"variant-viewer: {found.summary}", file=sys.stderr)
        if found.edit is not None and not wanted.dry_run:
            document.apply(found.edit)
        return 1 if found.problems else 0

    return _changed(wanted, change)


def _by_script(wanted: argparse.Namespace) -> int:
    """Do what a script says that `diff --bulk` wrote; all of it, or nothing."""
    from viewer.document.compare.change_script import ScriptError, run_script

    need(wanted, "bulk", ("file", "a FILE"))
    if wanted.expression is not None or wanted.dry_run:
        raise Problem("A script replaces an EXPRESSION, and has no --dry-run.")
    if wanted.file == wanted.script == STDIN:
        raise Problem("Only one of FILE and SCRIPT can be standard input.")
    raw = read_stdin() if wanted.script == STDIN else bytes(files.read(Path(wanted.script))[0][:])
    try:
        script = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(f"“{wanted.script}” is not a script: it is not UTF-8.") from error

    def change(document: Document) -> int:
        try:
            count = run_script(document, script)
        except ScriptError as error:
            raise Problem(printable(str(error))) from error
        print(f"variant-viewer: {count} {'line' if count == 1 else 'lines'} done.", file=sys.stderr)
        return 0

    return _changed(wanted, change)


def _planned(document: Document, expression: str) -> BulkPlan:
    try:
        return plan(document, expression)
    except BulkError as error:
        place = f" (at character {error.position + 1})" if error.position >= 0 else ""
        raise Problem(f"{error}{place}") from error


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "set": set_,
    "insert": insert,
    "delete": delete,
    "bulk": bulk,
}
"""The sub-commands by name."""
