"""Looks: with how many different numbers of games the results of a folder could be seen so far.

Someone who plays on until a result comes out will find one by chance. So a folder remembers its looks, and every look
has a share of the error rate of its own (`stats.spending`). A look is a number of games with which a run ended: only
then are there results to see. The rounds of a run that stops by itself are one look, as nothing is shown before its
end, and only the width of intervals decides when that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def looks_of(manifest: Mapping[str, Any]) -> list[dict[str, int]]:
    """Return the games by player count that were seen so far, in order; manifest: as `Results.manifest`.

    An older rogsim did not note them; then every session that ended by itself is one.
    """
    noted = [dict(look) for look in manifest.get("looks") or ()]
    if noted:
        return noted
    total: dict[str, int] = {}
    for session in manifest.get("sessions") or ():
        for players, games in session["played"].items():
            total[players] = total.get(players, 0) + games
        if session["played"] and session["ended"] and not session["stopped_by"]:
            noted.append(dict(total))
    if manifest.get("state") == "complete":
        noted[-1:] = [dict(manifest["games"])]  # what was played says less: files may have been mended
    return noted


def look_of(manifest: Mapping[str, Any], players: int) -> int:
    """Return which look at the games with so many players these results are, from 1.

    The same number of games again is the same look; results without a past are the first.
    """
    key = str(players)
    current = manifest["games"].get(key, 0)
    seen = list(dict.fromkeys(look[key] for look in looks_of(manifest) if look.get(key)))
    return seen.index(current) + 1 if current in seen else len(seen) + 1


def pooled_look(looks: Sequence[int]) -> int:
    """Return the look of what several folders tell together: each new look at any of them is one."""
    return sum(looks) - len(looks) + 1
