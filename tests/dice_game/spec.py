"""The dice race as the harness sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from rogsim.game import compiler
from rogsim.game.agents import AgentFault, ask_agent, make_agent, misplaced
from rogsim.game.bot import Bot, BotFault, BotInfo
from rogsim.game.columns import Column, row_dtype
from rogsim.game.kit.parameters.without_files import checker_of
from rogsim.game.parameters import Parameter
from rogsim.game.records import as_records
from rogsim.game.rng import STREAM, BotRandom
from rogsim.game.rules import Rules
from rogsim.game.spec import Batch, GameSpec
from tests.dice_game import rules

SEAT_COLUMNS = (
    Column("points", "i2", "spaces moved", "spaces"),
    Column("win_share", "f4", "1 shared among the winners"),
    Column("first_roll", "i1", "the first roll of this seat", labels=tuple("123456")),
)
GAME_COLUMNS = (
    Column("turns", "i2", "turns of all seats", "turns"),
    Column("decisions", "i2", "choices of all seats", "decisions"),
    Column("rounds", "i2", "full rounds", "rounds"),
    Column("track", "i1", "which track was drawn", labels=rules.TRACKS),
)


class Options(BaseModel):
    model_config = ConfigDict(extra="forbid")

    short: int = Field(10, ge=1, le=100)
    long: int = Field(10, ge=1, le=100)
    end: Literal["sudden", "fair"] = "sudden"
    handicap: Literal["none"] | list[int] = "none"


FACTS = (
    Parameter(
        "head_start",
        [0, 0, 0, 0],
        "a list of 4, each 0 to 20",
        "spaces ahead, by seat",
        0,
        20,
        (),
        ("1", "2", "3", "4"),
        "Head starts",
    ),
    Parameter("spaces.more", 0, "0 to 20", "added to both tracks", 0, 20),
    Parameter("spaces.short", 0, "0 to 20", "added to the short track", 0, 20),
    Parameter("played_out", False, "true or false", "the round is played out"),
)


def prepare(options: Options, players: int, change: Mapping[str, Any] | None = None) -> Any:
    change = change or {}
    if options.long < options.short:
        raise ValueError(f"the long track ({options.long}) is shorter than the short one ({options.short})")
    handicap = [0] * players if options.handicap == "none" else options.handicap
    if len(handicap) != players:
        raise ValueError(f"handicap has {len(handicap)} entries, and needs one for each seat")
    setup = compiler.records(rules.SETUP, 1)[0]
    setup.players = players
    more = change.get("spaces.more", 0)
    setup.goals[:] = options.short + more + change.get("spaces.short", 0), options.long + more
    setup.handicap[:players] = handicap
    setup.handicap[:] += np.array(change.get("head_start", [0, 0, 0, 0]))
    setup.fair = options.end == "fair" or change.get("played_out", False)
    return setup


def without_effect(options: Options, players: int, change: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    """Head starts of seats that nobody takes; and playing a round out that is played out anyway."""
    found = {}
    for name in names:
        table, _, place = name.partition(".")
        if table == "head_start" and place and int(place) > players:
            found[name] = f"there is no player {place}"
        if name == "played_out" and options.end == "fair":
            found[name] = 'end = "fair" says so already'
    return found


def compile_bot(function: Any) -> Any:
    return compiler.compile_for(rules.CHOOSE, function)


def play(setup: Any, batch: Batch, seat_rows: Any, game_rows: Any) -> None:
    if any(bot.agent for bot in batch.line_up):
        rows = (as_records(seat_rows), as_records(game_rows))
        for row, (race, _) in enumerate(_play_slowly(setup, batch)):
            rules.fill_rows(race, row, *rows)
        return
    choosers, weights = _line_up(batch)
    fault = rules.play_games(
        setup, batch.seed, batch.deals, batch.seating, choosers, weights,
        compiler.records(rules.RACE, 1)[0], compiler.records(rules.MENU, 1)[0], compiler.records(STREAM, 1)[0],
        as_records(seat_rows), as_records(game_rows),
    )  # fmt: skip
    if fault >= 0:
        raise BotFault(batch.line_up[0].name, batch.players, int(batch.deals[fault]), 0, "chose no action")


def _line_up(batch: Batch) -> tuple[Any, Any]:
    """Return as many choosers as the most players, and their weights: one tuple type for every line-up."""
    filled = [batch.line_up[min(place, batch.players - 1)] for place in range(rules.MOST_PLAYERS)]
    return tuple(bot.choose for bot in filled), tuple(bot.weights for bot in filled)


def _play_slowly(setup: Any, batch: Batch) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    """Play with any bots, and give each finished race with its turns."""
    race, menu, stream = (compiler.records(dtype, 1)[0] for dtype in (rules.RACE, rules.MENU, STREAM))
    for row, deals in enumerate(batch.deals):
        rules.begin(setup, race, batch.seed, int(deals))
        agents: dict[int, Any] = {}
        turns: list[dict[str, Any]] = []
        while not race.over:
            rules.legal(setup, race, menu)
            count = int(menu.count)
            seat = int(race.actor)
            bot = batch.line_up[batch.seating[row, seat]]
            rules.open_stream(stream, race)
            try:
                if bot.agent is None:
                    action = int(bot.choose(race, bot.weights, stream))
                    if not 0 <= action < count:
                        raise AgentFault(misplaced(action, count))
                else:
                    if seat not in agents:
                        agents[seat] = make_agent(bot.agent), BotRandom(stream.key)
                    agent, chance = agents[seat]
                    actions = [action_to_dict(setup, race, place) for place in range(count)]
                    action = ask_agent(agent, describe(setup, race, seat, chance), actions)
            except AgentFault as fault:
                raise BotFault(bot.name, batch.players, int(deals), int(race.turns) + 1, str(fault)) from fault
            turns.append(_take(setup, race, action))
        yield race, turns


def _take(setup: Any, race: Any, action: int) -> dict[str, Any]:
    """Carry an action out and return it as a turn of a trace."""
    seat = int(race.actor)
    rules.apply(setup, race, action)
    return {"seat": seat, "do": rules.ACTIONS[action], "to": int(race.position[seat])}


def record(setup: Any, batch: Batch) -> Iterator[Mapping[str, Any]]:
    for deals, (_, turns) in zip(batch.deals, _play_slowly(setup, batch), strict=True):
        yield _trace(int(deals), turns)


def _trace(deal: int, turns: list[dict[str, Any]]) -> dict[str, Any]:
    return {"format": "dice-race-trace/1", "game": deal, "turns": turns}


def trace(setup: Any, seed: int, deal: int, names: Sequence[str], actions: Sequence[int]) -> Mapping[str, Any]:
    race = compiler.records(rules.RACE, 1)[0]
    rules.begin(setup, race, seed, deal)
    return _trace(deal, [_take(setup, race, action) for action in actions])


def action_to_dict(setup: Any, race: Any, action: int) -> dict[str, Any]:
    return {"do": rules.ACTIONS[action]}


def describe(setup: Any, view: Any, seat: int, chance: Any) -> dict[str, Any]:
    return {"seat": seat, "turns": int(view.turns), "goal": int(view.goal), "random": chance}


def seat_bot(setup: Any, race: Any, seat: int, bot: Bot, stream: Any) -> None:
    stream.key = rules.bot_key(race, seat)


def ask(bot: Bot, setup: Any, view: Any, stream: Any) -> int:
    stream.count = np.uint64(view.turns)  # each turn begins at a place of its own
    return int(bot.choose(view, bot.weights, stream))


def narrate(trace: Mapping[str, Any]) -> str:
    lines = [f"seat {turn['seat'] + 1}: {turn['do']} to {turn['to']}" for turn in trace["turns"]]
    return "\n".join(lines)


def warm() -> None:
    from tests.dice_game.bots.walker import choose

    bot = type("Any", (), {"choose": compile_bot(choose), "weights": np.zeros(0), "name": "walker", "agent": None})
    seating = np.zeros((0, 2), np.int8)
    batch = Batch(0, 2, np.zeros(0, np.int64), seating, (bot, bot))  # type: ignore[arg-type]
    play(
        prepare(Options(), 2),
        batch,
        np.zeros(0, row_dtype(SEAT_COLUMNS)),
        np.zeros(0, row_dtype(GAME_COLUMNS)),
    )


RULES = Rules(
    state=rules.RACE,
    tables=rules.SETUP,
    menu=rules.MENU,
    history=rules.HISTORY,
    bot_memory=STREAM,
    actions=len(rules.ACTIONS),
    tables_of=lambda setup: setup,
    begin=rules.begin,
    legal=rules.legal,
    apply=rules.apply,
    is_over=rules.is_over,
    actor=rules.actor,
    turn=rules.turn,
    observe=rules.observe,
    deal_world=rules.deal_world,
    score=rules.score,
    note=rules.note,
    write_rows=rules.write_rows,
    bot_key=rules.bot_key,
    step=rules.step,
    action_to_dict=action_to_dict,
    describe=describe,
    seat_bot=seat_bot,
    ask=ask,
    trace=trace,
)

GAME = GameSpec(
    id="dice-race",
    title="Dice race",
    version="1",
    players=(2, 3, 4),
    options=Options,
    seat_columns=SEAT_COLUMNS,
    game_columns=GAME_COLUMNS,
    seat_factors=("first_roll",),
    game_factors=("track",),
    bots=(
        BotInfo("runner", "rolls whenever it can"),
        BotInfo("walker", "walks, and never trusts a die"),
        BotInfo("moody", "rolls or walks as its mood takes it"),
    ),
    bots_package="tests.dice_game.bots",
    is_cold=lambda: False,
    warm=warm,
    prepare=prepare,
    compile_bot=compile_bot,
    play=play,
    record=record,
    narrate=narrate,
    plays_agents=True,
    facts=lambda: FACTS,
    check_change=checker_of(FACTS),
    without_effect=without_effect,
    rules=RULES,
)
