"""Two sources as two logs: rows, their reading, samples, sums that are steady."""
