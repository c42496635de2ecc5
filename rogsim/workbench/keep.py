"""What is kept of a wish: as a scenario, as a page of a report, or as the command that does the same."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rogsim.base.errors import RogsimError
from rogsim.base.files import REPORTS
from rogsim.experiments.design_points import DesignPoint
from rogsim.report.provenance import scenario_text, toml
from rogsim.scenario.axes import change_words
from rogsim.scenario.model import load
from rogsim.scenario.scenario_files import FOLDER, find_scenario, is_word
from rogsim.scenario.template import path_for, write_new
from rogsim.workbench.site import STORE, Desk
from rogsim.workbench.wish import Wish, split

NAME = r"\w([\w -]{0,58}\w)?"  # of a scenario: a word, as no option and no path begins


def save_scenario(wish: Wish, name: str) -> Path:
    """Write a wish as a scenario of the current folder and return its file; RogsimError if that is not possible."""
    if not re.fullmatch(NAME, name):
        raise RogsimError(f"{name} cannot be the name of a scenario: write letters, digits, spaces and hyphens")
    path = path_for(name)
    text = text_of(wish)
    try:
        load(tomllib.loads(text), None, "", FOLDER, run_programs=False)
    except (RogsimError, ValueError) as fault:
        raise RogsimError(f"This cannot be saved in {FOLDER}: {fault}") from fault
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_new(path, text)
    except FileExistsError:
        raise RogsimError(f"{path}: already exists; choose another name") from None
    return path


def text_of(wish: Wish) -> str:
    """Return the text of a scenario file, with its question as a comment."""
    scenario = wish.experiment(True).scenario.model_copy(update={"games": wish.most, "until": ()})
    words = change_words(wish.changes)
    if wish.sweep:
        question = f"Which {wish.sweep} is fair{f' with {words}' if words else ''}?"
    else:
        question = f"What does {words} change?" if words else wish.base.question
    source = f" From {wish.scenario.name}." if words or wish.sweep else ""
    text = scenario_text({"scenario": scenario.model_dump(mode="json"), "question": f"{question}{source}"})
    return f"{text}\n[sweep]\nover = {toml({wish.sweep: wish.values})}\n" if wish.sweep else text


def command_of(wish: Wish, games: int) -> str:
    """Return the command that plays the same games; "" if only a saved scenario can ask for it."""
    if wish.options:
        return ""
    name, path = Path(wish.scenario.name), wish.scenario.path
    is_found = is_word(name) and find_scenario(name).resolve() == path.resolve()
    source = wish.scenario.name if is_found else path.as_posix()
    kind = "sweep" if wish.sweep else "compare" if wish.change else "run"
    words = ["rogsim", kind, source, "--players", wish.players or wish.usual_players]
    words += ["--bots", ",".join(split(wish.bots))] if wish.bots else []
    for change, value in wish.changes.items():
        words += ["--change", change_words({change: value})]
    words += ["--over", f"{wish.sweep} = {toml(wish.values)}"] if wish.sweep else []
    return shlex.join([*words, "--games", str(games)])


def write_page(desk: Desk, wish: Wish, base: DesignPoint, games: int) -> str:
    """Write a report on games that are stored, and return the address of its page.

    base: the rules as they are.
    """
    from rogsim.report import questions  # with all that draws figures

    kind = "sweep" if wish.sweep else "compare" if wish.change else "report"
    name = f"{kind}-{wish.scenario.name}-{wish.number[:6]}"
    if kind == "report":
        questions.report(STORE / base.key, out=REPORTS / name)
        return f"/report/{quote(name)}"
    scenario = base.experiment.scenario
    source = scenario if wish.options else wish.scenario.path
    asked: dict[str, Any] = {"games": games, "players": scenario.players, "change": wish.changes or None}
    asked |= {"store": STORE, "jobs": desk.jobs, **({"bots": scenario.bots} if wish.bots else {})}
    if kind == "compare":
        questions.compare(source, **asked, out=REPORTS / name)
    else:
        questions.sweep(source, over={wish.sweep: wish.values}, **asked, out=REPORTS / name)
    return f"/report/{quote(name)}"
