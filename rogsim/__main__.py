"""The `rogsim` command as a process: whatever moment a Ctrl-C comes at, it ends in exit code 130 and no traceback."""

from __future__ import annotations

import signal
import sys

INTERRUPTED = 130  # exit code


def command() -> None:
    """Run the command line and end this process."""
    try:
        from rogsim.cli.app import main  # takes long enough for somebody to lose patience

        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        # All that is left is to clean up, which another Ctrl-C would only disturb.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    command()
