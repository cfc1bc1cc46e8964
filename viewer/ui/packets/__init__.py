"""The list of packets: a capture or live traffic, lying across the top of tree, bytes and inspector."""
