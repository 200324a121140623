"""Curves and what is read off them: each metric is a fold over score chunks, high to low."""
