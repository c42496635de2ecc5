"""Playing, recording and auditing batches of any game by the play loop.

The compiled loop calls back when an agent, a bot that is a Python object, chooses. An audit says how long each choice
of a bot takes, and whether hidden information or anything else changes it.
"""

from __future__ import annotations

import copy
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.signals_and_streams import interrupt
from rogsim.game.batches import Audit, Batch
from rogsim.game.bot import AgentFault, Bot, ask_agent, in_a_line, make_agent
from rogsim.game.compiler import callback_for, is_own, records
from rogsim.game.kit import loop
from rogsim.game.kit.faults import bot_fault, check_turns, fault_of, unfinished
from rogsim.game.kit.loop import ILLEGAL, line_up_arrays
from rogsim.game.kit.workspace import choose_of, make_view, workspace_of
from rogsim.game.records import as_records
from rogsim.game.rng import STREAM, BotRandom
from rogsim.game.rules import NOTHING, Rules, array_of


class AgentBridge:
    """Connects the agents of a batch to the play loop, which calls `choose` as it does any compiled bot."""

    watched = ""  # the name of a compiled bot that is called through the bridge, too

    def __init__(self, rules: Rules, workspace: Any, setup: Any, batch: Batch) -> None:
        self.rules, self.workspace, self.setup, self.batch = rules, workspace, setup, batch
        self.view, self.menu = workspace.bot_view, workspace.menu
        self.row = -1
        self.agents: dict[int, tuple[Any, BotRandom]] = {}  # of the game on the workspace, by seat
        self.fault: BaseException | None = None
        self.asking = self.interrupted = False
        self.choose = callback_for(choose_of(rules), self._choose)

    def _choose(self, *_: Any) -> int:
        """Return the answer of the agent that is asked, or ILLEGAL: nothing can be raised through compiled code."""
        try:
            self.asking = True
            if self.interrupted:
                raise KeyboardInterrupt
            answer = self._answer()
            self.asking = False
            return answer
        except AgentFault as fault:
            self.fault = bot_fault(self.workspace, self.batch, str(fault))
            self.fault.__cause__ = fault
        except BaseException as fault:  # such as an interrupt; `open` raises it
            self.fault = fault
        self.asking = False
        return ILLEGAL

    def _answer(self) -> int:
        seat = int(self.workspace.seat)
        if self.row != self.workspace.row:
            self.row, self.agents = int(self.workspace.row), {}
        return self.ask(seat, self.batch.line_up[int(self.batch.seating[self.row, seat])])

    def ask(self, seat: int, bot: Bot) -> int:
        """Return the place on the menu that a bot chooses at a seat; AgentFault if it fails."""
        return self.ask_in_words(*self.seated(seat, bot))

    def seated(self, seat: int, bot: Bot) -> tuple[Any, BotRandom]:
        """Return the agent of a seat in this game and its random numbers; both are created at its first choice."""
        if seat not in self.agents:
            assert bot.agent is not None
            self.agents[seat] = make_agent(bot.agent), BotRandom(self.workspace.arguments[seat].memory.stream.key)
        return self.agents[seat]

    def ask_in_words(self, agent: Any, chance: BotRandom) -> int:
        """Show an agent its observation and actions, and return the place of its answer."""
        legal = self.menu.actions[: int(self.menu.count)].tolist()
        actions = [self.rules.action_to_dict(self.setup, self.view, action) for action in legal]
        observation = self.rules.describe(self.setup, self.view, int(self.workspace.seat), chance)
        return ask_agent(agent, observation, actions)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Accept calls while games are played; afterwards raise the error of an agent, if there was one.

        A Ctrl-C during compiled code would be raised on the way to an agent, where nothing can catch it. So it waits
        until an agent is asked, or until play is over.
        """
        before = signal.getsignal(signal.SIGINT)
        mine = before in (signal.default_int_handler, interrupt) and current_thread() is main_thread()
        if mine:
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            if mine:
                signal.signal(signal.SIGINT, before)
        if self.fault is not None:
            raise self.fault
        if self.interrupted:
            raise KeyboardInterrupt

    def _interrupt(self, *_: Any) -> None:
        self.interrupted = True
        if self.asking:
            raise KeyboardInterrupt


EVERY = 5  # every fifth question is asked again
WORLDS = 2  # games with hidden information dealt anew in which it is asked again
DOUBTS = 30  # times that the same question is asked before a bot is said to use hidden information


class Auditor(AgentBridge):
    """A bridge that also calls the audited bot, compiled or not, and asks some of its questions again."""

    def __init__(self, rules: Rules, workspace: Any, setup: Any, batch: Batch, beat: Callable[[], None]) -> None:
        super().__init__(rules, workspace, setup, batch)
        self.tables, self.beat = rules.tables_of(setup), beat
        self.watched = batch.line_up[0].name
        self.audit = Audit()
        self.stream, self.world = records(STREAM, 1)[0], records(rules.holder, 1)[0]

    def ask(self, seat: int, bot: Bot) -> int:
        """Return the place on the menu that a bot chooses at a seat; record the choice if the bot is audited."""
        if bot.name != self.watched:
            return super().ask(seat, bot)
        audit = self.audit
        audit.questions += 1
        again = audit.questions % EVERY == 0
        copies = self._copies(seat, bot) if again else None
        self.beat()
        begin = perf_counter()
        place = self._ask_once(seat, bot, None)
        taken = perf_counter() - begin
        self.beat()
        audit.seconds += taken
        audit.slowest = max(audit.slowest, taken)
        if copies is not None:
            self._ask_again(seat, bot, place, copies)
        return place

    def _ask_once(self, seat: int, bot: Bot, agent: Any) -> int:
        """Ask the bot of a seat about the game on the workspace; `agent`, if given, answers instead of the seat's."""
        if bot.agent is not None:
            return self.ask_in_words(*(agent or self.seated(seat, bot)))
        arguments = self.workspace.arguments[seat]
        try:
            tables = self.workspace.tables[self.batch.line_up.index(bot)]
            return int(bot.choose(tables, self.view, arguments.menu, arguments.memory))
        except Warning:  # nobody's fault
            raise
        except Exception as fault:
            raise AgentFault(f"raised {in_a_line(fault)}") from fault

    def _copies(self, seat: int, bot: Bot) -> list[Any] | None:
        """Copy the bot's memory before it is asked: one for each time it will be asked again, and one to copy again."""
        memory = self.workspace.arguments[seat] if bot.agent is None else self.seated(seat, bot)
        try:
            return [_copied(memory, bot) for _ in range(1 + WORLDS + 1)]
        except Exception:  # an agent may hold something that cannot be copied
            self.audit.uncopied += 1
            return None

    def _ask_again(self, seat: int, bot: Bot, place: int, copies: list[Any]) -> None:
        """Ask about the same game, then about others that look the same; leave the workspace unchanged."""
        workspace, audit = self.workspace, self.audit
        game, arguments = workspace.game.copy(), workspace.arguments[seat].copy()
        question = (int(self.batch.deals[self.row]), int(workspace.turn) + 1)
        audit.checked += 1
        if self._choice(seat, bot, copies[0]) != place:
            audit.inconsistent.append(question)
        elif any(self._choice_elsewhere(seat, bot, game, memory) != place for memory in copies[1:-1]):
            # A bot with its own random numbers gives the same answer twice by chance.
            workspace.game = game
            same = all(self._choice(seat, bot, _copied(copies[-1], bot)) == place for _ in range(DOUBTS))
            (audit.peeking if same else audit.inconsistent).append(question)
        workspace.game = game
        workspace.arguments[seat] = arguments
        make_view(workspace, seat)

    def _choice_elsewhere(self, seat: int, bot: Bot, game: Any, memory: Any) -> int | None:
        """Return the choice of a bot in a game that looks the same, with all that is hidden from it dealt anew."""
        self.workspace.game = game
        make_view(self.workspace, seat)
        self.rules.deal_world(self.tables, self.workspace.bot_view, seat, self.stream, self.world)
        self.workspace.game = self.world.game
        return self._choice(seat, bot, memory)

    def _choice(self, seat: int, bot: Bot, memory: Any) -> int | None:
        """Return the choice of a bot with the given memory; None if it fails."""
        make_view(self.workspace, seat)
        if bot.agent is None:
            self.workspace.arguments[seat] = memory
        self.beat()
        try:
            return self._ask_once(seat, bot, memory)
        except AgentFault:
            return None
        finally:
            self.beat()


def _copied(memory: Any, bot: Bot) -> Any:
    """Return a copy of an agent, or of the arguments of a bot that is a function."""
    return memory.copy() if bot.agent is None else copy.deepcopy(memory)


Rows = NDArray[Any]
Actions = NDArray[np.int64]

NO_LOG: Actions = np.empty(0, np.int64)
PAGE = 4096  # bytes
DECISIONS = 4096  # room for this many at first when a game is recorded


def play(rules: Rules, setup: Any, batch: Batch, seat_rows: Rows, game_rows: Rows, log: Actions = NO_LOG) -> None:
    """Play a batch and fill its rows.

    Parameters
    ----------
    setup
        What `GameSpec.prepare` returned.
    seat_rows, game_rows
        Structured arrays of the game's columns: [n * players], game by game and seat by seat, and [n].
    log : int64[m]
        Receives the first m actions of the last game.

    Raises
    ------
    BotFault
        If a bot raises an error, or gives an answer that is not on the menu.
    RulesFault
        If the rules raise one, do not compile, never end, or break what the play loop relies on.
    """
    workspace = new_workspace(rules)
    has_agents = any(bot.agent for bot in batch.line_up)
    bridge = AgentBridge(rules, workspace, setup, batch) if has_agents else None
    _play_through(bridge, rules, workspace, setup, batch, seat_rows, game_rows, log)


def audit(rules: Rules, setup: Any, batch: Batch, seat_rows: Rows, game_rows: Rows, beat: Callable[[], None]) -> Audit:
    """Play a batch as `play` does, and audit the first bot of its line-up; `beat` is called around each choice."""
    workspace = new_workspace(rules)
    bridge = Auditor(rules, workspace, setup, batch, beat)
    _play_through(bridge, rules, workspace, setup, batch, seat_rows, game_rows, NO_LOG)
    return bridge.audit


def record(
    rules: Rules, setup: Any, batch: Batch, row_dtypes: tuple[np.dtype[Any], np.dtype[Any]]
) -> Iterator[Mapping[str, Any]]:
    """Play a batch and yield each game as a trace; BotFault as in `play`.

    The actions of a game are applied again, one by one, to describe them, so recording cannot change a game.
    """
    for row, deal in enumerate(batch.deals):
        game = replace(batch, deals=batch.deals[row : row + 1], seating=batch.seating[row : row + 1])
        names = [batch.line_up[int(place)].name for place in batch.seating[row]]
        yield rules.trace(setup, batch.seed, int(deal), names, actions_of(rules, setup, game, row_dtypes).tolist())


def actions_of(
    rules: Rules, setup: Any, game: Batch, row_dtypes: tuple[np.dtype[Any], np.dtype[Any]], room: int = DECISIONS
) -> Actions:
    """Play one game, and return all its actions."""
    log = np.empty(room, np.int64)
    seat_rows, game_rows = (np.zeros(size, dtype) for size, dtype in zip((game.players, 1), row_dtypes, strict=True))
    play(rules, setup, game, seat_rows, game_rows, log)
    decisions = int(game_rows["decisions"][0])
    return log[:decisions] if decisions <= room else actions_of(rules, setup, game, row_dtypes, decisions)


def new_workspace(rules: Rules) -> Any:
    """Return a new workspace, at the beginning of a page: a number that lies across two pages is read more slowly."""
    kind = workspace_of(rules)
    memory = np.zeros(kind.itemsize + PAGE, np.uint8)
    first = -memory.ctypes.data % PAGE
    return as_records(np.ndarray(1, kind, memory, first))[0]


def _play_through(
    bridge: AgentBridge | None,
    rules: Rules,
    workspace: Any,
    setup: Any,
    batch: Batch,
    seat_rows: Rows,
    game_rows: Rows,
    log: Actions,
) -> None:
    """Play a batch; bots that the play loop cannot call directly are called through the bridge."""
    stand_in, watched = (bridge.choose, bridge.watched) if bridge else (None, "")
    in_place = rules.hidden is not NOTHING
    bots, weights = line_up_arrays(batch.line_up, rules.most_seats, stand_in, watched, in_place)
    rows = (as_records(seat_rows), as_records(game_rows))
    games = (batch.seed, batch.deals, batch.seating)
    try:
        with bridge.open() if bridge else nullcontext():
            played = loop.play_games(rules.tables_of(setup), workspace, bots, weights, *games, *rows, log)
    except (RogsimError, Warning):  # the first says whose fault it is, and the second is nobody's
        raise
    except Exception as error:
        raise fault_of(error, rules, workspace, batch) from error
    if played < len(batch.deals):
        raise unfinished(rules, workspace, batch)
    check_turns(rules, workspace)
    _check_tables(rules, workspace, setup, batch)


def _check_tables(rules: Rules, workspace: Any, setup: Any, batch: Batch) -> None:
    """Raise RogsimError if a bot from elsewhere has changed its tables, which are not copied anew for each game."""
    strangers = [place for place, bot in enumerate(batch.line_up) if bot.choose and not is_own(bot.choose)]
    true = array_of(rules.tables_of(setup)).tobytes() if strangers else b""
    for place in strangers:
        if array_of(workspace.tables[place]).tobytes() != true:
            name = batch.line_up[place].name
            raise RogsimError(f'bot "{name}" changes the numbers of the game, which a bot may only read')
