"""Where rows come from. A source reads bytes and hands out batches; it never adds.

roles ──▶ opening ──▶ blocks ──▶ reading ──▶ batches. `opening` chooses who reads: `arrays` what is
in memory, `duck` all else. `reading` checks every value, column by column, and complains.
"""
