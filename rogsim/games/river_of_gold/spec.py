"""River of Gold described for the harness: `GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.game.agents import in_a_line
from rogsim.game.bot import Bot, BotFault, BotInfo
from rogsim.game.columns import row_dtype
from rogsim.game.compiler import is_cold, records
from rogsim.game.parameters import Change
from rogsim.game.records import as_records
from rogsim.game.spec import Audit, Batch, GameSpec
from rogsim.games.river_of_gold.components.load import BOOK, printed_facts, with_change
from rogsim.games.river_of_gold.components.tables import make_tables, tile_ids
from rogsim.games.river_of_gold.no_effect import absent_levels, without_effect
from rogsim.games.river_of_gold.options import NAMED_PATRON_MODES, Options, fill_options
from rogsim.games.river_of_gold.play import engine
from rogsim.games.river_of_gold.play.agents import AgentBridge
from rogsim.games.river_of_gold.play.audit import Auditor
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.play.line_up import bot_fault, compile_bot, line_up_arrays
from rogsim.games.river_of_gold.play.recording import record_games
from rogsim.games.river_of_gold.play.workspace import WORKSPACE
from rogsim.games.river_of_gold.profile import PROFILE
from rogsim.games.river_of_gold.records.narrate import narrate
from rogsim.games.river_of_gold.records.observation import facts_by_id
from rogsim.games.river_of_gold.records.rows import GAME_COLUMNS, LEAD, SEAT_COLUMNS
from rogsim.games.river_of_gold.rules.state import GAME as GAME_RECORD
from rogsim.games.river_of_gold.topics import TOPICS

RULES_VERSION = "1"
BOT_NAMES = ("random", "balanced", "builder", "sailor", "courier", "courtier", "adept", "racer", "tuned")
SLOW_BOTS = {"planner": 200, "search": 8}  # the most games for a quick check of them
BOTS_PACKAGE = "rogsim.games.river_of_gold.bots"
NO_LOG = np.empty(0, np.int16)


@dataclass(frozen=True)
class Setup:
    """What all games of a scenario and a player count share."""

    tables: Any  # TABLES record
    tile_ids: tuple[str, ...]
    facts: Mapping[str, Any]  # the components in words, for agents
    change: Change = field(default_factory=dict)  # the parameters that differ from the printed ones


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
    return Setup(tables, tile_ids(facts), facts_by_id(facts) if change else _facts_by_id(), dict(change or {}))


def new_workspace() -> Any:
    """Return a new workspace."""
    return records(WORKSPACE, 1)[0]


def play(setup: Setup, batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any]) -> None:
    """Play a batch and fill its rows; BotFault if a bot raises an error or gives an answer that is not on the menu."""
    _play_on(new_workspace(), setup, batch, seat_rows, game_rows, NO_LOG)


def record(setup: Setup, batch: Batch) -> Iterator[dict[str, Any]]:
    """Play a batch and yield each game as a trace; BotFault as in `play`."""
    workspace = new_workspace()
    seat_rows = np.empty(batch.players, row_dtype(SEAT_COLUMNS))
    game_rows = np.empty(1, row_dtype(GAME_COLUMNS))

    def play_one(game: Batch, log: NDArray[np.int16]) -> int:
        _play_on(workspace, setup, game, seat_rows, game_rows, log)
        return int(game_rows["decisions"][0])

    return record_games(setup, workspace, batch, play_one)


def audit(
    setup: Setup, batch: Batch, seat_rows: NDArray[Any], game_rows: NDArray[Any], beat: Callable[[], None]
) -> Audit:
    """Play a batch as `play` does, and audit the first bot of its line-up."""
    workspace = new_workspace()
    bridge = Auditor(workspace, setup, batch, beat)
    _play_through(bridge, workspace, setup, batch, seat_rows, game_rows, NO_LOG)
    return bridge.audit


def _play_on(
    workspace: Any,
    setup: Setup,
    batch: Batch,
    seat_rows: NDArray[Any],
    game_rows: NDArray[Any],
    log: NDArray[np.int16],
) -> None:
    bridge = AgentBridge(workspace, setup, batch) if any(bot.agent for bot in batch.line_up) else None
    _play_through(bridge, workspace, setup, batch, seat_rows, game_rows, log)


def _play_through(
    bridge: AgentBridge | None,
    workspace: Any,
    setup: Setup,
    batch: Batch,
    seat_rows: NDArray[Any],
    game_rows: NDArray[Any],
    log: NDArray[np.int16],
) -> None:
    """Play a batch; bots that the play loop cannot call directly are called through the bridge."""
    bots, weights = line_up_arrays(batch.line_up, bridge.choose if bridge else None, bridge.watched if bridge else "")
    rows = (as_records(seat_rows), as_records(game_rows))
    games = (batch.seed, batch.deals, batch.seating)
    try:
        with bridge.open() if bridge else nullcontext():
            played = engine.play_games(setup.tables, workspace, bots, weights, *games, *rows, log)
    except BotFault:
        raise
    except Exception as error:
        if len(batch.deals) == 0:
            raise  # no bot was asked, so the rules do not compile
        raise bot_fault(workspace, batch, f"raised {in_a_line(error)}") from error
    if played < len(batch.deals):
        raise bot_fault(workspace, batch)


def warm() -> None:
    """Compile or load the play loop by playing a batch of no games."""
    random = import_module(f"{BOTS_PACKAGE}.random")
    bot = Bot("random", compile_bot(random.choose), np.zeros(0))
    batch = Batch(0, 2, np.empty(0, np.int64), np.empty((0, 2), np.int8), (bot, bot))
    rows = np.empty(0, row_dtype(SEAT_COLUMNS)), np.empty(0, row_dtype(GAME_COLUMNS))
    play(prepare(Options(), 2), batch, *rows)


def _plan(name: str) -> str:
    return str(import_module(f"{BOTS_PACKAGE}.{name}").PLAN)


GAME = GameSpec(
    id="river-of-gold",
    title="River of Gold",
    version=RULES_VERSION,
    players=(2, 3, 4),
    options=Options,
    seat_columns=SEAT_COLUMNS,
    game_columns=GAME_COLUMNS,
    seat_factors=("patron", "clan"),
    game_factors=("masteries",),
    bots=tuple(BotInfo(name, _plan(name), SLOW_BOTS.get(name)) for name in (*BOT_NAMES, *SLOW_BOTS)),
    bots_package=BOTS_PACKAGE,
    is_cold=lambda: is_cold(engine.play_games),
    warm=warm,
    prepare=prepare,
    compile_bot=compile_bot,
    play=play,
    record=record,
    narrate=narrate,
    plays_agents=True,
    audit=audit,
    bench_bots=("random", "balanced"),
    samples=tuple({"patrons": mode, "masteries": "each"} for mode in NAMED_PATRON_MODES),
    state_bytes=GAME_RECORD.itemsize,
    profile=PROFILE,
    topics=TOPICS,
    lead=LEAD,
    facts=BOOK.facts,
    check_change=BOOK.check_change,
    without_effect=without_effect,
    absent_levels=absent_levels,
    rules=RULES,
)
