"""River of Gold: the rules, the figures, the bots, and how the harness sees them."""
