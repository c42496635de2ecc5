"""Results and reports that are there: what results say, the games behind a row, and reports as they are."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from rogsim.base.files import REPORTS, is_plain_file, is_plain_folder
from rogsim.experiments.run import play
from rogsim.report.console.run_results import summary_of
from rogsim.report.console.text_table import Level
from rogsim.results.manifest import read_manifest
from rogsim.results.results import Results, missing_games
from rogsim.results.verify import experiment_of
from rogsim.workbench.home import found, stored
from rogsim.workbench.jobs import Job, StoppedError, start
from rogsim.workbench.site import Desk, form_of

MOST_GAMES = 100  # listed on a page, with these columns
COLUMNS = [
    "game",
    "players",
    "won_by",
    "at_seat",
    "points",
    "margin",
    "turns",
    "lead_changes",
    "comeback",
]  # of the list
PAGE = "index.html"
KINDS = (".html", ".png", ".svg", ".csv", ".xlsx", ".md", ".json")  # of the files of a report
# A report may be a stranger's file: only the script that rogsim itself puts into reports runs.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def games_of(results: Results, level: Level | None, sort: str, descending: bool) -> tuple[pl.DataFrame, int]:
    """Return the first games of a level, or of all, in an order, and how many there are.

    Parameters
    ----------
    level
        Which games; those in which a seat has the value, if the column is one of seats, and of a seat those it won.
    sort
        A column of the games.
    """
    games, seats = results.games(), results.seats()
    points = seats.sort("players", "game", "seat").group_by("players", "game", maintain_order=True)
    winners = pl.col("seat").filter(pl.col("win_share") > 0)
    rows = games.join(points.agg(pl.col("points"), winners.alias("won_by")), on=["players", "game"], how="left")
    if level is not None:
        rows = rows.filter(pl.col("players") == level.players)
        text = pl.col(level.column).cast(pl.String).fill_null("None")
        if level.column in games.collect_schema():
            rows = rows.filter(text == level.value)
        else:
            is_seat = level.column == "seat"
            wanted = (text == level.value) & (pl.col("win_share") > 0 if is_seat else True)
            named = pl.col("seat").alias("seat" if is_seat else "at_seat")
            there = seats.filter(wanted).group_by("players", "game").agg(named)
            rows = rows.join(there, on=["players", "game"], how="inner")
    names = rows.collect_schema().names()
    every = rows.select([name for name in (*COLUMNS, *results.manifest["factors"]["game"]) if name in names]).collect()
    order = sort if sort in every.columns and not every.schema[sort].is_nested() else "game"
    return every.sort(order, "players", "game", descending=[descending, False, False]).head(MOST_GAMES), len(every)


def routes(desk: Desk) -> list[Route]:
    """Return the addresses of these pages."""

    async def results(request: Request) -> Response:
        name = request.path_params["name"]
        folder = await run_in_threadpool(found, desk, "results", name)
        manifest = await run_in_threadpool(read_manifest, folder)
        if manifest.state != "complete":
            missing = missing_games(manifest, manifest.chunks)
            return desk.page(request, "unfinished.html", name=name, manifest=manifest, missing=missing)
        said = await run_in_threadpool(lambda: summary_of(Results.open(folder)))
        others = [other for other in await run_in_threadpool(stored) if other.kind == "results" and other.name != name]
        alike = [other for other in others if other.game == manifest.scenario["game"]]
        return desk.page(request, "stored.html", name=name, found=said, others=alike)

    async def go_on(request: Request) -> Response:
        name = request.path_params["name"]
        folder = await run_in_threadpool(found, desk, "results", name)

        def work(job: Job) -> str:
            with suppress(StoppedError):
                experiment = experiment_of(folder, desk.bots_from)
                play(experiment, jobs=desk.jobs, out=folder, bar=job.bar, notify=lambda line: None)
            return f"/results/{quote(name)}"

        return start(desk, "Playing the missing games", work)

    async def report_results(request: Request) -> Response:
        name, other = request.path_params["name"], (await form_of(request)).get("against", "")
        folder = await run_in_threadpool(found, desk, "results", name)
        against = [await run_in_threadpool(found, desk, "results", other)] if other else []
        to = f"{name}-against-{other}" if other else f"{name}-report"

        def make(job: Job) -> str:
            from rogsim.report import questions  # with all that draws figures

            questions.report(folder, against=against, out=REPORTS / to)
            return f"/report/{to}"

        return start(desk, "Comparing" if other else "Making the report", make)

    async def games(request: Request) -> Response:
        name, asked = request.path_params["name"], request.query_params
        folder = await run_in_threadpool(found, desk, "results", name)
        level = None
        opened = await run_in_threadpool(Results.open, folder)
        known = {row[1] for row in opened.manifest["columns"]} | {"seat"}
        if column := asked.get("column"):
            if column not in known or not asked.get("players", "").isdecimal() or len(asked["players"]) > 3:
                raise HTTPException(400, "These results have no such column.")
            level = Level(int(asked["players"]), column, asked.get("value", ""))
        sort, down = asked.get("sort", "game"), "down" in asked
        rows, count = await run_in_threadpool(games_of, opened, level, sort, down)
        return desk.page(request, "games.html", name=name, level=level, rows=rows, count=count, sort=sort, down=down)

    async def report(request: Request) -> Response:
        name = request.path_params["name"]
        return RedirectResponse(f"{request.url.path}/{PAGE}", 303) if name else Response(status_code=404)

    async def report_file(request: Request) -> Response:
        folder = await run_in_threadpool(found, desk, "report", request.path_params["name"])
        return await run_in_threadpool(_file, folder, request.path_params["file"])

    return [
        Route("/results/{name}", results, name="results"),
        Route("/results/{name}", go_on, methods=["POST"], name="go-on"),
        Route("/results/{name}/report", report_results, methods=["POST"], name="make-report"),
        Route("/results/{name}/games", games, name="games"),
        Route("/report/{name}", report, name="report"),
        Route("/report/{name}/{file:path}", report_file, name="report-file"),
    ]


def _file(folder: Path, name: str) -> Response:
    """Return a file of a report by its name there; HTTPException for all else that may be in its folder."""
    from rogsim.report.render.pages import script_hash

    folders = [folder, *(path for path in folder.iterdir() if is_plain_folder(path))]
    files = [path for inside in folders for path in inside.iterdir() if path.suffix in KINDS and is_plain_file(path)]
    path = next((path for path in files if path.relative_to(folder).as_posix() == name), None)
    if path is None:
        raise HTTPException(404, "The report has no such file.")
    headers = {"Content-Security-Policy": POLICY.format(script_hash())}
    is_shown = path.suffix in (".html", ".png")  # all else is a download, and never a page
    return FileResponse(path, headers=headers, filename=None if is_shown else path.name)
