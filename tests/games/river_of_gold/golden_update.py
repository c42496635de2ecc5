"""Rewrite the golden games: run `python -m tests.games.river_of_gold.golden_update`, then review the difference."""

from __future__ import annotations

from tests.games.river_of_gold.golden import CASES, FOLDER, golden_text, path_of


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for players, patrons in CASES:
        path_of(players, patrons).write_text(golden_text(players, patrons), encoding="utf-8")


if __name__ == "__main__":
    main()
