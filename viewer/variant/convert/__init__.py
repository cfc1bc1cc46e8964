"""Values as values of another type, or of another engine line, with what gets lost on the way in plain words."""
