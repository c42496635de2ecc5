"""Whether the worlds that are dealt for a view differ, in a game in which what is hidden matters."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import records
from rogsim.game.kit import loop
from rogsim.game.kit.conformance.faults import expect
from rogsim.game.kit.conformance.packing import packed
from rogsim.game.rules import Rules

WORLDS = 8  # dealt for one view: by chance alone, they are hardly ever all the same
VIEWS = 3  # of a game, for which all worlds must be the same, and wrong, before the game is at fault


class Worlds:
    """The worlds that are dealt during one game, until two for the same view differ.

    A game may hide what can be only one thing, or what no longer matters. So worlds that are all the same count only
    if the game goes on differently in them.
    """

    def __init__(self, rules: Rules, tables: Any, stream: Any) -> None:
        """Prepare to deal worlds with random numbers from a stream."""
        self.rules, self.tables, self.stream = rules, tables, stream
        self.differ, self.wrong = False, 0

    def compare(self, state: Any, seat: int, action: int) -> None:
        """Deal worlds for the view of the actor, and compare how they go on; the state is not changed."""
        view = self._view(state, seat)
        if self.differ or packed(view) == packed(state):
            return
        first = self._deal(view, seat)
        self.differ = any(packed(self._deal(view, seat)) != packed(first) for _ in range(WORLDS - 1))
        if not self.differ:
            self.wrong += self._after(first, seat, action) != self._after(state, seat, action)

    def check(self) -> None:
        """Worlds differ, or what is hidden does not matter; FaultyError otherwise."""
        always = "deal_world always deals the same world, and what is hidden decides how the game goes on"
        expect(self.differ or self.wrong < VIEWS, always)

    def _deal(self, view: Any, seat: int) -> Any:
        copy, holder, world = view.copy(), records(self.rules.holder, 1)[0], records(self.rules.state, 1)
        self.rules.deal_world(self.tables[0], copy[0], seat, self.stream, holder)
        world[0] = holder.game
        return world

    def _after(self, state: Any, seat: int, action: int) -> bytes:
        """Return what a seat sees after an action."""
        other = state.copy()
        self.rules.apply(self.tables[0], other[0], action)
        return packed(self._view(other, seat))

    def _view(self, state: Any, seat: int) -> Any:
        view = records(self.rules.state, 1)
        loop.observe(state, seat, view)
        return view
