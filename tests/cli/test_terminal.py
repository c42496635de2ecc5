"""In a real terminal no word and no number is broken or cut, however narrow it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dice_process import scenario_text
from tests.experiments.test_tune import PEAKED
from tests.terminal_process import on_screen

pytestmark = pytest.mark.once_uncompiled

COMMANDS = [
    line.split()
    for line in """
run race.toml --out ran
run race.toml --seed 2 --out again
run race.toml --change head_start.2=2 --seed 3 --out changed
report ran --out page
report ran --all --out page
report ran changed --out what
report ran changed --all --out what
seats ran
seats ran --all
status ran
verify ran --games 3
compare race.toml start.toml --games 40 --out compared
compare race.toml start.toml --games 40 --all --out compared
sweep race.toml --games 20 --out swept
sweep race.toml --games 20 --all --out swept
settle race.toml --bots walker,moody,runner --first-look 60 --games 200 --out settled
settle race.toml --bots walker,moody,runner --first-look 60 --games 200 --all --out settled
optimize race.toml --games 1000 --confirm 40 --out found
tournament --game dice-race --bots walker,runner,moody --games 30 --players 3 --out met
tournament --game dice-race --bots walker,runner,moody --games 30 --players 3 --all --out met
bots --game dice-race
bots --game dice-race --profile --bots walker,runner --games 20
check-bot runner --game dice-race --games 1
parameters --game dice-race
parameters tile.start-port --game river-of-gold
parameters setup --game the-river
scenario list
scenario explain race.toml
scenario check race.toml
trace --game dice-race --players 2 --bots runner --out games.jsonl
show games.jsonl
games
tune peaked.py:choose --game dice-race --against walker --games 4 --generations 1 --held-out 100 --jobs 1 --out t.toml
run patrons --players 2 --games 6 --bots random --jobs 1 --out gold
patrons gold
masteries gold
run the-river-seat-order --players 2 --games 6 --bots random --jobs 1 --out river
boards river
terrain river
places river
run race.toml --games 1 --bots nobody-of-this-name
""".strip().splitlines()
]
# What these print depends on the clock. `train` is tested where it is compiled (tests/experiments/test_train.py).
TIMED = ("check-bot", "tune")


def test_no_word_and_no_number_is_broken(tmp_path: Path) -> None:
    """Every word that a pipe gets is on the screen, and no line is wider unless one word is."""
    (tmp_path / "race.toml").write_text(scenario_text(40))
    (tmp_path / "start.toml").write_text(
        scenario_text(40).replace("[sweep.over]", '[change]\n"head_start.1" = 1\n[sweep.over]')
    )
    (tmp_path / "peaked.py").write_text(PEAKED)
    widths, texts = (60, 80), tmp_path / "piped.json"
    screens = on_screen(COMMANDS, widths, tmp_path, piped=texts)
    piped = json.loads(texts.read_text())
    assert piped.count("") == 2  # `trace` prints no result, and the last command is wrong
    for width, shown in zip(widths, screens, strict=True):
        for words, screen, text in zip(COMMANDS, shown, piped, strict=True):
            # Times differ from call to call; stacked cells have their heading before a colon.
            on_it = set(screen.split()) | {word.removesuffix(":") for word in screen.split()}
            missing = set(text.split()) - on_it if words[0] not in TIMED else set()
            assert not missing, (width, words, missing, screen)
            wide = [line for line in screen.split("\n") if len(line.rstrip()) > width and " " in line.strip()]
            assert not wide, (width, words, wide)
            assert "…" not in screen or "…" in text or "…\n" in screen, (width, words, screen)
