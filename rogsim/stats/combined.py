"""The combined answer of several folders to one question: is it the same everywhere, or does it depend on the bots?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from rogsim.game.kit.text_layout import listing
from rogsim.stats.agreement import Agreement, agreement_alone
from rogsim.stats.verdict_words import MOST_NAMED, effect_words, short_words, who

if TYPE_CHECKING:
    from rogsim.stats.verdicts import Verdict


@dataclass(frozen=True)
class Combined:
    """The combined answer of several verdicts on the same question, one for each set of bots.

    Attributes
    ----------
    kind
        "depends" if the effects clearly differ and the answer with them.
    changes
        Whether the effects clearly differ and not all verdicts are fair.
    sentence
        The answer with its effects.
    head
        The answer in one sentence.
    levels
        Levels whose effects differ, in the order of the sentence.
    p
        p-value of equal effects, after all adjustments; nan for one folder.
    """

    kind: Literal["imbalanced", "fair", "unknown", "depends"]
    changes: bool
    sentence: str
    verdicts: tuple[Verdict, ...]
    head: str = ""
    levels: tuple[str, ...] = ()
    p: float = float("nan")


def combine(verdicts: Sequence[Verdict]) -> Combined:
    """Combine verdicts on one question with one player count into one answer; ValueError if there are none.

    The test of equal effects is that of their family; verdicts that were not judged together get a test of their own.
    """
    if not verdicts:
        raise ValueError("no verdicts to combine")
    if len(verdicts) == 1:
        (verdict,) = verdicts
        return Combined(verdict.kind, False, verdict.sentence, (verdict,), verdict.sentence)
    tested = _agreement(verdicts)
    kind, changes, head = _answer(verdicts, tested)
    levels = (tested.differing or (tested.clearest,)) if tested.depends else ()
    detail = _differences(verdicts, tested, levels) if levels else _each(verdicts)
    return Combined(kind, changes, f"{head}. {detail}.", tuple(verdicts), f"{head}.", levels, tested.p)


def _agreement(verdicts: Sequence[Verdict]) -> Agreement:
    """Return the test of exactly these verdicts."""
    shared = verdicts[0].agreement
    if shared and len(shared.claims) == len(verdicts) and all(verdict.agreement is shared for verdict in verdicts):
        return shared
    return agreement_alone([verdict.claim for verdict in verdicts])


def _answer(
    verdicts: Sequence[Verdict], tested: Agreement
) -> tuple[Literal["imbalanced", "fair", "unknown", "depends"], bool, str]:
    """Return the kind, whether the answer changes with the bots, and the answer in words."""
    kinds = [verdict.kind for verdict in verdicts]
    sets, what = (_sets(len(kinds)), "bots") if _by_bots(verdicts) else (_folders(len(kinds)), "folder")
    where = "sets of bots" if what == "bots" else "folders"
    if set(kinds) == {"fair"}:
        also = ". The effects clearly differ between them, but only slightly" if tested.depends else ""
        return "fair", False, f"Fair with {sets}{also}"
    if tested.depends:
        if set(kinds) == {"imbalanced"} and _same_way(verdicts):
            return "imbalanced", True, f"Imbalanced with {sets}, but how much depends on the {what}"
        turned = _turned(verdicts, tested)
        way = f"; {turned} favoured with some {where} and at a disadvantage with others" if turned else ""
        return "depends", True, f"It depends on the {what}{way}"
    if len(set(kinds)) == 1:
        return kinds[0], False, {"imbalanced": f"Imbalanced with {sets}"}.get(kinds[0], f"Undecided with {sets}")
    answers = [
        f"{words} with {kinds.count(kind)}"
        for kind, words in (("imbalanced", "imbalanced"), ("fair", "fair"), ("unknown", "undecided"))
        if kind in kinds
    ]
    text = listing([f"{answers[0]} of {len(kinds)} {where}", *answers[1:]])
    head = f"{text[:1].upper()}{text[1:]}; the effects do not differ by more than chance"
    return ("imbalanced" if "imbalanced" in kinds else "unknown"), False, head


def _same_way(verdicts: Sequence[Verdict]) -> bool:
    """Return whether some level is named in every verdict, and every repeated level has the same sign."""
    signs: dict[str, set[float]] = {}
    for verdict in verdicts:
        for name in verdict.named:
            signs.setdefault(name, set()).add(float(np.sign(verdict.effect_of(name).value)))
    everywhere = set.intersection(*(set(verdict.named) for verdict in verdicts))
    return bool(everywhere) and all(len(found) == 1 for found in signs.values())


def _turned(verdicts: Sequence[Verdict], tested: Agreement) -> str:
    """Return which of the levels that differ are named in both directions, with a verb; "" if none is."""
    signs = {
        name: {np.sign(verdict.effect_of(name).value) for verdict in verdicts if name in verdict.named}
        for name in tested.differing
    }
    turned = [name for name, found in signs.items() if len(found) > 1]
    if not turned:
        return ""
    return f"{listing(turned[:MOST_NAMED])} {'is' if len(turned) == 1 else 'are each'}"


def _differences(verdicts: Sequence[Verdict], tested: Agreement, levels: Sequence[str]) -> str:
    """Quote the levels that differ, each with its effect and interval in every folder."""

    def quoted(name: str) -> str:
        return ", ".join(
            f"{effect_words(verdict.effect_of(name))} with {_who(verdict, verdicts)}" for verdict in verdicts
        )

    quotes = [f"{name}: {quoted(name)}" for name in levels[:MOST_NAMED]]
    rest = len(levels) - MOST_NAMED
    more = f"; and {rest} more" if rest > 0 else ""
    together = "" if tested.differing else "No single level clearly differs; the clearest difference is "
    text = f"{together}{'; '.join(quotes)}{more} (simultaneous 95% intervals)"
    return f"{text[:1].upper()}{text[1:]}"


def _each(verdicts: Sequence[Verdict]) -> str:
    return "; ".join(f"{_who(verdict, verdicts)}: {short_words(verdict)}" for verdict in verdicts)


def _who(verdict: Verdict, verdicts: Sequence[Verdict]) -> str:
    return who(verdict) if _by_bots(verdicts) else verdict.claim.folder


def _by_bots(verdicts: Sequence[Verdict]) -> bool:
    """Return whether every folder has different bots: then the bots distinguish the folders."""
    return len({verdict.claim.bots for verdict in verdicts}) == len(verdicts)


def _sets(count: int) -> str:
    return f"{'both' if count == 2 else f'all {count}'} sets of bots"


def _folders(count: int) -> str:
    return f"{'both' if count == 2 else f'all {count}'} folders"
