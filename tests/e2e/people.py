"""People at a browser: what they do on the pages."""

from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Page, expect

from domain.match.levels import DEFAULT_LEVEL

PATIENCE = 30_000
"""Milliseconds that something may take on a machine that does a lot besides."""


class Visitor:
    """Somebody with a browser. Keeps every request and complaint of it."""

    def __init__(self, name: str, context: BrowserContext, page: Page, address: str) -> None:
        self.name = name
        self.context = context
        self.page = page
        self.address = address
        self.requests: list[str] = []
        self.complaints: list[str] = []
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        # What the service refuses shows in the console too; policies that were broken are what matters.
        if message.type == "error" and "status of" not in message.text and "net::ERR" not in message.text:
            self.complaints.append(message.text)

    async def leave(self) -> None:
        await self.context.close()

    def assert_calm(self) -> None:
        """No script failed, no policy was broken, nothing was asked from elsewhere."""
        assert self.complaints == []
        own = urlsplit(self.address).netloc
        assert [url for url in self.requests if urlsplit(url).netloc != own] == []

    @property
    def match(self) -> str:
        return urlsplit(self.page.url).path.split("/")[2]

    async def make_table(self, game: str, seats: tuple[str, ...] = ("me", "bot"), **options: str) -> str:
        """Make a table and return its id."""
        page = self.page
        await page.goto(f"/new?game={game}")
        await page.fill("input[name=name]", self.name)
        await page.fill("#people", str(len(seats) - seats.count("bot")))
        await page.fill(f"#bots-{DEFAULT_LEVEL}", str(seats.count("bot")))
        await page.set_checked("input[name=plays]", "me" in seats)
        await page.locator("#terms summary").click()
        for field, value in ({"visibility": "public"} | options).items():
            await page.select_option(f"select[name={field.replace('_', '-')}]", value)
        await page.locator("main form button.main").first.click()
        await page.wait_for_url("**/m/*")
        return self.match

    async def sit(self, match: str, seat: int | None = None) -> None:
        page = self.page
        await page.goto(f"/m/{match}/sit")
        if seat is not None:
            await page.check(f"input[name=seat][value='{seat}']")
        await page.fill("input[name=name]", self.name)
        await page.locator("#sitting button").last.click()
        await page.wait_for_url(f"**/m/{match}")

    async def open_menu(self) -> None:
        """Open what stands behind "More": on a small screen in a sheet of its own."""
        if await self.page.locator(".bar .menu").is_visible():
            await self.page.click(".bar .menu")
        await self.page.locator("#more > summary").click()

    async def quit_round(self) -> None:
        """Quit the round of L.A.M.A., which takes two steps."""
        await self.page.locator("#quit-first > summary").click()
        await self.page.click("#quit")

    async def be_ready(self) -> None:
        await self.page.click("#ready")

    async def expect_dealt(self) -> None:
        """Wait until the match has begun by itself: words are shown before the cards are dealt."""
        await expect(self.page.locator("#moves .own")).to_be_visible(timeout=PATIENCE)

    async def expect_turn(self) -> None:
        await expect(self.page.locator(".turn.mine")).to_be_visible()

    async def expect_turn_or_end(self) -> None:
        await expect(self.page.locator(".turn.mine, .ranking").first).to_be_visible()

    async def version_shown(self) -> str:
        """Return what stands for the version that the page shows: the keys of its forms change with it."""
        return "".join(
            await self.page.locator("#menu [name=key]").evaluate_all("all => all.map(one => one.value)")
        )

    async def expect_newer(self, version: str) -> None:
        """Wait until the page shows something else."""
        for _ in range(800):
            if await self.version_shown() != version:
                return
            await self.page.wait_for_timeout(25)
        raise AssertionError("nothing happens")


async def seat_two(first: Visitor, second: Visitor, game: str, *, bots: int = 0, **options: str) -> str:
    """Let two people sit down at a table of theirs and begin."""
    match = await first.make_table(game, ("me", "person", *("bot",) * bots), **options)
    await second.sit(match)
    await second.be_ready()
    await expect(first.page.locator("#moves h2")).to_be_visible()
    return match
