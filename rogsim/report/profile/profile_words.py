"""What a profile shows, as findings: what singles each bot out, and which bots no measure distinguishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import polars as pl

from rogsim.experiments.profile.profile_differences import Extreme, alike, extremes, with_joint_intervals
from rogsim.experiments.profile.profile_estimates import RESULT
from rogsim.report import words
from rogsim.report.document import Finding

NARROW = 0.1  # half an interval: a narrower one gets one more digit
MOST_NAMED = 3  # measures of a bot in a sentence
MOST_ON_TOP = 6  # bots at the top of the page
MOST_PAIRS = 6  # in a sentence


def findings_of(profile: pl.DataFrame) -> tuple[Finding, ...]:
    """Return the findings; those at the top of the page are on the largest player count."""
    joint = with_joint_intervals(profile)
    found = extremes(joint)
    counts = sorted(profile["players"].unique().to_list(), reverse=True)
    return tuple(one for players in counts for one in _with_players(joint, found, players, players == counts[0]))


def _with_players(joint: pl.DataFrame, found: Sequence[Extreme], players: int, is_first: bool) -> Iterator[Finding]:
    bots = joint.filter(players=players)["bot"].unique(maintain_order=True).to_list()
    start = f"With {words.players(players)}"
    if len(bots) == 1:
        text = f"{start}: {bots[0]} alone was played, so there is no other bot to compare it with."
        yield Finding("fact", text, {"players": players}, short=text if is_first else "")
        return
    by_bot = {bot: [one for one in found if one.players == players and one.bot == bot] for bot in bots}
    singled = sorted((bot for bot in bots if by_bot[bot]), key=lambda bot: -by_bot[bot][0].distance)
    for place, bot in enumerate(singled):
        named = by_bot[bot][:MOST_NAMED]
        text = f"{start} {bot} is {'; '.join(extreme_words(one, len(bots)) for one in named)}."
        data = {"players": players, "bot": bot, "extremes": [asdict(one) for one in by_bot[bot]]}
        yield Finding("fact", text, data, short=text if is_first and place < MOST_ON_TOP else "")
    yield from _rest(joint, players, bots, singled, is_first)


def singling_out(findings: Sequence[Finding], players: int) -> list[tuple[str, str]]:
    """Return the tables and measures that findings with one player count name, the first one of each bot first."""
    named = [
        (place, one["table"], one["measure"])
        for finding in findings
        if finding.data["players"] == players
        for place, one in enumerate(finding.data.get("extremes", ())[:MOST_NAMED])
    ]
    return list(dict.fromkeys((table, measure) for _, table, measure in sorted(named, key=lambda entry: entry[0])))


def extreme_words(extreme: Extreme, bots: int) -> str:
    """Return a measure in which a bot is above or below all others, with its values; bots: how many played."""
    scale, unit = (100, "%") if extreme.is_share else (1, "")
    digits = 2 if scale * (extreme.high - extreme.low) < 2 * NARROW else 1
    value = f"{words.number(scale * extreme.value, digits)}{unit}"
    reach = words.interval(extreme.low, extreme.high, scale, digits)
    least, most = (words.number(scale * other, digits) for other in extreme.others)
    others = f"{least}{unit}" if least == most else f"{least} to {most}{unit}"
    table = "" if extreme.table == RESULT else f" ({extreme.table})"
    return f"{extreme.end} in {extreme.measure}{table}: {value} ({reach}), the other{'s' * (bots > 2)} {others}"


def _rest(
    joint: pl.DataFrame, players: int, bots: Sequence[str], singled: Sequence[str], is_first: bool
) -> Iterator[Finding]:
    """Yield which bots nothing singles out, and which pairs no measure distinguishes."""
    start = f"With {words.players(players)}"
    if missing := [bot for bot in bots if bot not in singled]:
        are = "is" if len(missing) == 1 else "are"
        text = f"{start} {words.listed(missing)} {are} not clearly highest or lowest in any measure."
        data = {"players": players, "not_singled_out": missing}
        yield Finding("fact", text, data, short=text if is_first else "")
    if pairs := alike(joint, players, bots):
        listed = "; ".join(words.listed(list(pair)) for pair in pairs[:MOST_PAIRS])
        more = f"; and {len(pairs) - MOST_PAIRS} more pairs" if len(pairs) > MOST_PAIRS else ""
        text = f"{start} no measure distinguishes these: {listed}{more}."
        yield Finding("open", text, {"players": players, "alike": pairs}, short=text if is_first else "")
