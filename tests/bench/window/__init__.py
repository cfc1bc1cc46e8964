"""Measurements that need a window; each runs in a process of its own and prints its series as JSON."""
