"""Sources of rows: a source reads bytes and returns blocks of columns, not yet checked.

`opening` chooses the reader: `arrays` for arrays in memory, `duck` for everything else.
"""
