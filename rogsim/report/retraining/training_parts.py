"""What pages say of players that were trained for changed rules: how, and whether that made them stronger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rogsim.experiments.retraining.retrained_players import RetrainedBot, RetrainedPoint, rules_words
from rogsim.experiments.training.train_check import TrainingCheck, p_of
from rogsim.report import words
from rogsim.report.balance.pieces import estimate_data
from rogsim.report.document import Finding, Grid, Section, TableColumn
from rogsim.stats.contrasts import columns, holm, table
from rogsim.stats.sample_size import ALPHA

RETRAINING = "retraining"  # name of the section
STRONGER, WEAKER, NO_GAIN = "stronger", "weaker", "no gain shown"
UNCHANGED, START_KEPT = "weights unchanged", "weaker, so the weights of the start are kept"
FOUND_STALE = "Found with stale players."
FOR_THESE = "with players trained for these rules"
STALE = (
    "Stale players keep the weights that they came with, whatever the rules. Retrained players were trained from these "
    "weights for the rules that they play, even where the rules are unchanged, so that what more training alone does "
    "does not count as an effect of a change. Both play the same deals, so a move is a paired difference, block by "
    "block."
)
OF_TRAINING = (
    "After each training, one retrained player plays among stale ones, on deals that were not learned from. It is "
    "called stronger only if that is clear for all trainings and numbers of players on the page together (Holm's "
    "method at 5%). If its own interval lies wholly below fair, its weights are not used, and the retrained player is "
    "the stale one. Intervals account for the luck of the games, not for the chance in the training: another training "
    "for the same rules ends with somewhat different players."
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


def who_plays(point: RetrainedPoint) -> str:
    """Return which players played a design point after its training."""
    return FOR_THESE if point.is_changed else f"{FOR_THESE}, who play as before"


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


def training_findings(checks: Sequence[JudgedCheck]) -> Iterator[Finding]:
    """Yield for each training whether it made the bot stronger."""
    for path in dict.fromkeys(check.bot.path for check in checks):
        mine = [check for check in checks if check.bot.path == path]
        first = mine[0]
        count = first.bot.training.generations
        generations = "1 generation" if count == 1 else f"{count} generations"
        whose = f"{first.bot.stale}, trained for {words.listed(list(first.labels))} ({generations})"
        text = f"{whose}, against its stale self: {'; '.join(map(_outcome, mine))}."
        if not first.bot.is_changed and all(check.check.is_kept for check in mine):
            text = f"{whose}: the weights stayed as they were; too little was learned to change them."
        data = {
            "bot": first.bot.stale,
            "trained_for": list(first.labels),
            "weights": shown_path(first.bot.path),
            "generations": count,
            "changed": first.bot.is_changed,
            "checks": [
                {
                    "players": check.players,
                    "games": check.check.games,
                    "win_share": estimate_data(check.check.win_share),
                    "above_fair": estimate_data(check.check.gain),
                    "p": check.p,
                    "verdict": check.verdict,
                }
                for check in mine
            ],
        }
        yield Finding("fact", text, data, short=text)


def found_with_stale(section: Section) -> Section:
    """Return a section whose verdicts say that they were found with stale players."""
    return replace(section, findings=tuple(_stale(finding) for finding in section.findings))


def _stale(finding: Finding) -> Finding:
    short = f"{finding.short} {FOUND_STALE}" if finding.short else ""
    data = {**finding.data, "players_trained": False}
    return replace(finding, text=f"{finding.text} {FOUND_STALE}", data=data, short=short)


def longer_training(points: Sequence[RetrainedPoint]) -> Iterator[str]:
    """Yield what to do if a training changed no weights."""
    labels = list(dict.fromkeys(rules_words(point.stale) for point in points if not point.is_changed))
    if labels:
        yield (
            f"Training changed no weights for {words.listed(labels)}: retrained and stale players are the same there. "
            "Train longer, with more minutes or `--retrain-games`, before you conclude that retraining moves nothing."
        )


def training_grid(checks: Sequence[JudgedCheck]) -> Grid:
    """Return the table of trainings."""
    rows = [
        {
            "rules": words.listed(list(check.labels)),
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


def _outcome(check: JudgedCheck) -> str:
    won = check.check.win_share
    share = f"wins {words.share(won.value)} ({words.interval(won.low, won.high, 100.0)})"
    fair = f"fair {words.share(1 / check.players)}"
    return f"{check.verdict} with {words.players(check.players)}: {share}, {fair}, {words.games(check.check.games)}"
