"""The dice race as the harness sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from rogsim.game import compiler
from rogsim.game.bot import BotInfo
from rogsim.game.columns import Column
from rogsim.game.kit import recording
from rogsim.game.kit.changes import checker_of
from rogsim.game.kit.vector import VectorField, category, number, seat
from rogsim.game.parameters import Parameter
from rogsim.game.rules import Rules
from rogsim.game.spec import GameSpec
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
        meaning="spaces ahead, by seat",
        low=0,
        high=20,
        places=("1", "2", "3", "4"),
        label="Head starts",
        favours=1,
    ),
    Parameter("spaces.more", 0, meaning="added to both tracks", low=0, high=20),
    Parameter("spaces.short", 0, meaning="added to the short track", low=0, high=20),
    Parameter("played_out", False, meaning="the round is played out"),
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


class Recorder(recording.Recorder):
    format = "dice-race-trace/1"

    def take(self, action: int) -> None:
        seat = int(self.state.actor)
        self.apply(action)
        self.turns.append({"seat": seat, **rules.ACTIONS.words(action), "to": int(self.state.position[seat])})

    def head(self, seed: int, deal: int, names: Sequence[str]) -> dict[str, Any]:
        return {"format": self.format, "game": deal}

    def body(self) -> dict[str, Any]:
        return {"turns": self.turns}


def action_to_dict(setup: Any, race: Any, action: int) -> dict[str, Any]:
    return rules.ACTIONS.words(action)


def describe(setup: Any, view: Any, seat: int, chance: Any) -> dict[str, Any]:
    return {"seat": seat, "turns": int(view.turns), "goal": int(view.goal), "random": chance}


def vector(setup: Any) -> tuple[VectorField, ...]:
    goal = max(setup.goals)
    return (
        number("position[seat]", 0, max(goal, *setup.handicap)),
        number("goal", 0, goal),
        category("track", rules.TRACKS),
        number("fair", 0, 1),
        seat("actor"),
    )


def narrate(trace: Mapping[str, Any]) -> str:
    lines = [f"seat {turn['seat'] + 1}: {turn['do']} to {turn['to']}" for turn in trace["turns"]]
    return "\n".join(lines)


RULES = Rules(
    state=rules.RACE,
    tables=rules.SETUP,
    menu=rules.MENU,
    scores=rules.SCORE,
    actions=rules.ACTIONS.count,
    most_seats=rules.MOST_PLAYERS,
    begin=rules.begin,
    legal=rules.legal,
    apply=rules.apply,
    is_over=rules.is_over,
    turn=rules.turn,
    seats=rules.seats,
    points=rules.points,
    hide=rules.hide,
    deal_world=rules.deal_world,
    score=rules.score,
    write_rows=rules.write_rows,
    bot_key=rules.bot_key,
    tables_of=lambda setup: setup,
    action_to_dict=action_to_dict,
    describe=describe,
    recorder=Recorder,
    vector=vector,
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
        BotInfo("random", "rolls or walks at random", quick_games=100),
        BotInfo("planner", "looks a round ahead in a few races that may come", quick_games=20),
        BotInfo("search", "plays races that may come to their ends", quick_games=20),
        BotInfo("learned", "judges where its steps lead by an evaluation that is learned", quick_games=20),
    ),
    bots_package="tests.dice_game.bots",
    rules=RULES,
    prepare=prepare,
    narrate=narrate,
    facts=lambda: FACTS,
    check_change=checker_of(FACTS),
    without_effect=without_effect,
)
