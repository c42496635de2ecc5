"""The bots that come with the game, each a plain function `choose` in a separate file."""
