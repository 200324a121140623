"""Where rows come from. A source reads bytes and hands out batches; it never adds."""
