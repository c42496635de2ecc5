"""River of Gold: the rules, the components, the bots, and the description of the game for the harness."""

from rogsim.base.old_names import keep_old_names

# Former names of modules that bots import.
keep_old_names(
    "rogsim.games.river_of_gold",
    {
        "actions": "rules.actions",
        "apply": "rules.apply",
        "build": "rules.build",
        "customers": "rules.customers",
        "deliver": "rules.deliver",
        "desk": "play.workspace",
        "engine": "play.engine",
        "exchange": "rules.exchange",
        "favor": "rules.favor",
        "influence": "rules.influence",
        "journey": "rules.journey",
        "legal": "rules.legal",
        "masteries": "rules.masteries",
        "names": "components.names",
        "observation": "records.observation",
        "phases": "rules.phases",
        "purposes": "rules.purposes",
        "rewards": "rules.rewards",
        "sail": "rules.sail",
        "scoring": "rules.scoring",
        "setup": "rules.setup",
        "state": "rules.state",
        "supply": "rules.supply",
        "tables": "components.tables",
        "worlds": "play.determinization",
    },
)
keep_old_names(
    "rogsim",
    {
        "games.river_of_gold.components.book": "games.river_of_gold.components.load game.kit.parameters.naming",
        "games.river_of_gold.components.change": "games.river_of_gold.components.load",
        "games.river_of_gold.components.errors": "games.river_of_gold.components.load game.kit.parameters.problems",
    },
)
