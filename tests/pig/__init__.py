"""Pig: a game of pushing one's luck, whose best play and best responses can be computed exactly.

On a turn a player rolls a die again and again. A 1 ends the turn and loses what it has brought; holding ends it and
keeps that. The first with 100 points wins.
"""

from tests.pig.spec import GAME

__all__ = ["GAME"]
