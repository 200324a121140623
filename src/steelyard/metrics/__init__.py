"""View → number: one file per metric, found by its place. A metric joins parts and divides."""
