"""Unique ids of resources: a number in the file, ``uid://…`` for a person.

Source: ``core/io/resource_uid.cpp`` of Godot 4.2.2.
"""

from __future__ import annotations

NO_UID = (1 << 64) - 1
MARK = "uid://"
NONE = "none"
SIGNS = "abcdefghijklmnopqrstuvwxy012345678"
"""The digits of an id; the engine has no use for z and 9."""
LONGEST = 20


def uid_text(uid: int) -> str:
    """An id as the engine writes it: ``uid://bxxxx``; ``none`` for the number that stands for no id."""
    if uid == NO_UID:
        return NONE
    digits = ""
    while True:
        uid, digit = divmod(uid, len(SIGNS))
        digits = SIGNS[digit] + digits
        if not uid:
            return MARK + digits


def parse_uid(words: str) -> int | None:
    """The number of an id, or of ``none``; None where it is not written as one."""
    if words == NONE:
        return NO_UID
    digits = words.removeprefix(MARK)
    if not words.startswith(MARK) or not 0 < len(digits) < LONGEST or any(sign not in SIGNS for sign in digits):
        return None
    uid = 0
    for sign in digits:
        uid = uid * len(SIGNS) + SIGNS.index(sign)
    return uid if uid < NO_UID else None
