"""Held out: kinds of damage beside those of ``tests/data/damage``, to judge the doctor by what it was not made for."""
