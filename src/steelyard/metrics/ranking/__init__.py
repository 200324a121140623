"""Metrics of ranked lists, averaged over groups; a grade says how relevant a row is."""
