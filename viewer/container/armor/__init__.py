"""Bytes as text: hex, base64, hexdumps, lists of numbers, arrays of C, literals of Python.

:mod:`byte_text` and :mod:`hexdump` write and read each form by itself. :mod:`codecs` makes codecs of them, whose forms
remember the form that a text had, to its last blank.
"""
