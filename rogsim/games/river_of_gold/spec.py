"""River of Gold described for the harness: `GAME`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rogsim.game.bot import BotInfo
from rogsim.game.kit.rows import lead_by_source
from rogsim.game.kit.setup import preparing
from rogsim.game.questions import questions_of
from rogsim.game.spec import GameSpec
from rogsim.games.river_of_gold.board_map import BOARD
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.components.names import PLAYER_COUNTS
from rogsim.games.river_of_gold.components.tables import make_tables
from rogsim.games.river_of_gold.no_effect import absent_levels, without_effect
from rogsim.games.river_of_gold.options import NAMED_PATRON_MODES, Options, fill_options
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.play.narrate import GoldNarrator, narrate
from rogsim.games.river_of_gold.play.rows import GAME_COLUMNS, SEAT_COLUMNS, SOURCES
from rogsim.games.river_of_gold.play.say import say
from rogsim.games.river_of_gold.topics import PROFILE, TOPICS

if TYPE_CHECKING:
    from rogsim.game.kit.drawing import Drawing

RULES_VERSION = "1"
BOTS_PACKAGE = "rogsim.games.river_of_gold.bots"
PERSONAS = f"{BOTS_PACKAGE}.personas"
BOTS = (
    BotInfo("random", "chooses uniformly among all legal actions"),
    BotInfo(
        "balanced",
        "takes the action that is worth most now, whether for buildings, visits, customers or influence",
        module=PERSONAS,
    ),
    BotInfo("builder", "builds early and often, on spaces that many ships will visit", module=PERSONAS),
    BotInfo(
        "sailor", "sails for visitor rewards and completed journeys, and delivers what the ships bring", module=PERSONAS
    ),
    BotInfo("courier", "collects goods for its customers and delivers as often as it can", module=PERSONAS),
    BotInfo(
        "courtier", "seeks influence, for good places in the regions and for the rewards of the tracks", module=PERSONAS
    ),
    BotInfo("adept", "pursues the masteries in play", module=PERSONAS),
    BotInfo("racer", "takes tiles out of the row as fast as it can, to end the game early", module=PERSONAS),
    BotInfo("tuned", "evaluates actions as the personas do, with weights found by tuning"),
    BotInfo(
        "learned",
        "judges the positions that its turns lead to by an evaluation learned from play, "
        "and plans ahead in the endgame",
        quick_games=400,
    ),
    BotInfo(
        "planner",
        "plays out whole turns on copies of the game, and takes the one that leads to the best position",
        quick_games=60,
    ),
    BotInfo(
        "search", "plays its best turns on in many possible worlds, and takes the one that does best", quick_games=8
    ),
)
LADDER = ("balanced", "tuned", "learned", "planner", *(f"search@rollouts={count}" for count in (60, 120, 240)))
QUESTIONS = "rogsim.games.river_of_gold.questions"


prepare = preparing(BOOK, make_tables, fill_options)


def draw(setup: Any, view: Any) -> Drawing:
    """Return a position, or the view of a seat, as a drawing."""
    from rogsim.games.river_of_gold.play import draw

    return draw.draw(setup, view)


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
    bots=BOTS,
    bots_package=BOTS_PACKAGE,
    rules=RULES,
    prepare=prepare,
    narrate=narrate,
    narrator=GoldNarrator,
    draw=draw,
    say=say,
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
