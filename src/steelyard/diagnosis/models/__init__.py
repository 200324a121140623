"""A metric of two logs: its values, its change, how sure that is, and the same of some rows."""
