"""Curves over all thresholds and what is read off them: folds over score chunks, high to low."""
