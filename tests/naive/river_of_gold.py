"""River of Gold in dicts, lists and strings: a second implementation to compare with the fast one.

It shares nothing with the package; R1 to R35 are the numbers of the page of rulings.
`NaiveGame` plays a game, `replay` checks a recorded one.

A turn is written as one generator that runs until a recorded step is due and then yields a `Wait`: who must
move and every step possible. So all automatic effects of a step have happened when the next one is asked for,
and an exchange taken in between meets the state that the trace format promises.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from .basics import Facts, Mismatch, by_id, check_keys, compare
from .river_of_gold_setup import (
    CUSTOMERS_DRAWN_ON_DELIVERY,
    DIE_FACES,
    check_setup,
    deal,
    load_facts,
    random_setup,
)

__all__ = ["Facts", "Mismatch", "NaiveGame", "Wait", "follow", "load_facts", "random_setup", "replay"]

Step = dict[str, Any]

FORMAT = "river-of-gold-trace/1"
GOODS = ["silk", "rice", "porcelain"]
FACES = range(1, DIE_FACES + 1)
PASS: Step = {"do": "pass"}

CHOICES = {"action", "good", "journey", "sell", "royal", "marker", "discard", "set_die", "turn_end"}
CHANCE = {"draw", "reshuffle", "roll"}
BOOKKEEPING = {"claim", "visit", "end_trigger"}
OPTIONAL = {"sell", "set_die", "turn_end"}  # answered by a pass, which leaves no step in a trace


@dataclass(frozen=True)
class Wait:
    """What the game waits for: its kind, the seat concerned, and every step that is possible.

    `options` is called each time, because an exchange may change the answer. A reshuffle has no list of
    options: any order of the discard pile will do.
    """

    kind: str
    seat: int
    options: Callable[[], list[Step]]


Flow = Generator[Wait, Step, None]


def _words(code: str) -> str:
    """Read an ability's code without its number: "koku_3" -> "koku_#"."""
    return re.sub(r"\d+", "#", code)


def wrap_face(face: int) -> int:
    """Turn 0 into 6 and 7 into 1 (R2, R20)."""
    return (face - 1) % DIE_FACES + 1


def favor_needed(face: int, wanted: int) -> int:
    """Count the turns of the die from one face to another, the shorter way round (R2)."""
    apart = abs(face - wanted)
    return min(apart, DIE_FACES - apart)


# ------------------------------------------------------------------------------------------------------- game


class NaiveGame:
    """One game of River of Gold; seats from 0, shore spaces, river spaces and regions from 1.

    `facts` as from `load_facts`; `setup` as in a trace, patrons already chosen; `players` 2, 3 or 4.
    Raises Mismatch if the set-up breaks the rules. After that the game stands at the first player's action;
    `take` moves it on, whoever or whatever the step comes from.
    """

    def __init__(self, facts: Facts, setup: dict[str, Any], players: int) -> None:
        check_setup(facts, setup, players)
        self.facts = facts
        self.players = players
        self.tiles = by_id(facts["tile"])
        self.customers = by_id(facts["customer"])
        self.spaces = by_id(facts["shore"])
        self.patron_figures = by_id(facts["patron"])
        self.mastery_figures = by_id(facts["mastery"])
        self.river: list[list[int]] = facts["river"]["shore"]
        self.region_count = len(facts["regions"]["names"])
        self.track_end: int = facts["limits"]["influence"]

        self.patrons: list[str | None] = list(setup["patrons"] or [None] * players)
        self.region_tiles: list[list[int]] = setup["region_tiles"]
        self.shore: dict[int, str] = {int(space): tile for space, tile in setup["shore"].items()}
        self.markers: dict[int, list[int]] = {}  # shore space: seats in the order placed
        self.masteries: dict[str, list[int]] = {mastery: [] for mastery in setup["masteries"]}
        self.row: list[str] = []  # newest first; the last one is the end tile (R8)
        self.era1 = list(setup["era1"])
        self.era2 = list(setup["era2"])
        hands = deal(facts, setup["deck"], players, setup["patrons"])
        self.deck: list[str] = setup["deck"][sum(len(hand) for hand in hands) :]
        self.discards: list[str] = []
        self.seats = [self._new_seat(seat, setup, hands[seat]) for seat in range(players)]

        self.active = 0
        self.turn_number = 0  # as an index into a trace's turns
        self.step_number = 0  # as an index into the turn's steps
        self.turns_to_go: int | None = None  # None until the end of the game is triggered
        self.visit_due = False
        self.end_due = False
        self.must_sell = False
        self._refill_row()

        self._flow = self._game()
        self.waiting: Wait | None = next(self._flow)

    def _new_seat(self, seat: int, setup: dict[str, Any], hand: list[str]) -> dict[str, Any]:
        start = self.facts["setup"]
        koku = start["koku_by_turn_order"][seat] + self._patron_figure(seat, "bonus_koku")
        return {
            "koku": min(koku, self.facts["limits"]["koku"]),
            **{good: start["goods"][good] for good in GOODS},
            "favor": start["favor"],
            "favor_limit": start["favor_limit"],
            "points": 0,
            "influence": [0] * self.region_count,
            "ships": list(setup["ships"][seat]),
            "royal": None,
            "die": setup["dice"][seat],
            "hand": list(hand),
            "delivered": [],
        }

    # ------------------------------------------------------------------------------------- what a caller uses

    @property
    def over(self) -> bool:
        """Return whether the last turn has ended."""
        return self.waiting is None

    @property
    def expects(self) -> str | None:
        """Name the step that is due, as in CHOICES, CHANCE or BOOKKEEPING; None when the game is over."""
        return self.waiting.kind if self.waiting else None

    @property
    def chooser(self) -> int | None:
        """Return the seat that chooses now; None for chance, for bookkeeping and when the game is over."""
        return self.waiting.seat if self.waiting and self.waiting.kind in CHOICES else None

    def legal(self) -> list[Step]:
        """List every step that the chooser may take now; empty when nobody must choose."""
        if self.waiting is None or self.chooser is None:
            return []
        steps = self.waiting.options()
        return steps + self.exchanges() if self.chooser == self.active else steps

    def exchanges(self) -> list[Step]:
        """List the exchanges of the active seat, possible at every moment of its turn (R3)."""
        if self.over:
            return []
        player, limits, rate = self.seats[self.active], self.facts["limits"], self.facts["exchange"]
        steps = [
            {"do": "exchange", "give": give, "get": get}
            for give in GOODS
            for get in GOODS
            if give != get and player[give] >= rate["goods_for_good"] and player[get] < limits["good"]
        ]
        if player["koku"] >= rate["koku_for_favor"] and player["favor"] < player["favor_limit"]:
            steps.append({"do": "exchange", "give": "koku", "get": "favor"})
        return steps

    def take(self, step: Step) -> None:
        """Take one step, of a chooser, chance or bookkeeping; raise Mismatch if it is not possible now."""
        if self.waiting is None:
            raise self.mismatch("the game is over", step)
        if step.get("do") == "exchange":
            self._exchange(step)
        else:
            self._check_due(self.waiting, step)
            try:
                self.waiting = self._flow.send(step)
            except StopIteration:
                self.waiting = None
        if step != PASS:
            self.step_number += 1

    def settle(self, rng: random.Random) -> list[Step]:
        """Carry out chance and bookkeeping until somebody chooses; return these steps."""
        steps = []
        while not self.over and self.chooser is None:
            steps.append(self.chance_step(rng))
            self.take(steps[-1])
        return steps

    def chance_step(self, rng: random.Random) -> Step:
        """Draw the step of chance or bookkeeping that is due now, without taking it."""
        assert self.waiting is not None and self.chooser is None
        if self.waiting.kind == "reshuffle":
            return {"do": "reshuffle", "deck": rng.sample(self.discards, len(self.discards))}
        return rng.choice(self.waiting.options())

    def state(self) -> dict[str, Any]:
        """Return the whole state in the form of a trace after a turn."""
        return {
            "seats": [{**player, "hand": sorted(player["hand"])} for player in self.seats],
            "row": self.row,
            "markers": {str(space): seats for space, seats in sorted(self.markers.items())},
            "masteries": self.masteries,
        }

    def mismatch(self, expected: object, found: object) -> Mismatch:
        """Return the error for the current step."""
        where = f"turn {self.turn_number}, seat {self.active}, step {self.step_number}"
        return Mismatch(f"{where}: expected {expected}, found {found}")

    def _check_due(self, waiting: Wait, step: Step) -> None:
        if waiting.kind == "reshuffle":
            fine = set(step) == {"do", "deck"} and step["do"] == "reshuffle"
            if not fine or sorted(step["deck"]) != sorted(self.discards):
                raise self.mismatch(f"a reshuffle of {sorted(self.discards)}", step)
            return
        options = waiting.options()
        if step not in options:
            raise self.mismatch(f"{waiting.kind} of seat {waiting.seat}, one of {options}", step)
        compare(options[options.index(step)], step, f"turn {self.turn_number}, step {self.step_number}")

    def _exchange(self, step: Step) -> None:
        if step not in self.exchanges():
            raise self.mismatch(f"one of {self.exchanges()} or {self.expects}", step)
        player, rate = self.seats[self.active], self.facts["exchange"]
        player[step["give"]] -= rate["koku_for_favor"] if step["give"] == "koku" else rate["goods_for_good"]
        player[step["get"]] += 1
        # A trace shows no "stop selling", so whoever exchanges while selling goes on to sell (see replay).
        self.must_sell = self.expects == "sell"

    def _step(self, seat: int, do: str, **rest: Any) -> Step:
        """Return a step in the form of a trace: the seat is named only if it is not the active one."""
        step = {"do": do, **rest}
        return step if seat == self.active else {**step, "seat": seat}

    def _wait(self, kind: str, options: Callable[[], list[Step]], seat: int | None = None) -> Wait:
        return Wait(kind, self.active if seat is None else seat, options)

    # ---------------------------------------------------------------------------------------------- the turns

    def _game(self) -> Flow:
        while True:
            yield from self._turn(self.active)
            if self.turns_to_go is not None:
                self.turns_to_go -= 1
                if self.turns_to_go == 0:
                    return
            self.active = (self.active + 1) % self.players
            self.turn_number += 1
            self.step_number = 0

    def _turn(self, seat: int) -> Flow:
        """R1, R26, R27: favor and action, claims, roll, then what the refill has triggered."""
        self.visit_due = self.end_due = False
        yield from self._favor_and_action(seat)
        yield from self._claim_masteries(seat)
        if self.turns_to_go is None and not self.end_due:
            yield from self._roll(seat)
        if self.visit_due and self._holds("emperors_visit"):
            yield from self._only({"do": "visit"})
            for space in sorted(self.markers):
                yield from self._owner_rewards(space)
        if self.end_due:
            yield from self._only({"do": "end_trigger"})
            if self._holds("end_trigger_bonus"):
                self._gain(seat, "points", self.facts["scoring"]["end_trigger"])
            # This turn and one more of every other player.
            self.turns_to_go = self.players if self._holds("last_turns") else 1
        yield self._wait("turn_end", lambda: [PASS])

    def _holds(self, ruling: str) -> bool:
        """Return whether a ruling that a variant may switch off is as in the rulebook."""
        return bool(self.facts.get("rulings", {}).get(ruling, True))

    def _favor_and_action(self, seat: int) -> Flow:
        def options() -> list[Step]:
            return self._favors(seat) + self._builds(seat) + self._sails(seat) + self._deliveries(seat)

        player = self.seats[seat]
        while True:
            step = yield self._wait("action", options)
            match step["do"]:
                case "favor":
                    player["favor"] -= favor_needed(player["die"], step["die"])
                    player["die"] = step["die"]
                    continue
                case "build":
                    yield from self._build(seat, step["space"], step["tile"])
                case "sail":
                    yield from self._sail(seat, step["ship"], step["to"])
                case "deliver":
                    yield from self._deliver(seat, step["customer"])
            return

    def _favors(self, seat: int) -> list[Step]:
        player = self.seats[seat]
        return [
            {"do": "favor", "die": face}
            for face in FACES
            if face != player["die"] and favor_needed(player["die"], face) <= player["favor"]
        ]

    def _roll(self, seat: int) -> Flow:
        """R28: Kakita Ryoku may pay to set the die; otherwise it is rolled."""
        player = self.seats[seat]

        def options() -> list[Step]:
            affordable = FACES if player["favor"] >= cost else []
            return [*({"do": "set_die", "die": face} for face in affordable), PASS]

        cost = self._patron_figure(seat, "cost_favor")
        # Asked even without favor: it may still be bought at this very moment.
        if self.patrons[seat] == "kakita-ryoku":
            step = yield self._wait("set_die", options)
            if step != PASS:
                player["favor"] -= cost
                player["die"] = step["die"]
                return
        step = yield self._wait("roll", lambda: [{"do": "roll", "die": face} for face in FACES])
        player["die"] = step["die"]

    # ---------------------------------------------------------------------------------------------- masteries

    def _claim_masteries(self, seat: int) -> Flow:
        """R25: every mastery met is claimed, each with the highest reward left; their order is free."""
        while self._claims(seat):
            step = yield self._wait("claim", lambda: self._claims(seat))
            self.masteries[step["mastery"]].append(seat)
            self._gain(seat, "points", step["points"])

    def _claims(self, seat: int) -> list[Step]:
        rewards = self.facts["mastery_points"][str(self.players)]
        return [
            {"do": "claim", "mastery": mastery, "points": rewards[len(claimed)]}
            for mastery, claimed in self.masteries.items()
            if seat not in claimed and len(claimed) < len(rewards) and self._meets(seat, mastery)
        ]

    def _meets(self, seat: int, mastery: str) -> bool:
        influence = self.seats[seat]["influence"]
        customers = Counter(self.customers[customer]["type"] for customer in self.seats[seat]["delivered"])
        buildings = Counter(self._type_at(space) for space in self._owned(seat))
        figures = self.mastery_figures[mastery]
        wanted = figures["count"]
        match mastery:
            case "air":
                return len(customers) >= wanted
            case "courts":
                flower = self.facts["track"]["imperial_flower"]
                return sum(reached >= flower for reached in influence) >= wanted
            case "earth":
                return any(count >= wanted for count in buildings.values())
            case "fire":
                return any(count >= wanted for count in customers.values())
            case "void":
                return sum(reached >= figures["influence"] for reached in influence) >= wanted
            case "water":
                return len(buildings) >= wanted
        raise ValueError(f"unknown mastery {mastery}")

    # ------------------------------------------------------------------------------------------------ what is

    def _owned(self, seat: int) -> list[int]:
        """List the shore spaces with a marker of this seat, each once (R18)."""
        return [space for space, seats in sorted(self.markers.items()) if seat in seats]

    def _type_at(self, space: int) -> str:
        return str(self.tiles[self.shore[space]]["type"])

    def _is_opponents(self, seat: int, space: int) -> bool:
        return any(owner != seat for owner in self.markers.get(space, []))

    def _region_of(self, space: int) -> int:
        return int(self.spaces[space]["region"])

    def _delivered(self, seat: int, kind: str) -> list[dict[str, Any]]:
        """List the customers of one type that this seat delivered to, by region as their abilities go."""
        served = [self.customers[customer] for customer in self.seats[seat]["delivered"]]
        return sorted((row for row in served if row["type"] == kind), key=lambda row: row["region"])

    def _royal_abilities(self, seat: int) -> list[tuple[str, int]]:
        return [(_words(noble["royal_ship"]), noble["amount"]) for noble in self._delivered(seat, "noble")]

    def _patron_figure(self, seat: int, figure: str) -> int:
        patron = self.patrons[seat]
        return int(self.patron_figures[patron].get(figure, 0)) if patron else 0

    # -------------------------------------------------------------------------------------------------- gains

    def _gain(self, seat: int, what: str, amount: int) -> None:
        """Add koku, a good, favor or points; what exceeds a limit is lost (R4)."""
        player, limits = self.seats[seat], self.facts["limits"]
        player[what] += amount
        if what == "koku":
            player[what] = min(player[what], limits["koku"])
        elif what == "favor":
            player[what] = min(player[what], player["favor_limit"])
        elif what in GOODS:
            player[what] = min(player[what], limits["good"])

    def _collect(self, seat: int, reward: dict[str, int], region: int, any_goods: bool = False) -> Flow:
        """Pay out one reward in the order of R11; `any_goods` turns each printed good into a choice (R20)."""
        left = dict(reward)
        self._gain(seat, "points", left.pop("points", 0))
        self._gain(seat, "koku", left.pop("koku", 0))
        for counted in ("port", "market", "manor", "shrine", "customer"):
            each = left.pop(f"koku_per_{counted}", 0)
            if each == 0:
                continue
            if counted == "customer":
                count = len(self.seats[seat]["delivered"])
            else:
                count = sum(self._type_at(space) == counted for space in self._owned(seat))
            self._gain(seat, "koku", each * count)
        for good in GOODS:
            amount = left.pop(good, 0)
            if any_goods:
                yield from self._choose_goods(seat, amount)
            else:
                self._gain(seat, good, amount)
        self._gain(seat, "favor", left.pop("favor", 0))
        yield from self._choose_goods(seat, left.pop("any_good", 0))
        yield from self._influence(seat, region, left.pop("influence", 0))
        for _ in range(left.pop("draw_and_discard", 0)):
            yield from self._draw_and_discard(seat, 1)
        if left:
            raise ValueError(f"unknown reward {left}")

    def _choose_goods(self, seat: int, amount: int) -> Flow:
        """R12: the gaining player names each good, even one at its limit, which is lost."""
        options = [self._step(seat, "good", good=good) for good in GOODS]
        for _ in range(amount):
            step = yield self._wait("good", lambda: options, seat)
            self._gain(seat, step["good"], 1)

    def _influence(self, seat: int, region: int, steps: int) -> Flow:
        """R22-R24: one move on one region's track, with the reward of every space passed or reached."""
        influence = self.seats[seat]["influence"]
        start = influence[region - 1]
        for _ in range(steps):
            space = influence[region - 1]
            if space == self.track_end:
                break  # the rest is lost
            there = self._next_track_space(seat, region, space)
            influence[region - 1] = there
            for reached in range(space + 1, there + 1):
                yield from self._collect(seat, self._track_reward(region, reached), region)
        self._reward_hyobu(seat, region, start, influence[region - 1])

    def _next_track_space(self, seat: int, region: int, space: int) -> int:
        there = space + 1
        if self.patrons[seat] == "bayushi-kashiko":
            others = {p["influence"][region - 1] for s, p in enumerate(self.seats) if s != seat}
            while there in others and there < self.track_end:
                there += 1
        return there

    def _track_reward(self, region: int, space: int) -> dict[str, int]:
        track = self.facts["track"]
        if space == 2:
            return {track["good_at_2"][region - 1]: 1}
        reward: dict[str, int] = track["rewards"].get(str(space), {})
        return reward

    def _reward_hyobu(self, mover: int, region: int, start: int, end: int) -> None:
        for seat, patron in enumerate(self.patrons):
            marker = self.seats[seat]["influence"][region - 1]
            if patron == "shosuro-hyobu" and seat != mover and marker >= 1 and start < marker < end:
                self._gain(seat, "points", self._patron_figure(seat, "points"))

    def _owner_rewards(self, space: int) -> Flow:
        """R11: one reward for each marker, in the order the markers were placed."""
        for owner in self.markers.get(space, []):
            yield from self._collect(owner, self.tiles[self.shore[space]]["owner"], self._region_of(space))

    # ----------------------------------------------------------------------------------------------- building

    def _builds(self, seat: int) -> list[Step]:
        player = self.seats[seat]
        return [
            {"do": "build", "space": space, "tile": tile}
            for space in self.spaces
            if space not in self.shore
            and (self._region_of(space) == player["die"] or self.patrons[seat] == "kaiu-shihobu")
            and self._cost(seat, space) <= player["koku"]
            for tile in dict.fromkeys(self.row)
        ]

    def _cost(self, seat: int, space: int) -> int:
        """R6: the printed cost, less with the region's artisan."""
        cost = int(self.spaces[space]["cost"])
        if any(artisan["region"] == self._region_of(space) for artisan in self._delivered(seat, "artisan")):
            cost -= self.facts["exchange"]["artisan_discount"]
        return max(cost, 0)

    def _build(self, seat: int, space: int, tile: str) -> Flow:
        """R7."""
        self.seats[seat]["koku"] -= self._cost(seat, space)
        self.shore[space] = tile
        self.markers[space] = [seat]
        if tile == self.row[-1]:
            self._gain(seat, "favor", self.facts["exchange"]["row_end_favor"])
        if self.patrons[seat] == "yasuki-taka":
            touching = sum(space in shore for shore in self.river)
            self._gain(seat, "points", touching * self._patron_figure(seat, "points"))
        yield from self._influence(seat, self._region_of(space), self.tiles[tile]["build"])
        self.row.remove(tile)
        self._refill_row()

    def _refill_row(self) -> None:
        """R26, R27: new tiles enter at the start; in the last turns both stacks are empty and none do."""
        while len(self.row) < self.facts["setup"]["building_row"] and (self.era1 or self.era2):
            if self.era1:
                self.row.insert(0, self.era1.pop(0))
                self.visit_due = not self.era1
            else:
                self.row.insert(0, self.era2.pop(0))
                self.end_due = not self.era2

    # ------------------------------------------------------------------------------------------------ sailing

    def _sails(self, seat: int) -> list[Step]:
        player = self.seats[seat]
        steps = []
        for ship, start in enumerate(player["ships"]):
            moves = [player["die"]]
            if ship == player["royal"]:
                for ability, by in self._royal_abilities(seat):
                    if ability == "die_plus_or_minus_#":
                        steps_off = range(1, by + 1)
                        moves += [wrap_face(player["die"] + way * off) for off in steps_off for way in (-1, 1)]
            ends = {(start - 1 + move) % len(self.river) + 1 for move in moves}
            steps += [{"do": "sail", "ship": ship, "to": to} for to in sorted(ends)]
        return steps

    def _sail(self, seat: int, ship: int, to: int) -> Flow:
        """R10."""
        player = self.seats[seat]
        journey_completed = to < player["ships"][ship]  # a die never takes a ship all the way round
        player["ships"][ship] = to
        touched = sorted(self.river[to - 1])
        royal = self._royal_abilities(seat) if ship == player["royal"] else []

        any_goods = any(ability == "market_good_is_any_good" for ability, _ in royal)
        for space in touched:
            yield from self._visitor_reward(seat, space, any_goods)
        for space in touched:
            yield from self._owner_rewards(space)
        for ability, amount in royal:
            yield from self._royal_ability(seat, ability, amount, to)
        if self.patrons[seat] == "daidoji-uji" and any(self._is_opponents(seat, space) for space in touched):
            self._gain(seat, "points", self._patron_figure(seat, "points"))
        if journey_completed:
            yield from self._complete_journey(seat)

    def _visitor_reward(self, seat: int, space: int, market_good_is_any_good: bool) -> Flow:
        if space not in self.shore:
            self._gain(seat, "koku", self.facts["exchange"]["empty_space_koku"])
            return
        tile = self.tiles[self.shore[space]]
        any_goods = market_good_is_any_good and tile["type"] == "market"
        yield from self._collect(seat, tile["visitor"], self._region_of(space), any_goods)

    def _royal_ability(self, seat: int, ability: str, amount: int, river_space: int) -> Flow:
        """R20: the abilities after the owner rewards; those of nobles 1 and 5 apply earlier."""
        touched = self.river[river_space - 1]
        match ability:
            case "market_good_is_any_good" | "die_plus_or_minus_#":
                pass
            case "koku_per_empty_space":
                self._gain(seat, "koku", amount * sum(space not in self.shore for space in touched))
            case "influence_#_in_each_adjacent_region":
                for region in sorted(self.facts["river"]["regions"][river_space - 1]):
                    yield from self._influence(seat, region, amount)
            case "point_if_opponent_building_visited":
                if any(self._is_opponents(seat, space) for space in touched):
                    self._gain(seat, "points", amount)
            case "point_if_own_building_visited":
                if any(seat in self.markers.get(space, []) for space in touched):
                    self._gain(seat, "points", amount)
            case _:
                raise ValueError(f"unknown ability {ability}")

    def _complete_journey(self, seat: int) -> Flow:
        """R10, R21: the journey reward, the merchants in order, then the row's end tile is discarded."""
        step = yield self._wait("journey", lambda: [{"do": "journey", "take": take} for take in ["koku", *GOODS]])
        if step["take"] == "koku":
            self._gain(seat, "koku", self.facts["exchange"]["journey_koku"])
        else:
            self._gain(seat, step["take"], 1)
        for merchant in self._delivered(seat, "merchant"):
            yield from self._merchant(seat, _words(merchant["journey"]), merchant["amount"])
        if self.row:
            self.row.pop()
        self._refill_row()

    def _merchant(self, seat: int, ability: str, amount: int) -> Flow:
        match ability:
            case "influence_#_in_each_region_where_you_own_a_building":
                for region in sorted({self._region_of(space) for space in self._owned(seat)}):
                    yield from self._influence(seat, region, amount)
            case "point_per_customer_delivered":
                self._gain(seat, "points", amount * len(self.seats[seat]["delivered"]))
            case "any_good":
                yield from self._choose_goods(seat, amount)
            case "sell_goods_for_#_koku_each":
                yield from self._sell(seat, amount)
            case "favor":
                self._gain(seat, "favor", amount)
            case "koku_#":
                self._gain(seat, "koku", amount)
            case _:
                raise ValueError(f"unknown ability {ability}")

    def _sell(self, seat: int, price: int) -> Flow:
        """R21, merchant 4: a player with nothing to sell is not asked."""
        player = self.seats[seat]

        def options() -> list[Step]:
            steps: list[Step] = [{"do": "sell", "good": good} for good in GOODS if player[good] > 0]
            return steps if self.must_sell else [*steps, PASS]

        self.must_sell = False
        while any(player[good] > 0 for good in GOODS):
            step = yield self._wait("sell", options)
            if step == PASS:
                return
            self.must_sell = False
            player[step["good"]] -= 1
            self._gain(seat, "koku", price)

    # --------------------------------------------------------------------------------------------- delivering

    def _deliveries(self, seat: int) -> list[Step]:
        player = self.seats[seat]
        return [
            {"do": "deliver", "customer": customer}
            for customer in sorted(player["hand"])
            if (self.customers[customer]["region"] == player["die"] or self.patrons[seat] == "yoritomo")
            and all(player[good] >= amount for good, amount in self.customers[customer]["order"].items())
        ]

    def _deliver(self, seat: int, name: str) -> Flow:
        """R15, R17, R19."""
        player, customer = self.seats[seat], self.customers[name]
        region, kind = customer["region"], customer["type"]
        for good, amount in customer["order"].items():
            player[good] -= amount
        new_region = all(self.customers[served]["region"] != region for served in player["delivered"])
        if self.patrons[seat] == "kudaka" and new_region:
            self._gain(seat, "points", self._patron_figure(seat, "points"))
        player["hand"].remove(name)
        player["delivered"].append(name)

        reward = self.facts["delivery"][kind]
        limit = player["favor_limit"] + reward.get("favor_limit", 0)
        player["favor_limit"] = min(limit, self.facts["limits"]["favor_limit"])
        self._gain(seat, "favor", reward.get("favor", 0))
        if kind == "noble" and player["royal"] is None:
            ships = [{"do": "royal", "ship": ship} for ship in range(len(player["ships"]))]
            step = yield self._wait("royal", lambda: ships)
            player["royal"] = step["ship"]
        yield from self._influence(seat, region, reward.get("influence", 0))
        if kind == "monk":
            yield from self._second_marker(seat, customer["second_marker"])
        yield from self._draw_and_discard(seat, CUSTOMERS_DRAWN_ON_DELIVERY)

    def _second_marker(self, seat: int, whose: str) -> Flow:
        """R17: a building with exactly one marker, of the player or an opponent as the monk says."""
        spaces = [
            space
            for space, owners in sorted(self.markers.items())
            if len(owners) == 1 and (owners == [seat]) == (whose == "own")
        ]
        if spaces:
            step = yield self._wait("marker", lambda: [{"do": "marker", "space": space} for space in spaces])
            self.markers[step["space"]].append(seat)

    def _draw_and_discard(self, seat: int, count: int) -> Flow:
        """R14, R16: draw, reshuffling where needed, and discard one card unless too few could be drawn."""
        hand = self.seats[seat]["hand"]
        full = len(hand) + count
        while len(hand) < full:
            if not self.deck:
                if not self.discards:
                    return
                step = yield self._wait("reshuffle", list, seat)
                self.deck, self.discards = list(step["deck"]), []
            missing = full - len(hand)
            draw = self._step(seat, "draw", customers=self.deck[:missing])
            step = yield from self._only(draw)
            hand += step["customers"]
            self.deck = self.deck[missing:]
        cards = [self._step(seat, "discard", customer=customer) for customer in sorted(hand)]
        step = yield self._wait("discard", lambda: cards, seat)
        hand.remove(step["customer"])
        self.discards.append(step["customer"])

    def _only(self, step: Step) -> Generator[Wait, Step, Step]:
        """Wait for the only possible step."""
        return (yield self._wait(step["do"], lambda: [step], step.get("seat")))

    # ------------------------------------------------------------------------------------------ final scoring

    def final(self) -> dict[str, Any]:
        """Return points, winners and their parts as in a trace; the state does not change."""
        by_region = [self.region_points(region) for region in range(1, self.region_count + 1)]
        breakdown = []
        for seat, player in enumerate(self.seats):
            parts = {"in_game": player["points"], "regions": [points[seat] for points in by_region]}
            breakdown.append({**parts, **self._customer_points(seat)})
        totals = [sum(sum(part) if isinstance(part, list) else part for part in row.values()) for row in breakdown]
        ties = self._holds("favor_breaks_ties")
        rank = [(total, player["favor"] if ties else 0) for total, player in zip(totals, self.seats, strict=True)]
        winners = [seat for seat in range(self.players) if rank[seat] == max(rank)]  # R32
        return {"points": totals, "winners": winners, "breakdown": breakdown}

    def region_points(self, region: int) -> list[int]:
        """Score one region for every seat (R29), including elders' doubling."""
        influence = [player["influence"][region - 1] for player in self.seats]
        tile, first = self.region_tiles[region - 1], max(influence)
        points = [0] * self.players
        for level in sorted(set(influence) - {0}, reverse=True):
            near = first - level <= self.facts["scoring"]["second_place_within"]
            if self.players == 2 and self._holds("two_player_distance") and not near:
                continue
            tied = [seat for seat in range(self.players) if influence[seat] == level]
            place = sum(other > level for other in influence)
            share = sum(tile[place : place + len(tied)]) // len(tied)
            for seat in tied:
                doubled = any(elder["region"] == region for elder in self._delivered(seat, "elder"))
                points[seat] = share * 2 if doubled else share
        return points

    def _customer_points(self, seat: int) -> dict[str, int]:
        """R30, R31."""
        player, scoring = self.seats[seat], self.facts["scoring"]
        table = scoring["customers_delivered"]
        for_koku = player["koku"] // scoring["merchant_koku_per_point"]
        for_goods = sum(player[good] for good in GOODS) // scoring["artisan_goods_per_point"]
        nobles = self._delivered(seat, "noble")
        return {
            "customers": table[min(len(player["delivered"]), len(table) - 1)],
            "merchants": len(self._delivered(seat, "merchant")) * for_koku,
            "artisans": len(self._delivered(seat, "artisan")) * for_goods,
            "nobles": sum(row["end_points"] * self._counted(seat, row["end_point_per"]) for row in nobles),
        }

    def _counted(self, seat: int, counted: str) -> int:
        types = [self._type_at(space) for space in self._owned(seat)]
        if counted == "different_type":
            return len(set(types))
        if counted == "different_region":
            return len({self._region_of(space) for space in self._owned(seat)})
        return types.count(counted)  # buildings of one type


# ----------------------------------------------------------------------------------------------------- replay


def replay(trace: dict[str, Any], facts: Facts) -> None:
    """Replay a recorded game and raise Mismatch at the first deviation from the rules.

    Turns, steps and seats are counted from 0 in the message, as in the trace. In a game with changes, `facts`
    must have the same change as the trace.
    """
    kept = {key: value for key, value in trace.items() if key != "change"}
    check_keys(kept, {"format", "players", "seed", "game", "bots", "setup", "turns", "final"}, "trace")
    compare(FORMAT, trace["format"], "format")
    compare(trace["players"], len(trace["bots"]), "number of bots")
    game = NaiveGame(facts, trace["setup"], trace["players"])
    for turn in trace["turns"]:
        if game.over:
            raise Mismatch(f"turn {game.turn_number + 1}: expected no more turns, found {turn}")
        _replay_turn(game, turn)
    if not game.over:
        raise Mismatch(f"turn {game.turn_number}: expected a turn of seat {game.active}, found the end of the trace")
    compare(game.final(), trace["final"], "final")


def _replay_turn(game: NaiveGame, turn: dict[str, Any]) -> None:
    where = f"turn {game.turn_number}, seat {game.active}"
    check_keys(turn, {"seat", "steps", "after"}, where)
    compare(game.active, turn["seat"], f"{where}, seat")
    follow(game, turn["steps"])
    while game.expects in OPTIONAL - {"turn_end"}:
        game.take(PASS)
    if game.expects != "turn_end":
        raise game.mismatch(f"{game.expects} of seat {game.waiting and game.waiting.seat}", "the end of the turn")
    compare(_without_empty(game.state()), _without_empty(turn["after"]), f"{where}, after")
    game.take(PASS)


def follow(game: NaiveGame, steps: list[Step]) -> None:
    """Take recorded steps, and pass where they imply it."""
    for index, step in enumerate(steps):
        while _passed(game, steps[index:]):
            game.take(PASS)
        if step == PASS:
            raise game.mismatch("a step that a trace knows", step)
        game.take(step)


def _passed(game: NaiveGame, ahead: list[Step]) -> bool:
    """Return whether the chooser declined before the steps ahead, which a trace only implies.

    set_die: nothing happens between declining and the roll, so an exchange fits equally well on either side
    and is taken first; that also covers one that buys the favor for it. The end of the turn is never passed
    while steps are left. Selling is the case where it matters, for merchants 5 and 6 and the row follow at
    once: it ends with the last `sell`, so exchanges belong to it only if a `sell` comes right after them.
    """
    if game.expects == "sell":
        following = next((step.get("do") for step in ahead if step.get("do") != "exchange"), None)
        return following != "sell"
    return game.expects == "set_die" and ahead[0].get("do") not in ("exchange", "set_die")


def _without_empty(state: dict[str, Any]) -> dict[str, Any]:
    """Remove the spaces and masteries without a marker, which a trace may include or not."""
    left = dict(state)
    for table in {"markers", "masteries"} & set(state):
        left[table] = {key: seats for key, seats in state[table].items() if seats}
    return left
