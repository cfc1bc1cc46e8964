"""A resource in its other form, for another engine line, and what it loses by that."""

from __future__ import annotations

from viewer.base.record import replace
from viewer.document.document import Document
from viewer.document.export.resources.binary_resource import binary_bytes, binary_content
from viewer.document.export.resources.resource_content import (
    EXTERNAL,
    INTERNAL,
    LINES,
    CannotConvertError,
    InternalResource,
    ResourceContent,
    SceneContent,
    differences,
    mapped,
    untyped,
)
from viewer.document.export.resources.resource_content import SCENE as SCENE_CLASS
from viewer.document.export.resources.text_resource import text_bytes, text_content
from viewer.document.readers.file_structure import RESOURCE
from viewer.document.readers.resource_uid import NO_UID
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.translate import translate
from viewer.variant.dialect import load_text_values
from viewer.variant.value import Value

TEXTS, BINARIES = ("tres", "tscn"), ("res", "scn")
SCENES = ("tscn", "scn")
"""What a scene is in each form."""
BLANK = b"\xef\xbb\xbf \t\r\n"
HEADS = ("gd_resource", "gd_scene")


def is_resource(document: Document) -> bool:
    """Whether a file is a resource or a scene, in one form or the other."""
    if document.structure is not None:
        return document.structure.kind == RESOURCE
    text = document.text
    return text is not None and text.outside.lstrip(BLANK).startswith(tuple(f"[{head}".encode() for head in HEADS))


def other_forms(document: Document) -> tuple[str, ...]:
    """What a file can become: its other form, nothing for what is no resource."""
    if not is_resource(document):
        return ()
    structure = document.structure
    if structure is None:
        assert document.text is not None
        is_scene = document.text.outside.lstrip(BLANK).startswith(b"[gd_scene")
        return (BINARIES[is_scene],)
    header = next((piece for piece in structure.pieces if piece.name == "header"), None)
    is_scene = header is not None and any(
        field.name == "class" and field.text == SCENE_CLASS for field in header.children
    )
    return (TEXTS[is_scene],)


def resource_as(document: Document, target: str, line: str | None, lost: list[str]) -> bytes:
    """A resource in another form.

    Args:
        document: the file.
        target: ``tres``, ``tscn``, ``res`` or ``scn``.
        line: the engine line that reads it, None for that of the document.
        lost: takes what it has not any more, a sentence each.

    Raises:
        CannotConvertError: it is no resource, or cannot become one of that kind.
    """
    content = content_of(document, lost)
    if (content.scene is not None) != (target in SCENES):
        what, kinds = ("a scene", SCENES) if content.scene is not None else ("not a scene", (TEXTS[0], BINARIES[0]))
        raise CannotConvertError(f"This is {what}: it becomes {kinds[0]} or {kinds[1]}.")
    wanted = line or content.line
    if wanted not in LINES:
        raise CannotConvertError(f"Resources are written for {' and '.join(LINES)}, and not for {wanted}.")
    if wanted != content.line:
        content = _moved(content, wanted, lost)
    data = text_bytes(content, lost) if target in TEXTS else binary_bytes(content, lost)
    told: list[str] = []
    written = content_of(Document(data), told)
    lost += differences(content, written)
    return data


def content_of(document: Document, lost: list[str]) -> ResourceContent:
    """What a resource holds, in whichever form it is.

    Args:
        document: the file.
        lost: takes what has no place in the other form, a sentence each.

    Raises:
        CannotConvertError: it is none, or damaged.
    """
    if not is_resource(document):
        raise CannotConvertError("This is not a resource: neither a .res or .scn, nor a .tres or .tscn.")
    return binary_content(document, lost) if document.structure is not None else text_content(document, lost)


def _moved(content: ResourceContent, line: str, lost: list[str]) -> ResourceContent:
    """A resource of another engine line. Classes and properties keep their names."""
    lost.append("Classes and properties keep their names, of which the other engine line may not know some.")
    if content.script_class or content.uid != NO_UID or any(one.uid != NO_UID for one in content.external):
        lost.append("Unique ids and the class of the script are lost.")
    mover = _Mover(content, line, lost)
    external = tuple(replace(one, id=str(number), uid=NO_UID) for number, one in enumerate(content.external, 1))
    internal = tuple(
        InternalResource(mover.names[INTERNAL].get(one.id, ""), one.type, mover.pairs(one.properties))
        for one in content.internal
    )
    return ResourceContent(line, "", NO_UID, external, internal, mover.scene(content.scene))


class _Mover:
    """Translates values to another engine line.

    Attributes:
        names: what resources are called there, by type and former name; in Godot 3 by numbers.
    """

    def __init__(self, content: ResourceContent, line: str, lost: list[str]) -> None:
        self.names = {
            INTERNAL: {one.id: str(number) for number, one in enumerate(content.internal[:-1], 1)},
            EXTERNAL: {one.id: str(number) for number, one in enumerate(content.external, 1)},
        }
        self._source, self._target = content.dialect, load_text_values(line)
        self._lost = lost

    def value(self, value: Value) -> Value:
        """A value there.

        Raises:
            CannotConvertError: nothing there can hold it.
        """
        try:
            found = translate(mapped(value, self._leaf, untyped), self._source, self._target)
        except ConvertError as error:
            raise CannotConvertError(str(error)) from error
        self._lost += [f"{loss}." for loss in found.losses]
        return found.value

    def pairs(self, properties: tuple[tuple[str, Value], ...]) -> tuple[tuple[str, Value], ...]:
        """Properties there; errors as :meth:`value`."""
        return tuple((name, self.value(value)) for name, value in properties)

    def scene(self, scene: SceneContent | None) -> SceneContent | None:
        """A scene there; errors as :meth:`value`."""
        if scene is None:
            return None
        if any(node.unique_id or node.node_paths for node in scene.nodes) or any(
            line.unbinds for line in scene.connections
        ):
            self._lost.append("Numbers of nodes, paths that become nodes, and arguments left out are lost.")
        nodes = tuple(
            replace(
                node,
                properties=self.pairs(node.properties),
                instance=None if node.instance is None else self.value(node.instance),
                unique_id=0,
                node_paths=(),
                parent_ids=(),
                owner_ids=(),
            )
            for node in scene.nodes
        )
        connections = tuple(
            replace(line, binds=tuple(map(self.value, line.binds)), unbinds=0, source_ids=(), target_ids=())
            for line in scene.connections
        )
        return SceneContent(nodes, connections, scene.editable)

    def _leaf(self, value: Value) -> Value:
        names = self.names.get(value.type)
        return value if names is None else Value(value.type, names.get(str(value.data), ""))
