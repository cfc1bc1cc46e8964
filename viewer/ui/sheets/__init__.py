"""The table view: a sheet as a grid with its filter, editing and actions."""
