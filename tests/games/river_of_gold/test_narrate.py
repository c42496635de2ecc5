"""The narration of a game tells what its trace holds: every step, every figure, every turn's state."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rogsim.game import Batch, Bot
from rogsim.games.river_of_gold import facts as facts_module
from rogsim.games.river_of_gold import narrate as narrate_module
from rogsim.games.river_of_gold.bots import random as random_bot
from rogsim.games.river_of_gold.facts import Facts, load_facts
from rogsim.games.river_of_gold.names import GOODS
from rogsim.games.river_of_gold.narrate import narrate
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.spec import GAME
from rogsim.jit import ENABLED
from tests.naive import river_of_gold as naive
from tests.naive.river_of_gold_random import eager_step, play_random

Trace = dict[str, Any]
Step = dict[str, Any]

DATA = Path(facts_module.__file__).parent / "data"
BOARD = tomllib.loads((DATA / "board.toml").read_text(encoding="utf-8"))
SETUP = tomllib.loads((DATA / "setup.toml").read_text(encoding="utf-8"))
CUSTOMERS = {
    card["id"]: card for card in tomllib.loads((DATA / "customers.toml").read_text(encoding="utf-8"))["customer"]
}
SPACES = {space["id"]: space for space in BOARD["shore"]}

# One pattern for each kind of step, filled in with the step's own values; prose around them is free.
NEEDLES = {
    "exchange": r"[Ee]xchanges \d {give} for 1 {get}\b",
    "favor": r"[Ss]pends \d favor .* to {die}\.",
    "build": r"[Bb]uilds {tile} .*shore space {space}\b",
    "sail": r"[Ss]ails .*ship {ship}\b.* to {to}\b",
    "deliver": r"[Dd]elivers .* to {customer}\b",
    "good": r"[Cc]hooses 1 {good}\b",
    "journey": r"[Tt]akes \d {take} for the completed journey",
    "sell": r"[Ss]ells 1 {good}\b",
    "draw": r"[Dd]raws .*\.",
    "reshuffle": r"deck is used up: {cards} ",
    "discard": r"[Dd]iscards {customer}\.",
    "royal": r"ship {ship} the royal ship",
    "marker": r"second marker on .* at shore space {space}\.",
    "claim": r"[Cc]laims the mastery of {mastery} for {points} points?\.",
    "set_die": r"[Pp]ays \d favor to set the die to {die}\b",
    "roll": r"[Rr]olls {die}\b",
    "visit": r"Emperor's Visit",
    "end_trigger": r"end of the game: seat",
}


@cache
def recorded() -> tuple[Trace, ...]:
    """Games of random bots from the compiled rules: every player count with and without patrons."""
    kinds = list(product((2, 3, 4), ("none", "draft", "alternative")))
    bot = Bot("random", GAME.compile_bot(random_bot.choose), np.zeros(0))
    games = 3 if ENABLED else 1
    traces: list[Any] = []
    for players, patrons in kinds:
        seating = np.zeros((games, players), np.int8)
        batch = Batch(7, players, luck=np.arange(games), seating=seating, field=(bot,) * players)
        traces += GAME.record(GAME.prepare(Options(patrons=patrons), players), batch)
    return tuple(traces)


@cache
def eager() -> tuple[Trace, ...]:
    """Games of the slow rules in which deliveries abound, and with them royal ships, markers, sales and reshuffles."""
    data = naive.load_facts(DATA)
    patrons = [card["id"] for card in tomllib.loads((DATA / "patrons.toml").read_text(encoding="utf-8"))["patron"]]
    traces = []
    for number in range(20):
        rng = random.Random(number)
        players = 2 + number % 3
        # The patrons stand two by two, so that every second one is of another clan.
        taken = patrons[number // 3 % 2 :: 2][:players] if number % 4 else None
        traces.append(play_random(data, players, taken, rng, choose=eager_step))
    return tuple(traces)


def all_traces() -> Iterator[Trace]:
    yield from recorded()
    yield from eager()


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def turn_texts(text: str) -> list[list[str]]:
    """The lines of each turn, without the tables between the turns."""
    turns: list[list[str]] = []
    telling = False
    for line in text.splitlines():
        if line.startswith("Turn "):
            turns.append([])
            telling = True
        elif not line:
            telling = False
        if telling:
            turns[-1].append(line)
    return turns


def sentences(turn: list[str]) -> list[str]:
    """The sentences of a turn, each with its notes, on one line each."""
    found: list[str] = []
    for line in turn[1:]:
        if re.match(r"  \S", line):
            found.append(line.strip())
        else:
            found[-1] += " " + line.strip()
    return found


def needle(step: Step) -> str:
    values = {key: re.escape(str(value)) for key, value in step.items()}
    if step["do"] == "reshuffle":
        values["cards"] = str(len(step["deck"]))
    return NEEDLES[step["do"]].format(**values)


# Whole games


def test_every_step_is_told_in_its_order() -> None:
    """Every step of more than 20 games has its sentence, in the order of play, with the seat that had to choose."""
    seen: Counter[str] = Counter()
    for trace in all_traces():
        turns = turn_texts(narrate(trace))
        assert len(turns) == len(trace["turns"])
        for lines, turn in zip(turns, trace["turns"], strict=True):
            ahead = iter(sentences(lines))
            for step in turn["steps"]:
                seen[step["do"]] += 1
                sentence = next((told for told in ahead if re.search(needle(step), told)), None)
                assert sentence is not None, (lines, step)
                if "seat" in step:
                    assert sentence.startswith(f"Seat {step['seat']} "), sentence
                else:
                    assert not sentence.startswith("Seat "), sentence
                assert all(card in sentence for card in step.get("customers", ())), sentence
    assert set(seen) == set(NEEDLES)


def test_no_line_is_too_long_or_out_of_place() -> None:
    """The text is plain ASCII in lines of at most 100 columns, without blanks at their ends."""
    for trace in all_traces():
        text = narrate(trace)
        assert text.isascii()
        assert "\t" not in text
        for line in text.splitlines():
            assert len(line) <= 100, line
            assert line == line.rstrip(), line


def test_headings_name_turn_round_seat_bot_patron_and_die() -> None:
    """A turn's heading numbers turn and round and names seat, bot, patron and die; only last turns are called so."""
    for trace in all_traces():
        dice, ending = list(trace["setup"]["dice"]), False
        for number, (lines, turn) in enumerate(zip(turn_texts(narrate(trace)), trace["turns"], strict=True)):
            seat = turn["seat"]
            heading = lines[0]
            assert heading.startswith(f"Turn {number + 1}, round {number // trace['players'] + 1}: seat {seat} ")
            assert f"({trace['bots'][seat]})" in heading
            assert re.search(rf"\bdie {dice[seat]}\b", heading)
            if trace["setup"]["patrons"]:
                assert trace["setup"]["patrons"][seat].replace("-", " ").title() in heading
            assert ("last turn" in heading) == ending
            ending = ending or any(step["do"] == "end_trigger" for step in turn["steps"])
            dice = [player["die"] for player in turn["after"]["seats"]]


def test_the_changes_told_add_up_to_every_state() -> None:
    """Whoever starts from the set-up told and follows the changes has every seat's koku, goods, favor, points and
    influence after every turn.
    """
    for trace in all_traces():
        text = narrate(trace)
        seats = [seat_at_start(text, seat) for seat in range(trace["players"])]
        for lines, turn in zip(turn_texts(text), trace["turns"], strict=True):
            for told in sentences(lines):
                if told.startswith("=> "):
                    follow_changes(seats, told)
            for mine, player in zip(seats, turn["after"]["seats"], strict=True):
                assert mine == {key: player[key] for key in mine}, lines


def seat_at_start(text: str, seat: int) -> dict[str, Any]:
    block = text[text.index(f"\nSeat {seat} (") : text.index("\nTurn 1,")]
    koku, silk, rice, porcelain, favor, limit = re.findall(
        r"(\d+) koku, (\d) silk, (\d) rice, (\d) porcelain, favor (\d)/(\d)", joined([block])
    )[0]
    figures = {"koku": koku, "silk": silk, "rice": rice, "porcelain": porcelain, "favor": favor, "favor_limit": limit}
    return {**{key: int(value) for key, value in figures.items()}, "points": 0, "influence": [0] * 6}


def follow_changes(seats: list[dict[str, Any]], told: str) -> None:
    """Apply one seat's "=> seat 2 (bot): koku 1 -> 2; ..." where the old figures agree."""
    seat = seats[int(re.findall(r"=> seat (\d) ", told)[0])]
    for key, old, new in re.findall(r"(koku|silk|rice|porcelain|points) (\d+) -> (\d+)", told):
        assert seat[key] == int(old) != int(new), told
        seat[key] = int(new)
    for favor, limit, new_favor, new_limit in re.findall(r"favor (\d)/(\d) -> (\d)/(\d)", told):
        assert (seat["favor"], seat["favor_limit"]) == (int(favor), int(limit)), told
        seat["favor"], seat["favor_limit"] = int(new_favor), int(new_limit)
    for region, old, new in re.findall(r"region (\d) influence (\d+) -> (\d+)", told):
        assert seat["influence"][int(region) - 1] == int(old) != int(new), told
        seat["influence"][int(region) - 1] = int(new)


def test_the_table_after_every_round_is_the_state() -> None:
    """After every round, and at the end, a table gives each seat's figures, cards and buildings, and the row."""
    for trace in all_traces():
        blocks = re.split(r"\n---- (?:After round \d+|End of the game) -+\n", narrate(trace))[1:]
        players, turns = trace["players"], trace["turns"]
        ends = [*range(players - 1, len(turns) - 1, players), len(turns) - 1]
        assert len(blocks) == len(ends)
        for block, end in zip(blocks, ends, strict=True):
            lines, after = block.split("\n\n")[0].splitlines(), turns[end]["after"]
            for seat, player in enumerate(after["seats"]):
                royal = "-" if player["royal"] is None else player["royal"]
                figures = [*(player[key] for key in ("koku", *GOODS)), f"{player['favor']}/{player['favor_limit']}"]
                figures += [player["points"], *player["influence"], *player["ships"], royal, player["die"]]
                assert lines[2 + seat].split()[2:] == [str(figure) for figure in figures]
            rest = joined(lines[2 + players :])
            for seat, player in enumerate(after["seats"]):
                mine = re.split(rf"seat {seat}: ", rest)[1].split(" seat ")[0]
                for card in (*player["hand"], *player["delivered"]):
                    assert card in mine
                for space, owners in after["markers"].items():
                    assert bool(re.search(rf"(port|market|manor|shrine) {space}\b", mine)) == (seat in owners)
            assert ", ".join(after["row"]) in rest


def test_costs_are_what_was_paid() -> None:
    """A building's cost is the shore space's, less the discount of the region's artisan; favor costs one a face."""
    discounts = 0
    for trace in all_traces():
        before = None
        for lines, turn in zip(turn_texts(narrate(trace)), trace["turns"], strict=True):
            text = joined(lines)
            seat = turn["seat"]
            faces = [before["seats"][seat]["die"] if before else trace["setup"]["dice"][seat]]
            faces += [step["die"] for step in turn["steps"] if step["do"] == "favor"]
            spent = [min(abs(new - old), 6 - abs(new - old)) for old, new in zip(faces, faces[1:], strict=False)]
            assert [int(cost) for cost in re.findall(r"Spends (\d) favor", text)] == spent
            for step in turn["steps"]:
                if step["do"] == "build":
                    space = SPACES[step["space"]]
                    cost = space["cost"]
                    if before and f"artisan-{space['region']}" in before["seats"][seat]["delivered"]:
                        cost = max(0, cost - SETUP["exchange"]["artisan_discount"])
                        discounts += 1
                    assert re.search(rf"shore space {step['space']} in region {space['region']}, .* for {cost} koku", text)
            before = turn["after"]
    assert discounts > 5


def test_a_sail_tells_all_that_is_visited() -> None:
    """A sail names the four shore spaces beside its goal, what lies there and who owns it."""
    for trace in all_traces():
        shore = {int(space): tile for space, tile in trace["setup"]["shore"].items()}
        owners: dict[str, list[int]] = {}
        for lines, turn in zip(turn_texts(narrate(trace)), trace["turns"], strict=True):
            for step in turn["steps"]:
                if step["do"] == "build":
                    shore[step["space"]] = step["tile"]
                if step["do"] == "sail":
                    told = next(text for text in sentences(lines) if text.startswith("Sails"))
                    visits = [
                        (int(space), what, [int(seat) for seat in re.findall(r"owner seat (\d)", rest)])
                        for space, what, rest in re.findall(r"shore space (\d+) +(\S+)(.*?)(?=shore space|$)", told)
                    ]
                    assert visits == [
                        (space, shore.get(space, "empty"), owners.get(str(space), []))
                        for space in BOARD["river"]["shore"][step["to"] - 1]
                    ]
            owners = turn["after"]["markers"]


def test_the_row_is_told_tile_by_tile() -> None:
    """Every tile that comes to the row is told once, in the order of the stacks, with the number left."""
    for trace in all_traces():
        first, second = trace["setup"]["era1"][4:], trace["setup"]["era2"]
        left = [f"{n} tile{'s' * (n != 1)} of era 1 left" for n in reversed(range(len(first)))]
        left += [f"{n} tile{'s' * (n != 1)} of era 2 left" for n in reversed(range(len(second)))]
        told = [text for lines in turn_texts(narrate(trace)) for text in sentences(lines) if text.startswith("New in")]
        assert [re.findall(r"era[12]-\w+-\d", text)[0] for text in told] == [*first, *second]
        assert [re.findall(r"\d+ tiles? of era \d left", text)[0] for text in told] == left


def test_a_journey_tells_the_discard() -> None:
    """A completed journey names the row's end tile that it takes away."""
    for trace in all_traces():
        row = trace["setup"]["era1"][:4][::-1]
        for lines, turn in zip(turn_texts(narrate(trace)), trace["turns"], strict=True):
            gone = re.findall(r"end tile, (\S+), is discarded", joined(lines))
            journey = any(step["do"] == "journey" for step in turn["steps"])
            assert gone == (row[-1:] if journey else [])
            assert ("completing a journey" in joined(lines)) == journey
            row = turn["after"]["row"]


def test_the_emperors_visit_tells_every_marker() -> None:
    """The Emperor's Visit happens once and tells one owner reward for every marker on the board."""
    for trace in all_traces():
        told = [text for lines in turn_texts(narrate(trace)) for text in sentences(lines) if "Emperor's Visit" in text]
        (markers,) = (
            sum(len(owners) for owners in turn["after"]["markers"].values())
            for turn in trace["turns"]
            if {"do": "visit"} in turn["steps"]
        )
        assert len(told) == 1
        assert len(re.findall(r" from era1-\w+-\d", told[0])) == markers


def test_the_set_up_is_told() -> None:
    """The set-up names masteries with points, region tiles, buildings, costs, row and hands with their orders."""
    for trace in all_traces():
        text = narrate(trace)
        head = text[: text.index("\nTurn 1,")]
        setup = trace["setup"]
        points = ", ".join(map(str, SETUP["mastery_points"][str(trace["players"])]))
        for mastery in setup["masteries"]:
            assert re.search(rf"^  {mastery} +{points} ", head, re.M)
        for name, tile in zip(BOARD["regions"]["names"], setup["region_tiles"], strict=True):
            assert re.search(rf"^  \d +{name} +{', '.join(map(str, tile))} ", head, re.M)
        for space, tile in setup["shore"].items():
            assert re.search(rf"^ +{space} +{SPACES[int(space)]['region']}  {tile} ", head, re.M)
        for space in SPACES.values():
            shown = bool(re.search(rf" {space['id']}: {space['cost']}\b", head))
            assert shown == (str(space["id"]) not in setup["shore"])
        assert re.findall(r"^  (era1-\w+-\d) ", head, re.M) == setup["era1"][:4][::-1]
        for seat, hand in enumerate(setup["hands"]):
            block = head[head.index(f"\nSeat {seat} (") :].split("\n\n")[0]
            for card in hand:
                order = ", ".join(f"{CUSTOMERS[card]['order'][good]} {good}" for good in GOODS if good in CUSTOMERS[card]["order"])
                assert re.search(rf"^  {card} +orders {order}\b", block, re.M)
            upper, middle = setup["ships"][seat]
            assert f"river spaces {upper} and {middle}, die {setup['dice'][seat]}" in joined([block])


def test_the_final_table_is_the_breakdown() -> None:
    """The final table has every source of every seat, and the sources of a column add up to its total."""
    for trace in all_traces():
        block = narrate(trace).split("---- Final scoring ")[1].splitlines()[3:]
        rows = []
        for line in block[:12]:
            label, *cells = re.split(r" {2,}", line.strip())
            rows.append([int(cell.split()[0]) for cell in cells])
        for seat, part in enumerate(trace["final"]["breakdown"]):
            column = [row[seat] for row in rows]
            rest = [part[key] for key in ("customers", "merchants", "artisans", "nobles")]
            assert column == [part["in_game"], *part["regions"], *rest, trace["final"]["points"][seat]]
            assert sum(column[:-1]) == column[-1]
        verdict = joined(block).rsplit("Seat", 1)[0] if False else block[-1]
        named = {int(seat) for seat in re.findall(r"[Ss]eat (\d)", verdict.split(": more favor")[0])}
        assert named == set(trace["final"]["winners"])
