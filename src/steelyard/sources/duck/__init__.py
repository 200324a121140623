"""Files, SQL, databases and frames, as DuckDB reads them; `connection` is the DuckDB itself.

opening ──▶ table ──▶ blocks. What a user hands over becomes a table, by way of files, databases or
frames; the table asks one query for the wanted columns, and its answer comes as an Arrow stream.
Modules here ask DuckDB through `query.Queries`, and so need not import it.
"""
