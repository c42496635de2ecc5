"""Sentences on whether effects have settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rogsim.bots.bot_names import read_bot_name
from rogsim.experiments.settle.ladder_verdicts import LadderVerdicts, SettledClaim
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
    """Yield what to do next; again: what plays on."""
    undecided = [claim for claim in ladder.claims if not claim.found.is_decided]
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
    if ladder.step != "doubling":
        yield (
            "The last steps of this ladder do not double one setting of a bot, so settled means only that these bots "
            "agree within the margin."
        )


def short_name(bot: str) -> str:
    """Return a bot's name without the names of its settings, for the axis of a figure."""
    name = read_bot_name(bot)
    values = [part.partition("=")[2] for part in name.changes.split("+") if part]
    return " ".join([name.base, *values])


def _with_reach(estimate: Estimate) -> str:
    reach = words.interval(estimate.low, estimate.high, sign=True)
    return words.pp(estimate.value) + (f" ({reach})" if reach else "")


def _more_words(claim: SettledClaim, ladder: LadderVerdicts) -> str:
    found = claim.found
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
