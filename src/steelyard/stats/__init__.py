"""Intervals and tests from influence values; attribution of a change."""
