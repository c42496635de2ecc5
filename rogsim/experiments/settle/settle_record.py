"""The verdicts of a ladder as plain data, and data checked and read back.

Such data may come from a stranger, so it is checked in full. Words for levels come from the game, never from the data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from rogsim.base.plain_text import name_fault
from rogsim.experiments.settle.ladder_verdicts import (
    ClaimFamily,
    LadderVerdicts,
    PlayedGame,
    Rung,
    RungRating,
    SettledClaim,
)
from rogsim.experiments.settle.strength_ladder import MOST_RUNGS, families_of
from rogsim.game.spec import GameSpec
from rogsim.results.manifest import Hash
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import BotText, Margin, Seed
from rogsim.stats.blocks import Floats
from rogsim.stats.settling import LEVEL, LOOKS, RUNGS, EffectSeries, Settling, Word, stored_settling

FORMAT: Literal["rogsim-settle/1"] = "rogsim-settle/1"
KEY = "settle"  # of the record in the data of a page
LONGEST_NAME = 200
ROUNDED = 1e-4  # how far rounded covariances may be from what they must be, relative to the variances


def _name(text: str) -> str:
    if wrong := name_fault(text):
        raise ValueError(wrong)
    return text


Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name)]
Effect = Annotated[float, Field(ge=-100, le=100)] | None
Probability = Annotated[float, Field(ge=0, le=1)] | None
Positive = Annotated[float, Field(ge=1)] | None
Rating = Annotated[float, Field(ge=-1e5, le=1e5)]
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


class _GamesRecord(_Record):
    players: Players
    games: list[Games]


class _RatingRecord(_Record):
    players: Players
    bot: BotText
    value: Rating
    low: Rating | None
    high: Rating | None
    games: Games


class _ClaimRecord(_Record):
    claim: Name
    level: Name
    players: Players
    verdict: Word
    look: Annotated[int, Field(ge=1, le=LOOKS)]
    p_settled: Probability
    p_moving: Probability
    growth: Positive
    more_games: Annotated[int, Field(ge=0)] | None
    effects: list[Effect]
    covariance: list[list[Annotated[float, Field(ge=-1e6, le=1e6)] | None]]
    blocks: list[Annotated[float, Field(ge=0, le=MOST_GAMES)]]

    @model_validator(mode="after")
    def _hangs_together(self) -> _ClaimRecord:
        p = {"settled": self.p_settled, "still moving": self.p_moving, "not known yet": 0.0}[self.verdict]
        if p is None or p >= LEVEL:
            raise ValueError(f'"{self.verdict}" does not follow from the p-values')
        size = len(self.effects)
        if len(self.blocks) != size or [len(row) for row in self.covariance] != [size] * size:
            raise ValueError('"effects", "covariance" and "blocks" have different lengths')
        if not _is_covariance(_floats(self.covariance)):
            raise ValueError('"covariance" is not a covariance matrix')
        return self


class SettleRecord(_Record):
    """The verdicts of a ladder, as `report.json` has them."""

    format: Literal["rogsim-settle/1"]
    played: _PlayedRecord
    rungs: Annotated[list[_RungRecord], Field(min_length=RUNGS, max_length=MOST_RUNGS)]
    step: Literal["doubling", "step"]
    margin: Margin
    first_look: Annotated[int, Field(ge=1, le=MOST_GAMES)]
    families: Annotated[list[Name], Field(min_length=1)]
    games: Annotated[list[_GamesRecord], Field(min_length=1)]
    claims: Annotated[list[_ClaimRecord], Field(min_length=1)]
    ratings: list[_RatingRecord]

    @model_validator(mode="after")
    def _hangs_together(self) -> SettleRecord:
        size = len(self.rungs)
        if any(len(row.games) != size for row in self.games) or any(len(row.effects) != size for row in self.claims):
            raise ValueError('"rungs", "games" and "claims" have different lengths')
        counts = [row.players for row in self.games]
        keys = [(claim.claim, claim.level, claim.players) for claim in self.claims]
        if len({*counts}) < len(counts) or len({*keys}) < len(keys) or len({*self.families}) < len(self.families):
            raise ValueError("something is listed twice")
        bots = {rung.bot for rung in self.rungs}
        if any(rating.bot not in bots or rating.players not in counts for rating in self.ratings):
            raise ValueError('"ratings" has one that "rungs" or "games" does not list')
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
        "ratings": [vars(rating) for rating in found.ratings],
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
        families=tuple(known[name] for name in record.families),
        claims=tuple(_claim(claim, known, games[claim.players]) for claim in record.claims),
        games=games,
        ratings=tuple(RungRating(**dict(rating)) for rating in record.ratings),
    )


def _claim_data(claim: SettledClaim) -> dict[str, Any]:
    found, series = claim.found, claim.found.series
    return {
        "claim": claim.family.name,
        "level": series.name,
        "players": claim.players,
        "verdict": found.verdict,
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
    found: Settling = stored_settling(
        series, record.verdict, _number(record.p_settled), _number(record.p_moving), record.look, _number(record.growth)
    )
    return SettledClaim(known[record.claim], record.players, found, games, record.more_games)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _floats(values: Any) -> Floats:
    return np.array(values, dtype=np.float64)


def _is_covariance(matrix: Floats) -> bool:
    """Return whether a matrix can be a covariance, apart from rounding; nan counts as unknown."""
    known = ~np.isnan(np.diagonal(matrix))
    matrix = matrix[np.ix_(known, known)]
    variances = np.diagonal(matrix)
    slack = ROUNDED * (variances.max(initial=0.0) + 1e-12)
    if np.isnan(matrix).any() or (variances < 0).any() or np.abs(matrix - matrix.T).max(initial=0.0) > slack:
        return False
    return not len(matrix) or float(np.linalg.eigvalsh(matrix).min()) >= -slack
