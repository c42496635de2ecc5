"""What a page shows of differences between runs: the answer, the sheet, and a section for each question.

Runs on the same deals and independent runs are shown alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from rogsim.base.text import capital, listing
from rogsim.game.topics import SEATS
from rogsim.report import words
from rogsim.report.document import (
    OF_DIFFERENCES,
    Badge,
    Finding,
    Picture,
    Section,
    Sheet,
    SheetCell,
    SheetRow,
)
from rogsim.report.effects_section import PAIRED, effects_grid, finding_of, forest_of, others_section
from rogsim.report.sentences import digits_of, effect_words, margin_words
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.judgement import Judgement
from rogsim.stats.paired.compared import BOTS, FAIRNESS, LENGTH, RETRAINED, Compared

FAMILY = (
    "All differences on this page are judged together. If nothing had changed, at most 5% of pages would call anything "
    "changed (Holm's method)."
)
APART = "The two sides are independent runs, so the variance of a difference is the sum of both."
TITLES = {SEATS: "Turn order", BOTS: "Bots", LENGTH: "Length of games", FAIRNESS: "Distance from fair"}
SURE = ("within", "open", "slight", "beyond")  # kinds of judgements; an answer prefers later ones
MOST_NAMED = 3  # variants in an answer, and changed levels on the sheet
SAME = "Every game came out the same"


def leading(found: Compared, runs: Sequence[str]) -> tuple[Judgement, str] | None:
    """Return the judgement that answers the question for some runs, and the level that it is about.

    It is that of what was changed; without such a level, that of the largest difference in the topic asked about.
    """
    own = [
        (judgement, level)
        for topic, names in found.changed.items()
        for judgement in found.on(topic)
        for level in _levels(judgement, names)
    ]
    topics = [[(each, each.largest.name) for each in found.on(topic)] for topic in (found.about, SEATS)]
    for pairs in (own, *topics):
        if kept := [pair for pair in pairs if pair[0].effects.run in runs]:
            return max(kept, key=lambda pair: _weight(*pair))
    return None


def _levels(judgement: Judgement, names: Sequence[str]) -> list[str]:
    known = {contrast.name for contrast in judgement.effects.contrasts}
    return [name for name in names if name in known]


def _weight(judgement: Judgement, level: str) -> tuple[int, tuple[float, float]]:
    """Return a key that orders differences: what is best shown, then what is largest."""
    size = by_size(judgement.effects.of(level).effect.value)
    return 0 if judgement.effects.untouched else SURE.index(judgement.kind_of(level)), size


def answer(found: Compared) -> tuple[str, Badge]:
    """Return the answer in one sentence for each variant, and its verdict."""
    runs = [run for run in found.variants if not found.is_retrained or run.endswith(RETRAINED)]
    leads = [(run, lead) for run in runs if (lead := leading(found, [run]))]
    if not leads:
        return "Nothing changes: no variant differs from the base.", "same"
    said = [
        (f"{run}: " if len(leads) > 1 else "") + change_sentence(found, *lead, distance=True)
        for run, lead in leads[:MOST_NAMED]
    ]
    rest = len(leads) - MOST_NAMED
    said += [f"{rest} more variant{'s' * (rest > 1)} below."] if rest > 0 else []
    badges = [OF_DIFFERENCES[judgement.kind_of(level)] for _, (judgement, level) in leads]
    order: Sequence[Badge] = ("changed", "shifted", "open", "same")
    return " ".join(capital(text) for text in said), min(badges, key=order.index)


def change_sentence(found: Compared, judgement: Judgement, level: str, distance: bool = False) -> str:
    """Return by how much a level changed, and with `distance` how far the farthest is from fair now."""
    effects, question = judgement.effects, judgement.effects.question
    where = f"with {words.players(effects.players)}, " if len(found.games) > 1 else ""
    contrast, effect = effects.of(level), judgement.effect_of(level)
    if effects.untouched:
        everywhere = all(other.effects.untouched for other in found.judged)
        return f"{SAME}{'' if everywhere else f' {where}'.rstrip(', ')}."
    if math.isnan(effect.low):
        return f"{where}too few games to tell."
    if question.share and contrast.before and contrast.after:
        reach = words.interval(effect.low, effect.high, sign=True)
        sides = f"{words.share(contrast.before.value)} → {words.share(contrast.after.value)}, {reach}"
        size = f"{words.number(abs(effect.value))} pp {'more' if effect.value >= 0 else 'less'}"
        text = f"{where}{level} wins {size} than before ({sides})"
    elif question.noun:
        text = f"{where}{level}: {effect_words(effect, question.unit)}"
    else:
        text = f"{where}{_alone_words(judgement)}"
    far = f"; {_alone_words(other)}" if distance and (other := _distance(found, judgement)) else ""
    chance = f", which may be chance{_among(found, effect)}" if judgement.kind_of(level) == "open" else ""
    return f"{text}{chance}{far}.{_all_within(judgement)}{_stale(found, judgement, level) if distance else ''}"


def _among(found: Compared, effect: Estimate) -> str:
    """Return of how many differences one is, if that is why its interval does not settle it."""
    count = sum(len(judgement.effects.contrasts) for judgement in found.judged)
    return f" among {count} differences" if effect.low > 0 or effect.high < 0 else ""


def _all_within(judgement: Judgement) -> str:
    noun = judgement.effects.question.noun
    margin = margin_words(judgement.effects.question, judgement.margin)[1:]
    return f" No {noun} changes by more than {margin}." if judgement.kind == "within" and noun else ""


def _stale(found: Compared, judgement: Judgement, level: str) -> str:
    """Return the same difference with stale players, if the answer is about retrained ones."""
    run = judgement.effects.run.removesuffix(RETRAINED)
    if run == judgement.effects.run:
        return ""
    for other in found.on(judgement.effects.question.topic):
        if (other.effects.run, other.effects.players) == (run, judgement.effects.players) and _levels(other, [level]):
            return f" Players were retrained; with stale ones it is {effect_words(other.effect_of(level))}."
    return ""


def _distance(found: Compared, judgement: Judgement) -> Judgement | None:
    """Return how far the farthest level of the topic asked about is from fair; None if that is not known."""
    noun, case = found.noun(found.about), (judgement.effects.run, judgement.effects.players)
    far = [other for other in found.on(FAIRNESS) if (other.effects.run, other.effects.players) == case]
    far = [other for other in far if noun in other.effects.question.title.split()] or far
    known = far and not far[0].effects.untouched and not math.isnan(far[0].intervals[0].low)
    return far[0] if known else None


def _alone_words(judgement: Judgement) -> str:
    """Return a difference without levels: "the farthest seat is now 4.1 pp from fair instead of 6.4 (change …)"."""
    contrast, effect, question = judgement.largest, judgement.intervals[0], judgement.effects.question
    if contrast.before is None or contrast.after is None:
        return f"{question.title.lower()}: {effect_words(effect, question.unit)}"
    digits = digits_of(question.unit)
    after, before = (words.number(side.value, digits) for side in (contrast.after, contrast.before))
    change = f"(change {words.interval(effect.low, effect.high, 1.0, digits, sign=True)})"
    if question.topic == FAIRNESS:
        who = question.title.lower().removesuffix(" from fair")
        return f"the {who} is now {after} pp from fair instead of {before} {change}"
    return f"a game takes {after} {question.unit} instead of {before} {change}"


def saving_sentence(found: Compared) -> str:
    """Return how many games the same deals saved; "" if nothing differs."""
    topic = found.about if found.on(found.about) else SEATS
    saved = [
        contrast.saving
        for judgement in found.on(topic)
        for contrast in judgement.effects.contrasts
        if not math.isnan(contrast.saving)
    ]
    return f" Separate deals would have needed {median(saved):.1f} times as many games." if saved else ""


def sheet(found: Compared) -> Sheet:
    """Return the table of the first screen: what was changed, then the largest difference of each question."""
    counts, runs = sorted(found.games), list(found.variants)
    across = [words.players(count) for count in counts] if len(runs) == 1 else runs
    rows = [
        SheetRow(
            name if len(runs) == 1 or len(counts) == 1 else f"{name}, {words.players(count)}",
            tuple(_cell(by_case.get((run, each)), level) for run in runs for each in ([count] if count else counts)),
            section=section,
        )
        for name, level, section, by_case in _measures(found)
        for count in ([0] if len(runs) == 1 else counts)
    ]
    return Sheet(tuple(across), tuple(row for row in rows if any(row.cells)), "Changes")


Cases = Mapping[tuple[str, int], Judgement]


def _measures(found: Compared) -> Iterator[tuple[str, str, str, Cases]]:
    """Yield each row of the sheet: its name, its level ("" for the most changed one), its section, its cells."""
    for topic, names in found.changed.items():
        for name in names[:MOST_NAMED]:
            yield f"{capital(name)} (changed)", name, topic, _by_case(found.on(topic))
    for topic in topics_of(found):
        cases = _by_case(found.on(topic))
        if any(each.largest.name not in found.changed.get(topic, ()) for each in cases.values()):
            yield f"Most changed {found.noun(topic)}", "", topic, cases
        noun = found.noun(topic)
        far = [each for each in found.on(FAIRNESS) if noun in each.effects.question.title.split()]
        if far:
            yield f"{far[0].effects.question.title}, pp", "", FAIRNESS, _by_case(far)
    yield "Length, turns", "", LENGTH, _by_case(found.on(LENGTH, share=False))


def topics_of(found: Compared) -> list[str]:
    """Return the topics whose win shares are judged, the one asked about first, then the seats."""
    known = dict.fromkeys(judgement.effects.question.topic for judgement in found.judged)
    first = [topic for topic in (found.about, SEATS) if topic in known]
    return [topic for topic in dict.fromkeys((*first, *known)) if topic not in (FAIRNESS, LENGTH) and found.on(topic)]


def _by_case(judged: Sequence[Judgement]) -> dict[tuple[str, int], Judgement]:
    cases: dict[tuple[str, int], Judgement] = {}
    for judgement in judged:
        cases.setdefault((judgement.effects.run, judgement.effects.players), judgement)
    return cases


def _cell(judgement: Judgement | None, level: str) -> SheetCell | None:
    if judgement is None or (level and not _levels(judgement, [level])):
        return None
    contrast = judgement.effects.of(level) if level else judgement.largest
    effect, unit = judgement.effect_of(contrast.name), judgement.effects.question.unit
    badge = OF_DIFFERENCES[judgement.kind_of(contrast.name)]
    if judgement.effects.untouched:
        return SheetCell("no change", "", badge)
    if math.isnan(effect.low):
        return SheetCell(words.TOO_FEW, "", "open")
    digits = digits_of(unit)
    text = words.number(effect.value, digits, sign=True)
    if judgement.effects.question.topic == FAIRNESS and contrast.before and contrast.after:
        text = f"{words.number(contrast.before.value)} → {words.number(contrast.after.value)}"
    elif not level and judgement.effects.question.noun:
        text = f"{capital(contrast.name)} {text}"
    return SheetCell(text, words.interval(effect.low, effect.high, 1.0, digits, sign=True), badge)


def picture_of(found: Compared, topic: str) -> Picture | None:
    """Return the forest plot of the win shares of a topic; None if every game came out the same."""
    judged = found.on(topic)
    if not judged or all(judgement.effects.untouched for judgement in judged):
        return None
    question = judged[0].effects.question
    before = found.games_before
    games = {
        count: f"{before[count]:,} and {words.games(number)}" if before else f"{words.games(number)} each"
        for count, number in found.games.items()
    }
    axis = f"{question.title.lower()}: after minus before, {question.unit} (95% interval)"
    return forest_of(
        [each for each in judged if each.effects.question == question],
        topic,
        f"{question.title}: difference from {found.base}.",
        axis,
        games,
    )


def all_sections(found: Compared, method: str = PAIRED, anchor: str = "comparisons") -> tuple[Section, ...]:
    """Return the sections: the topic asked about, the seats, the distance from fair, then everything else."""
    first, *others = topics_of(found) or [SEATS]
    order = [first, *([SEATS] if SEATS in others else []), FAIRNESS, *(t for t in others if t != SEATS), LENGTH]
    made = [_judged(found, topic, method, anchor) for topic in order]
    return tuple(
        section
        for section in (*made, others_section(found.screens, rests_on(found), method, anchor))
        if section is not None
    )


def rests_on(found: Compared) -> str:
    """Return how many games a section is based on."""
    counts = [f"{words.games(games)} with {words.players(players)}" for players, games in found.games.items()]
    if before := found.games_before:
        both = [f"{before[players]:,} and {count}" for players, count in zip(found.games, counts, strict=True)]
        return f"{listing(both)}, before and after"
    return f"{listing(counts)} of {found.base}, and as many of each variant"


def _judged(found: Compared, topic: str, method: str, anchor: str) -> Section | None:
    """Return the section of a topic; None if nothing is judged about it."""
    judged = [each for each in found.judged if each.effects.question.topic == topic]
    if not judged:
        return None
    judged.sort(key=lambda each: (each.effects.question.unit != "pp", found.variants.index(each.effects.run)))
    first = [each for each in judged if each.effects.question == judged[0].effects.question]
    named = found.changed.get(topic, ())
    pairs = [(each, level) for each in first for level in _levels(each, named) or [each.largest.name]]
    lead, level = max(pairs, key=lambda pair: _weight(*pair))
    title = next((each.title for each in found.spec.topics if each.name == topic), TITLES.get(topic, capital(topic)))
    noun = found.noun(topic)
    question = f"Which {noun} wins more, and which less?" if noun else "Is the game won more often?"
    title = title if noun else "Games won"
    if topic in (FAIRNESS, LENGTH):
        question = "Is the game fairer than before?" if topic == FAIRNESS else "Do games get longer or shorter?"
    asked = list(dict.fromkeys(each.effects.question for each in judged))
    names = [topic, *(f"{topic}-{'points' if each.noun else each.title.split()[1]}" for each in asked[1:])]
    picture = picture_of(found, topic) if topic not in (found.about, FAIRNESS) else None
    grids = tuple(
        effects_grid([each.effects for each in judged if each.effects.question == one], name)
        for one, name in zip(asked, names, strict=True)
    )
    is_on_sheet = topic in (FAIRNESS, LENGTH)  # which has all that their tables would show
    return Section(
        topic,
        title,
        question,
        words.minus(capital(change_sentence(found, lead, level))),
        rests_on(found),
        tuple(_finding(each) for each in judged),
        () if picture is None else (picture,),
        () if is_on_sheet else grids,
        method,
        anchor,
        OF_DIFFERENCES[lead.kind_of(level)],
        more=grids if is_on_sheet else (),
    )


def _finding(judgement: Judgement) -> Finding:
    effects = judgement.effects
    where = f"{effects.question.title}, {effects.run}, {words.players(effects.players)}"
    return finding_of(judgement, where, on_top=False)
