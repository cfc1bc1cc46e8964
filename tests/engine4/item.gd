# A class that has no name of its own: collections typed with it name this file.
extends RefCounted

var count = 0
