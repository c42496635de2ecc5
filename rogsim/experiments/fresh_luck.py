"""The seed of games that confirm a finding: luck that no search has seen, for a purpose of its own.

It follows from the seed of the search and the purpose alone, so that a confirmation can be played again. All such seeds
lie from 2^52 on, where nobody's search has its seed by chance, and below 2^53, so that every reader of JSON keeps them
exact: two searches with seeds of their own neither search nor confirm on the same luck.
"""

from __future__ import annotations

import hashlib

LOWEST = 2**52
CONFIRMATION = "confirmation"


def fresh_seed(seed: int, purpose: str = CONFIRMATION) -> int:
    """Return the seed of fresh luck for a purpose. seed: of the search, which has chosen by its own luck."""
    digest = hashlib.sha256(f"{purpose} of {seed}".encode()).digest()
    return LOWEST + int.from_bytes(digest[:8], "big") % LOWEST
