"""What a tournament plays, checked in full before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.game.registry import RegistryError, get_game
from rogsim.game.spec import GameSpec
from rogsim.scenario.arguments import given_words, read_options, read_players
from rogsim.scenario.model import Experiment, load
from rogsim.stats.sequential import EloLimits, read_limits


class TournamentError(RogsimError):
    """A tournament that cannot be played as requested."""


@dataclass(frozen=True)
class Tournament:
    """A checked tournament: the scenario of each player count, and the limits of a sequential test, if any.

    given: the options of the command line that name the game and its options, for commands on a page.
    """

    bots: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    limits: EloLimits | None
    given: tuple[str, ...] = ()

    @property
    def spec(self) -> GameSpec:
        """Return the game."""
        return self.experiments[0].spec


def arrange(
    bots: str,
    *,
    games: int,
    players: str | None = None,
    seed: int = 1,
    game: str | None = None,
    words: Mapping[str, str] | None = None,
    sprt: str | None = None,
) -> Tournament:
    """Check a tournament as given on the command line.

    Parameters
    ----------
    bots
        Names such as "a,b,c".
    players
        Player counts such as "2,3,4"; by default the largest that the game allows.
    words
        The game's own options, as typed.
    sprt
        The two Elo leads of a sequential test, such as "0,10".

    Raises
    ------
    TournamentError, ScenarioError
        If the tournament cannot be played.
    """
    names = tuple(name.strip() for name in bots.split(","))
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise TournamentError(f'--bots: "{repeated[0]}" is listed twice')
    if len(names) < 2:
        raise TournamentError(f"--bots: {not_allowed(bots, 'name at least two: a,b,c')}")
    try:
        spec = get_game(game)
    except RegistryError as fault:
        raise TournamentError(f"--game: {fault}") from fault
    counts = read_players(spec, players)
    limits = _read_limits(sprt, names, counts)
    options = read_options(spec, words or {})
    experiments = []
    for count in counts:
        keys = {
            "game": spec.id,
            "players": [count],
            "games": games,
            "seed": seed,
            "bots": seats_of(names, count),
            "options": options.model_dump(mode="json"),
        }
        experiments.append(replace(load({}, keys, option_prefix="--"), mirrored=True))
    return Tournament(names, tuple(experiments), limits, tuple(given_words(game, words)))


def seats_of(bots: Sequence[str], players: int) -> list[str]:
    """Return the bots from which line-ups are drawn: each once, or more often if there are fewer bots than seats.

    With two bots at a table of four, each appears three times: the line-ups are abbb, aabb and aaab.
    """
    return [bot for bot in bots for _ in range(max(1, players - len(bots) + 1))]


def _read_limits(text: str | None, bots: Sequence[str], counts: Sequence[int]) -> EloLimits | None:
    if text is None:
        return None
    try:
        limits = read_limits(text)
    except ValueError as fault:
        raise TournamentError(f"--sprt: {fault}") from None
    if len(bots) != 2:
        raise TournamentError(f"--sprt: compares two bots, but there are {len(bots)}")
    if len(counts) != 1:
        raise TournamentError(f"--sprt: needs a single player count, but there are {len(counts)}")
    return limits
