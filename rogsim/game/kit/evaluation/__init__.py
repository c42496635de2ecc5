"""Evaluating positions of any game: each seat's chance to win, from the features of all seats and learned weights."""
