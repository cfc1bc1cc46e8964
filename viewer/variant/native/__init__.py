"""Values as JSON, in the form of Godot 4.4's ``JSON.from_native``: a game can read them with ``JSON.to_native``.

============================  ====================================================================
null, bool                    ``null``, ``true``
int, float                    ``"i:5"``, ``"f:0.1"``: as many digits as the bits need; ``"f:inf"``, ``"f:nan"``
String, StringName, NodePath  ``"s:text"``, ``"sn:name"``, ``"np:A/B:c"``
Array, Dictionary             ``[...]``; ``{"type": "Dictionary", "args": [key, value, ...]}``
typed ones                    ``{"type": "Array", "elem_type": "int", "args": [...]}``; ``key_type``, ``value_type``
several numbers               ``{"type": "Vector2", "args": [1.0, 2.0]}``; a 3 x 3 matrix column by column
packed arrays                 the same, the numbers of all elements one after the other
objects                       ``{"type": "Resource", "props": ["name", value, ...]}``
RID, Callable, Signal         ``{"type": "RID"}``
============================  ====================================================================

What that form does not know has further keys, which the engine ignores or refuses:

- ``"bits": {"0": "7f800001"}``: the bits of the NaN at that place of ``args``, highest digit first. A NaN in ``args``
  is the text ``"nan"`` (the engine has none there and reads 0); a float with such bits is ``{"type": "float"}``.
- ``"id": "7"``: the id of an RID; with ``{"type": "Object"}`` an object written as its id; with ``"name"`` a Signal's.
- ``{"type": "Object"}`` alone: a null object written as an Object.
- ``{"type": "String", "text": ..., "raw": "efbbbf61"}``: text whose bytes (in hex) are not proper UTF-8 for it. In a
  list of texts, as a name or as a class, such a text is ``{"text": ..., "raw": ...}``.
- ``{"type": "NodePath", "names": [], "subnames": [], "absolute": false, "property": null}``: a path that its text would
  split differently; *property* is Godot 2's.
- ``{"builtin": 23, "class": "", "script": null, "ids": true}`` in place of an element type's name, where a name alone
  would mean another one. ``TypedArray`` and ``PackedTypedArray`` take ``elem_type`` as an Array does.
- ``"shared": true``: the shared bit of an Array or Dictionary.
- ``{"type": "Image", "format": 4, "mipmaps": 0, "width": 1, "height": 1, "data": "AQID"}``: the pixels in base64.
- ``{"type": "InputEvent", "event": 1, "device": 0, "names": ["scancode"], "args": [65]}``.
- ``{"type": "Vector2", "broken": true}``: a value whose bytes could not be read. It is written, never read.

An infinity in ``args`` is Python's, to be written as the number ``1e99999``, as the engine does. A whole number there
that a double cannot hold is a text of its digits: the engine, which would read the number wrong, reads that right.

Plain JSON is read too, where it cannot be mistaken: a text without a known prefix is a String, a number an int or a
float, an object without ``"type"`` a Dictionary with String keys. Types may have their names of any engine line.

Both ways work with stacks of their own. ``json.dumps`` and ``json.loads`` do not: they recurse over what is nested.
"""

from __future__ import annotations

from viewer.variant.native.json_reader import NativeError, from_native
from viewer.variant.native.json_writer import to_native

__all__ = ["NativeError", "from_native", "to_native"]
