"""One game, decision by decision, from Python: `rogsim.Session`."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.numbers import as_whole
from rogsim.base.validation import not_allowed
from rogsim.bots.loading import FUNCTION, compile_bot, find_bot, must_compile
from rogsim.game.bot import AgentFault, Bot, BotFault, shortened
from rogsim.game.compiler import compiling_alone, records
from rogsim.game.kit import loop
from rogsim.game.kit.vector import VectorLayout, layout_of
from rogsim.game.kit.workspace import history_of
from rogsim.game.records import as_records
from rogsim.game.registry import game_names, get_game
from rogsim.game.rng import BotRandom
from rogsim.game.rules import NO_ACTION, OVER, Rules, array_of, copy_of
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import Experiment, Scenario, load
from rogsim.simulation.seated_bot import SeatedBot, agent_maker


class SessionError(RogsimError, ValueError):
    """Something that a session does not allow: a game that cannot begin, an action that is not legal."""


def check_whole(name: str, value: Any, bound: int) -> int:
    """Return a whole number in 0..bound-1; SessionError for anything else."""
    whole = as_whole(value)
    if whole is None or not 0 <= whole < bound:
        raise SessionError(f"{name}: {shortened(value)} is not allowed: must be a whole number from 0 to {bound - 1:,}")
    return whole


def read_game(
    source: str | Path | Mapping[str, Any] | Scenario | None,
    players: int | None,
    seed: int | None,
    options: Mapping[str, Any] | None,
    change: Mapping[str, Any] | None,
) -> tuple[Experiment, int]:
    """Read and check a game or a scenario, and return it with the number of players."""
    keys: dict[str, Any] = {"seed": _plain(seed), "options": options, "change": change}
    if players is not None:
        keys["players"] = (_plain(players),)
    if source is None or (isinstance(source, str) and not _is_path(source)):
        spec = get_game(source)
        count = max(spec.players)
        known = {"game": spec.id, "games": 1, "players": (count,), "seed": 0, "bots": (spec.bots[0].name,)}
        experiment = load({}, known | {key: value for key, value in keys.items() if value is not None})
    elif isinstance(source, str | Path | Mapping | Scenario):
        experiment = load(source, keys, run_programs=False)
    else:
        rule = "name a game or a scenario file, or give the keys of a scenario"
        raise SessionError(f"{shortened(source)} is not allowed: {rule}")
    counts = experiment.scenario.players
    if len(counts) > 1:
        rule = "choose one of " + ", ".join(map(str, counts))
        raise SessionError(f"players: the scenario has {len(counts)} player counts: {rule}")
    return experiment, counts[0]


def _is_path(source: str) -> bool:
    """Return whether a text is the path of a scenario rather than the id of a game."""
    return source not in game_names() and (source.endswith(".toml") or "/" in source)


def _plain(value: Any) -> Any:
    """Return whole numbers of other libraries as Python's."""
    whole = as_whole(value)
    return value if whole is None else whole


def ready_bots(spec: GameSpec, bots: Any, players: int, folder: Path) -> list[Bot | None]:
    """Return the bot of each seat, ready to play.

    Parameters
    ----------
    bots
        As `Session.new` takes them.
    folder
        Where the paths of bots start.
    """
    if bots is None or isinstance(bots, str | Bot) or not isinstance(bots, Sequence):
        bots = [bots] * players
    if len(bots) != players:
        rule = "name one bot for all seats, or one for each seat (None to play it by hand)"
        raise SessionError(f"bots: {not_allowed(len(bots), f'there are {players} seats; {rule}')}")
    names = dict.fromkeys(bot for bot in bots if isinstance(bot, str))
    sources = {name: find_bot(spec, name, folder, here=True) for name in names}
    with compiling_alone(lambda: any(must_compile(spec, source) for source in sources.values())):
        ready = {name: compile_bot(spec, source) for name, source in sources.items()}
    return [ready[bot] if isinstance(bot, str) else _as_bot(bot) for bot in bots]


def _as_bot(bot: Any) -> Bot | None:
    if bot is None or isinstance(bot, Bot):
        return bot
    if not callable(getattr(bot, FUNCTION, None)):
        rule = f"give a name, a Bot, an object with a method `{FUNCTION}`, or None"
        raise SessionError(f"bots: {shortened(bot)} is not a bot: {rule}")
    named = bot if isinstance(bot, type) else type(bot)
    return Bot(named.__name__, None, np.zeros(0), agent_maker(bot), foreign=True)


MOST_DEALS = 2**63
BY_HAND = "by hand"  # stands in a trace for the bot of a seat that has none


class Standing(NamedTuple):
    """The standing of a seat: its points, its rank (1 = first, ties share it), and its share of the win."""

    points: int
    rank: int
    win_share: float


class Session:
    """One game, played decision by decision.

    The same seed and deal give the same game as in a batch: the same set-up, decks and rolls, and for bots the same
    random numbers. A call that raises an error leaves the game as it was.

    Attributes
    ----------
    spec
        The game.
    players, seed, deal
        The number of seats, and what determines all chance of this game.
    """

    def __init__(
        self, spec: GameSpec, setup: Any, players: int, seed: int, deal: int, bots: Sequence[Bot | None]
    ) -> None:
        """Begin a game; `new` takes names and scenarios instead.

        Parameters
        ----------
        setup
            What `spec.prepare` returned.
        bots
            The bot of each seat; None for a seat that is played by hand.
        """
        self.spec, self.players = spec, players
        self._rules: Rules = spec.rules
        self._setup, self._tables = setup, array_of(self._rules.tables_of(setup))
        self._seated_bots = tuple(bots)
        self._layout: VectorLayout | None = None  # once it is asked for
        self._legal: tuple[int, ...] | None = None  # of the present decision, once they are asked for
        self._begin(seed, deal)

    @classmethod
    def new(
        cls,
        source: str | Path | Mapping[str, Any] | Scenario | None = None,
        players: int | None = None,
        *,
        seed: int | None = None,
        deal: int = 0,
        options: Mapping[str, Any] | None = None,
        change: Mapping[str, Any] | None = None,
        bots: Any = None,
    ) -> Session:
        """Begin a game.

        Parameters
        ----------
        source
            The id of a game, or a scenario: a path to a TOML file, or the same keys as a mapping. By default the
            default game, or the only one that is installed.
        players
            The number of seats. By default that of the scenario, or the most that the game allows.
        seed
            By default that of the scenario, or 0.
        deal
            The number of the deal: games with the same seed and deal have the same set-up, decks and rolls.
        options, change
            The game's options, and changed parameters by name. They replace, or are added to, those of the scenario.
        bots
            One bot for all seats, or a list of one for each seat, in which None is a seat played by hand. A bot is a
            name as in a scenario, a `Bot`, or a Python object or class with `choose(observation, actions)`. By default
            all seats are played by hand: the bots of a scenario are not seated.

        Raises
        ------
        RogsimError
            If there is no such game, scenario or bot, or if they do not fit together.
        """
        deal = check_whole("deal", deal, MOST_DEALS)
        experiment, count = read_game(source, players, seed, options, change)
        seated = ready_bots(experiment.spec, bots, count, experiment.folder)
        return cls(experiment.spec, experiment.setups[count], count, experiment.scenario.seed, deal, seated)

    def restart(self, *, seed: int | None = None, deal: int | None = None) -> None:
        """Begin another game in place of this one, with the same players, options, changes and bots.

        Nothing is read again, so this takes a fraction of the time of a new session.

        Parameters
        ----------
        seed
            By default that of this game.
        deal
            By default the next deal, or deal 0 of another seed.

        Raises
        ------
        SessionError
            If the seed or the deal is not a whole number from 0 to 2**63 - 1.
        """
        if deal is None:
            deal = self.deal + 1 if seed is None else 0
        self._begin(
            self.seed if seed is None else check_whole("seed", seed, MOST_DEALS),
            check_whole("deal", deal, MOST_DEALS),
        )

    @property
    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self._actor == OVER

    @property
    def actor(self) -> int:
        """Return the seat that must choose, from 0; SessionError once the game is over."""
        if self.is_over:
            raise SessionError("the game is over: nobody has to choose")
        return self._actor

    @property
    def turn(self) -> int:
        """Return the number of the current turn, from 1."""
        return int(self._rules.turn(self._states[0])) + 1

    @property
    def taken(self) -> tuple[int, ...]:
        """Return all actions so far, as numbers: applied to a new session of the same game, they lead to this state."""
        return tuple(self._taken)

    @property
    def state(self) -> Any:
        """Return a copy of the whole state, hidden information included: a record of `spec.rules.state`."""
        return copy_of(self._states[0])

    @property
    def legal(self) -> tuple[int, ...]:
        """Return the legal actions of the actor as numbers; none once the game is over."""
        if self._legal is None:
            menu = self._menus[0]
            self._legal = () if self.is_over else tuple(menu.actions[: int(menu.count)].tolist())
        return self._legal

    @property
    def actions(self) -> list[dict[str, Any]]:
        """Return the legal actions in words, in the order of `legal`."""
        return [self._rules.action_to_dict(self._setup, self._states[0], action) for action in self.legal]

    def apply(self, action: int | Mapping[str, Any], seat: int | None = None) -> None:
        """Carry out an action of the actor, and everything that follows up to the next decision.

        Parameters
        ----------
        action
            One of `legal`, or one of `actions`.
        seat
            The seat that chose it, if it is to be checked.

        Raises
        ------
        SessionError
            If the game is over, if it is another seat that must choose, or if the action is not legal.
        """
        actor = self.actor
        if seat is not None and self._checked_seat(seat) != actor:
            raise SessionError(f"seat {seat} cannot choose now: seat {actor} must")
        self._take(self._number_of(action))

    def observe(self, seat: int) -> Any:
        """Return the view of a seat: a copy of the state in which everything that the seat cannot know is zero.

        Parameters
        ----------
        seat
            Any seat, from 0. Only the view of the actor shows a decision as a bot sees it.

        Returns
        -------
        record of `spec.rules.state`
            What a compiled bot at that seat is given.
        """
        views = records(self._rules.state, 1)
        loop.observe(self._states, self._checked_seat(seat), views)
        return views[0]

    def describe(self, seat: int) -> Any:
        """Return the view of a seat in words: the observation that a Python agent at that seat is given.

        Its random numbers are those of the seat's agent: drawing from them changes what that agent draws next.
        """
        view = self.observe(seat)
        return self._rules.describe(self._setup, view, int(seat), self._chance[seat])

    @property
    def layout(self) -> VectorLayout:
        """Return the names and bounds of the elements of `vector`, for all games of this kind."""
        if self._layout is None:
            self._layout = layout_of(self._rules, self._setup, self.players)
        return self._layout

    def vector(self, seat: int) -> NDArray[np.float32]:
        """Return the view of a seat as numbers, float32[elements]; `layout` has the names of the elements."""
        view = self.observe(seat)
        return self.layout.vector(view, int(seat))

    def score(self) -> tuple[Standing, ...]:
        """Return the standing of each seat as if the game ended now."""
        scores = self._scores()
        return tuple(Standing(int(score.points), int(score.rank), float(score.win_share)) for score in scores)

    def play_bots(self, decisions: int | None = None) -> int:
        """Let the bots choose until a seat without a bot must choose, or the game is over.

        Parameters
        ----------
        decisions
            The most decisions to make; by default there is no limit.

        Returns
        -------
        int
            The decisions made.

        Raises
        ------
        SessionError
            If no seat has a bot.
        BotFault
            If a bot fails; the decisions before it are kept.
        """
        most = None if decisions is None else check_whole("decisions", decisions, MOST_DEALS)
        if not any(self._bots):
            raise SessionError("no seat has a bot: name them when the session begins")
        made = 0
        while made != most and not self.is_over and (bot := self._bots[self.actor]):
            self._take(self._choice_of(bot))
            made += 1
        return made

    def copy(self) -> Session:
        """Return an independent copy; RogsimError if an agent at a seat cannot be copied."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        mine = (self._states, self._histories, self._menus)
        other._states, other._histories, other._menus = (array_of(memory[0]) for memory in mine)
        other._taken = list(self._taken)
        other._chance = copy.deepcopy(self._chance)
        seats = zip(self._bots, other._chance, strict=True)
        other._bots = [bot and bot.copy(chance) for bot, chance in seats]
        return other

    def __copy__(self) -> Session:
        """Return an independent copy: one that shares the state would not notice what is played in it."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Session:
        """Return an independent copy."""
        return self.copy()

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: rules and bots are functions, which mean nothing in another process."""
        raise SessionError("a session cannot be pickled: begin it again there and apply the actions in `taken`")

    def rows(self) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Return the rows of the finished game, the same as those of a batch.

        Returns
        -------
        tuple of structured arrays
            A row for each seat [players], with the fields `spec.seat_columns`, and a row for the game [1], with
            `spec.game_columns`. Labels are numbers there.
        """
        self._check_over("rows")
        seat_rows, game_rows = self.spec.empty_rows(1, self.players)
        rows = (as_records(seat_rows), as_records(game_rows))
        self._rules.write_rows(self._tables[0], self._states[0], self._scores(), self._histories[0], *rows, 0)
        return seat_rows, game_rows

    def to_trace(self) -> Mapping[str, Any]:
        """Return the finished game as a trace, as `rogsim trace` writes it."""
        self._check_over("a trace")
        names = [bot.bot.name if bot else BY_HAND for bot in self._bots]
        return self._rules.trace(self._setup, self.seed, self.deal, names, self._taken)

    def __repr__(self) -> str:
        """Return which game this is, and how far it has been played."""
        return (
            f"<Session of {self.spec.id}: {self.players} players, seed {self.seed}, deal {self.deal}, "
            f"{len(self._taken)} decisions{', over' if self.is_over else ''}>"
        )

    def _begin(self, seed: int, deal: int) -> None:
        """Set a game up, and seat the bots."""
        self.seed, self.deal = seed, deal
        self._states, self._histories, self._menus = (
            records(dtype, 1) for dtype in (self._rules.state, history_of(self._rules), self._rules.menu)
        )
        self._taken: list[int] = []
        self._rules.begin(self._tables[0], self._states[0], seed, deal)
        self._step(NO_ACTION)
        self._chance = [BotRandom(self._rules.bot_key(self._states[0], seat)) for seat in range(self.players)]
        self._bots = [self._seated(seat, bot) for seat, bot in enumerate(self._seated_bots)]

    def _seated(self, seat: int, bot: Bot | None) -> SeatedBot | None:
        if bot is None:
            return None
        try:
            return SeatedBot(self._rules, self._setup, self._states[0], seat, bot, self._chance[seat])
        except ValueError as fault:
            raise SessionError(str(fault)) from fault

    def _scores(self) -> Any:
        scores = records(self._rules.scores, self.players)
        self._rules.score(self._tables[0], self._states[0], scores)
        return scores

    def _take(self, action: int) -> None:
        self._step(action)
        self._taken.append(action)

    def _step(self, action: int) -> None:
        """Carry out a legal action, or none after the set-up, and find out who must choose."""
        self._actor = int(loop.step(self._tables, self._states, self._histories, self._menus, action))
        self._legal = None

    def _choice_of(self, bot: SeatedBot) -> int:
        """Return the action that the bot of the actor chooses. A single legal action needs no asking."""
        legal, actor = self.legal, self.actor
        if len(legal) == 1:
            return legal[0]
        try:
            return legal[bot.choose(self.observe(actor), legal)]
        except AgentFault as fault:
            raise BotFault(bot.bot.name, self.players, self.deal, self.turn, str(fault)) from fault

    def _number_of(self, action: Any) -> int:
        """Return the number of a legal action, given as a number or in words."""
        legal = self.legal
        if isinstance(action, Mapping):
            for number, words in zip(legal, self.actions, strict=True):
                if _is_same(words, action):
                    return number
        elif (given := as_whole(action)) is None:
            rule = "give one of `legal` (a whole number) or one of `actions` (a dict)"
            raise SessionError(f"{shortened(action)} is not an action: {rule}")
        elif not 0 <= given < self._rules.actions:
            raise SessionError(f"there is no action {shortened(action)}: they are 0 to {self._rules.actions - 1}")
        elif given in legal:
            return given
        raise SessionError(
            f"action {shortened(action)} is not legal for seat {self.actor} now: `legal` lists {len(legal)}"
        )

    def _checked_seat(self, seat: Any) -> int:
        return check_whole("seat", seat, self.players)

    def _check_over(self, what: str) -> None:
        if not self.is_over:
            raise SessionError(f"the game is not over: only a finished game has {what}")


def _is_same(words: dict[str, Any], given: Mapping[str, Any]) -> bool:
    try:
        return bool(words == dict(given))
    except Exception:  # the values given may be any objects
        return False
