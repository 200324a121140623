"""Where rows come from. A source reads bytes and hands out blocks of columns, not yet checked.

`opening` chooses who reads: `arrays` what is in memory, `duck` all else.
"""
