"""Values as the engines' own text: ``Vector2(1, 2)``, ``{"a": 1}``. Printing and parsing."""
