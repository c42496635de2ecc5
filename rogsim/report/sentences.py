"""The sentences on judgements: what was found, how large it is, and how many more games would decide it.

Size and interval come first, the verdict is about the margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rogsim.game.kit.text_layout import capital
from rogsim.report import words
from rogsim.stats.alpha_spending import ALPHA, weight
from rogsim.stats.effects import Contrast, Question
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import Judgement
from rogsim.stats.prospects import percent

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
        text = f"{listing(judgement, shown)}."
    elif judgement.kind == "within":
        text = f"{_every(effects.question)} within {margin}. The largest: {largest_is}."
    elif judgement.kind == "slight":
        text = f"{largest_is}. Not shown to be more than {margin}."
    else:
        text = f"The largest: {largest_is}. That may be chance, or more than {margin}."
    return f"{capital(text)}{rare_words(judgement)}{more_words(judgement)}{look_words(effects.look)}"


def listing(judgement: Judgement, names: Sequence[str]) -> str:
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
        return f"{name} wins {size} {'more' if effect.value >= 0 else 'less'} {question.against}"
    if contrast.before is None or contrast.after is None or math.isnan(contrast.before.value):
        return f"{name} {size}"
    return f"{name} {size}, from {_side(question, contrast.before)} to {_side(question, contrast.after)}"


def effect_words(effect: Estimate, unit: str = "pp") -> str:
    """Return an effect with its unit and interval: "+1.4 pp (+0.8 to +1.9)"; without an interval "too few games"."""
    if math.isnan(effect.low):
        return "too few games"
    digits = digits_of(unit)
    ends = words.interval(effect.low, effect.high, 1.0, digits, sign=True)
    return f"{words.number(effect.value, digits, sign=True)} {unit} ({ends})"


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
    names = words.listed([*rare[:MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
    return f" {capital(names)} {'has' if len(rare) == 1 else 'have'} too few games."


def plural(noun: str) -> str:
    """Return the plural of a regular noun."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _every(question: Question) -> str:
    if not question.noun:
        return "The difference is"
    return f"Every {question.noun} is" if question.against else f"The change of every {question.noun} is"


def _side(question: Question, side: Estimate) -> str:
    if question.share:
        return words.share(side.value)
    if question.unit == "pp":
        return words.pp(side.value) if question.noun else f"{words.number(side.value)} pp"
    return words.number(side.value, digits_of(question.unit))
