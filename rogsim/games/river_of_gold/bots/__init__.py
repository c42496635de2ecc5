"""The bots that come with the game, each one plain function `choose` in a file of its own."""
