"""Variant Viewer: bytes and values of the Godot family's binary serialization, side by side."""
