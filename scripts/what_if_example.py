"""Write the summary of the example on changed rules: questions, answers with their intervals, and links."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rogsim.report import words

BOTS = ("tuned", "learned")
PLAYERS = (2, 3, 4)
KOKU = "setup.koku_by_turn_order."
PRINTED = {f"{KOKU}{seat}": 6 + seat for seat in range(1, 5)}
TOO_LOW = "too low"  # how the table names the side
Data = Mapping[str, Any]


def read(folder: Path, name: str) -> Data:
    """Return the JSON of one page."""
    data: Data = json.loads((folder / name / "report.json").read_text(encoding="utf-8"))
    return data


def findings(data: Data) -> tuple[Data, Data]:
    """Return what a search found, and what it says of the scenario as it is."""
    answer, as_it_is = data["sections"][0]["findings"][:2]
    return answer, as_it_is


def rows(data: Data, table: str) -> list[Data]:
    """Return the rows of a table, wherever it is."""
    return next(
        listed["rows"] for section in data["sections"] for listed in section["tables"] if listed["name"] == table
    )


def effect(found: Data, unit: str = "", digits: int = 1) -> str:
    """Return an estimate with its interval."""
    interval = words.interval(found["low"], found["high"], 1.0, digits, True)
    return f"{words.number(found['value'], digits, sign=True)}{unit} ({interval})"


def off(found: Data) -> str:
    """Return the level that is farthest from its goal."""
    unit = f" {found['unit']}".rstrip()
    return f"{found['farthest']} {effect(found['deviation'], unit)}"


def table(head: list[str], lines: list[list[str]]) -> list[str]:
    """Return a table in Markdown."""
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *lines)]


def starts(folder: Path) -> Iterator[str]:
    """Yield the answer on the starting koku."""
    lines, missed = [], 0
    names = [(f"start-{players}-{bot}", str(players), bot) for players in PLAYERS for bot in BOTS]
    names.append(("start-all-tuned", "2, 3 and 4", "tuned"))
    for name, players, bot in names:
        answer, before = findings(read(folder, name))
        missed += before["goal"] == "not reached"
        values = PRINTED | answer["setting"]
        most = 4 if players.startswith("2,") else int(players)
        koku = "/".join(str(values[f"{KOKU}{seat}"]) for seat in range(1, most + 1))
        lines.append([players, bot, off(before), f"[{koku}]({name}/report.md)", off(answer), answer["goal"]])
    yield "## Are 7, 8, 9 and 10 koku the fairest start?"
    yield ""
    yield (
        f"In {missed} of {len(lines)} cases some seat is clearly more than 2 percentage points (pp) from its fair "
        "share: the first seat wins too often. The search tried values from 5 to 12 for every seat and looked for the "
        "smallest change with which every seat wins its fair share to within ±2 pp. All estimates come from deals that "
        "the search had not used, with 95% intervals."
    )
    yield ""
    yield from table(["players", "bots", "7/8/9/10: farthest", "found", "found: farthest", "goal ±2 pp"], lines)
    yield ""


def end_bonus(folder: Path) -> Iterator[str]:
    """Yield the answer about the bonus for triggering the end."""
    lines = []
    for bot in BOTS:
        data = read(folder, f"end-bonus-{bot}")
        for players in PLAYERS:
            seats = [row for row in rows(data, "seats") if row["players"] == players]
            points = [row for row in rows(data, "seats-points") if row["players"] == players]
            fair = next(
                row for row in rows(data, "fairness") if row["players"] == players and row["effect"] is not None
            )
            (length,) = (row for row in rows(data, "length") if row["players"] == players)
            share, scored = (max(part, key=lambda row: abs(row["effect"])) for part in (seats, points))
            lines.append(
                [
                    str(players),
                    f"[{bot}](end-bonus-{bot}/report.md)",
                    f"{share['n']:,}",
                    f"{share['level']} {_of(share, ' pp')}",
                    f"{scored['level']} {_of(scored, '', 2)}",
                    _of(length, "", 2),
                    _of(fair, " pp"),
                ]
            )
    yield "## What do the 5 points for triggering the end do?"
    yield ""
    yield (
        "Without the bonus, compared with the printed rule, on the same deals. *Fairness*: how much farther the "
        "farthest seat is from its fair share; below 0 is fairer."
    )
    yield ""
    heads = ["players", "bots", "games", "win share, most changed", "points, most changed", "turns", "fairness"]
    yield from table(heads, lines)
    yield ""


def _of(row: Data, unit: str, digits: int = 1) -> str:
    return effect({"value": row["effect"], "low": row["effect_low"], "high": row["effect_high"]}, unit, digits)


def patrons(folder: Path) -> Iterator[str]:
    """Yield the answer on the patrons."""
    data = read(folder, "all-patrons-tuned")
    before = [row for row in rows(data, "patron-points") if row["series"] == "as it is"]
    after = {row["level"]: row for row in rows(data, "patron-points") if row["series"] == "as found"}
    before.sort(key=lambda row: -abs(row["deviation"]))
    yield "## Which patron is farthest from fair, and which change of its number corrects this?"
    yield ""
    yield (
        f"{before[0]['level']}, by the points of each patron compared with the mean of all eight (4 players, `tuned`, "
        "patrons dealt at random)."
    )
    yield ""
    yield (
        "These are findings about these bots. Patrons' effects change with the bots' strength "
        "([with stronger bots](../example/report.md)), so it is not yet known what would correct the game."
    )
    yield ""
    lines = []
    for bot in BOTS:
        found = read(folder, f"patron-{bot}")
        for row in rows(found, "listed"):
            start = [f"[{bot}](patron-{bot}/report.md)", row["setting"], f"{row['n']:,}"]
            lines.append([*start, f"{signed_distance(row)} pp", row["goal"]])
    yield from table(["bots", "Shosuro Hyobu's number", "games", "win share against fair", "goal ±2 pp"], lines)
    yield ""
    answer, _ = findings(data)
    changed = next(row["setting"] for row in rows(data, "listed") if row["chosen"]).removesuffix(" (the answer)")
    if all(line[-1] != "reached" for line in lines):
        yield "A number between 1 and 2 would be needed: her points come in whole steps."
    yield ""
    yield (
        f"All numbers of all patrons searched together, for points within ±2 of the mean: the closest is {changed}; "
        f"{off(answer)}, goal {answer['goal']}. Bayushi Kashiko has no number that could be changed "
        "([page](all-patrons-tuned/report.md))."
    )
    yield ""
    lines = [
        [
            row["level"],
            f"{row['n']:,}",
            _deviation(row),
            _deviation(after[row["level"]]) if row["level"] in after else "",
        ]
        for row in before
    ]
    yield from table(["patron", "games", "points off the mean, as it is", "with these numbers"], lines)
    yield ""


def retrained(folder: Path) -> Iterator[str]:
    """Yield the answers with players trained for the changed rules."""
    yield "## Do players trained for the changed rules give the same answers?"
    yield ""
    yield (
        "`learned` was trained for the rules of each variant, and played the same deals again. The fair start for four "
        "players ([page](start-4-retrained/report.md)):"
    )
    yield ""
    lines = [
        [
            row["setting"],
            row["players"],
            f"{row['n']:,}",
            f"{row['farthest'].split(',')[0]}: {_interval_of(row, 'distance')} pp",
            row["goal"],
            "" if row["moved"] is None else f"{_interval_of(row, 'moved', sign=True)} pp",
        ]
        for row in rows(read(folder, "start-4-retrained"), "retraining")
    ]
    yield from table(["values", "players", "games", "largest deviation", "goal ±2 pp", "moved by retraining"], lines)
    yield ""
    yield "No points for triggering the end ([page](end-bonus-retrained/report.md)), and the seat that changed most:"
    yield ""
    seats = [row for row in rows(read(folder, "end-bonus-retrained"), "retraining") if row["level"].startswith("Seat")]
    lines = []
    for players in PLAYERS:
        shares = [row for row in seats if row["players"] == players and row["unit"] == "pp"]
        row = max(shares, key=lambda row: abs(row["retrained"]))
        effects = [f"{_interval_of(row, name, sign=True)} pp" for name in ("stale", "retrained", "moved")]
        lines.append([str(players), f"{row['n']:,}", row["level"], *effects])
    yield from table(["players", "games", "seat", "stale players", "retrained players", "moved by"], lines)
    yield ""


def _interval_of(row: Data, name: str, sign: bool = False) -> str:
    interval = words.interval(row[f"{name}_low"], row[f"{name}_high"], 1.0, 1, sign)
    return f"{words.number(row[name], 1, sign=sign)} ({interval})"


def _deviation(row: Data) -> str:
    return effect({"value": row["deviation"], "low": row["deviation_low"], "high": row["deviation_high"]})


def signed_distance(row: Data) -> str:
    """Return how far the only level is above or below the goal."""
    value, low, high = (row[name] for name in ("distance", "distance_low", "distance_high"))
    if row["farthest"].endswith(TOO_LOW):
        value, low, high = -value, -high, -low
    return effect({"value": value, "low": low, "high": high})


def main(folder: Path) -> None:
    """Write README.md into the folder of the pages."""
    lines = [
        "# What if: an example",
        "",
        "Four questions about River of Gold, answered by `rogsim optimize` and `rogsim compare`, and written by",
        "`scripts/what-if-example`. Each line links to its page; [docs/balance.md](../../docs/balance.md) and",
        "[docs/compare.md](../../docs/compare.md) explain how to read them.",
        "",
        *starts(folder),
        *end_bonus(folder),
        *retrained(folder),
        *patrons(folder),
    ]
    (folder / "README.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
