"""Parts shared by several sections: findings from verdicts, columns, sample sizes, and texts for figures."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rogsim.game.kit.text_layout import capital
from rogsim.report import words
from rogsim.report.balance.sources import NO_BREAK, Material
from rogsim.report.balance.strength_words import strength_word
from rogsim.report.document import Finding, TableColumn
from rogsim.report.verdict_titles import Badge
from rogsim.stats.estimates import Estimate
from rogsim.stats.prospects import Prospect
from rogsim.stats.simultaneous import beyond
from rogsim.stats.verdict_words import bounds_words, chance_words, is_clear_alone, more_words, rare_words
from rogsim.stats.verdicts import Verdict, combine

KINDS: Mapping[str, Badge] = {"imbalanced": "imbalanced", "fair": "fair", "unknown": "open", "depends": "depends"}
BLOCKS = (
    "Games of one block share a deal, so the unit of analysis is the block, not the game. A victory shared by k "
    "players counts 1/k for each. Intervals are 95% intervals."
)
SCREEN = (
    "This is a screen, not a claim. `q` is the p-value after Benjamini and Hochberg's correction for all rows of the "
    "table with the same number of players: about one in twenty of those below 0.05 is chance."
)

THIN = (
    "`too few`: there is no interval and no p if a number is based on fewer than 30 blocks of games (on either side of "
    "a difference, or contributing to a slope), or a mean is not 0 in fewer. A slope that a few extreme numbers "
    "determine is based on their blocks alone, however many others there are."
)


def sortable(expression: pl.Expr) -> pl.Expr:
    """Return numbers to sort by: two that are equal but for rounding, as of two seats, have one order everywhere."""
    return expression.round_sig_figs(9)


def findings_of(material: Material, topic: str) -> tuple[Finding, ...]:
    """Return the findings on a topic.

    Each player count has one for the top of the page, and each of several sets of bots one for the section.
    """
    short: list[Finding] = []
    each: list[Finding] = []
    by_claim: dict[tuple[int, str], list[Verdict]] = {}
    for verdict in material.verdicts:
        if verdict.claim.topic == topic:
            by_claim.setdefault((verdict.claim.players, verdict.claim.title), []).append(verdict)
    for (players, title), verdicts in sorted(by_claim.items(), key=lambda pair: pair[0][0]):
        found = [_finding(material, verdict) for verdict in verdicts]
        if len(verdicts) > 1:
            short.append(_combined(material, topic, players, title, verdicts))
            each += [replace(finding, short="", folded=True) for finding in found]
        else:
            short += found
    return (*short, *each)


def _combined(material: Material, topic: str, players: int, title: str, verdicts: Sequence[Verdict]) -> Finding:
    """Return the combined finding of several folders."""
    combined = combine(verdicts)
    data = {
        "topic": topic,
        "title": title,
        "players": players,
        "changes_with_the_bots": combined.changes,
        "p_equal_effects": combined.p,
        "differing": list(combined.levels),
    }
    sentence = combined.sentence
    if not combined.levels:
        effects = (f"{material.source_of(verdict).label}: {_effect(verdict)}" for verdict in verdicts)
        sentence = f"{combined.head} {'; '.join(effects)}."
    strength = strength_word(material, combined.kind, verdicts)
    short = f"{_who(players)}: {words.minus(sentence[:1].lower() + sentence[1:])}"
    return Finding(KINDS[combined.kind], f"{title}, {short}", data, short=short, strength=strength)


def _who(players: int) -> str:
    """Return the player count, and that a finding is about these bots."""
    return f"{words.players(players)}, with these bots"


def _effect(verdict: Verdict) -> str:
    """Return the largest effect of a verdict, and how many more games would decide it."""
    if not known(verdict.estimate.low):
        return "too few games"
    more = f", {more_words(verdict)}" if verdict.prospect else ""
    effect = verdict.estimate
    chance = ""
    if verdict.kind == "unknown" and beyond(effect, 0.0):
        chance = f", which may be chance{' among all questions on the page' * is_clear_alone(verdict)}"
    reach = words.interval(effect.low, effect.high, sign=True)
    return f"{verdict.level} {words.pp(effect.value)} ({reach}){chance}{more}"


def _finding(material: Material, verdict: Verdict) -> Finding:
    claim, label = verdict.claim, material.source_of(verdict).label
    data = {
        "topic": claim.topic,
        "title": claim.title,
        "players": claim.players,
        "folder": claim.folder,
        "bots": list(claim.bots),
        "games": claim.games,
        "level": verdict.level,
        "effect": estimate_data(verdict.estimate),
        "effect_by_itself": estimate_data(verdict.plain or verdict.estimate),
        "look": verdict.look,
        "p": verdict.p,
        "margin": verdict.margin,
        "beyond_margin": verdict.beyond,
        "gap": claim.gap,
        "fair_gap": claim.band,
        **prospect_data(verdict.prospect),
        "named": list(verdict.named),
    }
    strength = strength_word(material, verdict.kind, [verdict])
    text = f"{claim.title}, {words.players(claim.players)}, {label}: {words.minus(verdict.sentence)}"
    short = f"{_who(claim.players)}: {_short(verdict)}"
    return Finding(KINDS[verdict.kind], text, data, short=short, strength=strength)


def _short(verdict: Verdict) -> str:
    """Return a verdict as a short sentence with its effect and interval."""
    effect, margin = verdict.estimate, f"±{verdict.margin:g} pp"
    if not known(effect.low):
        return "too few games for a test."
    value = f"{words.pp(effect.value)} ({words.interval(effect.low, effect.high, sign=True)})"
    if verdict.kind == "fair":
        shown = words.minus(bounds_words(verdict))
        return f"fair within {margin}: {shown}. The largest effect is that of {verdict.level}, {value}."
    if verdict.kind == "unknown":
        more = f" {capital(more_words(verdict))}." if verdict.prospect else ""
        return (
            f"the largest effect is that of {verdict.level}, {value}. {chance_words(verdict)}, and it may be beyond "
            f"{margin}.{rare_words(verdict)}{more}"
        )
    if not verdict.named:
        return (
            "taken together, the levels differ by more than chance, but no single level clearly stands out; the "
            f"largest effect is that of {verdict.level}, {value}."
        )
    first, *rest = verdict.named
    effect = verdict.effect_of(first)
    certainty = "clearly" if verdict.beyond and first == verdict.level else "possibly"
    also = f" Also imbalanced: {words.listed(few(rest))}." if rest else ""
    size = f"{words.number(abs(effect.value))} pp {'more' if effect.value >= 0 else 'less'} {verdict.claim.against}"
    reach = words.interval(effect.low, effect.high, sign=True)
    return f"{first} wins {size} ({reach}), {certainty} beyond {margin}.{also}"


def changes_with_the_bots(finding: Finding) -> bool:
    """Return whether the effects that a finding sums up clearly differ between sets of bots."""
    return bool(finding.data.get("differing") or finding.data.get("changes_with_the_bots"))


def few(names: list[str], most: int = 3) -> list[str]:
    """Return the names, or of more than `most` the first ones and how many more there are."""
    return names if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} more"]


def estimate_data(estimate: Estimate) -> dict[str, float]:
    """Return an estimate as plain data."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}


def prospect_data(prospect: Prospect | None) -> dict[str, Any]:
    """Return how many more games would decide a question, and with what chance, as plain data."""
    if prospect is None:
        return {"more_games": None, "chance_to_decide": None}
    return {"more_games": prospect.games, "chance_to_decide": prospect.chance}


def with_source(material: Material, first: TableColumn, *more: TableColumn) -> tuple[TableColumn, ...]:
    """Return the columns of a table: the name, the player count, the bots if there are several folders, and `more`."""
    bots = () if material.single else (TableColumn("bots", "bots"),)
    return (first, TableColumn("players", "players", "count"), *bots, *more)


def win_share(key: str, head: str) -> tuple[TableColumn, ...]:
    """Return the columns n, win share, and `key`: the share minus a reference, in percentage points."""
    return (
        TableColumn("n", "n", "count"),
        TableColumn("share", "win share (95%)", "share", interval=True),
        TableColumn(key, f"{head}, pp (95%)", "gain", interval=True),
    )


def rests_on(material: Material, screen: bool = False) -> str:
    """Say how many games a section is based on. screen: whether it is a screen, which uses only the first games."""
    counts = [
        f"{words.games(balance.screened if screen else balance.games)} with {words.players(balance.players)}"
        f"{by(material, source.label)}"
        for source, balance in material.each()
    ]
    return words.listed(counts)


def adjustment(material: Material, section: str = "") -> tuple[str, ...]:
    """Say that win shares are adjusted for what was dealt, and how many games that saves; empty if none are adjusted.

    section: title of the section that gives the games saved; if empty, the text gives them itself.
    """
    saved, cases = [], 0
    dealt: dict[str, None] = {}
    for source, balance in material.each():
        for topic in material.spec.topics if balance.adjusted_for else ():
            dealt |= dict.fromkeys([_in_sentence(topic.title)] if {*topic.columns} & {*balance.adjusted_for} else [])
        if balance.adjusted_for and balance.seats is not None:
            cases += 1
            worth = float(f"{balance.games * balance.seats.saving:.3g}")
            who = f"{words.players(balance.players)}{by(material, source.label)}"
            if worth > balance.games:
                saved.append(f"{words.count(worth)} instead of {words.count(balance.games)} with {who}")
    if not dealt:
        return ()
    what = words.listed(list(dealt))
    text = (
        f"The {what} are dealt at random, so the win shares are adjusted for the luck of the deal; they stay unbiased."
    )
    if section:
        return (f"{text} The section {section} shows how many games this saves.",)
    if not saved:
        return (f"{text} This saves hardly any games.",)
    without = f"{text} Without the adjustment, the same precision would take"
    rest = ", and about as many in the other cases" if len(saved) < cases else ""
    return (f"{without} more games: about {words.listed(saved)}{rest}.",)


def _in_sentence(title: str) -> str:
    """Return a topic's title as it is written within a sentence: names of several words keep their capitals."""
    return title if title.istitle() and " " in title else title.lower()


def by(material: Material, label: str) -> str:
    """Return who played, in brackets; empty if there is only one set of bots."""
    return "" if material.single else f" ({label})"


def case(material: Material) -> pl.Expr:
    """Return a label for each player count and folder."""
    name = pl.format("{} players", "players")
    return name if material.single else pl.concat_str(name, pl.lit(", "), pl.col("bots").cast(pl.String))


def extremes(frame: pl.DataFrame, unit: str = " pp") -> str:
    """Describe a figure of levels in words: the highest and the lowest value of each panel.

    frame: panel, series, level, value; and low, if values without an interval (too few games) are to be ignored.
    """
    panels = []
    many = frame["series"].n_unique() > 1
    frame = frame.with_columns(pl.col("value").cast(pl.Float64).fill_nan(None))
    known = frame.drop_nulls("value")
    if "low" in known.columns:
        known = known.filter(pl.col("low").cast(pl.Float64).fill_nan(None).is_not_null())
    for (panel,), part in known.group_by("panel", maintain_order=True):
        high, low = part.sort("value", descending=True).row(0, named=True), part.sort("value").row(0, named=True)
        panels.append(f"{one_line(panel)}: highest {_at(high, many, unit)}, lowest {_at(low, many, unit)}")
    return "; ".join(panels) + "." if panels else "There is nothing to show."


def one_line(panel: object) -> str:
    """Return the title of a panel on one line, for use in a sentence."""
    return re.sub(r",?\n", ", ", str(panel)).replace(NO_BREAK, " ")


def _at(row: Mapping[str, Any], many: bool, unit: str) -> str:
    who = f" ({row['series']})" if many else ""
    return f"{row['level']} at {words.number(row['value'], 1, sign=True)}{unit}{who}"


def labelled(frame: pl.DataFrame, column: str, labels: Mapping[str, str], prefix: str = "") -> pl.DataFrame:
    """Replace names by the game's labels."""
    named = [prefix + words.name(value, labels) for value in frame[column].to_list()]
    return frame.with_columns(pl.Series(column, named, dtype=pl.String))


def known(value: Any) -> bool:
    """Return whether a number is neither missing nor nan."""
    return value is not None and not math.isnan(value)
