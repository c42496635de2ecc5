"""Whatever is `Effects` as a finding, a forest plot and a table: every page shows them through these functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from rogsim.base.text import capital
from rogsim.report import words
from rogsim.report.document import ColumnKind, Finding, Grid, Picture, Section, TableColumn, badge_of
from rogsim.report.figures import forest_plots
from rogsim.report.sentences import digits_of, effect_words, margin_words, sentence
from rogsim.stats.contrasts import benjamini_hochberg, columns, holm, scaled, table
from rogsim.stats.effects import Effects, Question
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.judgement import Judgement
from rogsim.stats.prospects import Prospect

PAIRED = "Base and variant play the same deals, and each difference is taken deal by deal."
OTHERS = "play"  # name of the section on what else changes


def finding_of(judgement: Judgement, where: str, on_top: bool = True, every: bool = True, **more: Any) -> Finding:
    """Return a judgement as a finding.

    Parameters
    ----------
    where
        Which case it is about, before the sentence: "4 players", "fair-start, 4 players".
    on_top
        Whether the finding belongs to the top of the page.
    every
        Whether to name up to three levels, or only the largest.
    more
        More data of the finding.
    """
    text = f"{where}: {words.minus(sentence(judgement, every))}"
    return Finding(badge_of(judgement), text, finding_data(judgement) | more, short=text if on_top else "")


def finding_data(judgement: Judgement) -> dict[str, Any]:
    """Return a judgement as plain data."""
    effects, largest = judgement.effects, judgement.largest
    return {
        "topic": effects.question.topic,
        "title": effects.question.title,
        "players": effects.players,
        "run": effects.run,
        "bots": list(effects.bots),
        "games": effects.games,
        "unit": effects.question.unit,
        "margin": judgement.margin,
        "level": largest.name,
        "effect": estimate_data(judgement.effect_of(largest.name)),
        "effect_by_itself": estimate_data(largest.effect),
        "margin_test": estimate_data(judgement.tested_effect_of(largest.name)),
        "p": judgement.p,
        "p_beyond": judgement.p_beyond,
        "p_within": judgement.p_within,
        "look": effects.look,
        "beyond": list(judgement.beyond),
        "differing": list(judgement.differing),
        **prospect_data(judgement.prospect),
    }


def estimate_data(estimate: Estimate) -> dict[str, float]:
    """Return an estimate as plain data."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}


def prospect_data(prospect: Prospect | None) -> dict[str, Any]:
    """Return how many more games would decide a question, and with what chance, as plain data."""
    if prospect is None:
        return {"more_games": None, "chance_to_decide": None}
    return {"more_games": prospect.games, "chance_to_decide": prospect.chance}


def forest_of(
    judged: Sequence[Judgement],
    name: str,
    caption: str,
    axis: str,
    games: Mapping[int, str],
    labels: Mapping[str, str] | None = None,
) -> Picture:
    """Return the forest plot of one question: a panel for each player count, a series for each run.

    Parameters
    ----------
    judged
        Judgements on the same question.
    axis
        What is drawn, with its unit.
    games
        By player count, how many games a panel rests on.
    labels
        What to call runs; by default their names.
    """
    question = judged[0].effects.question
    runs = list(dict.fromkeys(judgement.effects.run for judgement in judged))
    called = {run: (labels or {}).get(run, run) for run in runs}
    alone = not question.noun  # then each run is a row
    rows: list[dict[str, Any]] = [
        {
            "players": judgement.effects.players,
            "level": called[judgement.effects.run] if alone else _row_name(contrast.name, question),
            "series": "" if alone or len(runs) == 1 else called[judgement.effects.run],
            "kind": judgement.kind_of(contrast.name),
            **columns("value", contrast.effect),
            "n": contrast.effect.n,
        }
        for judgement in judged
        for contrast in judgement.effects.contrasts
    ]
    titles = {count: f"{words.players(count)}\n{games[count]}" for count in sorted({row["players"] for row in rows})}
    panel = pl.col("players").replace_strict(titles, return_dtype=pl.Enum(list(titles.values())))
    frame = table(rows).rename({"value_low": "low", "value_high": "high"}).sort("players", maintain_order=True)
    margin = margin_words(question, judged[0].margin)
    return Picture(
        name,
        f"{caption} The band is {margin}.",
        f"Forest plot. {largest_words(rows, question.unit)}",
        partial(
            forest_plots.forest,
            frame.with_columns(panel.alias("panel")),
            judged[0].margin,
            axis,
            "fair share" if question.against else "no difference",
            question.unit,
            ranked=question.noun != "seat",
        ),
    )


def largest_words(rows: Iterable[Mapping[str, Any]], unit: str) -> str:
    """Describe a forest plot in words: the largest effect of each panel."""
    by_players: dict[int, Mapping[str, Any]] = {}
    for row in rows:
        best = by_players.get(row["players"])
        if not math.isnan(row["value_low"]) and (best is None or by_size(row["value"]) > by_size(best["value"])):
            by_players[row["players"]] = row
    found = [
        f"{words.players(players)}: {row['level']} {words.number(row['value'], digits_of(unit), sign=True)} {unit}"
        f"{f' ({series})' if (series := row['series']) else ''}"
        for players, row in sorted(by_players.items())
    ]
    return f"Largest with {'; '.join(found)}." if found else "There are too few games to show anything."


def effects_grid(found: Sequence[Effects], name: str, p: str = "p (Holm)") -> Grid:
    """Return the table of differences on one question: a row for each level, player count and run.

    Parameters
    ----------
    found
        Effects on the same question, each with what it is a difference of.
    p
        Head of the column of corrected p-values.
    """
    question = found[0].question
    runs = {effects.run for effects in found}
    bots = {effects.bots for effects in found}
    rows = [
        {
            "level": _row_name(contrast.name, question),
            "run": effects.run,
            "players": effects.players,
            "bots": ", ".join(effects.bots),
            "n": contrast.effect.n,
            **columns("before", contrast.before or contrast.effect),
            **columns("after", contrast.after or contrast.effect),
            **columns("effect", contrast.effect),
            "p": corrected,
            "saving": contrast.saving,
        }
        for effects in found
        for contrast, corrected in zip(
            effects.contrasts, holm([contrast.p for contrast in effects.contrasts]), strict=True
        )
    ]
    kind: ColumnKind = "share" if question.share else "gain" if question.unit == "pp" and question.noun else "number"
    digits = digits_of(question.unit)
    saving = any(not math.isnan(row["saving"]) for row in rows)
    heads = (
        *([TableColumn("level", question.noun)] if question.noun else []),
        *([TableColumn("run", "variant")] if len(runs) > 1 or not question.noun else []),
        TableColumn("players", "players", "count"),
        *([TableColumn("bots", "bots")] if len(bots) > 1 else []),
        TableColumn("n", "n", "count"),
        TableColumn("before", "before (95%)", kind, interval=True, digits=digits),
        TableColumn("after", "after (95%)", kind, interval=True, digits=digits),
        TableColumn("effect", f"difference, {question.unit} (95%)", "gain", interval=True, digits=digits),
        TableColumn("p", p, "p"),
        *([TableColumn("saving", "saving", "number")] if saving else []),
    )
    return Grid(name, question.title, heads, table(rows).sort("players", maintain_order=True))


def _row_name(level: str, question: Question) -> str:
    """Return a level as the first word of a row; a bot as it is typed."""
    return level if question.noun == "bot" else capital(level)


def others_section(
    screens: Sequence[Effects], based_on: str, method: str, anchor: str, run: str = "variant"
) -> Section | None:
    """Return the section on means, for which nothing is claimed; None if there are none; run: what a run is called."""
    rows = [row for effects in screens for row in _screen_rows(effects)]
    if not rows:
        return None
    clear = sorted((row for row in rows if row["q"] < 0.05), key=lambda row: row["q"])
    text = f"{len(clear):,} of {len(rows):,} means differ by more than chance"
    if clear:
        row = clear[0]
        effect = Estimate(row["effect"], row["effect_low"], row["effect_high"], row["n"], row["n"])
        text += f", most clearly {row['topic']}: {row['level']}, {effect_words(effect, row['unit'])}"
    heads = (
        TableColumn("level", "mean"),
        TableColumn("topic", "topic"),
        *([TableColumn("run", run)] if len({row["run"] for row in rows}) > 1 else []),
        TableColumn("players", "players", "count"),
        TableColumn("before", "before (95%)", "number", interval=True, digits=2),
        TableColumn("after", "after (95%)", "number", interval=True, digits=2),
        TableColumn("effect", "difference (95%)", "gain", interval=True, digits=2),
        TableColumn("q", "q", "p"),
    )
    caption = "Means for each seat, how often a seat has any, and win shares of seats"
    return Section(
        OTHERS,
        "How games are played",
        "What else changes?",
        f"{text}.",
        based_on,
        grids=(Grid(OTHERS, caption, heads, table(rows)),),
        method=f"{method} q: corrected for all rows of one topic, variant and number of players.",
        anchor=anchor,
    )


def _screen_rows(effects: Effects) -> Iterator[dict[str, Any]]:
    q = benjamini_hochberg([contrast.p for contrast in effects.contrasts])
    scale, unit = effects.question.scale, ", %" * effects.question.share
    for contrast, corrected in zip(effects.contrasts, q, strict=True):
        yield {
            "topic": effects.question.title,
            "level": f"{capital(contrast.name)}{unit}",
            "run": effects.run,
            "players": effects.players,
            "n": contrast.effect.n,
            "unit": effects.question.unit,
            **columns("before", scaled(contrast.before or contrast.effect, scale)),
            **columns("after", scaled(contrast.after or contrast.effect, scale)),
            **columns("effect", contrast.effect),
            "q": float(corrected),
        }
