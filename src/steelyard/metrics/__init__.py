"""State → number: one file a metric, discovered, never listed. A metric divides; it never adds."""
