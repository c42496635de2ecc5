"""What must be said about results where values of a game's components are reconstructed, not from a source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rogsim.game.parameters import Parameter
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.scenario.model import Experiment

THROUGH_PLAY = "depend on reconstructed values through play"


@dataclass(frozen=True)
class Reconstructed:
    """The reconstructed values that some runs of a game rest on.

    Attributes
    ----------
    game
        The title of the game.
    names
        All parameters, by name.
    left
        For each run, the parameters whose values are reconstructed, not changed, and not given by an owner of the game.
    own
        The files of components that owners gave, each with the number of values that have a source there.
    marked
        Whether the game itself has reconstructed values.
    """

    game: str
    names: tuple[str, ...]
    left: tuple[frozenset[str], ...]
    own: Mapping[str, int] = field(default_factory=dict)
    marked: bool = True

    def text(self, topics: Iterable[Topic] = ()) -> str:
        """Return what to say above claims on some topics and on the game as a whole; empty if nothing rests on them."""
        if not any(self.left):
            return self._given_all()
        *some, last = ["", *(f"{topic.title} ({share})" for topic in topics if (share := self._share(topic)))]
        named = " and ".join(filter(None, [", ".join(filter(None, some)), last]))
        others = f"The claims on {named} are directly about reconstructed values. All others" if named else "All claims"
        return f"{self._total()} {others} {THROUGH_PLAY}."

    def text_on(self, topic: Topic | None) -> str:
        """Return what to say above claims on one topic, or on the seats if it is None."""
        if not any(self.left):
            return self._given_all()
        share = self._share(topic) if topic else ""
        how = f"are directly about reconstructed values ({share})" if share else THROUGH_PLAY
        return f"{self._total()} These claims {how}."

    def data(self, topics: Iterable[Topic] = (), varied: Iterable[str] = ()) -> dict[str, Any]:
        """Return the same for scripts: the number of values (the most of any run), of how many, topics, and the text.

        short: the text without the topics.
        varied: parameters, or entries of lists, that the runs vary.
        """
        if not any(self.left) and not self.own:
            return {}
        topics, tried = tuple(topics), self._varied(varied)
        direct = [topic.name for topic in topics if self._share(topic)]
        most = max(map(len, self.left))
        text = self.text(topics) + (f" Other values are tried for {tried:,} of them." if tried else "")
        return {
            "values": most,
            "of": len(self.names),
            "topics": direct,
            "varied": tried,
            "own_files": dict(self.own),
            "short": self._total() if any(self.left) else self._given_all(),
            "text": text,
        }

    def _varied(self, names: Iterable[str]) -> int:
        """Return how many reconstructed values are among some parameters, or have entries among them."""
        left = frozenset().union(*self.left)
        return len({found for name in names for found in (name, name.rpartition(".")[0]) if found in left})

    def _total(self) -> str:
        ends = _ends([len(left) for left in self.left])
        verb = "is" if ends == [1] else "are"
        given, still = (f"{self._given()} ", "still ") if self.own else ("", "")
        return (
            f"{given}{_range(ends)} of {len(self.names):,} component values of {self.game} {verb} {still}"
            "reconstructed, not taken from the printed game: every claim here is about this set of values."
        )

    def _given(self) -> str:
        """Return how many values owners of the game gave; empty if none."""
        values = {file: "value has" if count == 1 else "values have" for file, count in self.own.items()}
        files = [f"{count:,} component {values[file]} a source in {file}" for file, count in self.own.items()]
        return f"{'; '.join(files)}." if files else ""

    def _given_all(self) -> str:
        return self._given() + " No value is reconstructed." * bool(self.own and self.marked)

    def _share(self, topic: Topic) -> str:
        """Return how many of the values that a topic is about are reconstructed: "12 of 40"; empty if none is."""
        inside = {name for name in self.names if any(_is_in(name, group) for group in topic.about)}
        counts = _ends([len(inside & left) for left in self.left])
        return f"{_range(counts)} of {len(inside):,}" if counts[-1] else ""


def reconstructed_of(*experiments: Experiment) -> Reconstructed:
    """Return the reconstructed values that experiments with the same game rest on."""
    return reconstructed_in(experiments[0].spec, [found.scenario.model_dump(mode="json") for found in experiments])


def reconstructed_in(spec: GameSpec, scenarios: Sequence[Mapping[str, Any]]) -> Reconstructed:
    """Return the reconstructed values that runs rest on; `scenarios` are resolved, as manifests have them."""
    facts = spec.facts() if spec.has_reconstructed() or any(run.get("components") for run in scenarios) else ()
    left = tuple(frozenset(parameter.name for parameter in still_reconstructed(facts, run)) for run in scenarios)
    files = [own for run in scenarios if (own := run.get("components"))]
    own = {str(found["file"]): len(found["sourced"]) for found in files}
    return Reconstructed(
        spec.title,
        tuple(parameter.name for parameter in facts),
        left,
        own,
        any(parameter.reconstructed for parameter in facts),
    )


def still_reconstructed(facts: Iterable[Parameter], scenario: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameters that have reconstructed values in a resolved scenario."""
    given = {*(scenario.get("change") or {}), *(scenario.get("components") or {}).get("sourced", ())}
    return [parameter for parameter in facts if parameter.reconstructed and parameter.name not in given]


def _is_in(name: str, group: str) -> bool:
    return name == group or name.startswith(f"{group}.")


def _ends(counts: Sequence[int]) -> list[int]:
    """Return the smallest and the largest number; only one if they are equal."""
    return sorted({min(counts), max(counts)})


def _range(ends: Sequence[int]) -> str:
    return " to ".join(f"{count:,}" for count in ends)
