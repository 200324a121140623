"""Intervals and tests from influence values."""
