"""Names of players on the log's server."""

import pytest
from fakeredis import FakeAsyncRedis

from services.people.player_names import PlayerNames


@pytest.mark.parametrize("others", [0, 998, 999, 2500])
async def test_everybody_of_a_name_is_found_however_many_others_there_are(others):
    async with FakeAsyncRedis() as client:
        names = PlayerNames(client)
        assert await names.called("Ann") == set()
        for player, name in (("p-1", "Ann"), ("p-2", "ANN"), ("p-3", "Anna")):
            await names.give(player, name)
        if others:
            await client.mset({f"tb:people:name:other-{number}": b"Bert" for number in range(others)})
        assert await names.called("ann") == {"p-1", "p-2"}
        assert len(await names.called("Bert")) == others
