"""Seeds of new deals: games that confirm a finding are played on deals that no search has used.

Each purpose has a seed that depends only on the seed of the search, so a confirmation can be repeated. These seeds
are at least 2^52, where nobody chooses the seed of a search by chance, and below 2^53, so that every JSON reader
keeps them exact. Two searches with different seeds therefore neither search nor confirm on the same deals.
"""

from __future__ import annotations

import hashlib

LOWEST = 2**52
CONFIRMATION = "confirmation"


def fresh_seed(seed: int, purpose: str = CONFIRMATION) -> int:
    """Return the seed of new deals for a purpose, given the seed of the search."""
    digest = hashlib.sha256(f"{purpose} of {seed}".encode()).digest()
    return LOWEST + int.from_bytes(digest[:8], "big") % LOWEST
