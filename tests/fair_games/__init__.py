"""Tiny games in which fair means something else than that all seats win equally often."""

from tests.fair_games import dare, flood, hunt, relay

GAMES = (dare.GAME, flood.GAME, relay.GAME, hunt.GAME)
