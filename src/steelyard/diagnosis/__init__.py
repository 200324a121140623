"""The diagnosis of a drop: what changed between two logs, where, and how sure that is."""
