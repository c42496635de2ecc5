"""The seed of games that confirm a finding: deals that no search has used, with a separate seed for each purpose.

It depends only on the seed of the search and the purpose, so that a confirmation can be repeated. These seeds are at
least 2^52, where nobody chooses the seed of a search by chance, and below 2^53, so that every JSON reader keeps them
exact. Two searches with different seeds therefore neither search nor confirm on the same deals.
"""

from __future__ import annotations

import hashlib

LOWEST = 2**52
CONFIRMATION = "confirmation"


def fresh_seed(seed: int, purpose: str = CONFIRMATION) -> int:
    """Return the seed of new deals for a purpose. seed: that of the search, which chose on its own deals."""
    digest = hashlib.sha256(f"{purpose} of {seed}".encode()).digest()
    return LOWEST + int.from_bytes(digest[:8], "big") % LOWEST
