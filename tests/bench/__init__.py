"""Benchmarks: how long the program takes, beside something else that does the same work in the same run."""
