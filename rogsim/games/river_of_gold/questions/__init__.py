"""Questions about what seats did that no column answers by itself, one a file."""
