"""The second process of a check: `python -m rogsim.game.kit.conformance WHERE GAMES` prints `digest`."""

import sys

from rogsim.base.errors import RogsimError
from rogsim.base.signals_and_streams import prepare_streams
from rogsim.game.kit.conformance import digest, game_at
from rogsim.game.kit.conformance.played_games import in_one_line

if __name__ == "__main__":
    prepare_streams()
    where, games = sys.argv[1:]
    try:
        print(digest(game_at(where), int(games)))
    except RogsimError as fault:
        sys.exit(in_one_line(fault))
