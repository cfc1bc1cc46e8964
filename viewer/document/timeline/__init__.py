"""The timeline of a save: its versions as a game wrote them, what changed between them, and what somebody did then."""
