"""Interim looks: at how many different numbers of games the results of a folder could be seen so far.

Anyone who keeps playing until an effect appears will find one by chance. So a folder records its looks, and every look
has a share of the error rate (`stats.alpha_spending`). A look is a number of games at which a run ended: only then are
there results to see. The rounds of a run with a precision target are one look, because nothing is shown before its
end, and only the width of intervals decides when it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def look_of(manifest: Mapping[str, Any], players: int) -> int:
    """Return the number of the look at these results with one player count, from 1.

    The same number of games is the same look; results without a history are the first one.

    Parameters
    ----------
    manifest
        The manifest, as `Results.manifest`.
    """
    key = str(players)
    current = manifest["games"].get(key, 0)
    seen = list(dict.fromkeys(look[key] for look in manifest.get("looks", ()) if look.get(key)))
    return seen.index(current) + 1 if current in seen else len(seen) + 1


def pooled_look(looks: Sequence[int]) -> int:
    """Return the number of the look at pooled folders, which add games to each other like further games of one.

    Nothing shows whether anyone looked before a folder was added, so each folder counts as a look of its own.

    Parameters
    ----------
    looks
        The number of the look at each folder, from 1.
    """
    return sum(looks)


def joint_look(looks: Sequence[int]) -> int:
    """Return the number of the look at folders that are compared, where each new look at any of them counts.

    Parameters
    ----------
    looks
        The number of the look at each folder, from 1.
    """
    return sum(looks) - len(looks) + 1
