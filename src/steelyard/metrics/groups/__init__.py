"""Means over groups of rows, such as users: how well each one's own rows are ordered."""
