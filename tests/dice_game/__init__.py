"""A dice race: the smallest complete game, with a seat advantage that can be computed exactly.

Everyone starts on space 0 of a track, short or long by lot. On a turn a player either rolls a die and moves
that far, or walks a fixed three spaces. The first to reach the end wins, and the race is over at once: so
whoever moves first is favoured. With `end = "fair"` the round is played out and all who arrive in it share
the win.
"""

from tests.dice_game.spec import GAME

__all__ = ["GAME"]
