"""Two sources as two logs: rows, their reading, halves of their clusters, sums that are steady."""
