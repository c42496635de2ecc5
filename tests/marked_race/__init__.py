"""The dice race with component files, in which four of eight values are reconstructed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rogsim.game.kit.components import Book
from rogsim.game.kit.kinds import Components, Count, Flag, Listed, Rows, Text
from rogsim.game.topics import Topic
from tests.dice_game import GAME

Spaces = Count(0, 20)


class Track:
    more: Spaces
    short: Spaces


class Lane:
    id: Text
    colour: Text
    steps: Count[0, 9]
    bends: Listed[Count[0, 3], 2]


class Race(Components):
    head_start: Listed[Spaces, 4]
    played_out: Flag
    spaces: Track
    lane: Rows[Lane]


BOOK = Book(Race, Path(__file__).parent)
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
