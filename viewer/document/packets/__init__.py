"""Packets: from what was captured to values that applications sent each other."""
