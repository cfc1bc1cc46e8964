"""Games on this system: the folders where engines keep ``user://``, and the saves in them."""
