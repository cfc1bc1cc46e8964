"""Recovery: after an error, where do the bytes make sense again?

A value's head says how many bytes it has and how many values follow it, whoever holds it. So the bytes behind a broken
place can be followed head by head from any offset, and where that leads exactly to the end of the data, the number of
values on the way tells which collections they fill.
"""
