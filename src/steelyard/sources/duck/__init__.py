"""Files, SQL, databases and frames, read by DuckDB; only `connection` imports it.

opening ──▶ table ──▶ blocks. `files`, `databases` and `frames` turn a user's source into a table;
the table runs one query for all requested columns, whose result is read as an Arrow stream. Other
modules use DuckDB through `query.Queries`.
"""
