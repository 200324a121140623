"""What a page does in a real browser."""
