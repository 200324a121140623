"""Ranked lists: ranks of rows, and the terms of lists."""
