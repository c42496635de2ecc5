"""Measure how often intervals and verdicts are right, where the truth is known. Without a name: list the studies."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterator

from scripts.studies import (
    anytime,
    effects,
    null,
    one_way,
    planted,
    prospects,
    search,
    settling,
    sources,
    statistics,
    thin,
    two_runs,
    variance,
    verdict,
)
from scripts.studies.rates import Rate, write

# By their name in docs/data/coverage.csv: what yields rates, and other figures as text, from a number of repeats.
STUDIES: dict[str, Callable[..., Iterator[Rate | str]]] = {
    "judgements": verdict.judgements,
    "two separate runs": two_runs.rates,
    "looking again": verdict.looking_again,
    "comparisons": verdict.comparisons,
    "changes that go one way": one_way.exact,
    "settling": settling.rates,
    "simulated series": statistics.rates,
    "played games": null.rates,
    "more games": prospects.rates,
    "rare levels": thin.rates,
    "adaptive runs": anytime.rates,
    "points by source": sources.rates,
    "searches": search.searches,
    "sweeps": effects.sweeps,
    "ratings": search.ratings,
    "adjustment for the deal": variance.rates,
    "games saved": variance.saved,
    "proposals": planted.proposed,
}


def listed() -> Iterator[str]:
    """Yield a line for each study: its name, how often it repeats unless told otherwise, and whose truth is known."""
    for name, study in STUDIES.items():
        (repeats,) = inspect.signature(study).parameters.values()
        yield f"{name.replace(' ', '-'):26}{repeats.default:7,}  {inspect.getdoc(study)}"


def main() -> None:
    """List the studies, or run those that are named."""
    parser = argparse.ArgumentParser("python -m scripts.studies", description=__doc__)
    names = {name.replace(" ", "-"): name for name in STUDIES}
    parser.add_argument("names", nargs="*", metavar="NAME", help="a study, or several")
    parser.add_argument("--repeats", type=int, metavar="N", help="how often to repeat what is drawn")
    parser.add_argument("--write", action="store_true", help="replace the rows of docs/data/coverage.csv")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in names]:
        parser.error(f"no study is called {unknown[0]}; there are {', '.join(names)}")
    if given.repeats is not None and given.repeats < 1:
        parser.error("--repeats must be at least 1")
    if not given.names:
        print("\n".join(listed()))
    for name in given.names:
        study = names[name]
        for found in STUDIES[study](*([given.repeats] if given.repeats else [])):
            print(found, flush=True)
            if given.write and isinstance(found, Rate):
                write(study, found)


if __name__ == "__main__":
    main()
