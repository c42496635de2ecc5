"""What the small games with exact solutions have in common: two players, no options, and the plainest of words."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict

from rogsim.game import compiler
from rogsim.game.bot import BotInfo
from rogsim.game.columns import Column
from rogsim.game.kit.recording import Recorder
from rogsim.game.rules import Rules
from rogsim.game.spec import GameSpec

SEAT_COLUMNS = (Column("points", "i2", "points", "points"), Column("win_share", "f4", "1 for the winner"))
GAME_COLUMNS = (
    Column("turns", "i2", "turns of both seats", "turns"),
    Column("decisions", "i2", "choices of both seats", "decisions"),
)
FUNCTIONS = ("begin", "legal", "apply", "is_over", "points", "hide", "deal_world", "score", "write_rows", "bot_key")


class Options(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Actions(Recorder):
    def take(self, action: int) -> None:
        self.apply(action)
        self.turns.append({"action": action})

    def head(self, seed: int, deal: int, names: Any) -> dict[str, Any]:
        return {"format": self.format, "game": deal}

    def body(self) -> dict[str, Any]:
        return {"turns": self.turns}


def solved_game(name: str, state: Any, rules: ModuleType, bots: tuple[str, ...]) -> GameSpec:
    """A game whose module of rules has a function of each of these names."""
    return GameSpec(
        id=name,
        title=name.capitalize(),
        version="1",
        players=(2,),
        options=Options,
        seat_columns=SEAT_COLUMNS,
        game_columns=GAME_COLUMNS,
        seat_factors=(),
        game_factors=(),
        bots=tuple(BotInfo(bot, bot) for bot in bots),
        bots_package=f"tests.{name}.bots",
        rules=Rules(
            state=state,
            tables=rules.SETUP,
            menu=rules.MENU,
            scores=rules.SCORE,
            actions=3,
            most_seats=2,
            tables_of=lambda setup: setup,
            action_to_dict=lambda setup, state, action: {"do": action},
            describe=lambda setup, view, seat, chance: {"seat": seat},
            recorder=type("Recorded", (Actions,), {"format": f"{name}-trace/1"}),
            **{function: getattr(rules, function) for function in FUNCTIONS},
        ),
        prepare=lambda options, players: compiler.records(rules.SETUP, 1)[0],
        narrate=str,
    )
