"""`python -m rogsim.game.kit.conformance GAME`, which is `scripts/check-game GAME`."""

import sys

from rogsim.base.signals_and_streams import prepare_streams
from rogsim.game.kit.conformance import main

if __name__ == "__main__":
    prepare_streams()
    sys.exit(main(sys.argv[1:]))
