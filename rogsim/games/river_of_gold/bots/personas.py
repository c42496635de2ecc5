"""The personas: bots with one way to evaluate actions, each with weights of its own; `spec.py` says what they do."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = {
    "balanced": weights_with(
        patrons=("kakita-ryoku", "kaiu-shihobu", "daidoji-uji"),
    ),
    "builder": weights_with(
        patrons=("kaiu-shihobu", "yasuki-taka"),
        build=2.0,
        owner=1.2,
        koku=0.4,
        pace=0.5,
    ),
    "sailor": weights_with(
        patrons=("daidoji-uji", "kakita-ryoku"),
        sail=1.5,
        journey=2.0,
    ),
    "courier": weights_with(
        patrons=("kudaka", "yoritomo"),
        deliver=1.5,
        customer=3.0,
        need=1.8,
        ability=1.3,
    ),
    "courtier": weights_with(
        patrons=("bayushi-kashiko", "shosuro-hyobu"),
        step=1.1,
        place=1.0,
    ),
    "adept": weights_with(
        patrons=("kaiu-shihobu", "kudaka"),
        mastery=2.2,
        build=1.2,
    ),
    "racer": weights_with(
        patrons=("kaiu-shihobu", "kakita-ryoku"),
        late={"pace": 6.0},
        pace=3.0,
        journey=2.0,
    ),
}
