"""Run most commands of rogsim once, briefly, with the installed versions: `try_versions.py SCRATCH [--compiled]`.

All steps but the last play the dice race of the tests, uncompiled. Called by scripts/test-lowest.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = {"jinja2": "jinja2"}  # of requirements that are not imported by their own name
COMMANDS = [
    *(
        "run",
        "sweep",
        "compare",
        "optimize",
        "settle",
        "report",
        "open",
        "seats",
        "trace",
        "show",
        "tournament",
        "bots",
        "tune",
    ),
    *("status", "verify", "scenario", "parameters", "bench", "games", "check-bot"),
]
SCENARIO = """# Is any seat favoured?
game = "dice-race"
players = [2]
games = 400
seed = 1
bots = ["runner", "walker"]

[sweep.over]
"head_start.2" = [0, 1]

[balance]
goal = "seat_share equal ± 20 pp"
games = 1_000
over = { "head_start.2" = [0, 1] }
"""
SHORT = ["--generations", "2", "--games", "20", "--held-out", "100", "--players", "2"]
DICE = {
    "run": ["run", "x.toml", "--out", "rows"],
    "status": ["status", "rows"],
    "verify": ["verify", "rows"],
    "report": ["report", "rows", "--out", "page"],
    "seats": ["seats", "rows"],
    "scenario check": ["scenario", "check", "x.toml"],
    "scenario explain": ["scenario", "explain", "x.toml"],
    "sweep": ["sweep", "x.toml", "--games", "100"],
    "compare": ["compare", "x.toml", "--change", "head_start.2 = 1", "--games", "100"],
    "optimize": ["optimize", "x.toml", "--confirm", "100"],
    "settle": ["settle", "x.toml", "--bots", "moody,walker,runner", "--first-look", "40", "--games", "200"],
    "tournament": ["tournament", "--game", "dice-race", "--bots", "runner,walker", "--players", "2", "--games", "100"],
    "tune": ["tune", "moody", "--game", "dice-race", "--against", "walker", *SHORT, "--out", "moody.toml"],
}
RIVER = ["--bots", "random", "--players", "2", "--games", "20"]


def main() -> None:
    """Try everything; stop at the first command that fails and print its output."""
    scratch, compiled = Path(sys.argv[1]), "--compiled" in sys.argv[2:]
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    for requirement in wanted:
        name = requirement.partition(">")[0].strip()
        importlib.import_module(MODULES.get(name, name))
    (scratch / "x.toml").write_text(SCENARIO, encoding="utf-8")
    plain = {"NUMBA_DISABLE_JIT": "1"}
    rogsim, dice = ["-m", "rogsim"], ["-m", "tests.dice_process"]
    for words in ([], *([command] for command in COMMANDS)):
        attempt([*rogsim, *words, "--help"], scratch, plain)
    attempt([*rogsim, "scenario", "check", str(ROOT / "scenarios" / "seat-order.toml")], scratch, plain)
    for words in DICE.values():
        attempt([*dice, *words], scratch, plain)
    if compiled:
        cache = {"NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(scratch / "cache")}
        attempt([*rogsim, "tournament", *RIVER[:1], "random,sailor", *RIVER[2:], "--out", "river"], scratch, cache)
    print(f"All commands worked on Python {sys.version.split()[0]}.")


def attempt(words: Sequence[str], scratch: Path, more: Mapping[str, str]) -> None:
    """Run a command; if it fails, print its output and exit."""
    print(f"{' '.join(words[1:])}", flush=True)
    env = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    ended = subprocess.run([sys.executable, *words], cwd=scratch, env=env, text=True, capture_output=True, check=False)
    if ended.returncode:
        sys.exit(f"{ended.stdout}{ended.stderr}exit code {ended.returncode}")


if __name__ == "__main__":
    main()
