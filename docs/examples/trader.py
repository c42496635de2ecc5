"""trader: delivers when it can, builds where it is cheapest, and sails otherwise."""


class Trader:
    """Prefers to deliver, then to build, then to sail; if none is possible, chance decides."""

    def choose(self, observation, actions):
        """Return the action that it takes."""
        for wish in ("deliver", "build", "sail"):
            wanted = [action for action in actions if action["do"] == wish]
            if wish == "build":
                wanted.sort(key=lambda action: observation["numbers"]["shore"][action["space"]]["cost"])
            if wanted:
                return wanted[0]
        return observation["random"].choice(actions)
