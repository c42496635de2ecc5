"""The narration of a game covers its trace: every step, every number, the state after every turn."""

from __future__ import annotations

import copy
import random
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import ENABLED
from rogsim.games.river_of_gold.bots import random as random_bot
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.components.names import GOODS
from rogsim.games.river_of_gold.options import Options
from rogsim.games.river_of_gold.play.narrate import narrate, track_rewards
from rogsim.games.river_of_gold.spec import GAME
from tests.naive import river_of_gold as naive
from tests.naive.river_of_gold_random import eager_step, play_random
from tests.naive.river_of_gold_setup import random_setup

pytestmark = pytest.mark.once_compiled

Trace = dict[str, Any]
Step = dict[str, Any]

BOARD, SETUP, CUSTOMER_FILE, PATRON_FILE = (
    tomllib.loads((BOOK.folder / f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("board", "setup", "customers", "patrons")
)
CUSTOMERS = {card["id"]: card for card in CUSTOMER_FILE["customer"]}
PATRON_IDS = [card["id"] for card in PATRON_FILE["patron"]]
SLOW_RULES_DATA = naive.load_facts(BOOK.folder)
SPACES = {space["id"]: space for space in BOARD["shore"]}

# One pattern for each kind of step, filled in with the step's own values; prose around them is free.
NEEDLES = {
    "exchange": r"[Ee]xchanges \d {give} for 1 {get}\b",
    "favor": r"[Ss]pends \d favor .* to {die}\.",
    "build": r"[Bb]uilds {tile} .*shore space {space}\b",
    "sail": r"[Ss]ails .*ship from river space \d+ to {to}\b",
    "deliver": r"[Dd]elivers .* to {customer}\b",
    "good": r"[Cc]hooses 1 {good}\b",
    "journey": r"[Tt]akes \d {take} for the completed journey",
    "sell": r"[Ss]ells 1 {good}\b",
    "draw": r"[Dd]raws .*\.",
    "reshuffle": r"deck is used up: {cards} ",
    "discard": r"[Dd]iscards {customer}\.",
    "royal": r"the ship at river space \d+ the royal ship",
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
        batch = Batch(7, players, deals=np.arange(games), seating=seating, line_up=(bot,) * players)
        traces += GAME.record(GAME.prepare(Options(patrons=patrons), players), batch)
    return tuple(traces)


@cache
def eager() -> tuple[Trace, ...]:
    """Games of the slow rules in which deliveries abound, and with them royal ships, markers, sales and reshuffles."""
    traces = []
    for number in range(20):
        rng = random.Random(number)
        players = 2 + number % 3
        # The patrons stand two by two, so that every second one is of another clan.
        taken = PATRON_IDS[number // 3 % 2 :: 2][:players] if number % 4 else None
        traces.append(play_random(SLOW_RULES_DATA, players, taken, rng, choose=eager_step))
    return tuple(traces)


@cache
def games() -> tuple[tuple[Trace, str], ...]:
    """Every game with its narration."""
    return tuple((trace, narrate(trace)) for trace in (*recorded(), *eager()))


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
    for trace, text in games():
        turns = turn_texts(text)
        assert len(turns) == len(trace["turns"])
        for lines, turn in zip(turns, trace["turns"], strict=True):
            ahead = iter(sentences(lines))
            for step in turn["steps"]:
                seen[step["do"]] += 1
                sentence = next((line for line in ahead if re.search(needle(step), line)), None)
                assert sentence is not None, (lines, step)
                if "seat" in step:
                    assert sentence.startswith(f"Seat {step['seat'] + 1} "), sentence
                else:
                    assert not sentence.startswith("Seat "), sentence
                assert all(card in sentence for card in step.get("customers", ())), sentence
    assert set(seen) == set(NEEDLES)


def test_no_line_is_too_long_or_out_of_place() -> None:
    """The text is plain ASCII in lines of at most 100 columns, without blanks at their ends."""
    for _, text in games():
        assert text.isascii()
        assert "\t" not in text
        for line in text.splitlines():
            assert len(line) <= 100, line
            assert line == line.rstrip(), line
            assert not re.search(r"\w-$", line), f"an id is broken: {line}"


def test_headings_name_turn_round_seat_bot_patron_and_die() -> None:
    """A turn's heading has turn, round, seat, bot, patron and die; only last turns are called last."""
    for trace, text in games():
        dice, ending = list(trace["setup"]["dice"]), False
        for number, (lines, turn) in enumerate(zip(turn_texts(text), trace["turns"], strict=True)):
            seat = turn["seat"]
            heading = lines[0]
            assert heading.startswith(f"Turn {number + 1}, round {number // trace['players'] + 1}: seat {seat + 1} ")
            assert f"({trace['bots'][seat]})" in heading
            assert re.search(rf"\bdie {dice[seat]}\b", heading)
            if trace["setup"]["patrons"]:
                assert trace["setup"]["patrons"][seat].replace("-", " ").title() in heading
            assert ("last turn" in heading) == ending
            ending = ending or any(step["do"] == "end_trigger" for step in turn["steps"])
            dice = [player["die"] for player in turn["after"]["seats"]]


def test_the_changes_told_add_up_to_every_state() -> None:
    """Starting from the narrated set-up, the narrated changes give every seat's koku, goods, favor, points and
    influence after every turn.
    """
    for trace, text in games():
        seats = [seat_at_start(text, seat) for seat in range(trace["players"])]
        for lines, turn in zip(turn_texts(text), trace["turns"], strict=True):
            for line in sentences(lines):
                if line.startswith("=> "):
                    follow_changes(seats, line)
            for mine, player in zip(seats, turn["after"]["seats"], strict=True):
                assert mine == {key: player[key] for key in mine}, lines


def seat_at_start(text: str, seat: int) -> dict[str, Any]:
    block = text[text.index(f"\nSeat {seat + 1} (") : text.index("\nTurn 1,")]
    koku, silk, rice, porcelain, favor, limit = re.findall(
        r"(\d+) koku, (\d) silk, (\d) rice, (\d) porcelain, favor (\d)/(\d)", joined([block])
    )[0]
    figures = {"koku": koku, "silk": silk, "rice": rice, "porcelain": porcelain, "favor": favor, "favor_limit": limit}
    return {**{key: int(value) for key, value in figures.items()}, "points": 0, "influence": [0] * 6}


def follow_changes(seats: list[dict[str, Any]], line: str) -> None:
    """Apply one seat's "=> seat 2 (bot): koku 1 -> 2; ..." where the old figures agree."""
    seat = seats[int(re.findall(r"=> seat (\d) ", line)[0]) - 1]
    for key, old, new in re.findall(r"(koku|silk|rice|porcelain|points) (\d+) -> (\d+)", line):
        assert seat[key] == int(old) != int(new), line
        seat[key] = int(new)
    for favor, limit, new_favor, new_limit in re.findall(r"favor (\d)/(\d) -> (\d)/(\d)", line):
        assert (seat["favor"], seat["favor_limit"]) == (int(favor), int(limit)), line
        seat["favor"], seat["favor_limit"] = int(new_favor), int(new_limit)
    for region, old, new in re.findall(r"region (\d) influence (\d+) -> (\d+)", line):
        assert seat["influence"][int(region) - 1] == int(old) != int(new), line
        seat["influence"][int(region) - 1] = int(new)


def test_the_table_after_every_round_is_the_state() -> None:
    """After every round, and at the end, a table gives each seat's figures, cards and buildings, and the row."""
    for trace, text in games():
        blocks = re.split(r"\n---- (?:After round \d+|End of the game) -+\n", text)[1:]
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
                mine = re.split(r"seat \d: ", rest)[1 + seat]
                for card in (*player["hand"], *player["delivered"]):
                    assert card in mine
                for space, owners in after["markers"].items():
                    assert bool(re.search(rf"(port|market|manor|shrine) {space}\b", mine)) == (seat in owners)
            assert ", ".join(after["row"]) in rest


def test_costs_are_what_was_paid() -> None:
    """A building's cost is the shore space's, less the discount of the region's artisan; favor costs one a face."""
    discounts = 0
    for trace, text in games():
        before = None
        for lines, turn in zip(turn_texts(text), trace["turns"], strict=True):
            told_turn = joined(lines)
            seat = turn["seat"]
            faces = [before["seats"][seat]["die"] if before else trace["setup"]["dice"][seat]]
            faces += [step["die"] for step in turn["steps"] if step["do"] == "favor"]
            spent = [min(abs(new - old), 6 - abs(new - old)) for old, new in pairwise(faces)]
            assert [int(cost) for cost in re.findall(r"Spends (\d) favor", told_turn)] == spent
            for step in turn["steps"]:
                if step["do"] == "build":
                    space = SPACES[step["space"]]
                    cost = space["cost"]
                    if before and f"artisan-{space['region']}" in before["seats"][seat]["delivered"]:
                        cost = max(0, cost - SETUP["exchange"]["artisan_discount"])
                        discounts += 1
                    where = rf"shore space {space['id']} in region {space['region']}, "
                    assert re.search(rf"{where}[A-Z][\w ]+, for {cost} koku", told_turn)
            before = turn["after"]
    assert discounts > 5


def test_a_sail_tells_all_that_is_visited() -> None:
    """A sail names its ship by its place, the four shore spaces beside its goal, what lies there and who owns it."""
    for trace, text in games():
        ships = [list(places) for places in trace["setup"]["ships"]]
        shore = {int(space): tile for space, tile in trace["setup"]["shore"].items()}
        owners: dict[str, list[int]] = {}
        for lines, turn in zip(turn_texts(text), trace["turns"], strict=True):
            for step in turn["steps"]:
                if step["do"] == "build":
                    shore[step["space"]] = step["tile"]
                if step["do"] == "sail":
                    found = next(sentence for sentence in sentences(lines) if sentence.startswith("Sails"))
                    own = ships[turn["seat"]]
                    assert f" ship from river space {own[step['ship']]} to {step['to']}" in found
                    own[step["ship"]] = step["to"]
                    visits = [
                        (int(space), what, [int(seat) - 1 for seat in re.findall(r"owner seat (\d)", rest)])
                        for space, what, rest in re.findall(r"shore space (\d+) +(\S+)(.*?)(?=shore space|$)", found)
                    ]
                    assert visits == [
                        (space, shore.get(space, "empty"), owners.get(str(space), []))
                        for space in BOARD["river"]["shore"][step["to"] - 1]
                    ]
            owners = turn["after"]["markers"]


def test_the_row_is_told_tile_by_tile() -> None:
    """Every tile that comes to the row is told once, in the order of the stacks, with the number left."""
    for trace, text in games():
        first, second = trace["setup"]["era1"][4:], trace["setup"]["era2"]
        left = [f"{n} tile{'s' * (n != 1)} of era 1 left" for n in reversed(range(len(first)))]
        left += [f"{n} tile{'s' * (n != 1)} of era 2 left" for n in reversed(range(len(second)))]
        found = [each for lines in turn_texts(text) for each in sentences(lines) if each.startswith("New in")]
        assert [re.findall(r"era[12]-\w+-\d", each)[0] for each in found] == [*first, *second]
        assert [re.findall(r"\d+ tiles? of era \d left", each)[0] for each in found] == left


def test_a_journey_tells_the_discard() -> None:
    """A completed journey names the row's end tile that it takes away."""
    for trace, text in games():
        row = trace["setup"]["era1"][:4][::-1]
        for lines, turn in zip(turn_texts(text), trace["turns"], strict=True):
            gone = re.findall(r"end tile, (\S+), is discarded", joined(lines))
            journey = any(step["do"] == "journey" for step in turn["steps"])
            assert gone == (row[-1:] if journey else [])
            assert ("completing a journey" in joined(lines)) == journey
            row = turn["after"]["row"]


def test_the_emperors_visit_tells_every_marker() -> None:
    """The Emperor's Visit happens once and tells one owner reward for every marker on the board."""
    for trace, text in games():
        found = [each for lines in turn_texts(text) for each in sentences(lines) if "Emperor's Visit" in each]
        (markers,) = (
            sum(len(owners) for owners in turn["after"]["markers"].values())
            for turn in trace["turns"]
            if {"do": "visit"} in turn["steps"]
        )
        assert len(found) == 1
        assert len(re.findall(r" from era1-\w+-\d", found[0])) == markers


def test_the_set_up_is_told() -> None:
    """The set-up names masteries with points, region tiles, buildings, costs, row and hands with their orders."""
    for trace, text in games():
        head = text[: text.index("\nTurn 1,")]
        setup = trace["setup"]
        points = ", ".join(map(str, SETUP["mastery_points"][str(trace["players"])]))
        for mastery in setup["masteries"]:
            assert re.search(rf"^  {mastery} +{points} ", head, re.M)
        assert ("Second place scores only within 5 spaces" in head) == (trace["players"] == 2)
        for name, tile in zip(BOARD["regions"]["names"], setup["region_tiles"], strict=True):
            assert re.search(rf"^  \d +{name} +{', '.join(map(str, tile))} ", head, re.M)
        for space, tile in setup["shore"].items():
            assert re.search(rf"^ +{space} +{SPACES[int(space)]['region']}  {tile} ", head, re.M)
        for space in SPACES.values():
            shown = bool(re.search(rf" {space['id']}: {space['cost']}\b", head))
            assert shown == (str(space["id"]) not in setup["shore"])
        assert re.findall(r"^  (era1-\w+-\d) ", head, re.M) == setup["era1"][:4][::-1]
        for seat, hand in enumerate(setup["hands"]):
            block = head[head.index(f"\nSeat {seat + 1} (") :].split("\n\n")[0]
            for card in hand:
                order = CUSTOMERS[card]["order"]
                goods = ", ".join(f"{order[good]} {good}" for good in GOODS if good in order)
                assert re.search(rf"^  {card} +orders {goods}\b", block, re.M)
            upper, middle = setup["ships"][seat]
            assert f"river spaces {upper} and {middle}, die {setup['dice'][seat]}" in joined([block])


def test_the_final_table_is_the_breakdown() -> None:
    """The final table has every source of every seat, and the sources of a column add up to its total."""
    for trace, text in games():
        block = text.split("---- Final scoring ")[1].splitlines()[3:]
        rows = []
        for line in block[:12]:
            _, *cells = re.split(r" {2,}", line.strip())
            rows.append([int(cell.split()[0]) for cell in cells])
        for seat, part in enumerate(trace["final"]["breakdown"]):
            column = [row[seat] for row in rows]
            rest = [part[key] for key in ("customers", "merchants", "artisans", "nobles")]
            assert column == [part["in_game"], *part["regions"], *rest, trace["final"]["points"][seat]]
            assert sum(column[:-1]) == column[-1]
        verdict = joined([text.strip().split("\n\n")[-1]])
        named = {int(seat) - 1 for seat in re.findall(r"[Ss]eat (\d)", verdict.split(": more favor")[0])}
        assert named == set(trace["final"]["winners"])
        assert f"{max(trace['final']['points'])} points" in verdict


# Single turns, made by hand


def made(
    steps: list[Step],
    *,
    players: int = 2,
    patrons: list[str] | None = None,
    built: Mapping[int, tuple[str, list[int]]] | None = None,
    before: Mapping[int, Mapping[str, Any]] | None = None,
    after: Mapping[int, Mapping[str, Any]] | None = None,
) -> Trace:
    """A trace of two turns of seat 1: the first sets the scene, the second has the steps.

    `built` is tile and markers by shore space; `before` and `after` are what differs in the seats from the set-up,
    and from the state before.
    """
    setup = random_setup(SLOW_RULES_DATA, players, patrons, None, random.Random(7))
    scene = copy.deepcopy(naive.NaiveGame(SLOW_RULES_DATA, setup, players).state())
    setup["shore"] = {"17": "imperial-market-silk"}  # and nothing in the way of `built`
    scene["markers"] = {str(space): owners for space, (_, owners) in (built or {}).items()}
    for seat, changed in (before or {}).items():
        scene["seats"][seat].update(changed)
    end = copy.deepcopy(scene)
    for seat, changed in (after or {}).items():
        end["seats"][seat].update(changed)
    laid = [{"do": "build", "space": space, "tile": tile} for space, (tile, _) in (built or {}).items()]
    zeros = {"in_game": 0, "regions": [0] * 6, "customers": 0, "merchants": 0, "artisans": 0, "nobles": 0}
    return {
        "format": naive.FORMAT,
        "players": players,
        "seed": 1,
        "game": 2,
        "bots": ["alpha", "beta", "gamma", "delta"][:players],
        "setup": setup,
        "turns": [{"seat": 0, "steps": laid, "after": scene}, {"seat": 0, "steps": steps, "after": end}],
        "final": {"points": [0] * players, "winners": [0], "breakdown": [zeros] * players},
    }


def text_of(steps: list[Step], **scene: Any) -> str:
    """The second turn of a trace made by hand, on one line."""
    return joined(turn_texts(narrate(made(steps, **scene)))[1])


def test_exchanges_tell_both_prices() -> None:
    """Two goods go for one, five koku for one favor."""
    text = text_of(
        [{"do": "exchange", "give": "rice", "get": "silk"}, {"do": "exchange", "give": "koku", "get": "favor"}]
    )
    assert "Exchanges 2 rice for 1 silk." in text
    assert "Exchanges 5 koku for 1 favor." in text


@pytest.mark.parametrize(("old", "new", "cost"), [(6, 1, 1), (1, 6, 1), (1, 4, 3), (5, 2, 3), (2, 3, 1)])
def test_favor_goes_the_shorter_way_round(old: int, new: int, cost: int) -> None:
    """Turning the die costs one favor for each face of the shorter way."""
    assert f"Spends {cost} favor to turn the die from {old} to {new}." in text_of(
        [{"do": "favor", "die": new}], before={0: {"die": old}}
    )


def test_choices_of_other_seats_are_told_with_their_seat() -> None:
    """A good or a discard chosen by another seat begins with that seat and its bot."""
    steps = [{"do": "good", "good": "rice", "seat": 1}, {"do": "good", "good": "silk"}]
    text = text_of([*steps, {"do": "discard", "customer": "monk-1", "seat": 1}])
    assert "Seat 2 (beta) chooses 1 rice." in text
    assert "Chooses 1 silk." in text
    assert "Seat 2 (beta) discards monk-1." in text


def test_a_split_draw_tells_the_reshuffle_between() -> None:
    """A draw that empties the deck is told in two sentences with the reshuffle between them."""
    steps: list[Step] = [{"do": "draw", "customers": ["monk-1"]}, {"do": "reshuffle", "deck": ["elder-2", "noble-3"]}]
    text = text_of([*steps, {"do": "draw", "customers": ["elder-2"]}])
    assert re.search(r"Draws monk-1 .* 2 discarded customers shuffled .* Draws elder-2 ", text)


def test_the_royal_ship_tells_each_nobles_ability() -> None:
    """A sail of the royal ship tells what nobles 1 to 6 bring, with the figures of this place."""
    nobles = [f"noble-{i}" for i in range(1, 7)]
    scene = {"delivered": nobles, "royal": 1, "ships": [1, 4], "die": 5}
    built = {18: ("era1-market-1", [1]), 20: ("era1-manor-1", [0])}  # beside river space 10: 18, 20, 21, 23
    text = text_of([{"do": "sail", "ship": 1, "to": 10}], built=built, before={0: scene})
    assert "Sails the royal ship from river space 4 to 10 (6 spaces instead of 5, thanks to noble-5)" in text
    assert "1 silk (goods of any kind, thanks to noble-1); owner seat 2: 2 koku" in text
    assert text.count("noble-1") == 1
    assert "noble-2: 2 koku for 2 empty shore spaces" in text
    assert "noble-3: 1 influence in region 4 and 1 influence in region 5" in text
    assert "noble-4: 1 point for an opponent's building" in text
    assert "noble-6: 1 point for its own building" in text


def test_another_ship_has_no_royal_abilities() -> None:
    """A sail of the other ship tells no noble's ability, nor does a noble without its condition."""
    built = {18: ("era1-market-1", [1]), 20: ("era1-manor-1", [0])}
    nobles = [f"noble-{i}" for i in range(1, 7)]
    scene = {"delivered": nobles, "royal": 0, "ships": [1, 4], "die": 6}
    assert "noble-" not in text_of([{"do": "sail", "ship": 1, "to": 10}], built=built, before={0: scene})
    alone = {"delivered": ["noble-4", "noble-6"], "royal": 1, "ships": [1, 4], "die": 6}
    assert "noble-" not in text_of([{"do": "sail", "ship": 1, "to": 10}], before={0: alone})


def test_owner_rewards_count_buildings_and_customers() -> None:
    """Koku for each building or customer are told as the sum for this owner; both markers of a building count apart."""
    built = {18: ("era1-manor-4", [1, 1]), 20: ("era1-manor-5", [0, 1]), 1: ("era1-manor-1", [0])}
    scene = {0: {"ships": [9, 1], "die": 1, "delivered": ["elder-1"]}, 1: {"delivered": ["monk-1", "monk-2", "monk-3"]}}
    text = text_of([{"do": "sail", "ship": 0, "to": 10}], built=built, before=scene)
    assert text.count("owner seat 2: 2 koku for 2 manors") == 2
    assert "owner seat 1: 1 koku for 1 customer; owner seat 2: 3 koku for 3 customers" in text


def test_a_journey_tells_reward_and_merchants() -> None:
    """A completed journey tells what was taken and what each merchant delivered to brings; a sale has its price."""
    merchants = [f"merchant-{i}" for i in range(1, 7)]
    steps: list[Step] = [{"do": "sail", "ship": 0, "to": 2}, {"do": "journey", "take": "koku"}]
    scene = {"ships": [12, 3], "die": 4, "delivered": merchants}
    text = text_of([*steps, {"do": "sell", "good": "rice"}], before={0: scene})
    assert "river space 12 to 2, completing a journey," in text
    assert "Takes 3 koku for the completed journey." in text
    gains = ("1 influence", "1 point ", "1 good ", "5 koku", "1 favor", "3 koku")
    for merchant, brings in zip(merchants, gains, strict=True):
        assert brings in text.split(f"{merchant}: ")[1].split("merchant-")[0]
    assert "Sells 1 rice for 5 koku (merchant-4)." in text
    assert "Takes 1 silk for the completed journey." in text_of([{"do": "journey", "take": "silk"}])


@pytest.mark.parametrize(
    ("customer", "gains", "ability"),
    [
        ("artisan-2", "2 influence in region 2", "region 2 costs 2 koku less"),
        ("elder-2", "", "region 2 scores double"),
        ("merchant-5", "3 influence in region 5", "1 favor"),
        ("monk-1", "favor limit up by 1, 2 favor", "the player's own building"),
        ("monk-2", "favor limit up by 1, 2 favor", "an opponent's building"),
        ("noble-5", "2 influence in region 5", "1 more or less than the die"),
    ],
)
def test_a_delivery_tells_order_gains_and_ability(customer: str, gains: str, ability: str) -> None:
    """A delivery tells the goods paid, what it brings at once and what the customer can do."""
    text = text_of([{"do": "deliver", "customer": customer}])
    order = CUSTOMERS[customer]["order"]
    goods = ", ".join(f"{order[good]} {good}" for good in GOODS if good in order)
    assert f"Delivers {goods} to {customer} in region {customer[-1]}, " in text
    assert (f"on delivery: {gains} " in text) if gains else ("on delivery" not in text)
    assert ability in text.split("ability: ")[1]


def test_a_second_marker_tells_whose_building_it_is() -> None:
    """A monk's marker is narrated with the building and its owner."""
    built = {18: ("era1-market-1", [1]), 20: ("era1-manor-1", [0])}
    text = text_of([{"do": "marker", "space": 20}, {"do": "marker", "space": 18}], built=built)
    assert "second marker on its own era1-manor-1 at shore space 20." in text
    assert "second marker on seat 2's era1-market-1 at shore space 18." in text


PATRONS_TOLD = [
    ("kaiu-shihobu", {"do": "build", "space": 20, "tile": "era2-manor-1"}, "a region of choice instead of 1"),
    ("yasuki-taka", {"do": "build", "space": 26, "tile": "era2-manor-1"}, "3 points for 3 river spaces"),
    ("yoritomo", {"do": "deliver", "customer": "elder-5"}, "any region instead of 1"),
    ("kudaka", {"do": "deliver", "customer": "elder-5"}, "3 points for the first delivery to this region"),
    ("daidoji-uji", {"do": "sail", "ship": 0, "to": 10}, "2 points for an opponent's building"),
]


@pytest.mark.parametrize(("patron", "step", "note"), PATRONS_TOLD, ids=[row[0] for row in PATRONS_TOLD])
def test_a_patrons_effect_is_told_when_it_happens(patron: str, step: Step, note: str) -> None:
    """A patron's effect is told under the patron's name, and only for the seat that has the patron."""
    scene: dict[str, Any] = {"built": {18: ("era1-market-1", [1])}, "before": {0: {"die": 1, "ships": [9, 2]}}}
    name = patron.replace("-", " ").title()
    other = "bayushi-kashiko"
    assert f"{name}: {note}" in text_of([step], patrons=[patron, other], **scene)
    assert f"{name}: " not in text_of([step], patrons=[other, patron], **scene)


def test_a_patrons_effect_is_not_told_without_its_condition() -> None:
    """No region of choice where the die shows the region, no points for the player's building or a known region."""
    scene = {0: {"die": 5, "delivered": ["monk-5"], "ships": [9, 2]}}
    for patron, step, _ in PATRONS_TOLD:
        if patron != "yasuki-taka":
            changed = {**step, "space": 22} if step["do"] == "build" else step
            built = {18: ("era1-market-1", [0])}
            text = text_of([changed], patrons=[patron, "bayushi-kashiko"], built=built, before=scene)
            assert f"{patron.replace('-', ' ').title()}: " not in text


def test_kakita_ryoku_pays_for_her_die() -> None:
    """Setting the die is told with its price."""
    text = text_of([{"do": "set_die", "die": 4}], patrons=["kakita-ryoku", "kudaka"])
    assert "Pays 1 favor to set the die to 4 for the next turn (Kakita Ryoku)." in text


def test_shosuro_hyobu_is_told_where_she_was_overtaken() -> None:
    """The regions in which a marker passed Shosuro Hyobu's are told with her points, for no other patron."""
    scene = {0: {"influence": [2, 2, 2, 0, 0, 0]}, 1: {"influence": [4, 4, 1, 0, 0, 0]}}
    after = {0: {"influence": [5, 4, 5, 0, 0, 0]}, 1: {"points": 3}}
    text = text_of([], patrons=["kudaka", "shosuro-hyobu"], before=scene, after=after)
    assert re.search(r"=> seat 2 \(beta\): points 0 -> 3; overtaken in region 1$", text)
    assert "overtaken" not in text_of([], patrons=["shosuro-hyobu", "kudaka"], before=scene, after=after)


def test_influence_tells_the_tracks_rewards() -> None:
    """Each space passed or reached is told with its reward, the region's own good and the imperial flower included."""
    before, after = {0: {"influence": [1, 5, 0, 0, 0, 0]}}, {0: {"influence": [18, 9, 5, 1, 0, 0]}}
    text = text_of([], before=before, after=after)
    rewards = "1 porcelain at 2, 2 koku at 5, 1 favor at 9, imperial flower at 11, 3 points at 13"
    assert f"region 1 influence 1 -> 18 ({rewards}, 3 points, 1 good of choice at 18)" in text
    assert "region 2 influence 5 -> 9 (1 favor at 9)" in text
    assert "region 3 influence 0 -> 5 (1 silk at 2, 2 koku at 5)" in text
    assert text.endswith("region 4 influence 0 -> 1")


@pytest.mark.parametrize("patron", [None, *PATRON_IDS])
def test_the_start_told_is_the_slow_rules_own(patron: str | None) -> None:
    """The narrated set-up of a seat is that of the slow rules, for every patron."""
    other = "kudaka" if patron not in ("kudaka", "yoritomo") else "kaiu-shihobu"
    trace = made([], patrons=[patron, other] if patron else None)
    mine = seat_at_start(narrate(trace), 0)
    start = trace["turns"][0]["after"]["seats"][0]  # the slow rules' own: nothing happens in this turn
    assert mine == {key: start[key] for key in mine}


def test_second_markers_stand_in_the_table_of_the_round() -> None:
    """For a building with two markers, the table says whose the other one is."""
    built = {18: ("era1-market-1", [1, 0]), 20: ("era1-manor-1", [0, 0]), 5: ("era1-port-1", [0])}
    text = narrate(made([], built=built))
    assert "owns port 5, market 18 with seat 2, manor 20 twice\n" in text
    assert "owns market 18 with seat 1\n" in text


def test_full_stores_are_told() -> None:
    """Koku and goods that reach the limit say so."""
    text = text_of([], after={0: {"koku": 25, "rice": 6, "silk": 5, "favor": 4, "favor_limit": 4}})
    assert "koku 7 -> 25 (the most)" in text
    assert "rice 1 -> 6 (the most)" in text
    assert "silk 1 -> 5;" in text
    assert "favor 2/3 -> 4/4" in text


def test_figures_come_from_the_component_data() -> None:
    """A trace of a game with changed parameters is narrated with these."""
    change = {
        "exchange": {"goods_for_good": 3, "koku_for_favor": 4, "journey_koku": 7, "row_end_favor": 2},
        "scoring.end_trigger": 9,
        "shore.20.cost": 11,
        "tile.era2-manor-1.build": 3,
        "customer.elder-5.order": {"rice": 4, "silk": 0, "porcelain": 0},
    }
    steps: list[Step] = [
        {"do": "exchange", "give": "rice", "get": "silk"},
        {"do": "exchange", "give": "koku", "get": "favor"},
        {"do": "journey", "take": "koku"},
        {"do": "build", "space": 20, "tile": "era2-manor-1"},
        {"do": "deliver", "customer": "elder-5"},
        {"do": "end_trigger"},
    ]
    trace = made(steps)
    trace["turns"][0]["after"]["row"] = ["era1-port-1", "era2-manor-1"]
    trace["change"], problems = BOOK.check_change(change)
    assert not problems
    text = joined(turn_texts(narrate(trace))[1])
    for fact in ("3 rice for 1 silk", "4 koku for 1 favor", "7 koku for the", "for 11 koku", "3 influence in region 4"):
        assert fact in text
    for fact in ("row's end tile: 2 favor", "Delivers 4 rice to elder-5", "scores 9 points"):
        assert fact in text


# The verdict, names and bad traces


def verdict(points: list[int], winners: list[int], favor: list[int]) -> str:
    trace = made([], players=len(points), after={seat: {"favor": left} for seat, left in enumerate(favor)})
    trace["final"] |= {"points": points, "winners": winners}
    return joined([narrate(trace).strip().split("\n\n")[-1]])


def test_the_verdict_tells_how_a_tie_is_broken() -> None:
    """The winner wins alone, by favor against named seats, or shares the victory."""
    assert verdict([4, 9, 1], [1], [3, 3, 3]) == "Seat 2 (beta) wins with 9 points."
    by_favor = verdict([9, 9, 1], [1], [2, 3, 3])
    assert by_favor.startswith("Seat 2 (beta) wins with 9 points and 3 favor left")
    assert re.findall(r"seat \d", by_favor) == ["seat 1"]
    shared = verdict([9, 9, 9], [0, 2], [3, 1, 3])
    assert shared == "Seat 1 (alpha) and seat 3 (gamma) share the victory with 9 points and 3 favor left."


def test_elders_are_named_with_the_points_they_doubled() -> None:
    """Below the final table are the seats and regions whose points an elder has doubled."""
    text = narrate(made([], after={1: {"delivered": ["elder-5", "monk-1", "elder-2"]}}))
    assert "doubled seat 2's points in region 2 and 5." in text
    assert "doubled seat 1's" not in text


def test_bot_names_cannot_spoil_the_text() -> None:
    """A long name is cut, and one with control characters or line breaks changes no line."""
    trace = made([{"do": "good", "good": "silk", "seat": 1}], after={0: {"koku": 3}})
    lines = len(narrate(trace).splitlines())
    trace["bots"] = ["a-bot-with-a-very-long-name" * 9, "red\x1b[31m\n"]
    text = narrate(trace)
    assert len(text.splitlines()) == lines
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


@pytest.mark.parametrize("key", ["setup", "turns", "final", "bots", "players"])
def test_a_trace_without_a_part_is_refused(key: str) -> None:
    """A trace that lacks a part raises KeyError and gives no text."""
    trace = made([])
    del trace[key]
    with pytest.raises(KeyError, match=key):
        narrate(trace)


def test_unknown_steps_and_components_are_refused() -> None:
    """A step of an unknown kind raises ValueError with its name, an unknown tile KeyError."""
    with pytest.raises(ValueError, match='"dance" is not a kind of step'):
        narrate(made([{"do": "dance"}]))
    with pytest.raises(KeyError, match="era9-port-1"):
        narrate(made([{"do": "build", "space": 20, "tile": "era9-port-1"}]))


def test_a_marker_beyond_its_track_is_told_at_once() -> None:
    """Whatever number a trace names as the goal: only spaces with a reward are looked at."""
    facts = BOOK.with_values({})
    rewards = list(track_rewards(facts, 0, 0, 2**63 - 1))
    assert rewards == list(track_rewards(facts, 0, 0, facts.limits.influence))
    assert len(rewards) > 2
