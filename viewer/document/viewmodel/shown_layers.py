"""Layers, as a person sees them: what a file or a packet unwraps into, with the words for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.words import counted
from viewer.document.document import Document

if TYPE_CHECKING:
    from viewer.container.layer import Damage
    from viewer.container.wire import LayerField


@dataclass(frozen=True, slots=True)
class ShownLayer:
    """One layer.

    Args:
        label: what it is in a word or three.
        buffer: its bytes.
        parts: what its bytes are, where that is known, in order.
        damages: what is wrong with it, in its own bytes.
        is_inside: whether its bytes are those that the tree shows.
    """

    label: str
    buffer: Buffer
    parts: tuple[LayerField, ...] = ()
    damages: tuple[Damage, ...] = ()
    is_inside: bool = False

    @property
    def size(self) -> str:
        """``12 345 bytes``."""
        return counted(len(self.buffer), "byte")


def shown_layers(document: Document) -> list[ShownLayer]:
    """All layers of a document, outermost first; the last one holds the values."""
    out = [ShownLayer(wire.name, wire.data, wire.parts) for wire in document.carried]
    text = document.text
    wraps = document.wraps.around if text is None else document.wraps.around[:-1]
    for index, wrap in enumerate(wraps):
        name = wrap.form.label
        label = name if index or out else f"File: {name}"
        out.append(ShownLayer(label, wrap.outside, (), wrap.damages))
    if text is not None:
        label = text.label if out else f"File: {text.label}"
        return [*out, ShownLayer(label, text.outside, (), text.damages, is_inside=True)]
    return [*out, ShownLayer(_inside(document), document.buffer, is_inside=True)]


def _inside(document: Document) -> str:
    """What the innermost bytes are called."""
    if document.wraps.blocked is not None:
        return "Closed"
    return "Payload" if document.carried else "Values" if document.wraps.around else "File"
