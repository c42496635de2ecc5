"""Components of variance against planted ones and a slow version; the regression against statsmodels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

from rogsim.results.results import Results
from rogsim.stats.balance.luck import Luck
from rogsim.stats.balance.measure import balance
from rogsim.stats.balance.regression import Model
from tests.series import DRAWS, FIELD, HANDS, SPEC, series

pytestmark = pytest.mark.once_uncompiled


def luck_of(results: Results, players: int = 4) -> tuple[Luck, ...]:
    return balance(results, SPEC, only=("luck",)).players[players].luck


def shares(luck: Luck) -> dict[str, float]:
    return {component.name: component.share.value for component in luck.components}


def test_planted_components_are_found() -> None:
    """Shared luck, a seat's luck, fit, the course of a game and the rest are estimated as planted."""
    planted = {"shared": 4.0, "own": 5.0, "course": 3.0, "fit": 2.0, "noise": 6.0}
    points, relative = luck_of(series(np.random.default_rng(1), 4_000, 4, FIELD, skill=(0, 2, 4, 6), **planted))
    squares = {name: value**2 for name, value in planted.items()}
    total = sum(squares.values()) + 5 + 1 / 12
    expected = {"shared luck": 16, "seat's luck": 25, "fit": 4, "course": 9, "rest": 36 + 1 / 12, "bot": 5}
    found = {component.name: component.share for component in points.components}
    for name, square in expected.items():
        assert found[name].value == pytest.approx(square / total, abs=0.02)
        assert found[name].low - 0.005 < square / total < found[name].high + 0.005
    assert points.variance == pytest.approx(total, rel=0.03)
    assert sum(shares(points).values()) == pytest.approx(1)
    of_relative = shares(relative)
    assert set(of_relative) == {"seat", "bot", "bot in seat", "seat's luck", "fit", "rest"}
    within = (25 + 4 + 36 + 1 / 12) * 0.75 + 5
    assert of_relative["seat's luck"] == pytest.approx(25 * 0.75 / within, abs=0.02)


def test_pairs_are_those_of_a_plain_loop() -> None:
    """The similarity of rows is averaged over all pairs of a block, by what they have in common."""
    results = series(np.random.default_rng(2), 12, 3, FIELD[:3], skill=(0, 2, 4))
    rows = results.seats().collect()
    means = rows.group_by("bot", "seat").agg(mean=pl.col("points").mean())
    rest = rows.join(means, on=["bot", "seat"], how="left", maintain_order="left")
    rest = rest.with_columns(rest=pl.col("points") - pl.col("mean"))
    alike: dict[str, list[float]] = {"game": [], "seat": [], "bot": [], "block": []}
    for _, block in rest.group_by("block", maintain_order=True):
        for a, b in combinations(block.to_dicts(), 2):
            kind = next((key for key in ("game", "seat", "bot") if a[key] == b[key]), "block")
            alike[kind].append(a["rest"] * b["rest"])
    game, seat, bot, shared = (float(np.mean(alike[kind])) for kind in ("game", "seat", "bot", "block"))
    luck = luck_of(results, 3)[0]
    found = {name: share * luck.variance for name, share in shares(luck).items()}
    assert found["shared luck"] == pytest.approx(shared)
    assert found["course"] == pytest.approx(game - shared)
    assert found["seat's luck"] == pytest.approx(seat - shared)
    assert found["fit"] == pytest.approx(bot - shared)


def test_one_bot_or_two_players_tell_less_and_say_so() -> None:
    """What cannot be separated is one component, and a note says which."""
    alone = luck_of(series(np.random.default_rng(3), 800))[0]
    assert set(shares(alone)) == {"seat", "shared luck", "rest"}
    assert "cannot be separated" in alone.notes[0]
    assert "cannot be separated" in alone.components[1].words
    assert shares(alone)["shared luck"] == pytest.approx(25 / 86, abs=0.06)
    two = luck_of(series(np.random.default_rng(4), 800, 2, FIELD[:2], skill=(0, 3)), 2)[0]
    assert set(shares(two)) == {"seat", "bot", "bot in seat", "shared luck", "rest"}
    assert "two players" in two.notes[0]


def fitted(results: Results, **given: Any) -> Model:
    model = balance(results, SPEC, only=("model",), **given).players[4].model
    assert model is not None
    return model


@pytest.mark.parametrize("field", [("one",), FIELD])
def test_the_regression_is_that_of_statsmodels(field: tuple[str, ...]) -> None:
    """Effects, standard errors and fit are those of OLS on games minus their mean, with blocks as clusters."""
    results = series(np.random.default_rng(5), 300, 4, field, seats=(2,), hands=(3,), skill=(0, 2, 4, 6)[: len(field)])
    model = fitted(results)
    rows = results.seats().collect().join(results.games().collect().select("game", "draw"), on="game")
    columns = [(rows["seat"] == seat).to_numpy() for seat in (2, 3, 4)]
    columns += [(rows["hand"] == hand).to_numpy() for hand in HANDS[1:]]
    columns += [(rows["bot"] == bot).to_numpy() for bot in field[1:]]
    has = [rows["draw"].cast(pl.String).str.contains(member).to_numpy() for member in "xy"]
    has.append(~(has[0] & has[1]))
    columns += [member * (rows["seat"] == seat).to_numpy() for member in has[:2] for seat in (2, 3, 4)]
    x = np.stack(columns, axis=1).astype(float).reshape(-1, 4, len(columns))
    x = (x - x.mean(axis=1, keepdims=True)).reshape(-1, len(columns))
    y = rows["points"].cast(pl.Float64).to_numpy().reshape(-1, 4)
    y = (y - y.mean(axis=1, keepdims=True)).ravel()
    plain = sm.OLS(y, x).fit(cov_type="cluster", cov_kwds={"groups": rows["block"].to_numpy()})
    # Hand b against hand c: what is compared within a factor does not depend on how it is written down.
    effects = {(row["term"], row["level"]): row["points"] for row in model.frame().iter_rows(named=True)}
    apart = (effects["hand", "hand b"] - effects["hand", "hand c"]) / (3 / 4)
    # A level is set against the others as often as they are there: of levels equally often that is * 8 / 7.
    weights = dict(rows.group_by("hand").len().iter_rows())
    assert apart / (8 / 7) == pytest.approx(plain.params[3] - plain.params[4], rel=0.1, abs=0.05)
    coefficients = np.r_[0.0, plain.params[3:10]]
    share = np.array([weights[hand] for hand in HANDS]) / rows.height
    expected = [
        (coefficients[i] - (share @ coefficients - share[i] * coefficients[i]) / (1 - share[i])) * 3 / 4
        for i in range(8)
    ]
    assert [effects["hand", hand] for hand in HANDS] == pytest.approx(expected)
    transform = np.zeros(len(columns))
    transform[3:10] = -share[1:] / (1 - share[0])
    error = float(np.sqrt(transform @ plain.cov_params() @ transform)) * 3 / 4
    first = model.frame().filter(term="hand", level=HANDS[0]).row(0, named=True)
    assert first["points_high"] - first["points"] == pytest.approx(error * 1.968, rel=0.02)
    assert model.r2_points == pytest.approx(plain.rsquared)


def test_adjusted_effects_take_away_company_and_raw_ones_do_not() -> None:
    """A hand that occurs only in a good seat looks good, but is not."""
    generator = np.random.default_rng(6)
    results = series(generator, 4_000, seats=(5,))
    chunk, seats, games = results.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    lucky = pl.when((pl.col("seat") == 1) & (pl.col("game") % 4 > 0)).then(pl.lit(HANDS[0])).otherwise("hand")
    moved = seats.with_columns(lucky.cast(seats.schema["hand"]).alias("hand"))
    model = fitted(Results(results.manifest, None, [(chunk, moved, games)]))
    row = model.frame().filter(term="hand", level=HANDS[0]).row(0, named=True)
    assert row["raw_points"] > 2
    assert row["points_low"] < 0 < row["points_high"]
    seat = model.frame().filter(term="seat", level="1").row(0, named=True)
    assert seat["points"] == pytest.approx(5 * 3 / 4, abs=0.4)
    assert model.words.startswith("Linear model of win share and of points on seat + hand")
    assert model.terms == ("seat", "hand", *(f"{member} x seat" for member in "xyz"))
    assert len(DRAWS) == 3


def test_an_interaction_that_is_asked_for_is_found() -> None:
    """The regression with an interaction shows that a hand is strong in one seat only."""
    results = series(np.random.default_rng(7), 6_000)
    chunk, seats, games = results.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    strong = (pl.col("hand") == HANDS[1]) & (pl.col("seat") == 2)
    more = seats.with_columns(points=pl.when(strong).then(pl.col("points") + 8).otherwise("points"))
    model = fitted(Results(results.manifest, None, [(chunk, more, games)]), interactions=[("hand", "seat")])
    row = model.frame().filter(term="hand x seat", level="hand b, 2").row(0, named=True)
    # 8 points above both averages: of the hand in four seats, of the seat with eight hands
    assert row["points_low"] < 8 * 3 / 4 * 7 / 8 < row["points_high"]
    assert row["points_low"] > 4


def test_what_games_cannot_tell_is_left_out() -> None:
    """Bots that always follow each other in the same order: bot by seat is partly what whole games have in common."""
    model = fitted(series(np.random.default_rng(8), 100, 4, FIELD), interactions=[("bot", "seat")])
    frame = model.frame()
    assert frame.filter(term="bot x seat").is_empty()
    assert frame.filter(term="bot")["points"].null_count() == 0
