"""Sentences on whether effects have settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rogsim.bots.bot_names import read_bot_name
from rogsim.experiments.settle.ladder_verdicts import LadderVerdicts, RungStep, SettledClaim
from rogsim.report import words
from rogsim.report.document import Finding
from rogsim.report.verdict_titles import Badge
from rogsim.stats.estimates import Estimate
from rogsim.stats.settling import LOOKS, Word

BADGES: Mapping[Word, Badge] = {"settled": "settled", "still moving": "moving", "not known yet": "open"}
FEW_LEVELS = 4  # with more, the top of the page counts the verdicts instead of listing them


def finding_of(claim: SettledClaim, ladder: LadderVerdicts, is_short: bool) -> Finding:
    """Return the finding on a claim; is_short: whether it is also shown at the top of the page."""
    series, found = claim.found.series, claim.found
    text = (
        f"{claim.family.label(series.name)} with {words.players(claim.players)}: "
        f"{_with_reach(series.estimate(-1))}, {found.verdict}{_more_words(claim, ladder)}."
    )
    data = {
        "claim": claim.family.name,
        "level": series.name,
        "players": claim.players,
        "verdict_in_words": found.verdict,
        "effect": series.estimate(-1).value,
        "last_step": found.last_step.value,
        "last_two_steps": found.last_two.value,
        "p_settled": found.p_settled,
        "p_moving": found.p_moving,
        "look": found.look,
        "more_games": claim.more_games,
    }
    return Finding(BADGES[found.verdict], text, data, short=text if is_short else "")


def counted(claims: Sequence[SettledClaim]) -> Finding:
    """Return a finding that lists the levels of one family with one player count by their verdicts."""
    by_verdict = {
        verdict: [claim.family.label(claim.found.series.name) for claim in claims if claim.found.verdict == verdict]
        for verdict in BADGES
    }
    listed = "; ".join(f"{verdict}: {words.listed(names)}" for verdict, names in by_verdict.items() if names)
    text = f"{claims[0].family.title} with {words.players(claims[0].players)}, {listed}."
    return Finding("fact", text, {"by_verdict": by_verdict}, short=text)


def next_steps(ladder: LadderVerdicts, again: str = "The same command with more time or games") -> Iterator[str]:
    """Yield what to do next, and what the verdicts rest on; again: what plays on."""
    undecided = [claim for claim in ladder.claims if _may_change(claim, ladder)]
    if undecided:
        count = len(ladder.claims)
        what = f"{len(undecided)} of {count} verdict{'s' * (count > 1)} may change with more games."
        most = max(claim.found.look for claim in undecided)
        if most < LOOKS:
            yield f"{what} {again} plays only the missing games."
        else:
            yield f"{what} All {LOOKS} planned looks are used up. A larger `--first-look` allows more games."
    if any(claim.found.verdict == "still moving" for claim in ladder.claims):
        yield "Some effects are still moving: add stronger bots at the end of `--bots`."
    if any(map(ladder.falls, ladder.games)):
        yield "One of the last bots is weaker than the one before: name the bots in `--bots` by rising strength."
    for bots in ladder.sharing():
        yield f"{words.listed(list(map(short_name, bots)))} share one evaluation, so they may share its errors."
    if ladder.step != "doubling":
        yield (
            "The last steps of this ladder do not double one setting of a bot, so settled means only that these bots "
            "agree within the margin."
        )


def missing_words(claim: SettledClaim, ladder: LadderVerdicts) -> str:
    """Say which of the last steps are not shown to be steps to a stronger bot, if a verdict waits for that."""
    if claim.found.verdict == "settled" or not (claim.found.within or ladder.falls(claim.players)):
        return ""
    listed = words.listed([_step_words(step) for step in ladder.doubtful(claim.players)])
    start = "the changes are within the margin, but " if claim.found.within else ""
    return start + (listed or "it is not known whether the bots get stronger")


def rising_words(ladder: LadderVerdicts) -> str:
    """Say whether each bot is stronger than the one before it."""
    doubtful = [step for step in ladder.steps if not step.is_stronger]
    if not doubtful:
        return "Each bot is shown to be stronger than the one before."
    listed = "; ".join(f"with {words.players(step.players)} {_step_words(step)}" for step in doubtful)
    return f"Not every bot is shown to be stronger than the one before: {listed}."


def short_name(bot: str) -> str:
    """Return a bot's name without the names of its settings, for the axis of a figure."""
    name = read_bot_name(bot)
    values = [part.partition("=")[2] for part in name.changes.split("+") if part]
    return " ".join([name.base, *values])


def _may_change(claim: SettledClaim, ladder: LadderVerdicts) -> bool:
    """Return whether more games may change a verdict."""
    if ladder.falls(claim.players):
        return False
    return bool(ladder.doubtful(claim.players)) if claim.found.within else not claim.found.is_decided


def _step_words(step: RungStep) -> str:
    bot, below = short_name(step.bot), short_name(step.below)
    reach = words.interval(step.low, step.high, digits=0, sign=True)
    lead = f"{words.number(step.lead, 0, sign=True)}{f', {reach}' if reach else ''} Elo"
    return f"{bot} is {'weaker' if step.is_weaker else 'not shown to be stronger'} than {below} ({lead})"


def _with_reach(estimate: Estimate) -> str:
    reach = words.interval(estimate.low, estimate.high, sign=True)
    return words.pp(estimate.value) + (f" ({reach})" if reach else "")


def _more_words(claim: SettledClaim, ladder: LadderVerdicts) -> str:
    found = claim.found
    if missing := missing_words(claim, ladder):
        return f": {missing}"
    if found.verdict == "still moving":
        speed = f"{_with_reach(found.speed)} a {ladder.step}"
        text = f": {speed} on average over the last two, {words.pp(found.last_step.value)} in the last"
        more = (
            f"; about {words.count(claim.more_games)} more games may show that it is settled"
            if claim.more_games
            else ""
        )
        return text + more
    if found.verdict == "not known yet" and claim.more_games:
        return f": about {words.count(claim.more_games)} more games would decide it"
    return ""
