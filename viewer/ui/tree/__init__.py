"""The tree and the field that edits its values."""
