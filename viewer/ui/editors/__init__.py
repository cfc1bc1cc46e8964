"""Editors: one for each type of value, opened beside the tree's own field when a person wants more room."""
