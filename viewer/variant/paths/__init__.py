"""Paths through values: how keys are written in them, and the paths of many nodes in one go."""
