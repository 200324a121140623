"""Blocks of columns → typed, checked rows: labels, scores, predictions, weights, slices, groups."""
