"""Kuhn poker: three cards, two players, a match of three hands; whoever has won more chips then wins.

It can be solved exactly, and what a player has done shows something about the card that it hides.
"""

from tests.kuhn.spec import GAME

__all__ = ["GAME"]
