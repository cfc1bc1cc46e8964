"""Forms: what a person sees and types in an editor of one type, as data; how it reads and what it would write."""
