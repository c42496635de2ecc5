"""Actions of the kit as numbers and words."""

from __future__ import annotations

import pytest

from rogsim.game.kit.menus import ActionList, family

pytestmark = pytest.mark.once_uncompiled

ACTIONS = ActionList(
    family("pass"), family("move", piece=("fox", "owl"), to=range(1, 4)), family("take", card=2, pay=("plum", "jam"))
)


def test_families_follow_each_other() -> None:
    """Each family begins where the one before it ends, and the numbers of all actions are consecutive."""
    assert (ACTIONS.starts, ACTIONS.count) == ((0, 1, 7), 11)
    assert ACTIONS.words(0) == {"do": "pass"}
    assert [ACTIONS.words(action) for action in (1, 3, 4, 6)] == [
        {"do": "move", "piece": "fox", "to": 1},
        {"do": "move", "piece": "fox", "to": 3},
        {"do": "move", "piece": "owl", "to": 1},
        {"do": "move", "piece": "owl", "to": 3},
    ]


def test_what_lies_at_a_place_is_looked_up() -> None:
    """A place of the state is named by what lies there now; keys keep their order."""
    words = [ACTIONS.words(action, ["sun", "moon"].__getitem__) for action in range(7, 11)]
    assert [list(word.values()) for word in words] == [
        ["take", "sun", "plum"],
        ["take", "sun", "jam"],
        ["take", "moon", "plum"],
        ["take", "moon", "jam"],
    ]
    assert list(words[0]) == ["do", "card", "pay"]


def test_words_can_be_changed_by_whoever_gets_them() -> None:
    """Each call returns a new dict."""
    ACTIONS.words(0)["do"] = "spoilt"
    assert ACTIONS.words(0) == {"do": "pass"}
