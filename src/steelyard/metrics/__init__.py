"""View → number: one file a metric, discovered, never listed. A metric joins parts and divides."""
