"""The sentences on judgements: what was found, how large it is, and how many more games would decide it.

Size and interval come first, the verdict is about the margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rogsim.base.text import capital, listing
from rogsim.report import words
from rogsim.stats.effects import Contrast, Question, beyond
from rogsim.stats.estimates import ALPHA, Estimate, by_size
from rogsim.stats.judgement import Judgement, Kind
from rogsim.stats.prospects import percent
from rogsim.stats.sequential import weight

MOST_NAMED = 3
TOO_FEW = "Too few games to tell."


def sentence(judgement: Judgement, every: bool = True) -> str:
    """Return a judgement in one to three sentences.

    Parameters
    ----------
    every
        Whether to name all levels shown (up to three), or only the largest.
    """
    effects, largest = judgement.effects, judgement.largest
    if effects.untouched:
        few = " There are too few games for a verdict." * (judgement.kind == "open")
        return f"Every game came out the same.{few}"
    if math.isnan(judgement.effect_of(largest.name).low) or math.isnan(effects.overall.p):
        return f"{TOO_FEW}{more_words(judgement)}"
    margin, largest_is = margin_words(effects.question, judgement.margin), says(judgement, largest)
    if judgement.kind == "beyond":
        shown = judgement.beyond if every else judgement.beyond[:1]
        text = f"{levels_listed(judgement, shown)}."
    elif judgement.kind == "within":
        text = f"{_every(effects.question)} within {margin}. The largest: {largest_is}."
    elif judgement.kind == "slight":
        is_alone = beyond(judgement.effect_of(largest.name), judgement.margin)
        among = "Among all questions of the page that is n" if is_alone else "N"
        text = f"{largest_is}. {among}ot shown to be more than {margin}."
    else:
        text = f"The largest: {largest_is}. That may be chance{_of_many(judgement, largest)}, or more than {margin}."
    return f"{capital(text)}{rare_words(judgement)}{more_words(judgement)}{look_words(effects.look)}"


def levels_listed(judgement: Judgement, names: Sequence[str]) -> str:
    """Return what several levels win, or by how much they changed, and how many more there are."""
    found = [says(judgement, judgement.effects.of(name)) for name in names[:MOST_NAMED]]
    rest = len(names) - MOST_NAMED
    return "; ".join(found) + (f"; and {rest} more" if rest > 0 else "")


def says(judgement: Judgement, contrast: Contrast) -> str:
    """Return one effect in words: "seat 1 wins 31.4% instead of 25.0% (+6.4 pp, +5.5 to +7.3)"."""
    question, effect = judgement.effects.question, judgement.effect_of(contrast.name)
    size = effect_words(effect, question.unit)
    name = contrast.name if question.noun else question.title
    if not math.isnan(contrast.fair):
        fair = 100 * contrast.fair
        return f"{name} wins {words.number(fair + effect.value)}% instead of {words.number(fair)}% ({inner(effect)})"
    if question.against:
        more = "more" if effect.value >= 0 else "less"
        amount = f"{words.number(abs(effect.value), digits_of(question.unit))} {question.unit}"
        return f"{name} wins {amount} {more} {question.against} ({_ends(effect, question.unit)})"
    if contrast.before is None or contrast.after is None or math.isnan(contrast.before.value):
        return f"{name} {size}"
    return f"{name} {size}, from {_side(question, contrast.before)} to {_side(question, contrast.after)}"


def effect_words(effect: Estimate, unit: str = "pp") -> str:
    """Return an effect with its unit and interval: "+1.4 pp (+0.8 to +1.9)"; without an interval "too few games"."""
    if math.isnan(effect.low):
        return "too few games"
    return f"{words.number(effect.value, digits_of(unit), sign=True)} {unit} ({_ends(effect, unit)})"


def inner(effect: Estimate) -> str:
    """Return an effect in percentage points to be put in brackets: "+6.4 pp, +5.5 to +7.3"."""
    return f"{words.pp(effect.value)}, {words.interval(effect.low, effect.high, sign=True) or 'too few games'}"


def digits_of(unit: str) -> int:
    """Return how many decimals an effect has."""
    return 1 if unit == "pp" else 2


def margin_words(question: Question, margin: float) -> str:
    """Return the margin with its unit: "±2 pp", "±1 turn"."""
    unit = question.unit.removesuffix("s") if margin == 1 else question.unit
    return f"±{margin:g} {unit}"


def more_words(judgement: Judgement) -> str:
    """Return how many more games would decide an open question, and with what chance; "" if that is not known."""
    more = judgement.prospect
    if more is None:
        return ""
    fair = "fair" if judgement.effects.question.against else "no change that matters"
    other = "not fair" if judgement.effects.question.against else "changed"
    return f" About {more.games:,} more games would decide it {more.words(fair, other)}."


def decides_words(chances: Sequence[float]) -> str:
    """Return with what chance a number of games decides several questions."""
    each = "decides it" if len(chances) == 1 else "decides each of them"
    return f"{each} with a chance of at least {percent(min(chances))}"


def look_words(look: int) -> str:
    """Return a sentence on the share of the error rate that a later look uses; "" for the first look."""
    if look <= 1:
        return ""
    return f" This is look {look} at these games, with {100 * ALPHA * weight(look):.2g}% of the 5% error rate."


def rare_words(judgement: Judgement) -> str:
    """Return a sentence on the levels without an interval, which keep a question open; "" if there are none."""
    levels = zip(judgement.effects.contrasts, judgement.intervals, strict=True)
    rare = [contrast.name for contrast, effect in levels if math.isnan(effect.low)]
    if not rare or judgement.kind not in ("open", "slight"):
        return ""
    rest = len(rare) - MOST_NAMED
    names = listing([*rare[:MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
    return f" {capital(names)} {'has' if len(rare) == 1 else 'have'} too few games."


def plural(noun: str) -> str:
    """Return the plural of a regular noun."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _every(question: Question) -> str:
    if not question.noun:
        return "The difference is"
    return f"Every {question.noun} is" if question.against else f"The change of every {question.noun} is"


def _ends(effect: Estimate, unit: str) -> str:
    return words.interval(effect.low, effect.high, 1.0, digits_of(unit), sign=True) or "too few games"


def _side(question: Question, side: Estimate) -> str:
    if question.share:
        return words.share(side.value)
    if question.unit == "pp":
        return words.pp(side.value) if question.noun else f"{words.number(side.value)} pp"
    return words.number(side.value, digits_of(question.unit))


NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
KIND_FIRST: tuple[Kind, ...] = ("beyond", "slight", "open", "within")
CLEAR_SIZE = 3.0  # percentage points: a smaller effect is told with a decimal place


def headline(judged: Sequence[Judgement]) -> Judgement:
    """Return the judgement that answers a question for all numbers of players: the worst, with the largest effect."""

    def weight_of(judgement: Judgement) -> tuple[int, tuple[float, float]]:
        effect = judgement.effect_of(judgement.largest.name)
        return -KIND_FIRST.index(judgement.kind), by_size(effect.value if not math.isnan(effect.low) else math.nan)

    return max(judged, key=weight_of)


def answer_words(judged: Sequence[Judgement], reach: bool = True) -> str:
    """Return the answer to one question in one sentence, from the judgements for each number of players.

    Parameters
    ----------
    reach
        Whether to give each effect with its interval.
    """
    top = headline(judged)
    question, largest = top.effects.question, top.largest
    margin = margin_words(question, top.margin)
    if top.kind == "within":
        counts = f" with {_count_words(top)}" if len(judged) == 1 else ""
        most = f" The largest: {_plainly(top, largest, reach)}." if reach else ""
        return f"{_every(question)} within {margin} of {_fair_words(question)}{counts}.{most}"
    if math.isnan(top.effect_of(largest.name).low) or math.isnan(top.effects.overall.p):
        return "There are too few games to tell."
    text = f"With {_count_words(top)}, {_plainly(top, largest, reach)}"
    if top.kind == "beyond":
        side = top.effect_of(largest.name).value > 0
        others = [name for name in top.beyond if (top.effect_of(name).value > 0) != side]
        if others and len(top.effects.contrasts) > 2:
            text += f", and {_plainly(top, top.effects.of(others[0]), reach, again=True)}"
    elif top.kind == "slight":
        text += f", which is not shown to be more than {margin}"
    else:
        text += f", which may be chance{_of_many(top, largest)}"
    return f"{text}."


def _of_many(judgement: Judgement, contrast: Contrast) -> str:
    """Say why an effect may be chance although its interval excludes 0."""
    return " among all comparisons of the page" if beyond(judgement.effect_of(contrast.name), 0.0) else ""


def _count_words(judgement: Judgement) -> str:
    count = judgement.effects.players
    return f"{NUMBERS.get(count, str(count))} player{'s' * (count != 1)}"


def _fair_words(question: Question) -> str:
    return "a fair share" if question.against == "than a fair share" else "its share over all games"


def _plainly(judgement: Judgement, contrast: Contrast, reach: bool, again: bool = False) -> str:
    """Return one effect in plain words: "Kakita Ryoku wins 8 games in 100 instead of 25".

    again: whether the fair share was just named.
    """
    effect = judgement.effect_of(contrast.name)
    if math.isnan(contrast.fair):
        return says(judgement, contrast)
    digits = 0 if abs(effect.value) >= CLEAR_SIZE else 1
    won, fair = (words.number(value, digits) for value in (100 * contrast.fair + effect.value, 100 * contrast.fair))
    text = f"{contrast.name} {won}" if again else f"{contrast.name} wins {won} games in 100 instead of {fair}"
    return f"{text} ({inner(effect)})" if reach else text
