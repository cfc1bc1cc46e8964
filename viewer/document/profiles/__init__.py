"""Game profiles: what the values in the saves of a game mean, as a person or a game's community wrote it down."""
