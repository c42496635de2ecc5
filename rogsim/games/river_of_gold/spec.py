"""River of Gold described for the harness: `GAME`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rogsim.game.bot import bots_of
from rogsim.game.kit import setup
from rogsim.game.kit.rows import lead_by_source
from rogsim.game.parameters import Change
from rogsim.game.questions import questions_of
from rogsim.game.spec import GameSpec
from rogsim.games.river_of_gold.board_map import BOARD
from rogsim.games.river_of_gold.components.load import BOOK, printed_facts, with_change
from rogsim.games.river_of_gold.components.names import PLAYER_COUNTS
from rogsim.games.river_of_gold.components.tables import make_tables, tile_ids
from rogsim.games.river_of_gold.no_effect import absent_levels, without_effect
from rogsim.games.river_of_gold.options import NAMED_PATRON_MODES, Options, fill_options
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.profile import PROFILE
from rogsim.games.river_of_gold.records.narrate import narrate
from rogsim.games.river_of_gold.records.observation import facts_by_id
from rogsim.games.river_of_gold.records.rows import GAME_COLUMNS, SEAT_COLUMNS, SOURCES
from rogsim.games.river_of_gold.topics import TOPICS

RULES_VERSION = "1"
BOT_NAMES = ("random", "balanced", "builder", "sailor", "courier", "courtier", "adept", "racer", "tuned")
SLOW_BOTS = {"learned": 400, "planner": 60, "search": 8}  # the most games for a quick check of them
LADDER = ("balanced", "tuned", "learned", "planner", *(f"search@rollouts={count}" for count in (60, 120, 240)))
BOTS_PACKAGE = "rogsim.games.river_of_gold.bots"
QUESTIONS = "rogsim.games.river_of_gold.questions"


@dataclass(frozen=True)
class Setup(setup.Setup):
    """What all games of a scenario and a player count share."""

    tile_ids: tuple[str, ...] = ()


@cache
def _facts_by_id() -> Mapping[str, Any]:
    return facts_by_id(printed_facts())


def prepare(options: Options, players: int, change: Change | None = None) -> Setup:
    """Return the set-up for the options and changes of a scenario and a player count.

    Parameters
    ----------
    options, players
        The options of the scenario, and a player count.
    change
        Changed parameters, as `check_change` returns them.

    Raises
    ------
    ValueError
        If the options do not fit the player count.
    """
    facts = with_change(change or {})
    tables = make_tables(facts, players)
    fill_options(tables, options)
    by_id = facts_by_id(facts) if change else _facts_by_id()
    return Setup(tables, by_id, change=dict(change or {}), tile_ids=tile_ids(facts))


GAME = GameSpec(
    id="river-of-gold",
    title="River of Gold",
    version=RULES_VERSION,
    players=PLAYER_COUNTS,
    options=Options,
    seat_columns=SEAT_COLUMNS,
    game_columns=GAME_COLUMNS,
    seat_factors=("patron", "clan"),
    game_factors=("masteries",),
    bots=bots_of(BOTS_PACKAGE, BOT_NAMES, SLOW_BOTS),
    bots_package=BOTS_PACKAGE,
    rules=RULES,
    prepare=prepare,
    narrate=narrate,
    bench_bots=("random", "balanced"),
    ladder=LADDER,
    samples=tuple({"patrons": mode, "masteries": "each"} for mode in NAMED_PATRON_MODES),
    profile=PROFILE,
    topics=(*TOPICS, *questions_of(QUESTIONS, SEAT_COLUMNS)),
    lead=lead_by_source(SOURCES),
    board=BOARD,
    facts=BOOK.facts,
    has_reconstructed=BOOK.has_reconstructed,
    components=BOOK.printed,
    check_change=BOOK.check_change,
    without_effect=without_effect,
    absent_levels=absent_levels,
)
