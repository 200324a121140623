"""Ranked lists, averaged over groups: grades say how relevant a row is, `@k` cuts a list."""
