"""Learning from play: what the lines that a seat could play are worth, by playing them on in possible worlds."""
