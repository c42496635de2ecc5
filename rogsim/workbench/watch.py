"""Watch a game: the board at every step, what was chosen and could have been, and the race for points."""

from __future__ import annotations

import threading
from functools import lru_cache

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rogsim.workbench.played import Played, play_game
from rogsim.workbench.position import drawn, phrase
from rogsim.workbench.site import Desk
from rogsim.workbench.wish import Wish

KEPT = 8  # games in memory
RACE_WIDE, RACE_HIGH = 720, 90  # of the race for points


def race(played: Played) -> list[str]:
    """Return the points of each seat over the steps, as the points of a line."""
    most = max(1, *(max(points) for points in played.points))
    least = min(0, *(min(points) for points in played.points))
    wide = max(1, len(played.points) - 1)
    return [
        " ".join(
            f"{RACE_WIDE * step / wide:.1f},{RACE_HIGH * (1 - (points[seat] - least) / (most - least)):.1f}"
            for step, points in enumerate(played.points)
        )
        for seat in range(played.session.players)
    ]


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of this page."""
    alone = threading.Lock()

    @lru_cache(maxsize=KEPT)
    def game_of(name: str, query: str, players: int, game: int, wish: Wish) -> Played:
        with alone:
            return play_game(wish.experiment(bool(wish.change)), players, game)

    async def watch(request: Request) -> Response:
        wish = Wish.of(desk, request)
        asked = request.query_params
        number, step = asked.get("game", "0"), asked.get("step", "0")
        if not (number.isdecimal() and len(number) < 10 and step.isdecimal() and len(step) < 10):
            raise HTTPException(400, "game and step are whole numbers.")
        experiment = await run_in_threadpool(wish.experiment, False)
        players = experiment.scenario.players[-1]
        key = (wish.scenario.name, wish.query, players, int(number))
        played = await run_in_threadpool(lambda: game_of(*key, wish))
        at = min(int(step), played.last)
        return desk.page(
            request,
            "watch.html",
            wish=wish,
            played=played,
            game=int(number),
            step=at,
            picture=drawn(played.spec, played.session._setup, played.state(at)),
            Markup=Markup,
            choices=[(is_taken, phrase(words)) for is_taken, words in played.words(at)] if at < played.last else [],
            race=race(played),
            wide=RACE_WIDE,
            high=RACE_HIGH,
        )

    return [Route("/watch/{name}", watch, name="watch")]
