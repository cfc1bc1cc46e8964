"""What each engine line would do with bytes: read them, refuse them, read something else, or die of them."""
