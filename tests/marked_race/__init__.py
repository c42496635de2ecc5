"""The dice race with component files, in which four of eight values are reconstructed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rogsim.game.kit.parameters import ParameterBook
from rogsim.game.kit.parameters.models import ComponentSet, Part, Switch, Text, listed, whole
from rogsim.game.topics import Topic
from tests.dice_game import GAME

Spaces = Annotated[int, whole(0, 20)]


class Track(Part):
    more: Spaces
    short: Spaces


class Lane(Part):
    id: Text
    colour: Text
    steps: Annotated[int, whole(0, 9)]
    bends: Annotated[tuple[Annotated[int, whole(0, 3)], ...], listed(2)]


class Components(ComponentSet):
    head_start: Annotated[tuple[Spaces, ...], listed(4)]
    played_out: Switch
    spaces: Track
    lane: tuple[Lane, ...]


KEYS = ("head_start", "played_out", "spaces", "lane")
BOOK = ParameterBook(Components, Path(__file__).parent, {"race.toml": KEYS}, fixed=("colour",))
TOPICS = (
    Topic("rolls", "First rolls", "Does the first roll decide?", "level", ("first_roll",), about=("lane",)),
    Topic("tracks", "Tracks", "Does the seat matter more on one track?", "draw", ("track",), about=("head_start",)),
)
MARKED = replace(
    GAME,
    id="marked-race",
    title="Marked race",
    topics=TOPICS,
    facts=BOOK.facts,
    components=BOOK.printed,
    check_change=BOOK.check_change,
)
SCENARIO = """game = "marked-race"
players = [2]
games = 40
seed = 1
bots = ["runner"]
"""
