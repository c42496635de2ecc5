"""What pages say of players that were trained for changed rules: how, and whether that made them stronger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rogsim.base.text import listing
from rogsim.experiments.retraining import RetrainedBot, RetrainedPoint, rules_words
from rogsim.experiments.training_check import TrainingCheck, p_of
from rogsim.report import words
from rogsim.report.document import TITLES, Grid, Section, TableColumn, badge_of
from rogsim.stats.contrasts import columns, holm, table
from rogsim.stats.estimates import ALPHA
from rogsim.stats.judgement import Judgement
from rogsim.stats.paired.compared import RETRAINED, Compared

RETRAINING = "retraining"  # name of the section
STRONGER, WEAKER, NO_GAIN = "stronger", "weaker", "no gain shown"
UNCHANGED, START_KEPT = "weights unchanged", "weaker, so the weights of the start are kept"
STALE = (
    "Retrained players were trained for the rules that they play, the base's too, from the weights of the stale ones; "
    "all play the same deals."
)
OF_TRAINING = (
    "After each training, one retrained player plays among stale ones on new deals; weights that are clearly weaker "
    "are not used."
)


@dataclass(frozen=True)
class JudgedCheck:
    """The check of a training with one player count.

    labels: whose rules the bot was trained for. p: of no difference in strength, by Holm's method over all checks.
    """

    labels: tuple[str, ...]
    bot: RetrainedBot
    players: int
    check: TrainingCheck
    p: float

    @property
    def verdict(self) -> str:
        """Return whether the retrained bot is clearly stronger or weaker than the stale one, if it differs at all."""
        if not self.check.is_kept:
            return START_KEPT
        if not self.bot.is_changed:
            return UNCHANGED
        if not self.p < ALPHA:
            return NO_GAIN
        return STRONGER if self.check.gain.value > 0 else WEAKER


def judged_checks(points: Sequence[RetrainedPoint]) -> tuple[JudgedCheck, ...]:
    """Return the checks of all trainings, each once, judged together."""
    labels: dict[str, list[str]] = {}
    bots: dict[str, RetrainedBot] = {}
    for point in points:
        for bot in point.bots:
            labels.setdefault(str(bot.path), []).append(rules_words(point.stale))
            bots.setdefault(str(bot.path), bot)
    found = [(path, players, check) for path, bot in bots.items() for players, check in bot.training.checks.items()]
    p = holm([p_of(check, players) for _, players, check in found])
    return tuple(
        JudgedCheck(tuple(dict.fromkeys(labels[path])), bots[path], players, check, float(adjusted))
        for (path, players, check), adjusted in zip(found, p, strict=True)
    )


def retraining_section(found: Compared, points: Sequence[RetrainedPoint]) -> Section:
    """Return the differences of a comparison with both kinds of players, and what the trainings did."""
    pairs = [(old, new) for new in found.judged if (old := _stale(found, new))]
    others = sum(badge_of(old) != badge_of(new) for old, new in pairs)
    checks = judged_checks(points)
    counts = [f"{words.games(games)} with {words.players(players)}" for players, games in found.games.items()]
    return Section(
        RETRAINING,
        "Stale and retrained players",
        "Do the differences hold for players trained for the changed rules?",
        f"{others or 'None'} of {len(pairs)} verdicts change{'s' * (others < 2)} with retrained players.",
        f"{listing(counts)} of each run, with stale and with retrained players",
        grids=(_both_grid(pairs), training_grid(checks)),
        method=f"{STALE} {OF_TRAINING}",
        anchor="comparisons",
    )


def _stale(found: Compared, new: Judgement) -> Judgement | None:
    """Return the judgement with stale players on a difference with retrained ones; None if they show none."""
    effects, run = new.effects, new.effects.run.removesuffix(RETRAINED)
    case = (effects.question, effects.players, run)
    same = (each for each in found.judged if (each.effects.question, each.effects.players, each.effects.run) == case)
    return next(same, None) if run != effects.run else None


def _both_grid(pairs: Sequence[tuple[Judgement, Judgement]]) -> Grid:
    rows = [
        {
            "question": new.effects.question.title,
            "level": contrast.name if new.effects.question.noun else "",
            "run": old.effects.run,
            "players": new.effects.players,
            "n": contrast.effect.n,
            "unit": new.effects.question.unit,
            **columns("stale", old.effects.of(contrast.name).effect),
            "stale_verdict": TITLES[badge_of(old)],
            **columns("retrained", contrast.effect),
            "verdict": TITLES[badge_of(new)],
        }
        for old, new in pairs
        for contrast in new.effects.contrasts
        if contrast.name in {each.name for each in old.effects.contrasts}
    ]
    heads = (
        TableColumn("question", "question"),
        TableColumn("level", "level"),
        *([TableColumn("run", "variant")] if len({row["run"] for row in rows}) > 1 else []),
        TableColumn("players", "players", "count"),
        TableColumn("unit", "unit"),
        TableColumn("stale", "stale players (95%)", "gain", interval=True, digits=2),
        TableColumn("stale_verdict", "verdict"),
        TableColumn("retrained", "retrained players (95%)", "gain", interval=True, digits=2),
        TableColumn("verdict", "verdict"),
    )
    return Grid(RETRAINING, "Differences with stale and with retrained players", heads, table(rows), first_shown=True)


def longer_training(points: Sequence[RetrainedPoint]) -> Iterator[str]:
    """Yield what to do if a training changed no weights."""
    labels = list(dict.fromkeys(rules_words(point.stale) for point in points if not point.is_changed))
    if labels:
        yield (
            f"Training changed no weights for {listing(labels)}: retrained and stale players are the same there. "
            "Train longer, with more minutes or `--retrain-games`, before you conclude that retraining moves nothing."
        )


def training_grid(checks: Sequence[JudgedCheck]) -> Grid:
    """Return the table of trainings."""
    rows = [
        {
            "rules": listing(list(check.labels)),
            "bot": check.bot.stale,
            "players": check.players,
            "generations": check.bot.training.generations,
            "games": check.bot.training.games,
            "n": check.check.games,
            **columns("won", check.check.win_share),
            "fair": 1 / check.players,
            "p": check.p,
            "verdict": check.verdict,
            "weights": shown_path(check.bot.path),
        }
        for check in checks
    ]
    heads = (
        TableColumn("rules", "trained for"),
        TableColumn("bot", "bot"),
        TableColumn("players", "players", "count"),
        TableColumn("won", "wins among stale (95%)", "share", interval=True),
        TableColumn("fair", "fair", "share"),
        TableColumn("verdict", "retrained"),
        TableColumn("p", "p (Holm)", "p"),
        TableColumn("n", "n", "count"),
        TableColumn("generations", "generations", "count"),
        TableColumn("games", "games of each", "count"),
        TableColumn("weights", "weights", "long"),
    )
    return Grid("trainings", "The trainings, and whether they made the players stronger", heads, table(rows))


def shown_path(path: Path) -> str:
    """Return the path of weights; of an absolute one only folder and file, as the rest is of no use elsewhere."""
    return f"{path.parent.name}/{path.name}" if path.is_absolute() else path.as_posix()
