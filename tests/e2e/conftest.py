"""A real service and a real browser: Debian's Chromium, driven from outside."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from domain.games.registry import CURRENT
from tests.e2e.people import PATIENCE, Visitor
from tests.e2e.service import CHROMIUM, FLAGS, Service

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def service(tmp_path_factory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("service"))
    running.start()
    yield running
    running.stop()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visitors(browser, service) -> AsyncIterator["Visitors"]:
    arrived = Visitors(browser, service)
    yield arrived
    for visitor in arrived.all:
        await visitor.leave()
    for visitor in arrived.all:
        visitor.assert_calm()


class Visitors:
    """Makes people with a browser of their own each."""

    def __init__(self, browser: Browser, service: Service) -> None:
        self._browser = browser
        self._service = service
        self.all: list[Visitor] = []

    async def new(
        self,
        name: str = "Anna",
        *,
        language: str = "en",
        theme: str = "light",
        phone: bool = False,
        touch: bool = False,
        script: bool = True,
        guided: bool = True,
    ) -> Visitor:
        """Return somebody new; unless they are ``guided``, a guide stands beside their first tables.

        With ``touch`` they hold a phone that they touch; ``phone`` alone is as small, and has a mouse.
        """
        context = await self._browser.new_context(
            base_url=self._service.address,
            locale={"en": "en-GB", "fr": "fr-FR"}[language],
            color_scheme="dark" if theme == "dark" else "light",
            viewport={"width": 360, "height": 740} if phone or touch else {"width": 1200, "height": 900},
            java_script_enabled=script,
            has_touch=touch,
            is_mobile=touch,
        )
        context.set_default_timeout(PATIENCE)
        if guided:
            value, address = ".".join(CURRENT), self._service.address
            await context.add_cookies([{"name": "tablee_guided", "value": value, "url": address}])
        visitor = Visitor(name, context, await context.new_page(), self._service.address)
        self.all.append(visitor)
        return visitor


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page on which nothing moves, for tables that are shown without a service."""
    context = await browser.new_context(reduced_motion="reduce")
    yield await context.new_page()
    await context.close()
