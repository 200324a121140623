"""Rows → something to read. A reporter talks; it computes nothing."""
