from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.integration.api.permissions.house import House, house_at


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        # Between tests the loop stands still, and then goes on with a look that is overdue: fakeredis would not be
        # cancelled in it.
        patch.setattr("api.entrance.durability.CHECK_EVERY", 3600)
        async with house_at(tmp_path_factory.mktemp("archive")) as built:
            yield built
