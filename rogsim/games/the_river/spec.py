"""The River described for the harness: `GAME`."""

from __future__ import annotations

from rogsim.game.bot import bots_of
from rogsim.game.kit.rows import lead_by_source
from rogsim.game.kit.setup import preparing
from rogsim.game.questions import questions_of
from rogsim.game.spec import GameSpec
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import PLAYER_COUNTS
from rogsim.games.the_river.components.tables import make_tables
from rogsim.games.the_river.no_effect import absent_levels, without_effect
from rogsim.games.the_river.options import Options, fill_options
from rogsim.games.the_river.play.contract import RULES
from rogsim.games.the_river.profile import PROFILE
from rogsim.games.the_river.records.narrate import narrate
from rogsim.games.the_river.records.rows import GAME_COLUMNS, SEAT_COLUMNS, SOURCES
from rogsim.games.the_river.topics import TOPICS

RULES_VERSION = "1"
BOT_NAMES = ("random", "balanced", "builder", "producer", "explorer", "tuned")
SLOW_BOTS = {"learned": 400, "planner": 60, "search": 8}  # the most games for a quick check of them
LADDER = ("balanced", "tuned", "learned", *(f"search@rollouts={count}" for count in (50, 100, 200)))
BOTS_PACKAGE = "rogsim.games.the_river.bots"
QUESTIONS = "rogsim.games.the_river.questions"

prepare = preparing(BOOK, make_tables, fill_options)

GAME = GameSpec(
    id="the-river",
    title="The River",
    version=RULES_VERSION,
    players=PLAYER_COUNTS,
    options=Options,
    seat_columns=SEAT_COLUMNS,
    game_columns=GAME_COLUMNS,
    seat_factors=("board",),
    game_factors=("ended_by",),
    bots=bots_of(BOTS_PACKAGE, BOT_NAMES, SLOW_BOTS),
    bots_package=BOTS_PACKAGE,
    rules=RULES,
    prepare=prepare,
    narrate=narrate,
    bench_bots=("random", "balanced"),
    ladder=LADDER,
    samples=({}, {"first_player": "random"}),
    profile=PROFILE,
    topics=(*TOPICS, *questions_of(QUESTIONS, SEAT_COLUMNS)),
    lead=lead_by_source(SOURCES),
    facts=BOOK.facts,
    has_reconstructed=BOOK.has_reconstructed,
    components=BOOK.printed,
    check_change=BOOK.check_change,
    without_effect=without_effect,
    absent_levels=absent_levels,
)
