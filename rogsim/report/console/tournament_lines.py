"""What `rogsim tournament` prints: the strongest bot in a sentence, and a short table; with --all the full tables."""

from __future__ import annotations

import polars as pl

from rogsim.experiments.tournament.standings import Standings
from rogsim.report import words
from rogsim.report.console.text_table import Table, show_tables, write
from rogsim.report.tournament.standings_tables import build_tables

MORE = "With --all: points, each pair of bots, and how the ratings are found."


def print_standings(standings: Standings, heading: str, everything: bool = True, caveat: str = "") -> None:
    """Print the answer with its caveat, then a short table for each number of players, or all tables."""
    answer = f"{answer_line(standings)} {caveat}".rstrip()
    if everything:
        show_tables(words.joined(answer, heading), build_tables(standings))
        return
    show_tables(words.joined(answer, heading), [_short(standings, players) for players in standings.order])
    write(MORE)


def answer_line(standings: Standings) -> str:
    """Return the strongest bot with each number of players, its win share, its games, and its lead over the next."""
    return f"{'; '.join(_best(standings, players) for players in standings.order)}."


def _best(standings: Standings, players: int) -> str:
    best, *others = standings.order[players]
    (row,) = standings.bots.filter((pl.col("players") == players) & (pl.col("bot").cast(pl.String) == best)).to_dicts()
    lead = standings.leads.filter(players=players).row(0, named=True)  # of the best bot over the next
    reach = words.interval(row["win_share_low"], row["win_share_high"], 100)
    by = words.interval(lead["lead_low"], lead["lead_high"], digits=0, sign=True)
    clear = by and lead["lead_low"] > 0
    ahead = f"{best} is {'the strongest' if clear else 'rated highest'} with {words.players(players)}"
    said = f"{ahead}{', but not clearly' if by and not clear else ''}: it wins {words.share(row['win_share'])}"
    said += f" ({reach or words.TOO_FEW}) of {words.games(row['n'])} instead of {words.share(row['fair'])}"
    led = f", {words.number(lead['lead'], 0, sign=True)} Elo ahead of {others[0]} (simultaneous 95% interval {by})"
    why = ", because ratings count all places, not only wins" if row["win_share"] < row["fair"] else ""
    return said + (led if by else "") + why


def _short(standings: Standings, players: int) -> Table:
    """Return the win share, the rating and the lead of each bot, and which ratings have no interval, and why."""
    full, _, rated = (table for table in build_tables(standings) if table.title.startswith(f"{players} players"))
    ratings = {row[0]: row[1:] for row in rated.rows}
    rows = tuple((*row[:4], *ratings[row[0]]) for row in full.rows)
    return Table(f"{players} players", (*full.header[:4], *rated.header[1:]), rows, rated.notes[1:])
