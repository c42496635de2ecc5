"""River of Gold: the rules, the components, the bots, and the description of the game for the harness."""
