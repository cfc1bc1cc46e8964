"""Two documents beside each other, and the merge of three. Loaded when it is needed."""
