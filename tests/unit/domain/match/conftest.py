import pytest

from tests.kit.games import EVERY_GAME, name_of
from tests.kit.table import Table, started


@pytest.fixture(scope="package", params=EVERY_GAME, ids=name_of)
def table(request) -> Table:
    """Return a match of each game in its course, with nonces and a clock. Not to be played on: it is shared."""
    played = started(request.param, 3, nonces=True, per_turn=60)
    for _ in range(14):
        played.move(played.to_act[-1])
    return played
