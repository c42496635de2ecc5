"""What saves games: the luck of the deal taken out of win shares, and what was tried besides.

python -m scripts.studies.variance simulated [REPEATS]: simulated series with a known truth.
python -m scripts.studies.variance played [GAMES]: what could adjust win shares of River of Gold, and what that saves.
python -m scripts.studies.variance copies [GAMES]: stratified deals, rotated and mirrored dice, on a copy of the rules.
They measure rates of docs/data/coverage.csv. A factor is by how much fewer games give the same precision.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import rogsim
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.columns import row_dtype
from rogsim.game.kit import loop
from rogsim.game.kit.playing import new_workspace
from rogsim.game.registry import get_game
from rogsim.games.river_of_gold.components.names import CUSTOMERS, PATRONS
from rogsim.games.river_of_gold.rules.turn import roll_of
from rogsim.results.results import Results
from rogsim.stats.balance.levels import FOLDS
from rogsim.stats.balance.measure import balance
from rogsim.stats.blocks import Floats, parts
from scripts.studies.statistics import covers
from tests.series import FIELD, SPEC, TOPICS, series

REPOSITORY = Path(__file__).parents[2]
DEALT = replace(SPEC, topics=(replace(TOPICS[0], dealt={}), *TOPICS[1:]))
HANDS, SEATS, SKILL = (6.0, -6.0, 4.0, -4.0), (2.0, 0.5, -0.5, -2.0), (0.0, 1.0, 2.0, 3.0)
CASES: Mapping[str, tuple[int, int, Sequence[str], dict[str, Any]]] = {
    "no effect of seats, 2 players, 300 games": (2, 300, ("one",), {}),
    "no effect of seats, 4 players, 300 games": (4, 300, ("one",), {}),
    "no effect of seats, 4 players, 2,000 games": (4, 2_000, ("one",), {}),
    "seats matter, 4 players, 300 games": (4, 300, ("one",), {"seats": SEATS}),
    "seats matter, 4 bots rotate, 300 blocks of 4 games": (4, 300, FIELD, {"seats": SEATS, "skill": SKILL, "fit": 2.0}),
}
SEED, PLAYERS, KOKU = 5, (2, 3, 4), {"setup": {"koku_by_turn_order": [8, 8, 8, 8]}}
ROLLS = 16  # of each seat, of about as many in a game


def simulated(repeats: int) -> None:
    """Print bias, coverage, false alarms and savings of simulated series."""
    print(
        "| series | bias, pp | intervals contain the true value | factor "
        "| joint test of seats rejects | joint test of draws rejects |"
    )
    print("|---|---|---|---|---|---|")
    for name, (players, blocks, bots, keys) in CASES.items():
        truth = _truth(players, bots, keys)
        found: dict[str, list[Any]] = defaultdict(list)
        for seed in range(repeats):
            results = series(np.random.default_rng([11, seed]), blocks, players, bots, hands=HANDS, **keys)
            measured = balance(results, DEALT, only=("seats", "draws")).players[players]
            assert measured.seats is not None
            shares = [level.share for level in measured.seats.levels]
            found["free"].append([share.value for share in shares])
            found["played"].append([share.value for share in measured.seats.plain])
            held = [covers(share.low, known, share.high) for share, known in zip(shares, truth, strict=True)]
            found["held"].append(held)
            found["seats"].append(measured.seats.overall.p < 0.05)
            found["draws"].append(measured.draws["draw"].overall.p < 0.05)
        free, played = np.array(found["free"]), np.array(found["played"])
        bias = 100 * (free - truth).mean(axis=0)[:-1]  # the last seat has what the others lack
        reach = 196 * free.std(axis=0)[:-1].max() / np.sqrt(repeats)
        saved = (played.var(axis=0) / free.var(axis=0)).mean()
        biases = ", ".join(f"{value:+.2f}" for value in bias)
        print(f"| {name} | {biases} (±{reach:.2f}) | {100 * np.mean(found['held']):.1f}% | {saved:.2f} |", end="")
        print(f" {_alarms(found['seats'])} | {_alarms(found['draws'])} |", flush=True)


def _alarms(found: Sequence[bool]) -> str:
    return f"{100 * np.mean(found):.1f}%"


def _truth(players: int, bots: Sequence[str], keys: Mapping[str, Any]) -> Floats:
    """Return the win shares of the seats: fair, or from very many games."""
    if "seats" not in keys:
        return np.full(players, 1 / players)
    shares = []
    for stretch in range(20):
        results = series(np.random.default_rng([12, stretch]), 50_000, players, bots, hands=HANDS, **keys)
        rows = results.seats().group_by("seat").agg(pl.col("win_share").cast(pl.Float64).mean()).sort("seat").collect()
        shares.append(rows["win_share"].to_numpy())
    return np.asarray(np.mean(shares, axis=0), dtype=np.float64)


def played(games: int) -> None:
    """Print what could adjust the win shares of seats, and the factor of each, for River of Gold with dealt patrons."""
    print("| bots | players | patrons | customers in hand | both | ships and first die | first 16 rolls |", end="")
    print(" share of a patron | difference to another start |\n|---|---|---|---|---|---|---|---|")
    for bots in (["balanced"], ["tuned"], ["balanced", "builder", "courier", "tuned"]):
        run = _run(bots, games)
        other = _run(bots, games, KOKU)
        for players in PLAYERS:
            won, block, patron = _rows(run, players)
            hand, rolls = _set_up(players, block)
            ones = _ones(patron, len(PATRONS))
            sets = [ones, hand, np.concatenate([ones, hand], axis=2), rolls[:, :, :18], rolls]
            factors = [factor(won, columns, block) for columns in sets]
            factors += [patron_factor(won, patron, block), factor(_rows(other, players)[0] - won, ones, block)]
            print(f"| {', '.join(bots)} | {players} | {' | '.join(factors)} |", flush=True)


def _run(bots: Sequence[str], games: int, change: Mapping[str, Any] | None = None) -> Results:
    keys = {"game": "river-of-gold", "players": list(PLAYERS), "games": games, "seed": SEED, "bots": list(bots)}
    return rogsim.run(keys | {"options": {"patrons": "dealt"}, "change": change or {}}, jobs=2)


def _rows(results: Results, players: int) -> tuple[Floats, Any, Any]:
    """Return win shares, float64[games, players], blocks and codes of patrons."""
    found = list(parts(results, players, ["win_share", "patron"], []))
    patrons = [part.codes("patron", PATRONS) for part in found]
    blocks = [part.games["block"].to_numpy() for part in found]
    return np.concatenate([part.wins for part in found]), np.concatenate(blocks), np.concatenate(patrons)


def _set_up(players: int, block: Any) -> tuple[Floats, Floats]:
    """Return for each game and seat which customers it is dealt, and the faces of its rolls; blocks share them."""
    game = get_game("river-of-gold")
    setup, workspace = game.prepare(_options(), players), new_workspace(game.rules)
    hand = np.zeros((block[-1] + 1, players), dtype=np.int64)
    face = np.zeros((block[-1] + 1, players, ROLLS), dtype=np.int64)
    for deals in range(len(hand)):
        loop.begin(setup.tables, workspace, SEED, deals)
        for seat in range(players):
            hand[deals, seat] = workspace.game.players[seat].hand
            face[deals, seat] = [roll_of(workspace.game.secret.key, seat, count) for count in range(ROLLS)]
    cards = (hand[:, :, None] >> np.arange(len(CUSTOMERS))) & 1
    return cards[block].astype(float), _ones(face - 1, 6).reshape(*hand.shape, -1)[block]


def _options() -> Any:
    return get_game("river-of-gold").options(patrons="dealt")


def _ones(codes: Any, count: int) -> Floats:
    return np.asarray(codes[..., None] == np.arange(count), dtype=np.float64)


def residuals(values: Floats, columns: Floats, block: Any) -> Floats:
    """Return values less what least squares on the other folds says, columns centred within games."""
    centred = columns - columns.mean(axis=1, keepdims=True)
    found, fold = np.empty_like(values), block % FOLDS
    for fold_out in range(FOLDS):
        fit = fold != fold_out
        x, y = centred[fit].reshape(-1, columns.shape[2]), values[fit] - values[fit].mean(axis=0)
        worth = np.linalg.pinv(x.T @ x, rcond=1e-9, hermitian=True) @ (x.T @ y.ravel())
        found[~fit] = values[~fit] - centred[~fit] @ worth
    return found


def factor(values: Floats, columns: Floats, block: Any) -> str:
    """Return by which factor adjusting for columns lowers the variance of the seats' means, with its 95% error."""
    return ratio(
        *(_sums(series - series.mean(axis=0), block) for series in (values, residuals(values, columns, block)))
    )


def _sums(values: Floats, block: Any) -> Floats:
    return np.asarray(np.add.reduceat(values, np.flatnonzero(np.diff(block, prepend=-1)), axis=0))


def ratio(plain: Floats, other: Floats) -> str:
    """Return the ratio of two variances from the same blocks, float64[blocks, k], with its 95% error."""
    up, down = (plain**2).sum(axis=1), (other**2).sum(axis=1)
    value = up.mean() / down.mean()
    return f"{value:.2f} (±{1.96 * (up - value * down).std() / down.mean() / np.sqrt(len(up)):.2f})"


def patron_factor(won: Floats, patron: Any, block: Any) -> str:
    """Return the factor for the win share of a patron, adjusted for its seat and for the patrons of the others."""
    ones = _ones(patron, len(PATRONS))
    centred = (ones - ones.mean(axis=1, keepdims=True)).reshape(-1, len(PATRONS))
    worth = np.linalg.pinv(centred, rcond=1e-9) @ (won - won.mean(axis=0)).ravel()
    worths = ones @ worth
    rest = worths.sum(axis=1, keepdims=True) - worths
    adjusted = won - won.mean(axis=0) + rest / won.shape[1]
    both: list[list[Floats]] = [[], []]
    for place in range(len(PATRONS)):
        has = patron == place
        for values, kept in zip((won, adjusted), both, strict=True):
            kept.append(_sums(((values - values[has].mean()) * has).sum(axis=1, keepdims=True), block))
    return ratio(*(np.concatenate(pieces, axis=1) for pieces in both))


# A copy of the rules in which the low 8 bits of a deal number say how games share deals: by how many seats the dice are
# rotated (bits 0-1), players less one (2-3), whether each die shows 7 less its face (4), by how many seats the patrons
# are rotated (5-6), and whether each seat gets each patron once in 8 games (7).
PATCHES = (
    ("game/rng.py", "mix(np.uint64(key) ^ (", "mix((np.uint64(key) & np.uint64(2**64 - 256)) ^ ("),
    (
        "games/river_of_gold/rules/setup.py",
        "    key = game_key(seed, deal)\n",
        "    key = (game_key(seed, deal >> 8) & np.uint64(2**64 - 256)) | np.uint64(deal & 255)\n",
    ),
    (
        "games/river_of_gold/rules/setup.py",
        "    offer_patrons(tables, game, key)\n",
        "    if deal & 128:\n"
        "        key = (game_key(seed + 1, deal >> 11) & np.uint64(2**64 - 256)) | np.uint64(deal >> 8 & 7)\n"
        "        offer_patrons(tables, game, key | np.uint64(128))\n"
        "    else:\n"
        "        offer_patrons(tables, game, key)\n",
    ),
    (
        "games/river_of_gold/rules/setup.py",
        "game.players[seat].patron = _patron_of(key, clans[seat])",
        "if int(key) & 128:\n"
        "                turned = (seat + (int(key) & 3)) % len(CLANS)\n"
        "                game.players[seat].patron = _patron_of(key, clans[turned]) ^ (int(key) >> 2 & 1)\n"
        "            else:\n"
        "                turned = (seat + (int(key) >> 5 & 3)) % int(game.seats)\n"
        "                game.players[seat].patron = _patron_of(key, clans[turned])",
    ),
    (
        "games/river_of_gold/rules/turn.py",
        "    return 1 + below(stream_key(key, DICE + int(seat)), count, FACES)",
        "    place = (int(seat) + (int(key) & 3)) % ((int(key) >> 2 & 3) + 1)\n"
        "    face = 1 + below(stream_key(key, DICE + place), count, FACES)\n"
        "    return 7 - face if int(key) & 16 else face",
    ),
)


def copies(games: int) -> None:
    """Run `on_copy` with a changed copy of the rules."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(REPOSITORY / "rogsim", Path(folder, "rogsim"))
        for file, old, new in PATCHES:
            path = Path(folder, "rogsim", file)
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, (file, old)
            path.write_text(text.replace(old, new), encoding="utf-8")
        paths = os.pathsep.join([folder, str(REPOSITORY)])
        environment = {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(Path(folder, "numba"))}
        command = [sys.executable, "-m", "scripts.studies.variance", "on-copy", str(games)]
        subprocess.run(command, env=os.environ | environment, cwd=folder, check=True)


def on_copy(games: int) -> None:
    """Print the factors of what changes the games that are played."""
    print("| bot | patrons | players | stratified deals | dice rotated | dice and patrons rotated | dice mirrored |")
    print("|---|---|---|---|---|---|")
    for bot in ("balanced", "tuned"):
        for mode in ("dealt", "draft"):
            for players in PLAYERS:
                play = _player(bot, mode, players)
                factors = [_stratified(play, games) if mode == "dealt" else "-"]
                turns = range(players)
                factors.append(_shared(play, games, turns))
                factors.append(_shared(play, games, [turn | turn << 5 for turn in turns]) if mode == "dealt" else "-")
                factors.append(_shared(play, games, [0, 16]))
                print(f"| {bot} | {mode} | {players} | {' | '.join(factors)} |", flush=True)


def _player(bot: str, mode: str, players: int) -> Any:
    """Return what plays games given by the high and the low bits of their deal numbers: win shares."""
    game = get_game("river-of-gold")
    compiled, setup = compile_bot(game, find_bot(game, bot, Path())), game.prepare(game.options(patrons=mode), players)

    def play(deals: Any, low: int) -> Floats:
        seating = np.tile(np.arange(players, dtype=np.int8), (len(deals), 1))
        rows = np.empty(len(deals) * players, row_dtype(game.seat_columns))
        batch = Batch(77, players, (deals << 8) | ((players - 1) << 2) | low, seating, (compiled,) * players)
        game.play(setup, batch, rows, np.empty(len(deals), row_dtype(game.game_columns)))
        return np.asarray(rows["win_share"].reshape(-1, players), dtype=np.float64)

    return play


def _shared(play: Any, games: int, low: Sequence[int]) -> str:
    """Return the factor of blocks that play the same deals once in each of some ways."""
    found = np.stack([play(np.arange(games // len(low)), bits) for bits in low])
    return _against_independent(found)


def _stratified(play: Any, games: int) -> str:
    """Return the factor of deals in which each seat gets each patron once in 8 games."""
    found = play(np.arange(games // 8 * 8), 128)
    return _against_independent(found.reshape(-1, 8, found.shape[1]).swapaxes(0, 1))


def _against_independent(found: Floats) -> str:
    """Return the variance of as many independent games over that of blocks; found: float64[games, blocks, players]."""
    centred = found - found.mean(axis=(0, 1))
    up, down = (centred**2).sum(axis=(0, 2)), (centred.sum(axis=0) ** 2).sum(axis=1)
    value = up.mean() / down.mean()
    return f"{value:.2f} (±{1.96 * (up - value * down).std() / down.mean() / np.sqrt(len(up)):.2f})"


if __name__ == "__main__":
    what, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None
    if what == "simulated":
        simulated(count or 1_000)
    elif what == "played":
        played(count or 20_000)
    elif what == "copies":
        copies(count or 24_000)
    else:
        on_copy(count or 24_000)
