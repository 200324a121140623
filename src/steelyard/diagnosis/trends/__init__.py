"""Several logs in time order: their values, and the change point."""
