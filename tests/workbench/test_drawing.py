"""Drawings of positions: well formed, safe, with what actions name, and without what is hidden; tables for the rest."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from rogsim.base.errors import RogsimError
from rogsim.cli.new_game import write_game
from rogsim.game.kit.drawing import Drawing, group, label, lines, names_of, seat_mark, shape
from rogsim.games.river_of_gold.components.names import CUSTOMERS
from rogsim.games.river_of_gold.play import say as gold_say
from rogsim.games.river_of_gold.rules import actions as gold_actions
from rogsim.games.the_river.play import say as river_say
from rogsim.games.the_river.rules import actions as river_actions
from rogsim.simulation.session import Session
from rogsim.workbench.position import Choice, choice_of, grouped, safe_markup, shown, words_of
from tests.example_games import kuhn, pig

GAMES = ("river-of-gold", "the-river")
# What clicking a drawing can mean: whatever an action names of these is drawn.
PROMISED = {
    "river-of-gold": ("space", "tile", "to", "customer", "patron", "ship"),
    "the-river": ("tile", "card", "spots", "resource"),
}
OPTIONS = {"river-of-gold": {"patrons": "draft"}, "the-river": {}}
DOCS = Path(__file__).parents[2] / "docs"


def positions(game: str, players: int, options: dict[str, Any], seed: int) -> Iterator[Session]:
    """A game of random choices, at some of its positions and at its end."""
    session, chance = Session.new(game, players, seed=seed, options=options), random.Random(seed)
    while not session.is_over:
        if chance.random() < 0.12:
            yield session
        session.apply(chance.choice(session.legal))
    yield session


def picture_of(session: Session, seat: int | None = None) -> Drawing:
    spec, view = session.spec, session.state if seat is None else session.observe(seat)
    assert spec.draw is not None
    return spec.draw(spec.set_up(spec.options(), session.players), view)


def names_in(picture: Drawing) -> set[str]:
    return {name for given in re.findall(r'data-names="([^"]*)"', picture.svg) for name in given.split()}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_drawings_of_all_positions_name_what_actions_do(game: str, players: int) -> None:
    """Every drawing is well-formed and wholly safe, and has each thing that a legal action names."""
    for session in positions(game, players, OPTIONS[game], seed=players):
        picture = picture_of(session, None if session.is_over else session.actor)
        drawn = ElementTree.fromstring(f"<g>{picture.svg}</g>")
        assert len(list(drawn.iter())) > 100
        assert ElementTree.tostring(drawn, encoding="unicode") == safe_markup(picture.svg)
        assert len(picture.seats) == players
        named = {
            name
            for words in session.actions
            for name in names_of({key: words[key] for key in PROMISED[game] if key in words})
        }
        if words := next((words for words in session.actions if words["do"] == "pay"), None):
            named -= set(names_of(words))
        assert named <= names_in(picture)


def test_a_view_draws_no_hidden_card() -> None:
    """The drawing of a view and its panels have the customers of its own seat, and those of no other."""
    seen = 0
    for session in positions("river-of-gold", 3, {}, seed=5):
        hands = [
            {CUSTOMERS[card] for card in range(len(CUSTOMERS)) if int(session.state.players[seat].hand) >> card & 1}
            for seat in range(3)
        ]
        for seat in range(3):
            picture = picture_of(session, seat)
            held = {dict(panel.facts)["holds"] for panel in picture.seats[:seat] + picture.seats[seat + 1 :]}
            assert {name.removeprefix("customer:") for name in names_in(picture) if "customer:" in name} == hands[seat]
            assert all(re.fullmatch(r"\d customers?", text) for text in held)
            seen += len(hands[seat])
    assert seen > 50


@pytest.mark.parametrize(
    "drawing",
    [
        '<script>alert(1)</script><rect class="a"/>',
        '<rect class="a" onclick="alert(1)"/>',
        '<a href="javascript:alert(1)"><rect/></a><rect class="a"/>',
        '<foreignObject><img src="x"/></foreignObject><rect class="a"/>',
        '<rect class="a" style="background: url(//x)" fill="url(#x)"/>',
        '<image href="//x/y.png"/><use href="#x"/><style>*{}</style><rect class="a"/>',
        '<rect class="a"/><g xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></g>',
    ],
)
def test_only_shapes_of_a_drawing_are_shown(drawing: str) -> None:
    """Whatever could run or fetch something is left out of a stranger's drawing; the shapes stay."""
    assert safe_markup(drawing) == '<g><rect class="a" /></g>'


@pytest.mark.parametrize("drawing", ["<rect>", "a < b", "<!DOCTYPE x><g/>", "<?xml version='1.0'?><g/>", "&nbsp;"])
def test_what_is_no_drawing_is_refused(drawing: str) -> None:
    """Text that is no SVG, or that declares entities, is refused."""
    with pytest.raises(RogsimError, match=r"SVG|elements and text"):
        safe_markup(drawing)


def test_helpers_escape_what_they_are_given() -> None:
    """Texts, titles and names that look like markup are shown as they are."""
    strange = '<b a="1">&'
    made = group(1, 2)(label(0, 0, strange, "text") + lines(0, 0, strange, "note", 9), strange, [strange])
    made += shape("rect", strange, width=strange) + seat_mark(1, 1, 0)
    root = ElementTree.fromstring(f"<g>{made}</g>")
    assert root.findtext("g/title") == root.findtext("g/text") == root[0].get("data-names") == strange
    assert safe_markup(made).count("<b") == 0


def test_a_game_without_drawing_is_shown_as_tables() -> None:
    """What all share and what each seat has are listed in words; the card of another seat is only counted."""
    session = Session(kuhn.GAME, kuhn.GAME.set_up(kuhn.GAME.options(), 2), 2, 1, 1, [None, None])
    setup = kuhn.GAME.set_up(kuhn.GAME.options(), 2)
    for seat in (0, 1):
        found = shown(kuhn.GAME, setup, session.observe(seat), seat)
        cards = dict(found.each)["hand"]
        assert found.picture is None
        assert dict(found.shared)["deck"] == "1"
        assert cards[1 - seat] == "1 hidden"
        assert cards[seat] in ("jack", "queen", "king")


def pig_position() -> tuple[Any, Any, Any]:
    setup = pig.GAME.set_up(pig.GAME.options(), 2)
    session = Session(pig.GAME, setup, 2, 1, 2, [None, None])
    session.apply(session.legal[0])
    return pig.GAME, setup, session.observe(session.actor)


def test_a_plain_game_draws_itself() -> None:
    """The picture of a plain game is shown, with what each seat has from its fields."""
    found = shown(*pig_position())
    assert found.picture is not None
    assert "0 of 100" in found.picture.svg
    assert [panel.points for panel in found.seats] == [0, 0]


def test_a_drawing_that_fails_leaves_the_tables() -> None:
    """If the drawing of a stranger's game fails, the page says why, and shows the tables."""
    spec, setup, view = pig_position()
    for wrong in (lambda setup, view: 1 / 0, lambda setup, view: Drawing(1, 1, "<rect>")):
        found = shown(replace(spec, draw=wrong), setup, view)
        assert found.picture is None
        assert found.note.startswith("The drawing of this game fails: ")
        assert dict(found.shared)["at stake"] != "0"


def test_the_picture_in_the_documentation_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of docs/your-game.md draws the game that `rogsim game new` writes, and names the cards of a hand."""
    monkeypatch.chdir(tmp_path)
    write_game("drawn")
    text = (DOCS / "your-game.md").read_text(encoding="utf-8")
    block = next(block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "def picture" in block)
    module = ModuleType("drawn_tricks")
    code, end, last = (tmp_path / "drawn" / "drawn.py").read_text(encoding="utf-8").partition("GAME = game")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.__file__ = str(tmp_path / "drawn" / "drawn.py")
    exec(compile(code + block + end + last, module.__file__, "exec", dont_inherit=True), vars(module))
    spec = module.GAME
    setup = spec.set_up(spec.options(), 3)
    session = Session(spec, setup, 3, 1, 1, [None] * 3)
    for seat in range(3):
        found = shown(spec, setup, session.observe(seat), seat)
        assert found.picture is not None, found.note
        named = {name for name in names_in(found.picture) if name != "hand:"}
        assert len(named) == 5
        if seat == session.actor:
            assert named == {name for words in session.actions for name in names_of(words) if name.startswith("hand:")}


def test_choices_are_grouped_by_what_they_do() -> None:
    """Choices with the same verb are a group, those that share the first thing they name a row, and none is lost."""
    for session in positions("river-of-gold", 4, {}, seed=3):
        actor = [choice_of(session.spec, session._setup, session.state, action) for action in session.legal]
        listed = [choice for one in grouped(actor) for _, row in one.rows for choice in row]
        assert sorted(choice.action for choice in listed) == sorted(session.legal)
        assert len({choice.said for choice in listed}) == len(listed)
    words = [("Build", "space 3", "a"), ("Build", "space 3", "b"), ("Pass",)]
    first, second = grouped(Choice(*pair) for pair in enumerate(words))
    assert (first.title, [choice.short for choice in first.rows[0][1]]) == ("", ["Pass"])
    assert (second.title, second.rows[0][0], second.count) == ("Build", "space 3", 2)
    assert [choice.short for choice in second.rows[0][1]] == ["a", "b"]


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_said(game: str) -> None:
    """No two choices of a person are said alike."""
    for deal in range(1, 6):
        for session in positions(game, 3, {}, seed=deal):
            said = [choice_of(session.spec, session._setup, session.state, one).said for one in session.legal]
            assert len(set(said)) == len(said)


def test_every_kind_of_action_has_words() -> None:
    """Those of both games."""
    gold = {gold_actions.ACTIONS.words(action, str)["do"] for action in range(gold_actions.ACTION_COUNT)}
    river = {river_actions.step_of(action)["do"] for action in range(river_actions.ACTION_COUNT)}
    assert gold == {"pass", *gold_say.WORDS}
    assert river == {*river_say.WORDS}


def test_phrases() -> None:
    """The words of a step of a trace read as phrases."""
    for told, said in (
        ({"do": "sail", "ship": 1, "to": 4}, "Sail ship 1 to 4"),
        ({"do": "claim", "tile": "F01"}, "Claim F01"),
        ({"do": "exchange", "spots": (1, 4)}, "Exchange spots 1 and 4"),
        ({"do": "take_two"}, "Take two"),
    ):
        assert " ".join(words_of(told)) == said


def test_a_game_without_words_of_its_own() -> None:
    """Then those of a step of a trace are said."""
    spec, setup, view = pig_position()
    assert [choice_of(spec, setup, view, action).said for action in (0, 1)] == ["Roll", "Hold"]
