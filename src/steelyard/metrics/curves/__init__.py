"""Curves over all thresholds and what is read off them: folds over ranges of scores."""
