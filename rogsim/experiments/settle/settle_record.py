"""The verdicts of a ladder as plain data, and data read back.

Such data may come from a stranger, so types, sizes and limits are checked. Words for levels come from the game, never
from the data. Whether verdicts follow from the other numbers is not checked: who writes one can write the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rogsim.base.plain_text import name_fault
from rogsim.experiments.settle.ladder_verdicts import (
    ClaimFamily,
    LadderVerdicts,
    PlayedGame,
    Rung,
    RungStep,
    SettledClaim,
)
from rogsim.experiments.settle.strength_ladder import MOST_RUNGS, families_of
from rogsim.game.spec import GameSpec
from rogsim.results.manifest import Hash
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import BotText, Margin, Seed
from rogsim.stats.blocks import Floats
from rogsim.stats.settling import LOOKS, RUNGS, EffectSeries, Settling, Word, stored_settling

FORMAT: Literal["rogsim-settle/2"] = "rogsim-settle/2"
KEY = "settle"  # of the record in the data of a page
LONGEST_NAME = 200


def _name(text: str) -> str:
    if wrong := name_fault(text):
        raise ValueError(wrong)
    return text


Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name)]
Effect = Annotated[float, Field(ge=-100, le=100)] | None
Share = Annotated[float, Field(ge=0, le=1)]
Probability = Share | None
Positive = Annotated[float, Field(ge=1)] | None
Lead = Annotated[float, Field(ge=-1e5, le=1e5)]
Games = Annotated[int, Field(ge=0, le=MOST_GAMES)]
Players = Annotated[int, Field(ge=1, le=100)]


class _Record(BaseModel):
    # Unknown keys are refused: a newer rogsim that adds a key changes the format.
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False, extra="forbid")


class _PlayedRecord(_Record):
    game: Name
    rules: Name
    options: dict[str, Any]
    change: dict[str, Any]
    seed: Seed


class _RungRecord(_Record):
    bot: BotText
    source_hash: Hash
    weights_hash: Hash
    evaluation: BotText


class _GamesRecord(_Record):
    players: Players
    games: list[Games]


class _StepRecord(_Record):
    players: Players
    bot: BotText
    below: BotText
    lead: Lead
    low: Lead | None
    high: Lead | None
    p_stronger: Share
    p_weaker: Share
    games: Games


class _ClaimRecord(_Record):
    claim: Name
    level: Name
    players: Players
    verdict: Word
    within: bool
    look: Annotated[int, Field(ge=1, le=LOOKS)]
    p_settled: Probability
    p_moving: Probability
    growth: Positive
    more_games: Annotated[int, Field(ge=0)] | None
    effects: list[Effect]
    covariance: list[list[Annotated[float, Field(ge=-1e6, le=1e6)] | None]]
    blocks: list[Annotated[float, Field(ge=0, le=MOST_GAMES)]]


class SettleRecord(_Record):
    """The verdicts of a ladder, as `report.json` has them."""

    format: Literal["rogsim-settle/2"]
    played: _PlayedRecord
    rungs: Annotated[list[_RungRecord], Field(min_length=RUNGS, max_length=MOST_RUNGS)]
    step: Literal["doubling", "step"]
    margin: Margin
    first_look: Annotated[int, Field(ge=1, le=MOST_GAMES)]
    families: Annotated[list[Name], Field(min_length=1)]
    games: Annotated[list[_GamesRecord], Field(min_length=1)]
    claims: Annotated[list[_ClaimRecord], Field(min_length=1)]
    steps: list[_StepRecord]

    @model_validator(mode="after")
    def _fits_together(self) -> SettleRecord:
        size = len(self.rungs)
        lists: list[Sequence[object]] = [row.games for row in self.games]
        for claim in self.claims:
            lists += [claim.effects, claim.blocks, claim.covariance, *claim.covariance]
        if any(len(values) != size for values in lists):
            raise ValueError('"rungs", "games" and "claims" have different lengths')
        counts = {row.players for row in self.games}
        if any(claim.claim not in self.families or claim.players not in counts for claim in self.claims):
            raise ValueError('"claims" has one that "families" or "games" does not list')
        return self


def record_of(found: LadderVerdicts) -> dict[str, Any]:
    """Return verdicts as plain data, to be read by `verdicts_of`."""
    return {
        "format": FORMAT,
        "played": vars(found.played),
        "rungs": [vars(rung) for rung in found.rungs],
        "step": found.step,
        "margin": found.margin,
        "first_look": found.first_look,
        "families": [family.name for family in found.families],
        "games": [{"players": players, "games": list(games)} for players, games in found.games.items()],
        "claims": [_claim_data(claim) for claim in found.claims],
        "steps": [vars(step) for step in found.steps],
    }


def verdicts_of(record: SettleRecord, spec: GameSpec) -> LadderVerdicts:
    """Return the verdicts of a checked record; ValueError if the game cannot have them.

    Parameters
    ----------
    spec
        The game that the record names.
    """
    played = PlayedGame(**dict(record.played))
    known = {family.name: family for family in families_of(spec, played.options)}
    if unknown := [name for name in record.families if name not in known]:
        raise ValueError(f'"{unknown[0]}" are not dealt at random in games with these options')
    games = {row.players: tuple(row.games) for row in record.games}
    return LadderVerdicts(
        played=played,
        rungs=tuple(Rung(**dict(rung)) for rung in record.rungs),
        step=record.step,
        margin=record.margin,
        first_look=record.first_look,
        families=tuple(known[name] for name in dict.fromkeys(record.families)),
        claims=tuple(_claim(claim, known, games[claim.players]) for claim in record.claims),
        games=games,
        steps=tuple(RungStep(**dict(step)) for step in record.steps),
    )


def _claim_data(claim: SettledClaim) -> dict[str, Any]:
    found, series = claim.found, claim.found.series
    return {
        "claim": claim.family.name,
        "level": series.name,
        "players": claim.players,
        "verdict": found.verdict,
        "within": found.within,
        "look": found.look,
        "p_settled": found.p_settled,
        "p_moving": found.p_moving,
        "growth": found.growth,
        "more_games": claim.more_games,
        "effects": series.values.tolist(),
        "covariance": series.covariance.tolist(),
        "blocks": series.blocks.tolist(),
    }


def _claim(record: _ClaimRecord, known: Mapping[str, ClaimFamily], games: tuple[int, ...]) -> SettledClaim:
    series = EffectSeries(
        record.level, _floats(record.effects), _floats(record.covariance), np.array(record.blocks, np.float64)
    )
    p_values = _number(record.p_settled), _number(record.p_moving)
    found: Settling = stored_settling(
        series, record.verdict, record.within, *p_values, record.look, _number(record.growth)
    )
    return SettledClaim(known[record.claim], record.players, found, games, record.more_games)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _floats(values: Any) -> Floats:
    return np.array(values, dtype=np.float64)
