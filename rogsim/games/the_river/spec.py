"""The River described for the harness: `GAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rogsim.game.bot import BotInfo
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
from rogsim.games.the_river.play.narrate import RiverNarrator, narrate
from rogsim.games.the_river.play.rows import GAME_COLUMNS, SEAT_COLUMNS, SOURCES
from rogsim.games.the_river.play.say import say
from rogsim.games.the_river.topics import PROFILE, TOPICS

if TYPE_CHECKING:
    from rogsim.game.kit.drawing import Drawing

RULES_VERSION = "1"
BOTS_PACKAGE = "rogsim.games.the_river.bots"
PERSONAS = f"{BOTS_PACKAGE}.personas"
BOTS = (
    BotInfo("random", "chooses uniformly among all legal actions"),
    BotInfo(
        "balanced",
        "takes the action that is worth most now, whether for buildings, resources or terrain",
        module=PERSONAS,
    ),
    BotInfo("builder", "reserves and constructs buildings, even small ones", module=PERSONAS),
    BotInfo("producer", "gathers resources, and the symbols and warehouses that bring more", module=PERSONAS),
    BotInfo("explorer", "claims terrain wherever it can, and matches it in columns", module=PERSONAS),
    BotInfo("tuned", "evaluates actions as the personas do, with weights found by tuning"),
    BotInfo(
        "learned",
        "judges the positions that its actions lead to by an evaluation learned from play, and plans ahead",
        quick_games=400,
    ),
    BotInfo(
        "planner",
        "plays its best actions on in a few possible worlds, and takes the one with the best positions",
        quick_games=60,
    ),
    BotInfo(
        "search", "plays its best actions on in many possible worlds, and takes the one that does best", quick_games=8
    ),
)
LADDER = ("balanced", "tuned", "learned", *(f"search@rollouts={count}" for count in (50, 100, 200)))
QUESTIONS = "rogsim.games.the_river.questions"

prepare = preparing(BOOK, make_tables, fill_options)


def draw(setup: Any, view: Any) -> Drawing:
    """Return a position, or the view of a seat, as a drawing."""
    from rogsim.games.the_river.play import draw

    return draw.draw(setup, view)


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
    bots=BOTS,
    bots_package=BOTS_PACKAGE,
    rules=RULES,
    prepare=prepare,
    narrate=narrate,
    narrator=RiverNarrator,
    draw=draw,
    say=say,
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
