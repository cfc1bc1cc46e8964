"""The timeline of a save in a window, and the recording of it."""
