"""The state hash, to which every future release must fold a stored log."""

from domain.canonical import digest
from domain.match.state import Match


def state_hash(state: Match) -> str:
    """Return the hash of the game's state and the lifecycle, keys sorted, defaults left out.

    It stays inside the server while a match is live: a small state could be guessed from its hash.
    """
    return digest({"game": state.game, "lifecycle": state.lifecycle})
