"""The bots that come with the game: modules with a plain function `choose`."""
