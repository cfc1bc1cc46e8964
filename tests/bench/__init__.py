"""Benchmarks: what the program takes, beside a floor that is named, in turns with it."""
