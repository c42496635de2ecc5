"""`python -m rogsim.game.kit.conformance GAME`, which is `scripts/check-game GAME`."""

import sys

from rogsim.base import streams
from rogsim.game.kit.conformance.command import main

if __name__ == "__main__":
    streams.prepare()
    sys.exit(main(sys.argv[1:]))
