"""Scenarios: what to play, read from a TOML file and checked in full before anything is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from rogsim.base.errors import RogsimError
from rogsim.base.files import read_text
from rogsim.base.text import name_fault
from rogsim.base.validation import Problem, explain, is_too_deep, key_text, not_allowed, read_toml, show
from rogsim.game.parameters import leaves
from rogsim.game.registry import RegistryError, book_of, get_game
from rogsim.game.topics import SEATS
from rogsim.scenario.axes import MOST_GAMES, BalanceSearch, Sweep, as_list, without_ranges
from rogsim.scenario.own_components import (
    FileOrOwn,
    OwnComponents,
    OwnComponentsError,
    is_among,
    read_own_components,
    sourced_in,
    unknown_names,
    without_changed,
)
from rogsim.scenario.precision import Target, absent_targets, read_targets
from rogsim.scenario.scenario_files import MOST_BYTES, find_scenario, names_instead, question_of

if TYPE_CHECKING:
    from rogsim.bots.loading import BotSource
    from rogsim.game.spec import GameSpec


def contradictions(change: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is given twice, and what is given as a whole beside one of its parts, such as a list and an entry."""
    names = Counter(path for path, _ in leaves(change))
    lengths = {len(path) for path in names}
    parts: dict[tuple[str, ...], str] = {}  # by what may be given as a whole: its first part
    for path in names:
        for whole in [path[:length] for length in lengths if length < len(path)]:
            parts.setdefault(whole, key_text(path))
    for path, count in names.items():
        if count > 1:
            yield Problem(path, "is given twice")
        if path in parts:
            yield Problem(path, f"is given as a whole, and so is its part {parts[path]}; give only one of them")


MOST_SEEDS = 2**63
MOST_BOTS = 24  # 24 bots make 10,626 line-ups of four
WIDEST_MARGIN = 50.0
TABLES = ("seat", "bot")  # factors that every game has
OWN = "own components"  # first key of problems in a file of components


class ScenarioError(RogsimError, ValueError):
    """A scenario that cannot be played; the text has one line for each problem."""


def _bot_name(name: str) -> str:
    if fault := name_fault(name):
        raise ValueError(f"{show(name)} is not allowed: {fault}")
    return name


BotText = Annotated[str, AfterValidator(_bot_name)]
Seed = Annotated[int, Field(ge=0, lt=MOST_SEEDS)]
Margin = Annotated[float, Field(gt=0, le=WIDEST_MARGIN, allow_inf_nan=False)]


def _key(default: Any, description: str) -> Any:
    """Return a key that may be left out."""
    return Field(default, description=description)


class Scenario(BaseModel):
    """A scenario of rogsim: what to play, how often, with which bots, and with which parameters."""

    # Strict: "20" is not a number. TOML has no tuples, so lists are accepted instead.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    game: str = _key("", "Id of the game, as `rogsim games` lists it; the default game if it is left out.")
    players: Annotated[tuple[int, ...], Field(strict=False, min_length=1)] = Field(
        description="Player counts, each played separately."
    )
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] = Field(
        description="Games for each player count, rounded up to whole cycles if several bots play."
    )
    until: Annotated[tuple[str, ...], BeforeValidator(as_list), Field(strict=False)] = _key(
        (), 'Statements such as "seat_share ± 0.5 pp" that end a run early; `games` is then the maximum.'
    )
    seed: Seed = Field(description="Seed of all randomness: another seed gives other games of the same kind.")
    bots: Annotated[tuple[BotText, ...], Field(strict=False, min_length=1, max_length=MOST_BOTS)] = Field(
        description="One bot for every seat, or at least as many bots as players, which are combined and rotated."
    )
    tables: Annotated[tuple[str, ...], Field(strict=False)] = _key(
        ("seat",), "What `run` prints tables by, after the balance sheet; by seat only if the question is about seats."
    )
    about: str = _key("", "What the question is about: a topic of reports, or seats; by default what is dealt.")
    margin: Margin = _key(2.0, "How far from fair still counts as fair, in percentage points of win share.")
    options: dict[str, Any] = _key({}, "Options of the game.")
    change: dict[str, Any] = _key({}, "Parameters of the game by name, as `rogsim parameters` lists them.")
    components: FileOrOwn | None = _key(
        None, "File with components that you own, in the layout of the game's own; relative to the scenario."
    )
    sweep: Sweep | None = _key(None, "What to vary.")
    balance: BalanceSearch | None = _key(None, "What to search for.")

    @model_serializer(mode="wrap")
    def _without_absent(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out keys that are not given and have no default of their own."""
        data: dict[str, Any] = dump(self)
        return {key: value for key, value in data.items() if key not in ("components", "about") or value}


AnyScenario = str | Path | Mapping[str, Any] | Scenario  # a path or a name, keys, or a Scenario


@dataclass(frozen=True)
class Experiment:
    """A checked scenario with everything that it names: its game, options, setups by player count, and bots.

    mirrored: line-ups are also rotated in the opposite order, which comparisons of single pairs of bots need.
    """

    name: str
    question: str  # from the scenario's first comment; may be empty
    scenario: Scenario
    spec: GameSpec
    options: BaseModel
    setups: Mapping[int, Any]
    sources: Mapping[str, BotSource]  # by name, in the order of the scenario
    targets: tuple[Target, ...] = ()  # of `until`
    mirrored: bool = False
    folder: Path = Path()  # base of the paths of bots
    asked_change: Mapping[str, Any] = field(default_factory=dict)  # by name, as given, except those that replace others
    notes: tuple[str, ...] = ()  # which changes of the file are replaced, one line each
    runs_programs: bool = True  # whether bots that are Python files were loaded; otherwise they cannot play


@dataclass(frozen=True)
class _Origin:
    """Where the keys come from, for messages."""

    file: str
    overridden: frozenset[str]
    option_prefix: str
    kept_changes: frozenset[str] = frozenset()  # parameters that the file changes, if others are overridden
    own_folder: Path = Path()  # base of the path of a file of components
    own_file: str = ""  # the file of components, if there is one
    asked: frozenset[str] = frozenset()  # the changes that do not come from that file

    def line(self, problem: Problem) -> str:
        if problem.key[:1] == (OWN,) or (problem.key[:1] == ("change",) and self._is_own(problem.key[1:])):
            return f'{self.own_file}: key "{problem.inside().name}": {problem.text}'
        if problem.key and problem.key[0] in self.overridden and not self._is_in_file(problem.key):
            inside = f" {name}:" if (name := problem.inside().name) else ""
            return f"{self.option_prefix}{problem.key[0]}:{inside} {problem.text}"
        if not problem.key:
            return f"{self.file}: {problem.text}" if self.file else problem.text
        return f'{self.file or "scenario"}: key "{problem.name}": {problem.text}'

    def _is_own(self, name: tuple[str, ...]) -> bool:
        """Return whether only the file of components can be the reason for a problem with a change."""
        return bool(self.own_file) and not _touches(name, self.asked)

    def _is_in_file(self, key: tuple[str, ...]) -> bool:
        """Return whether the file itself asks for a change."""
        return key[0] == "change" and _touches(key[1:], self.kept_changes)

    def error(self, problems: Sequence[Problem]) -> ScenarioError:
        return ScenarioError("\n".join(self.line(problem) for problem in problems))


def _touches(path: Sequence[str], names: Collection[str]) -> bool:
    """Return whether a name, split at the dots, is one of some names, or inside or around one of them."""
    inside = f"{'.'.join(path)}."
    return any(inside.startswith(f"{name}.") or f"{name}.".startswith(inside) for name in names)


def load(
    source: AnyScenario,
    overrides: Mapping[str, Any] | None = None,
    option_prefix: str = "",
    folder: Path | None = None,
    run_programs: bool = True,
) -> Experiment:
    """Read and check a scenario.

    Parameters
    ----------
    source
        A path, the name of a file in `scenarios` or of a scenario that comes with rogsim, the same keys as a mapping,
        or a Scenario.
    overrides
        Values that replace keys; None keeps a key. Changes of parameters are added to those of the file. A file of
        components is looked for in the current folder.
    option_prefix
        Precedes the names of overrides in messages.
    folder
        Where the files of bots are looked for; by default the folder of the scenario file, or the current folder if
        `overrides` names the bots.
    run_programs
        Whether to load bots that are Python files, which runs them. If not, the experiment can be inspected but not
        played.

    Raises
    ------
    ScenarioError
        If the scenario cannot be played; it has one line for each problem.
    """
    if not isinstance(source, str | Path | Mapping | Scenario):
        rule = "name a scenario file, or give the keys of a scenario"
        raise ScenarioError(f"scenario: {not_allowed(source, rule)}")
    keys, origin, replaced, name, question, beside = _read_keys(source, overrides, option_prefix)
    scenario = _validate(Scenario, keys, origin)
    left_out = {*replaced, *sourced_in(scenario.components)}
    asked = {name: value for name, value in _by_name(scenario.change).items() if name not in left_out}
    if folder is None:
        folder = Path() if "bots" in origin.overridden else beside
    resolved = _resolve(scenario, origin, folder, name, question, run_programs)
    return replace(resolved, asked_change=asked, notes=tuple(replaced.values()))


def check_changes(source: str | Path, change: Mapping[str, Any], option_prefix: str) -> None:
    """Refuse wrong changes of a scenario, where that can be known before the rules of its game are loaded.

    Raises
    ------
    ScenarioError
        As `load` does with these changes, but only for the game and its changes.
    """
    keys, origin, *_ = _read_keys(source, {"change": change or None}, option_prefix)
    game, change = keys.get("game"), keys.get("change", {})
    if "components" in keys or not isinstance(game, str | None) or not isinstance(change, Mapping):
        return  # other values matter as well, or something else is wrong
    try:
        book = book_of(game)
    except RegistryError as fault:
        raise origin.error([Problem(("game",), str(fault))]) from fault
    if book and (wrong := without_ranges(book.check_change(change)[1], book.facts)):
        raise origin.error([problem.under("change") for problem in wrong])


def _read_keys(
    source: AnyScenario, overrides: Mapping[str, Any] | None, option_prefix: str
) -> tuple[Mapping[str, Any], _Origin, Mapping[str, str], str, str, Path]:
    """Return the keys of a scenario and where they come from, the changes replaced, its name, question and folder."""
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    if isinstance(source, str | Path):
        found = find_scenario(Path(source))
        file, beside = str(source), found.parent
        text = _read(found)
        name = _name_of(found)
        data, question = _parse(text, file), question_of(text)
    else:
        file, beside, question, name = "scenario" if source else "", Path(), "", "scenario"  # else all are options
        data = source.model_dump(exclude_unset=True) if isinstance(source, Scenario) else dict(source)
        if is_too_deep(data) or is_too_deep(given):
            raise ScenarioError("scenario: nested too deeply")
    kept_changes: frozenset[str] = frozenset()
    replaced: dict[str, str] = {}
    file_changes = data.get("change")
    if (
        isinstance(source, str | Path)
        and isinstance(file_changes, Mapping)
        and (wrong := list(contradictions(file_changes)))
    ):
        raise _Origin(file, frozenset(), "").error([problem.under("change") for problem in wrong])
    if "change" in given and isinstance(file_changes, Mapping):
        more, file_changes = _by_name(given["change"]), _by_name(file_changes)
        kept = {name: value for name, value in file_changes.items() if name not in more}
        replaced = dict(_replaced(file_changes, more, f"{option_prefix}change", file))
        kept_changes, given["change"] = frozenset(kept), kept | more  # in this order: the last one counts
        if isinstance(data.get("components"), Mapping):
            data["components"] = without_changed(data["components"], more)
    origin = _Origin(file, frozenset(given), option_prefix, kept_changes, Path() if "components" in given else beside)
    return {**data, **given}, origin, replaced, name, question, beside


def _replaced(
    file_changes: Mapping[str, Any], more: Mapping[str, Any], option: str, file: str
) -> Iterator[tuple[str, str]]:
    """Yield the name of each change that replaces another value of a file, and a line that says so."""
    for name, value in more.items():
        older = {
            known: was
            for known, was in file_changes.items()
            if (known == name and was != value) or known.startswith(f"{name}.")
        }
        if older:
            listed = ", ".join(f"{known} = {show(was)}" for known, was in older.items())
            yield name, f"{option}: {name} = {show(value)} replaces {listed} of {file}."


def check_options(spec: GameSpec, options: Mapping[str, Any]) -> tuple[BaseModel | None, list[Problem]]:
    """Check a game's options: return them as the game takes them (None if they are wrong), and the problems."""
    try:
        return spec.read_options(options), []
    except ValidationError as fault:
        return None, explain(fault, dict(options), spec.options)


def _by_name(change: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes with dotted names, so that those given later replace those of the file."""
    return {".".join(path): value for path, value in leaves(change)}


def _read(path: Path) -> str:
    try:
        return read_text(path, MOST_BYTES)
    except FileNotFoundError:
        raise ScenarioError(f"{path}: there is no such file{names_instead(path)}") from None
    except IsADirectoryError:
        raise ScenarioError(f"{path}: is a folder; name a scenario file (results folders: `rogsim report`)") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: is not a text file in UTF-8") from None
    except OSError as fault:
        raise ScenarioError(f"{path}: cannot be read: {fault.strerror}") from fault


def _name_of(path: Path) -> str:
    """Return a scenario's name, which is that of its file; ScenarioError if the name is not allowed."""
    if fault := name_fault(path.stem):
        raise ScenarioError(f"{path}: {fault}")
    return path.stem


def _parse(text: str, file: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except ValueError as fault:
        raise ScenarioError(f"{file}: broken TOML: {fault}") from fault


def _validate(model: type[Scenario], data: Mapping[str, Any], origin: _Origin) -> Scenario:
    try:
        return model.model_validate(data)
    except ValidationError as fault:
        raise origin.error(explain(fault, data, model)) from fault


def _resolve(
    scenario: Scenario, origin: _Origin, folder: Path, name: str, question: str, run_programs: bool
) -> Experiment:
    """Look up everything that a scenario names, and refuse what does not fit together."""
    from rogsim.bots.loading import find_bot  # loads numba

    try:
        spec = get_game(scenario.game if "game" in scenario.model_fields_set else None)
    except RegistryError as fault:
        raise origin.error([Problem(("game",), str(fault))]) from fault
    options, problems = check_options(spec, scenario.options)
    problems = [problem.under("options") for problem in problems]
    scenario, origin, wrong_own = _with_own(spec, scenario, origin)
    change, wrong_changes = spec.check_change(scenario.change)
    problems += wrong_own
    problems += [problem.under("change") for problem in without_ranges(wrong_changes, spec.facts)]
    problems += _player_problems(scenario, spec) + _about_problems(scenario, spec) + _table_problems(scenario, spec)
    problems += _bot_count_problems(scenario)
    targets, wrong = read_targets(scenario.until, spec.seat_factors, scenario.bots)
    problems += [Problem(("until",), text) for text in wrong]
    if not problems and options is not None:
        absent = partial(spec.absent_levels, options)
        wrong = list(absent_targets(targets, spec.seat_columns, absent, scenario.players))
        problems += [Problem(("until",), text) for text in wrong]
    sources: dict[str, BotSource] = {}
    for bot in scenario.bots:
        try:
            sources[bot] = find_bot(spec, bot, folder, run_programs)
        except RegistryError as fault:
            problems.append(Problem(("bots",), str(fault)))
    if problems or options is None:
        raise origin.error(list(dict.fromkeys(problems)))
    kept = {"game": spec.id, "options": options.model_dump(mode="json"), "change": change}
    scenario = scenario.model_copy(update=kept)
    setups = _prepare(spec, options, scenario, origin)
    found = (name, question, scenario, spec, options, setups, sources, targets)
    return Experiment(*found, folder=folder, runs_programs=run_programs)


def _with_own(spec: GameSpec, scenario: Scenario, origin: _Origin) -> tuple[Scenario, _Origin, list[Problem]]:
    """Read the file of components, if there is one: its values become changes, where the scenario makes no other."""
    own, asked = scenario.components, _by_name(scenario.change)
    if not isinstance(own, str):
        return scenario, origin, unknown_names(spec, own) if own else []
    path = origin.own_folder / own
    origin = replace(origin, own_file=str(path), asked=frozenset(asked))
    try:
        found = read_own_components(spec, path)
    except OwnComponentsError as fault:
        return scenario, origin, [Problem(("components",), f"{path}: {fault}")]
    kept = tuple(name for name in found.sourced if not is_among(name, asked))
    made = {"change": {**found.values, **asked}, "components": OwnComponents(file=path.name, sourced=kept)}
    wrong = [problem.under(OWN) for problem in found.problems]
    return scenario.model_copy(update=made), origin, wrong


def _prepare(spec: GameSpec, options: BaseModel, scenario: Scenario, origin: _Origin) -> dict[int, Any]:
    """Let the game check its options against each player count."""
    setups = {}
    change = (scenario.change,) if scenario.change else ()
    for count in scenario.players:
        try:
            setups[count] = spec.set_up(options, count, *change)
        except ValueError as fault:
            raise origin.error([Problem((), f"{count} players: {fault}")]) from fault
    return setups


def _player_problems(scenario: Scenario, spec: GameSpec) -> list[Problem]:
    allowed = "choose from " + ", ".join(map(str, spec.players))
    wrong = [count for count in scenario.players if count not in spec.players]
    problems = [Problem(("players",), not_allowed(count, allowed)) for count in wrong]
    repeated = {count for count in scenario.players if scenario.players.count(count) > 1}
    return problems + [Problem(("players",), f"{count} is listed twice") for count in sorted(repeated)]


def _bot_count_problems(scenario: Scenario) -> list[Problem]:
    most, bots = max(scenario.players), len(scenario.bots)
    if bots == 1 or bots >= most:
        return []
    rule = f"name one bot, which takes every seat, or at least {most}"
    return [Problem(("bots",), f"{bots} are too few for {most} players: {rule}")]


def _about_problems(scenario: Scenario, spec: GameSpec) -> list[Problem]:
    known = [SEATS, *(topic.name for topic in spec.topics)]
    if not scenario.about or scenario.about in known:
        return []
    return [Problem(("about",), not_allowed(scenario.about, f"choose from {', '.join(known)}"))]


def _table_problems(scenario: Scenario, spec: GameSpec) -> list[Problem]:
    known = [*TABLES, *spec.seat_factors, *spec.game_factors]
    rule = "choose from " + ", ".join(dict.fromkeys(known))
    return [Problem(("tables",), not_allowed(name, rule)) for name in scenario.tables if name not in known]
