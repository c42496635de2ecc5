"""The material of a report: results folders, their statistics and judgements, and what its sections share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.files import as_path
from rogsim.base.progress import Notify
from rogsim.base.text import listing, safe
from rogsim.base.validation import show
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.report import words
from rogsim.report.balance.own_questions import own_questions
from rogsim.report.document import TableColumn
from rogsim.report.words import bot_label
from rogsim.results.inventory import check_rows
from rogsim.results.results import Results, look_of, pool_folders, pooled_look, sets_of_bots
from rogsim.scenario.reconstructed import Reconstructed, reconstructed_in
from rogsim.stats.balance import measure
from rogsim.stats.balance.measure import Balance, PlayersBalance, claims
from rogsim.stats.effects import Effects
from rogsim.stats.judgement import Judgement, judge

if TYPE_CHECKING:  # `rogsim run` needs the material of its results, and no ladder
    from rogsim.experiments.ladder import LadderVerdicts

NO_BREAK = "\N{NO-BREAK SPACE}"
PANEL_WIDTH = 28  # characters of a title, with three panels side by side and long names of rows
FACTS = ("game", "rules")  # of a ladder that must be those of the games
TABLES = {"options": "option", "change": "changed parameter"}
MANY_BOTS = 3  # with more, the label is the name of the scenario and not those of the bots


@dataclass(frozen=True)
class Source:
    """One set of bots: its label, its manifest, its statistics, and the effects that are judged.

    parts: the results folders behind it; several with the same bots and settings are pooled.
    """

    label: str
    manifest: Mapping[str, Any]
    folder: Path | None
    balance: Balance
    parts: tuple[Results, ...] = ()
    effects: tuple[Effects, ...] = ()

    @property
    def folders(self) -> list[Source]:
        """Return a source for each results folder, without its effects."""
        return [replace(self, manifest=part.manifest, folder=part.folder, parts=()) for part in self.parts] or [self]


@dataclass(frozen=True)
class Material:
    """Everything that a report is written from."""

    spec: GameSpec
    sources: tuple[Source, ...]
    judgements: tuple[Judgement, ...]
    margin: float  # percentage points
    settled: tuple[LadderVerdicts, ...] = ()  # of ladders of stronger and stronger bots in the same game
    asked: tuple[Path, ...] = ()  # files with questions of the reader, which come first among the game's topics

    @property
    def player_counts(self) -> list[int]:
        """Return the player counts of all folders, sorted."""
        return sorted({players for source in self.sources for players in source.balance.players})

    @cached_property
    def reconstructed(self) -> Reconstructed:
        """Return which reconstructed values the results rest on."""
        folders = [folder for source in self.sources for folder in source.folders]
        return reconstructed_in(self.spec, [folder.manifest.get("scenario", {}) for folder in folders])

    @property
    def single(self) -> bool:
        """Return whether there is only one set of bots, so that labels need not name it."""
        return len(self.sources) == 1

    @property
    def last(self) -> Source:
        """Return the last set of bots: that of the first screen, as the strongest bots are named last."""
        return self.sources[-1]

    def source_of(self, judgement: Judgement) -> Source:
        """Return the set of bots that a judgement is about."""
        return next(source for source in self.sources if any(one is judgement.effects for one in source.effects))

    def judged(self, topic: str, source: Source | None = None) -> list[Judgement]:
        """Return the judgements on a topic by number of players, of all sets of bots or of one."""
        found = [
            judgement
            for judgement in self.judgements
            if judgement.effects.question.topic == topic and (source is None or self.source_of(judgement) is source)
        ]
        return sorted(found, key=lambda judgement: judgement.effects.players)

    def each(self) -> Iterable[tuple[Source, PlayersBalance]]:
        """Return each set of bots with its statistics for each player count, ordered by player count."""
        for players in self.player_counts:
            for source in self.sources:
                if players in source.balance.players:
                    yield source, source.balance.players[players]

    def stacked(self, pick: Callable[[PlayersBalance], pl.DataFrame | None]) -> pl.DataFrame:
        """Return the frames of all sets of bots and player counts as one, with `bots` and `players` as first columns.

        pick: returns the frame of a set of bots with one player count; None if there is none.
        """
        frames = []
        labels = pl.Enum([source.label for source in self.sources])  # sorts in the order of the folders
        for source, balance in self.each():
            frame = pick(balance)
            if frame is not None and not frame.is_empty():
                context = pl.lit(source.label, labels).alias("bots"), pl.lit(balance.players, pl.Int64).alias("players")
                frames.append(frame.select(*context, pl.all()))
        return pl.concat(frames, how="diagonal_relaxed") if frames else pl.DataFrame()

    def panels(self, frame: pl.DataFrame, screen: bool = False) -> pl.DataFrame:
        """Add what figures need: `panel` names the player count and the games played, `series` the set of bots.

        Both are enumerations in order, which name only what is in the frame. screen: whether the frame is based on the
        games of screens.
        """
        contexts = set(frame.select("bots", "players").unique().iter_rows())
        games: dict[int, dict[str, int]] = {}
        for source, balance in self.each():
            if (source.label, balance.players) in contexts:
                games.setdefault(balance.players, {})[source.label] = balance.screened if screen else balance.games
        return _with_panel(frame, {players: self._games(by_label) for players, by_label in games.items()})

    def of_last_with_panel(self, frame: pl.DataFrame, screen: bool = False) -> pl.DataFrame:
        """Return the rows of the last set of bots with `panel`, the player count and the games played.

        screen: whether the frame is based on the games of screens.
        """
        games = {
            players: words.games(balance.screened if screen else balance.games)
            for players, balance in self.last.balance.players.items()
        }
        return _with_panel(frame.filter(pl.col("bots").cast(pl.String) == self.last.label), games)

    def _games(self, games: Mapping[str, int]) -> str:
        """Say how many games each set of bots played, on lines short enough for the title of a panel."""
        counts = list(games.values())
        if len(set(counts)) > 1:
            # No line ends within one of these: a sentence puts a comma where a line ends.
            by_label = ", ".join(f"{label}{NO_BREAK}{count:,}" for label, count in games.items())
            return "\n".join(wrap(f"{by_label}{NO_BREAK}games", PANEL_WIDTH))
        same = words.games(counts[0])
        if len(counts) > 1:
            return f"{same} each"
        return same if self.single else f"{same} ({next(iter(games))})"


def _with_panel(frame: pl.DataFrame, games: Mapping[int, str]) -> pl.DataFrame:
    names = {players: f"{words.players(players)}\n{count}" for players, count in games.items()}
    panel = pl.col("players").replace_strict(names, return_dtype=pl.Enum(list(names.values())))
    return frame.with_columns(panel.alias("panel"), pl.col("bots").alias("series"))


def gather(
    folders: Sequence[str | Path | Results],
    only: Sequence[str] | None = None,
    notify: Notify = lambda _: None,
    settled: Sequence[str | Path] = (),
    asked: Sequence[Path] = (),
) -> Material:
    """Open results folders, compute their statistics and judge them.

    Parameters
    ----------
    folders
        Results folders, all of the same game, or opened results.
    only
        Names of the questions wanted; by default all.
    notify
        Receives lines on progress.
    settled
        Folders that `rogsim settle` wrote, on the same game.
    asked
        Files with questions of the reader.

    Raises
    ------
    RogsimError
        If a folder is listed twice, or the folders hold different games.
    ResultsError
        If a folder cannot be read, or two of them hold the same games.
    """
    from rogsim.report.settle_page import read_settled  # with the figures of its page

    ladders = [read_settled(as_path("settled", folder)) for folder in settled]
    opened, places = [], set[Path]()
    for given in folders:
        if isinstance(given, Results):
            opened.append(given)
            continue
        folder = as_path("folders", given)
        if folder.resolve() in places:
            raise RogsimError(f"{folder}: is listed twice")
        places.add(folder.resolve())
        notify(f"reading {folder}")
        opened.append(Results.open(folder))
    return material_of(opened, only, notify, ladders, asked)


def material_of(
    opened: Sequence[Results],
    only: Sequence[str] | None = None,
    notify: Notify = lambda _: None,
    settled: Sequence[LadderVerdicts] = (),
    asked: Sequence[Path] = (),
) -> Material:
    """Compute the statistics of results, from folders or in memory, and judge them.

    Results with the same bots and settings are pooled.

    Parameters
    ----------
    opened
        Results of the same game, at least one.
    only, notify
        As for `gather`.
    settled
        Verdicts that `read_settled` or `play_ladder` returned, on the same game.
    asked
        As for `gather`.

    Raises
    ------
    RogsimError
        If `opened` is not a list of results, they are of different games, or a file holds no question on them.
    ResultsError
        If two of them hold the same games.
    """
    if isinstance(opened, Results) or not opened:
        raise RogsimError("opened: must be a list of results, with at least one: material_of([results])")
    spec = _game_of(opened)
    for name in () if only is None or isinstance(only, str) else only:
        if name not in measure.ALWAYS:
            topic_named(spec, name)
    check_settled(settled, opened)
    for results in opened:
        check_rows(results, spec)
    spec = replace(spec, topics=(*own_questions(asked, spec, opened), *spec.topics))
    margin = min(float(results.manifest["scenario"]["margin"]) for results in opened)
    sources = []
    groups = sets_of_bots(opened)
    pooled = [pool_folders(group) for group in groups]
    labels = labels_of([results.manifest for results in pooled])
    for label, results, group in zip(labels, pooled, groups, strict=True):
        notify(f"computing statistics: {label}")
        statistics = measure.balance(results, spec, margin, only=None if only is None else tuple(only))
        for players, balance in statistics.players.items():
            manifests = [part.manifest for part in group if part.manifest["games"].get(str(players))]
            balance.look = pooled_look([look_of(manifest, players) for manifest in manifests])
        family = claims([statistics], spec.topics)
        sources.append(Source(label, results.manifest, results.folder, statistics, tuple(group), family))
    notify("judging")
    judgements = judge([effects for source in sources for effects in source.effects], margin)
    return Material(spec, tuple(sources), judgements, margin, tuple(settled), tuple(asked))


def labels_of(manifests: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a distinct label for each folder: the bots, or the name of the scenario if there are many bots."""
    labels = []
    for manifest in manifests:
        bots = list(dict.fromkeys(bot_label(str(bot)) for bot in manifest["scenario"]["bots"]))
        labels.append(str(manifest["name"]) if len(bots) > MANY_BOTS else ", ".join(bots))
    if len(set(labels)) < len(labels):
        pairs = zip(labels, manifests, strict=True)
        labels = [f"{label} ({manifest['name']})" if labels.count(label) > 1 else label for label, manifest in pairs]
    return [f"{label} #{place}" if labels.count(label) > 1 else label for place, label in enumerate(labels, 1)]


def topic_named(spec: GameSpec, name: str) -> Topic:
    """Return a topic of the game by its name; RogsimError if there is none."""
    for topic in spec.topics:
        if topic.name == name:
            return topic
    known = ", ".join(topic.name for topic in spec.topics)
    raise RogsimError(f'{spec.title} has no topic "{name}": choose from {known or "none"}')


def _game_of(opened: Sequence[Results]) -> GameSpec:
    names = list(dict.fromkeys(str(results.manifest["scenario"]["game"]) for results in opened))
    if len(names) > 1:
        raise RogsimError(f"the folders hold different games, {listing(names)}: a report covers only one game")
    return get_game(names[0])


def check_settled(settled: Sequence[LadderVerdicts], opened: Sequence[Results]) -> None:
    """Check that every ladder played what the report is about, and that no two answer the same question.

    Raises
    ------
    RogsimError
        If the game, its rules, an option or a changed parameter differs, if no player count is the same, if the
        margin is wider than that of the report, or if two ladders have a verdict on the same claims.
    """
    margin = min(float(results.manifest["scenario"]["margin"]) for results in opened)
    for ladder in settled:
        if ladder.margin > margin:
            raise RogsimError(
                f"{_place(ladder)}: was judged with a margin of {ladder.margin:g} pp, but the report has "
                f"{margin:g} pp: call rogsim settle with --margin {margin:g}"
            )
        for results in opened:
            where = f"{_place(ladder)}: cannot be used for {results.folder or results.manifest['name']}"
            if found := _difference(ladder, results.manifest["identity"]):
                raise RogsimError(safe(f"{where}: {found}"))
        counts = sorted({players for results in opened for players in results.manifest["scenario"]["players"]})
        if not {*counts} & {*ladder.games}:
            theirs, ours = (listing([str(count) for count in found]) for found in (sorted(ladder.games), counts))
            raise RogsimError(f"{_place(ladder)}: has games with {theirs} players, and the report with {ours}")
    _check_distinct(settled)


def _difference(ladder: LadderVerdicts, identity: Mapping[str, Any]) -> str:
    """Return how the games of a ladder differ from those of some results; empty if they do not."""
    theirs = vars(ladder.played)
    for name in FACTS:
        if theirs[name] != identity.get(name):
            return f"{name} is {show(theirs[name])} there, and {show(identity.get(name))} in the results"
    for name, noun in TABLES.items():
        ours = identity.get(name) or {}
        for key in dict.fromkeys([*ours, *theirs[name]]):
            if theirs[name].get(key) != ours.get(key):
                return f'{noun} "{key}" is {_shown(theirs[name], key)} there, and {_shown(ours, key)} in the results'
    return ""


def _check_distinct(settled: Sequence[LadderVerdicts]) -> None:
    seen: dict[tuple[str, int], LadderVerdicts] = {}
    for ladder in settled:
        for claim in {(claim.family.name, claim.players) for claim in ladder.claims}:
            if other := seen.get(claim):
                name, players = claim
                raise RogsimError(
                    f"{_place(other)} and {_place(ladder)} both have verdicts on {name} with {words.players(players)}: "
                    "give only one of them"
                )
            seen[claim] = ladder


def _place(ladder: LadderVerdicts) -> str:
    return ladder.place or "the verdicts of rogsim settle"


def _shown(table: Mapping[str, Any], key: str) -> str:
    return show(table[key]) if table.get(key) is not None else "not set"


def sortable(expression: pl.Expr) -> pl.Expr:
    """Return numbers to sort by: two that are equal but for rounding, as of two seats, have one order everywhere."""
    return expression.round_sig_figs(9)


def with_source(material: Material, first: TableColumn, *more: TableColumn) -> tuple[TableColumn, ...]:
    """Return the columns of a table: the name, the player count, the bots if there are several folders, and `more`."""
    bots = () if material.single else (TableColumn("bots", "bots"),)
    return (first, TableColumn("players", "players", "count"), *bots, *more)


def played(material: Material, screen: bool = False) -> str:
    """Say how many games a section is based on. screen: whether it is a screen, which uses only the first games."""
    by_source = []
    for source in material.sources:
        counts = {
            players: balance.screened if screen else balance.games
            for players, balance in source.balance.players.items()
        }
        who = "" if material.single else f" by {source.label}"
        if len(set(counts.values())) == 1:
            each = " each" if len(counts) > 1 else ""
            players = listing([str(count) for count in counts])
            noun = "player" if players == "1" else "players"
            by_source.append(f"{words.games(next(iter(counts.values())))}{each} with {players} {noun}{who}")
        else:
            by_source += [f"{words.games(games)} with {words.players(count)}{who}" for count, games in counts.items()]
    return listing(by_source)


def of_most_players(frame: pl.DataFrame, unit: str, is_share: bool = False) -> str:
    """Return a mean with the largest player count and its interval: "46.1 turns (46.0 to 46.2) with 4 players".

    frame: rows of one set of bots with players, value and the ends of its interval. is_share: from 0 to 1.
    """
    row = frame.sort("players").row(-1, named=True)
    scale, sign = (100.0, "%") if is_share else (1.0, "")
    reach = words.interval(row["value_low"], row["value_high"], scale) or words.TOO_FEW
    return f"{words.number(scale * row['value'])}{sign} {unit} ({reach}) with {words.players(row['players'])}"


def of_last(material: Material, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the last set of bots."""
    return frame.filter(pl.col("bots").cast(pl.String) == material.last.label)


def extremes(frame: pl.DataFrame, unit: str = " pp") -> str:
    """Describe a figure of levels in words: the highest and the lowest value of each panel.

    frame: panel, series, level, value; and low, if values without an interval (too few games) are to be ignored.
    """
    panels = []
    many = frame["series"].n_unique() > 1
    frame = frame.with_columns(pl.col("value").cast(pl.Float64).fill_nan(None))
    shown = frame.drop_nulls("value")
    if "low" in shown.columns:
        shown = shown.filter(pl.col("low").cast(pl.Float64).fill_nan(None).is_not_null())
    for (panel,), part in shown.group_by("panel", maintain_order=True):
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
