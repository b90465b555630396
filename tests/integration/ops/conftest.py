from collections.abc import AsyncIterator

import pytest

from services.bootstrap import present_instant
from tests.integration.pages.conftest import Pages, running_pages
from tests.integration.pages.reader import Reader


class Desk(Pages):
    """The running application, and a way in."""

    async def operator(self, language: str = "en") -> Reader:
        """Return the browser of an operator."""
        reader = self.reader(language)
        link = await self.application.operators.make_link(present_instant())
        await reader.get(f"/ops/enter/{link}")
        await reader.submit(f"/ops/enter/{link}")
        return reader


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with running_pages() as running:
        yield Desk(running.app, running.sessions, running.names)
