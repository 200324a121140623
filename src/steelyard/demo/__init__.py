"""Invented logs, for `steelyard demo`, the documentation and the tests."""
