"""The result of a sequential test in words."""

from __future__ import annotations

from collections.abc import Sequence

from rogsim.experiments.tournament.tournament import TournamentOutcome
from rogsim.report import words
from rogsim.stats.sprt import ALPHA, BETA, NAME, EloLimits


def sprt_lines(bots: Sequence[str], limits: EloLimits, outcome: TournamentOutcome) -> list[str]:
    """Return what the sequential test asked, what it found, and from how many games."""
    verdict = outcome.verdict
    assert verdict is not None
    low, high = _elo(limits)
    a, b = bots
    answer = {
        "elo1": f"Elo {high} is accepted, not {low}" + (f": {a} is better than {b}" if limits.elo0 >= 0 else ""),
        "elo0": f"Elo {low} is accepted, not {high}{_no_lead(bots, limits, outcome)}",
        "open": "undecided, although all games are played",
    }[verdict.decision]
    llr, lower, upper = (words.number(value, 2, sign=True) for value in (verdict.llr, verdict.lower, verdict.upper))
    found = f"LLR {llr}, bounds {lower} and {upper}"
    used = f"{sum(outcome.games.values()):,} games in {verdict.blocks:,} blocks"
    lines = [
        f"Is {a} better than {b}? {_asked(limits)}.",
        f"Test: {NAME}.",
        f"After {used}: {found}. {answer[0].upper()}{answer[1:]}.",
    ]
    if verdict.decision != "open":
        lines.append(
            "A test that stops early tends to stop at an extreme, so the estimates below are biased in that direction."
        )
    return lines


def stopped_words(limits: EloLimits | None, outcome: TournamentOutcome) -> str:
    """Return that a sequential test ended the games, and what this means for the estimates; empty if none did."""
    if limits is None or outcome.verdict is None or outcome.verdict.decision == "open":
        return ""
    return f"A sequential test ended the games ({_asked(limits)}), so win share and lead are biased toward an extreme."


def _asked(limits: EloLimits) -> str:
    """Return the two hypotheses and the error rates of the test."""
    low, high = _elo(limits)
    return f"Elo {high} against Elo {low}, error rates {ALPHA:.0%} and {BETA:.0%}"


def _elo(limits: EloLimits) -> tuple[str, str]:
    low, high = (words.minus(f"{elo:+g}") if elo else "0" for elo in (limits.elo0, limits.elo1))
    return low, high


def _no_lead(bots: Sequence[str], limits: EloLimits, outcome: TournamentOutcome) -> str:
    """Return which lead a bot does not have, and how often it finished ahead, as it may well be the weaker bot."""
    if limits.elo1 <= 0:
        return ""
    (ahead,) = outcome.standings.pairs.filter(bot=bots[0])["ahead"].to_list()
    met = f"it finished ahead in {100 * ahead:.1f}% of their meetings"
    return f": {bots[0]} does not lead {bots[1]} by {limits.elo1:g} Elo, {met}"
