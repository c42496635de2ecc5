"""Bots that plan ahead: planner and search play by the rules, find winning turns, and carry out their plans."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rogsim.bots.loading import find_bot
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.compiler import records
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit.search import search_choice
from rogsim.game.kit.search.hooks import play_on
from rogsim.game.kit.search.lines import COUNT, STEPS, TURN_NOTED
from rogsim.game.kit.workspace import MAX_NOTES, MAX_WEIGHTS
from rogsim.game.registry import RegistryError
from rogsim.game.rules import copy_of
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.bots import actions_worth, plan, policy
from rogsim.games.river_of_gold.bots.weights import MOMENT
from rogsim.games.river_of_gold.bots.worth import MOMENTS_KEPT, PLANNED, PLANNED_TURN, POLICY_MEMORY, policy_for
from rogsim.games.river_of_gold.components.names import CUSTOMERS
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.state import PAUSE, TURN
from tests.games.river_of_gold.games import PATRON_MODES, batch_of, bot, outcomes, setup_for
from tests.games.river_of_gold.playing import playing
from tests.games.river_of_gold.table import Table
from tests.games.river_of_gold.thinking import Mind, scratch
from tests.uncompiled import uncompiled

policy_for, apply = map(callable_by_rules, (policy_for, apply))

pytestmark = pytest.mark.slow

FEW = "search@rollouts=16+turns=3"
THINKING = ["learned", "planner", FEW]
EAGER, RELUCTANT = "balanced@2-early-deliver=99", "balanced@2-early-deliver=-99"
DELIVERY = act.DELIVER + CUSTOMERS.index("artisan-1")
compiled = pytest.mark.skipif(not compiler.ENABLED, reason="thinking ahead in whole games takes too long uncompiled")

# ------------------------------------------------------------------------------------------------- whole games


@compiled
@pytest.mark.parametrize("name", THINKING)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("figures", ["printed", "generous"])
def test_bots_that_think_ahead_play_by_the_rules(name: str, players: int, figures: str) -> None:
    """With all patron modes, among themselves, every choice is on the menu and every game ends."""
    for mode in PATRON_MODES:
        rows, games = outcomes(setup_for(figures, players, mode), batch_of([name] * players, 3))
        assert rows["win_share"].reshape(3, players).sum(axis=1) == pytest.approx(np.ones(3))
        assert all(games["turns"] > 0)


@compiled
@pytest.mark.parametrize(
    "name",
    [
        "learned@choices=0+trust=0",
        "planner@choices=0",
        "planner@choices=99+worlds=9",
        "search@choices=99+rollouts=0",
        "search@rollouts=20+turns=-3",
    ],
)
def test_settings_out_of_their_range_are_brought_into_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At least one line is tried, and no more than fit into memory; games are played by the rules.

    In a name they are refused, but a file of weights that were tuned may have them.
    """
    monkeypatch.setattr("rogsim.bots.loading.setting_rule", lambda *_: "")
    rows, _ = outcomes(setup_for("printed", 3, "draft"), batch_of([name, "balanced", name], 2))
    assert rows["win_share"].sum() == pytest.approx(2.0)


@compiled
@pytest.mark.parametrize("bot_name", THINKING)
@pytest.mark.parametrize(
    "odd",
    [{"build": -1.0}, {"build": -1.0, "sail": -1.0, "deliver": -1.0}, {"step": -1e12}, {"koku": -1e15, "good": -1e15}],
)
def test_with_odd_weights_games_go_on_by_the_rules(bot_name: str, odd: dict[str, float]) -> None:
    """In rollouts, players whose weights value no legal action still take their turns."""
    changes = [f"play-3-{phase}-{name}={value}" for phase in ("early", "late") for name, value in odd.items()]
    name = "+".join([bot_name if "@" in bot_name else f"{bot_name}@choices=3", *changes])
    rows, _ = outcomes(setup_for("printed", 3), batch_of([name, "balanced", name], 2))
    assert rows["win_share"].sum() == pytest.approx(2.0)


@compiled
@pytest.mark.parametrize("name", THINKING)
def test_thinking_ahead_beats_three_that_do_not(name: str) -> None:
    """Against three `balanced`, from each seat in turn, it wins well above a quarter of the games."""
    games = 160
    seating = ((np.arange(4) + np.arange(games)[:, None]) % 4).astype(np.int8)
    line_up = (bot(name), *[bot("balanced")] * 3)
    rows, _ = outcomes(setup_for("printed", 4), Batch(1, 4, np.arange(games), seating, line_up))
    mine = seating.ravel() == 0
    assert rows["win_share"][mine].mean() > 0.35


# --------------------------------------------------------------------------------------------- the winning turn


def last_turn(**fields: object) -> Table:
    """The last turn of a two-player game; the seat's customer in region 1 scores just enough to win."""
    table = Table(2).give(0, hand=["artisan-1"], points=40, **fields)
    table.give(1, influence=dict.fromkeys(range(2, 7), 12)).region_tile(1, [8, 4])
    table.game.last_turns, table.game.ended_by = 0, 1
    mine, other = table.final()
    table.give(1, points=mine.points - other.points + 9)
    return table


NEEDED: dict[str, tuple[dict[str, object], list[str]]] = {
    "deliver": ({"porcelain": 2, "die": 1}, ["deliver"]),
    "exchange": ({"porcelain": 1, "silk": 2, "die": 1}, ["exchange", "deliver"]),
    "exchange twice": ({"silk": 2, "rice": 2, "die": 1}, ["exchange", "exchange", "deliver"]),
    "turn the die": ({"porcelain": 2, "die": 6, "favor": 1}, ["favor", "deliver"]),
    "buy favor": ({"porcelain": 2, "die": 2, "koku": 5}, ["exchange", "favor", "deliver"]),
    "buy favor, exchange": (
        {"porcelain": 1, "rice": 3, "die": 5, "koku": 6, "favor": 1},
        ["exchange", "favor", "exchange", "deliver"],
    ),
}


@pytest.mark.parametrize("name", THINKING)
@pytest.mark.parametrize("need", NEEDED)
def test_on_its_last_turn_a_bot_finds_what_wins(name: str, need: str) -> None:
    """It delivers, with its order ready or with favor, koku or goods to get there: nothing else would win."""
    fields, steps = NEEDED[need]
    table = last_turn(**fields)
    played = [step["do"] for step in Mind(name).play(table)]
    assert played[: len(steps)] == steps
    assert table.over
    assert [seat.win_share for seat in table.final()] == [1.0, 0.0]


def best_without(table: Table, action: int, known: set[bytes]) -> float:
    """The best win share that the seat may have after this turn if it never takes an action, all else being tried."""
    if table.over:
        return table.final()[0].win_share
    best, before = 0.0, copy_of(table.game)
    if before.tobytes() in known:
        return 0.0
    known.add(before.tobytes())
    for other in table.menu():
        if other != action:
            apply(table.tables, table.game, other)
            best = max(best, best_without(table, action, known))
            table.workspace.game = before
    return best


@pytest.mark.parametrize("need", NEEDED)
def test_without_the_delivery_that_turn_would_be_lost(need: str) -> None:
    """Whatever the seat does instead, with all the favor and goods it may buy, it stays behind."""
    known: set[bytes] = set()
    assert best_without(last_turn(**NEEDED[need][0]), DELIVERY, known) == 0.0
    assert len(known) > 2


@compiled
@pytest.mark.parametrize("name", ["search@rollouts=4", "search@rollouts=100", "search@rollouts=100+turns=0"])
def test_whatever_its_chance_a_search_finds_what_wins(name: str) -> None:
    """A certain win comes out best in every rollout, few or many."""
    for number in range(5):
        table = last_turn(**NEEDED["turn the die"][0])
        Mind(name, number).play(table)
        assert table.final()[0].win_share == 1.0


# ------------------------------------------------------------------------------------------- carrying it out


@pytest.mark.parametrize("name", THINKING)
def test_a_turn_is_thought_out_once_and_then_carried_out(name: str) -> None:
    """After favor and die it carries out the noted steps without dealing another world."""
    table, mind = last_turn(**NEEDED["buy favor, exchange"][0]), Mind(name)
    steps = [mind.choose(table)]
    drawn, count = mind.drawn, int(mind.memory.notes[COUNT])
    assert drawn > 0
    noted = mind.memory.notes[STEPS : STEPS + count].tolist()
    for _ in range(count - 1):
        table.recorder.take(steps[-1])
        steps.append(mind.choose(table))
    assert count == 4
    assert steps == noted
    assert mind.drawn == drawn


@pytest.mark.parametrize("name", THINKING)
def test_what_is_noted_decides_the_next_step(name: str) -> None:
    """Of the turn that is played, and only of that: notes of another turn are not followed."""
    table = last_turn(**NEEDED["deliver"][0])
    sail = next(action for action, step in table.menu().items() if step["do"] == "sail")
    for turn, expected in ((int(table.game.turn), sail), (int(table.game.turn) - 1, None)):
        mind = Mind(name)
        mind.memory.notes[TURN_NOTED : STEPS + 2] = [turn + 1, 2, 1, act.BUY_FAVOR, sail]
        chosen = mind.choose(table)
        assert (chosen == sail) is (expected == sail)
        assert (mind.drawn == 0) is (expected == sail)


@pytest.mark.parametrize("name", THINKING)
def test_a_noted_step_that_is_not_legal_is_thought_over(name: str) -> None:
    """An action on the menu is chosen, not a number that is not there."""
    table, mind = last_turn(**NEEDED["deliver"][0]), Mind(name)
    mind.memory.notes[TURN_NOTED : STEPS + 1] = [table.game.turn + 1, 1, 0, act.DELIVER + 29]
    assert table.menu()[mind.choose(table)]["do"] == "deliver"


@pytest.mark.once_uncompiled  # compiled, only this test would need the policy's steps as machine code of their own
@pytest.mark.parametrize("kind", [("printed", 4, "dealt"), ("generous", 2, "none"), ("printed", 3, "draft")])
def test_plain_players_need_no_menu_for_turns_and_pauses(kind: tuple[str, int, str]) -> None:
    """What rollouts let them do is what they choose from the menu, step by step up to the action of the turn."""
    turned = paused = 0
    for table, menu in playing(kind, 3):
        if len(menu) < 2 or table.game.phase not in (TURN, PAUSE):
            continue
        mind = Mind("tuned")
        chosen = mind.choose(table)
        if table.game.phase == PAUSE:
            assert policy.choose_in_pause(table.tables, table.game) == chosen
            paused += 1
            continue
        step, action = policy.next_steps(table.tables, table.game, Mind("tuned").memory)
        before, player = copy_of(table.game), table.game.players[table.game.actor]
        assert step == chosen
        assert (action == act.PASS) is (step == act.BUY_FAVOR)
        while action not in (step, act.PASS):
            turned += act.TURN_DIE <= step < act.BUILD
            apply(table.tables, table.game, step)
            step = actions_worth.step_toward(table.tables, player, action)
            assert mind.choose(table) == step
            assert step in table.menu()
        table.workspace.game = before
    assert turned > 3
    assert paused > 0


@pytest.mark.once_uncompiled  # compiled, only this test would need a rollout's turn as machine code of its own
@pytest.mark.parametrize("need", ["exchange", "exchange twice", "turn the die"])
def test_a_policy_gets_ready_for_what_it_planned(need: str) -> None:
    """It exchanges and turns the die for a delivery: when it is asked step by step, and in one go in a rollout."""
    fields, steps = NEEDED[need]
    asked, rolled = last_turn(**fields), last_turn(**fields)
    assert [step["do"] for step in Mind(EAGER).play(asked)][: len(steps)] == steps
    policies = records(POLICY_MEMORY, MOMENTS_KEPT)
    policies["weights"] = bot(EAGER).weights
    plan.move(rolled.tables, rolled.game, records(MENU, 1)[0], policies)
    assert rolled.game.players[0].delivered == asked.game.players[0].delivered == 1 << CUSTOMERS.index("artisan-1")


@pytest.mark.once_uncompiled  # compiled, only this test would need the policy's steps as machine code of their own
def test_weights_that_stay_mixed_are_those_of_the_moment() -> None:
    """A policy with memory for a few moments, as rollouts have it, chooses like one that mixes its weights anew."""
    policies, moments = records(POLICY_MEMORY, MOMENTS_KEPT), set()
    policies["weights"] = bot("tuned").weights
    for table, _ in playing(("printed", 3, "none"), 5):
        if table.game.phase == TURN:
            kept = policy_for(table.tables, table.game, policies)
            steps = policy.next_steps(table.tables, table.game, kept)
            assert steps == policy.next_steps(table.tables, table.game, Mind("tuned").memory)
            moments.add(kept.notes[MOMENT])
    assert len(moments) > MOMENTS_KEPT


@pytest.mark.parametrize(
    ("later", "action", "is_taken"),
    [(0, DELIVERY, True), (0, DELIVERY + 1, False), (-1, DELIVERY, False), (1, DELIVERY, False)],
)
def test_a_planned_action_is_not_chosen_again(later: int, action: int, is_taken: bool) -> None:
    """A policy takes it if it is legal and was planned in the same turn; otherwise it chooses anew."""
    table, mind = last_turn(**NEEDED["deliver"][0]), Mind(RELUCTANT)
    mind.memory.notes[[PLANNED, PLANNED_TURN]] = action, table.game.turn + 1 + later
    anew = Mind(RELUCTANT).choose(table)
    assert anew != DELIVERY
    assert mind.choose(table) == (DELIVERY if is_taken else anew)


# ------------------------------------------------------------------------------------------------- its memory


@compiled
@pytest.mark.parametrize("name", ["tuned", *THINKING])
def test_a_bot_leaves_view_and_game_as_they_are(name: str) -> None:
    """It works on copies: view, game, menu and tables are byte for byte the same afterwards."""
    asked = 0
    for table, menu in playing(("generous", 3, "dealt"), 9):
        if len(menu) < 2:
            continue
        mind = Mind(name)
        shown = (mind.see(table), mind.menu, table.tables, table.game)
        before = [record.tobytes() for record in shown]
        mind.bot.choose(table.tables, table.workspace.bot_view, mind.menu, mind.memory)
        assert [record.tobytes() for record in shown] == before
        asked += 1
    assert asked > 30


@pytest.mark.once_uncompiled  # compiled, only this test would need both functions as machine code of their own
def test_a_rollout_leaves_the_view_and_its_world_as_they_are() -> None:
    """All choices are tried in the same world, and each rollout gives a chance to win."""
    played = 0
    for table, menu in playing(("printed", 3, "none"), 8):
        if len(menu) < 2 or table.game.phase != TURN or table.game.turn % 5:
            continue
        mind, scratches = Mind("search@rollouts=2+turns=1"), scratch()
        view = mind.see(table)
        search_choice(table.tables, view, mind.menu, mind.memory, scratches)
        search = scratches[0].search
        before = [record.tobytes() for record in (view, table.game, search.world)]
        for choice in range(int(search.kept)):
            assert 0.0 <= play_on(table.tables, table.chooser, choice, 4, scratches[0]) <= 1.0
            assert [record.tobytes() for record in (view, table.game, search.world)] == before
            assert search.line.turn > table.game.turn
            played += 1
    assert played > 10


@compiled
@pytest.mark.parametrize("name", THINKING)
def test_the_same_chance_gives_the_same_choice(name: str) -> None:
    """Asked twice with the same stream, weights and notes, a bot chooses the same and draws as many numbers."""
    asked = 0
    for table, menu in playing(("printed", 4, "dealt"), 5):
        if len(menu) < 2 or table.game.turn % 3:
            continue
        first, second = Mind(name, 7), Mind(name, 7)
        assert first.choose(table) == second.choose(table)
        assert first.memory.tobytes() == second.memory.tobytes()
        asked += 1
    assert asked > 10


def choices_of(name: str) -> list[int]:
    """What a bot chooses at some questions of a random game for two."""
    return [
        Mind(name).choose(table)
        for number, (table, menu) in enumerate(playing(("printed", 2, "none"), 6))
        if len(menu) > 1 and number % 20 == 0
    ]


@compiled
def test_uncompiled_a_bot_chooses_the_same() -> None:
    """Uncompiled, both bots that plan ahead choose the same as compiled."""
    names = ["planner@worlds=2+turns=4", "search@rollouts=4+choices=3+turns=1"]
    found = uncompiled(choices_of, [[name] for name in names])
    assert found == [choices_of(name) for name in names]
    assert len(found[0]) > 3


# ---------------------------------------------------------------------------------------------- its settings


@compiled
def test_rollouts_are_the_worlds_that_a_search_looks_into() -> None:
    """The more there are, the more numbers one choice draws; and with enough of them, chance matters less."""
    drawn = []
    table = next(table for table, menu in playing(("printed", 3, "none"), 8) if table.game.turn == 6 and len(menu) > 9)
    for count in (64, 256, 1024):
        mind = Mind(f"search@rollouts={count}")
        mind.choose(table)
        drawn.append(mind.drawn)
    assert drawn[0] < drawn[1] / 2 < drawn[2] / 4


def agreement(name: str) -> float:
    """The share of pairs of streams with which a bot chooses the same, on the average over some positions."""
    shares = []
    for table, menu in playing(("printed", 3, "none"), 12):
        if len(menu) < 5 or table.game.phase != TURN or table.game.turn % 9:
            continue
        chosen = [Mind(name, number).choose(table) for number in range(6)]
        pairs = [action == other for place, action in enumerate(chosen) for other in chosen[:place]]
        shares.append(np.mean(pairs))
    assert len(shares) > 2
    return float(np.mean(shares))


@compiled
def test_with_more_rollouts_choices_depend_less_on_chance() -> None:
    """Streams agree more often on the choice after two thousand rollouts than after sixteen."""
    assert agreement("search@rollouts=2000+turns=3+trust=0.5") > agreement(f"{FEW}+trust=0.5")


@compiled
def test_one_choice_wanted_means_that_nothing_is_compared() -> None:
    """A search for one turn only takes the planner's best at first sight, after one world."""
    table = last_turn(**NEEDED["deliver"][0])
    mind = Mind("search@choices=1")
    full = Mind("search")
    mind.choose(table)
    full.choose(table)
    assert mind.drawn < full.drawn


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search@rollout=16", 'search has no weight "rollout": its weights include rollouts'),
        ("planner@worlds=many", '"worlds" must be a finite number, not "many"'),
        ("planner@worlds=nan", '"worlds" must be a finite number, not "nan"'),
        ("search@rollouts=16+choices=", '"choices" must be a finite number, not ""'),
        ("tuned@rollouts=16", 'tuned has no weight "rollouts"'),
        ("random@koku=1", 'random has no weight "koku": its weights have no names'),
    ],
)
def test_a_weight_that_cannot_be_set_is_one_line(name: str, message: str) -> None:
    """The bot as it was written, the weight, and what is wrong with it."""
    with pytest.raises(RegistryError) as caught:
        find_bot(spec.GAME, name, Path())
    assert str(caught.value).startswith(f'bot "{name}": ')
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["tuned", "learned", "planner", "search"])
def test_weights_come_by_name_and_fit_into_the_room_for_them(name: str) -> None:
    """Each weight has one name and a number, and the steps of a turn fit into the notes."""
    source = find_bot(spec.GAME, name, Path())
    assert len(source.weights) == len(source.weight_names) == len(set(source.weight_names)) <= MAX_WEIGHTS
    assert np.isfinite(source.weights).all()
    assert STEPS + plan.LINE <= MAX_NOTES


def test_a_weight_is_changed_by_name_and_no_other() -> None:
    """`BOT@name=value+name=value` changes those two."""
    plain, changed = (find_bot(spec.GAME, name, Path()) for name in ("search", "search@rollouts=12+endgame=0.5"))
    values = dict(zip(plain.weight_names, plain.weights, strict=True)) | {"rollouts": 12.0, "endgame": 0.5}
    assert dict(zip(changed.weight_names, changed.weights, strict=True)) == values
    assert changed.name == "search@rollouts=12+endgame=0.5"
    assert changed.function is plain.function
