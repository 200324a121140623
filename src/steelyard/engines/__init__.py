"""Who folds batches into states. An engine schedules; it neither reads bytes nor divides."""
