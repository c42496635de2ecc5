"""What pages say of players that were trained for changed rules: how, and whether that made them stronger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rogsim.experiments.retraining import RetrainedBot, RetrainedPoint, rules_words
from rogsim.experiments.training_check import TrainingCheck, p_of
from rogsim.report import words
from rogsim.report.document import Finding, Grid, Section, TableColumn
from rogsim.report.effects_section import estimate_data, finding_of
from rogsim.report.sentences import effect_words
from rogsim.report.verdict_titles import TITLES, badge_of
from rogsim.stats.contrasts import columns, holm, table
from rogsim.stats.estimates import ALPHA, by_size
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
    """Return how far retraining moved each difference of a comparison, and what the trainings did."""
    moved = [move for move in found.moves if move.kind in ("beyond", "slight")]
    others = [move for move in found.moves if len({badge_of(side) for side in _sides(found, move)}) > 1]
    text = f"Retraining clearly moved {len(moved)} of {len(found.moves)} differences"
    if moved:
        most = max(moved, key=lambda move: (move.effects.question.unit == "pp", by_size(move.largest.effect.value)))
        question, largest = most.effects.question, most.largest
        what = largest.name if question.noun else question.title.lower()
        text += f", most that of {what} by {effect_words(most.effect_of(largest.name), question.unit)}"
    checks = judged_checks(points)
    findings = [finding_of(move, _case(move), on_top=False) for move in found.moves]
    counts = [f"{words.games(games)} with {words.players(players)}" for players, games in found.games.items()]
    return Section(
        RETRAINING,
        "Stale and retrained players",
        "Do the differences hold for players trained for the changed rules?",
        f"{text}, and changed {len(others) or 'no'} verdict{'s' * (len(others) != 1 and bool(others))}.",
        f"{words.listed(counts)} of each run, with stale and with retrained players",
        (*training_findings(checks), *findings),
        grids=(_moves_grid(found), training_grid(checks)),
        method=f"{STALE} {OF_TRAINING}",
        anchor="comparisons",
    )


def _case(move: Judgement) -> str:
    effects = move.effects
    return f"{effects.question.title}, {effects.run}, {words.players(effects.players)}, moved by retraining"


def _sides(found: Compared, move: Judgement) -> list[Judgement]:
    """Return the judgements with stale and with retrained players on the difference that was moved."""
    effects = move.effects
    cases = [(effects.question.title, effects.players, run) for run in (effects.run, f"{effects.run}{RETRAINED}")]
    judged = {(each.effects.question.title, each.effects.players, each.effects.run): each for each in found.judged}
    return [judged[case] for case in cases]


def _moves_grid(found: Compared) -> Grid:
    rows = [
        {
            "question": move.effects.question.title,
            "level": contrast.name if move.effects.question.noun else "",
            "run": move.effects.run,
            "players": move.effects.players,
            "n": contrast.effect.n,
            "unit": move.effects.question.unit,
            **columns("stale", contrast.before or contrast.effect),
            "stale_verdict": TITLES[badge_of(stale)],
            **columns("retrained", contrast.after or contrast.effect),
            "verdict": TITLES[badge_of(retrained)],
            **columns("moved", contrast.effect),
            "p": move.p,
        }
        for move in found.moves
        for stale, retrained in [_sides(found, move)]
        for contrast in move.effects.contrasts
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
        TableColumn("moved", "moved (95%)", "gain", interval=True, digits=2),
    )
    caption = "Differences with stale and with retrained players, and how far retraining moved them"
    return Grid(RETRAINING, caption, heads, table(rows), first_shown=True)


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
