"""The window that holds the panes, and what its menus do."""
