"""The findings of a sweep: the fairest setting, the parameters that matter, and what is still undecided.

Statements about the fairest setting rest on new deals, which played no part in choosing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rogsim.experiments.sweep.outcome import SIGNIFICANT, SettingTable, SweepOutcome
from rogsim.report import words
from rogsim.report.balance.pieces import estimate_data, prospect_data
from rogsim.report.document import Finding
from rogsim.report.sweep.sweep_frames import setting_text, short_names
from rogsim.report.verdict_titles import Badge
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.clear_effects import games_to_find
from rogsim.stats.paired.main_effects import Effect
from rogsim.stats.sample_size import two_figures

MOST_NAMED = 5
SMALL_EFFECT = 1.0  # percentage points: an effect on a win share that is worth detecting
TOGETHER = "simultaneous over all effects and seats of the sweep."


def optimum_finding(outcome: SweepOutcome, table: SettingTable) -> Finding:
    """Return which setting is fairest, how fair it is on new deals, and whether it is clearly fairer than as it is."""
    place, fresh = table.optimum, table.fresh or table
    again = min(place, 1) if table.fresh else place  # its place among the settings on new deals
    swept = table.responses[place].distance()
    best, unchanged = fresh.responses[again].distance(), fresh.responses[0].distance()
    count = _counted(len(table.settings), "setting")
    if place:
        first = f"{setting_text(outcome, table, place)} came out fairest of {count}. On new deals it is "
        first += from_fair_words(best)
        first += f"; the scenario as it is: {distance_words(unchanged)}. {compared_words(fresh, again)}"
        first += " It was lucky in the sweep." if table.fresh and fresh.is_less_fair(again) else ""
    else:
        first = f"the scenario itself came out fairest of {count}. On new deals it is {from_fair_words(best)}."
    why = (
        f" The sweep itself measured {distance_words(swept)}; the fairest of many settings is partly the luckiest."
        if table.fresh
        else ""
    )
    kind, margin = margin_words(fresh, again)
    edges = outcome.design.edges(table.settings[place])
    named = words.listed([short_names(outcome.design.axes)[axis.name] for axis in edges])
    end = f" It is at the end of the range of {named}; a fairer setting may lie beyond that." if edges else ""
    short = f"{words.players(table.players)}: {first}{why} {margin}{as_fair_words(table)}{end}"
    data = {
        "players": table.players,
        "fairest": dict(table.settings[place]),
        "distance": estimate_data(best),
        "distance_in_sweep": estimate_data(swept),
        "as_it_is": estimate_data(unchanged),
        "change": estimate_data(fresh.change(again)),
        "p": fresh.p[again],
        "fresh_games": fresh.responses[again].games if table.fresh else 0,
        "seed": outcome.seed if table.fresh else outcome.design.experiment.scenario.seed,
        "surely_fairer": fresh.is_fairer(again),
        "may_be_as_fair": table.may_be_as_fair,
        "at_the_end_of": [axis.name for axis in edges],
        "within_margin": fresh.is_within(again),
        "beyond_margin": fresh.is_beyond(again),
        **prospect_data(fresh.more_to_settle(again)),
    }
    return Finding(kind, short, data, short=short)


def as_fair_words(table: SettingTable) -> str:
    """Return how many other settings may be as fair as the fairest one; empty if none."""
    count = table.may_be_as_fair
    return {0: "", 1: " One other setting may be as fair."}.get(count, f" {count:,} other settings may be as fair.")


def from_fair_words(distance: Estimate) -> str:
    """Return how far from fair a setting is, or, if the estimate is 0, how far it may be at most."""
    if distance.value > 0 or not distance.high > 0:
        return f"{distance_words(distance)} from fair"
    return f"indistinguishable from fair, and at most {words.number(distance.high)} pp from it (95% interval from 0.0)"


def compared_words(table: SettingTable, place: int) -> str:
    """Return whether a setting is fairer than the scenario as it is."""
    change = table.change(place)
    difference = f"{words.pp(change.value)} ({words.interval(change.low, change.high, sign=True)})"
    if table.is_fairer(place):
        return f"It is clearly fairer: {difference}."
    if table.is_less_fair(place):
        return f"It is clearly less fair: {difference}."
    more = table.more_to_compare(place)
    would = ""
    if more:
        chance = more.words("fairer", "less fair")
        would = f"; about {words.count(more.games)} more games of each would decide it {chance}"
    return f"Whether it is fairer is undecided: {difference}{would}."


def margin_words(table: SettingTable, place: int) -> tuple[Badge, str]:
    """Return whether every seat of a setting is within the margin: the verdict, and a sentence."""
    margin = f"±{table.margin:g} pp"
    if not table.responses[place].is_enough:
        return "open", f"There are too few games to decide whether every seat is within {margin}."
    if table.is_within(place):
        return "fair", f"Every seat is clearly within {margin}."
    seat = table.farthest(place)
    off = table.responses[place].share(seat).minus(100 / table.players)
    deviation = f"seat {seat} is at {words.pp(off.value)} ({words.interval(off.low, off.high, sign=True)})"
    if table.is_beyond(place):
        return "imbalanced", f"S{deviation[1:]}, clearly beyond {margin}."
    more = table.more_to_settle(place)
    would = (
        f"; about {words.count(more.games)} more games would decide it {more.words('within', 'beyond')}"
        if more
        else ", too close to the margin to decide with a reasonable number of games"
    )
    return "open", f"Whether every seat is within {margin} is undecided: {deviation}{would}."


def effect_findings(outcome: SweepOutcome, table: SettingTable) -> Iterator[Finding]:
    """Yield which parameters clearly affect win shares, which affect fairness, and what is unknown about the others."""
    who, names = words.players(table.players), short_names(outcome.design.axes)
    sure = [effect for effect in table.effects if effect.moves_shares]
    nothing = [effect for effect in table.effects if effect.change.is_nothing]
    unsure = open_effects(table)
    data = {"players": table.players, "matter": [_title(effect, names) for effect in sure]}
    if sure:
        named = [f"{_step(effect, names)} by {_moved(effect)}" for effect in sure]
        which = f"{len(sure)} of {len(table.effects):,} effects" if len(table.effects) > 1 else "the only effect"
        which += f" clearly change{'s' * (len(sure) == 1)} win shares"
        intervals = "This interval is" if len(sure) == 1 else "These intervals are"
        text = f"{who}: {which}: {_shortened(named)}. {intervals} {TOGETHER}"
    else:
        which = f"none of {len(table.effects):,} effects clearly changes"
        which = "the only effect does not clearly change" if len(table.effects) == 1 else which
        text = f"{who}: {which} the win share of a single seat."
    yield Finding("fact", text, data, short=text)
    yield from _fairness(table, names)
    if nothing:
        named = [_title(effect, names) for effect in nothing]
        yield Finding("fact", f"{who}: these changed no game: {words.listed(named)}.", {"nothing": named})
    if unsure:
        yield _open_finding(table, unsure)


def _fairness(table: SettingTable, names: dict[str, str]) -> Iterator[Finding]:
    sure = [effect for effect in table.effects if effect.moves_distance]
    for more, direction in ((False, "closer to fair"), (True, "farther from fair")):
        moving = [effect for effect in sure if (effect.change.more("distance").value > 0) == more]
        moving.sort(key=lambda effect: -abs(effect.change.more("distance").value))
        if moving:
            named = [f"{_step(effect, names)} by {_pp(effect.change.more('distance'))}" for effect in moving]
            text = f"{words.players(table.players)}: these clearly move win shares {direction} "
            text += f"(effect on the uncorrected distance, each interval by itself): {_shortened(named)}."
            data = {
                "players": table.players,
                "closer": not more,
                "effects": [_step(effect, names) for effect in moving],
            }
            yield Finding("fact", text, data, short=text)


def _open_finding(table: SettingTable, unsure: Sequence[Effect]) -> Finding:
    """Return how large the undecided effects could be, and how many games would show them."""
    reach = max(effect.change.move().high for effect in unsure)
    games = table.responses[0].games
    text = f"{words.players(table.players)}: {len(unsure)} effect{'s are' if len(unsure) > 1 else ' is'} undecided; "
    text += (
        "there are too few games for a test."
        if not table.responses[0].is_enough
        else f"the intervals allow for up to {words.number(reach, 2)} pp of change in win shares (root mean square)."
    )
    marked = sum(effect.q_seats < SIGNIFICANT for effect in unsure)
    if marked:
        one = "it has" if len(unsure) == 1 else "one of them has"
        what = one if marked == 1 else f"{marked} of them have"
        text += f" In the table, {what} a q below {SIGNIFICANT:g}, which marks an effect but does not make it clear."
    needed = games_to_see(unsure, games)
    if needed and needed > games:
        text += f" With about {words.count(needed)} games per setting, an effect of {SMALL_EFFECT:g} pp on a seat"
        text += " would be clear in at least 8 of 10 cases."
    elif needed:
        text += f" An effect of {SMALL_EFFECT:g} pp on a seat would have been clear in at least 8 of 10 cases."
    return Finding("open", text, {"players": table.players, "reach": reach, "games_a_cell": needed}, short=text)


def open_effects(table: SettingTable) -> list[Effect]:
    """Return the effects for which it is undecided whether they change any win share."""
    return [
        effect
        for effect in table.effects
        if not (effect.moves_shares or effect.moves_distance or effect.change.is_nothing)
    ]


def games_to_see(unsure: Sequence[Effect], games: int) -> int | None:
    """Return with how many games per setting an effect of 1 pp on a seat would be clear in 8 of 10 cases, or more.

    Parameters
    ----------
    unsure
        The effects in question.
    games
        Games per setting so far.

    Returns
    -------
    int or None
        To two significant digits; None if no standard error is known.
    """
    needed = games_to_find(unsure, SMALL_EFFECT, games)
    return None if needed is None else two_figures(needed)


def left_out_words(games: int) -> tuple[str, ...]:
    """Return that games are left out, and why, as a line; nothing if there are none."""
    if not games:
        return ()
    are = "is" if games == 1 else "are"
    return (f"{words.games(games)} {are} left out: not all settings share their deals, because line-ups differ.",)


def next_steps(outcome: SweepOutcome, command: str) -> Iterator[str]:
    """Yield what to do next: which command plays more games, and what they may show."""
    judged = [table.fresh or table for table in outcome.tables.values()]
    needed = [
        table.responses[0].games + more.games
        for table in judged
        for more in (table.more_to_settle(len(table.responses) - 1), table.more_to_compare(len(table.responses) - 1))
        if more
    ]
    if needed:
        games = words.about(max(needed)).replace(",", "")
        yield f"`{command} --games {games}` continues with the games that are named for what is undecided."
    unsure = [(open_effects(table), table.responses[0].games) for table in outcome.tables.values()]
    for_effects = [games_to_see(found, games) or 0 for found, games in unsure]
    if any(need > games for need, (_, games) in zip(for_effects, unsure, strict=True)):
        yield (
            f"To find effects of {SMALL_EFFECT:g} pp on a seat's win share in at least 8 of 10 cases: "
            f"`{command} --games {words.about(max(for_effects)).replace(',', '')}`."
        )


def _title(effect: Effect, names: dict[str, str]) -> str:
    return names[effect.axis.name] + (f" = {effect.value}" if effect.value else "")


def _step(effect: Effect, names: dict[str, str]) -> str:
    return _title(effect, names) if effect.value else f"{names[effect.axis.name]} + 1"


def _moved(effect: Effect) -> str:
    """Return in words the effect on the seat for which it is clearest."""
    gain = effect.gain
    ends = words.interval(gain.low, gain.high, digits=2, sign=True)
    return f"{words.pp(gain.value, 2)} for seat {effect.change.clearest()} ({ends})"


def _pp(estimate: Estimate) -> str:
    """Return an effect in percentage points with its interval."""
    ends = words.interval(estimate.low, estimate.high, digits=2, sign=True)
    return f"{words.pp(estimate.value, 2)} ({ends})"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


def _shortened(texts: Sequence[str]) -> str:
    rest = len(texts) - MOST_NAMED
    return words.listed([*texts[:MOST_NAMED], f"{rest} more"] if rest > 0 else list(texts))


def distance_words(estimate: Estimate) -> str:
    """Return a distance with its interval."""
    ends = words.interval(estimate.low, estimate.high)
    return f"{words.number(estimate.value)} pp ({ends})" if ends else f"{words.number(estimate.value)} pp"
