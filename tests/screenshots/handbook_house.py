"""The people whom the guide's pictures show, with a browser each, and what they have begun."""

import subprocess
import sys

from playwright.async_api import Browser, Page, expect

from api.pages.scene import Scene
from domain.games.registry import CURRENT
from tests.e2e.people import Visitor
from tests.e2e.service import Service
from tests.e2e.staged import show
from tests.kit.environment import without_settings
from tests.screenshots.states import play_until

_PATIENCE = 60_000

CLUB = {"en": "Thursday players", "fr": "Les joueurs du jeudi"}
LEAGUE = {"en": "Winter", "fr": "Hiver"}


class House:
    """One language's people. What one picture has begun, others show on."""

    def __init__(self, browser: Browser, service: Service, language: str, sharpness: float) -> None:
        self._browser = browser
        self._service = service
        self.language = language
        self._sharpness = sharpness
        self._people: dict[str, Visitor] = {}
        self._known: dict[str, str] = {}

    async def close(self) -> None:
        """Let everybody leave."""
        for visitor in self._people.values():
            await visitor.leave()

    async def person(self, name: str) -> Visitor:
        """Return somebody, who comes when they are first asked for."""
        if name not in self._people:
            context = await self._browser.new_context(
                base_url=self._service.address,
                locale={"en": "en-GB", "fr": "fr-FR"}[self.language],
                viewport={"width": 360, "height": 740},
                device_scale_factor=self._sharpness,
                reduced_motion="reduce",
            )
            context.set_default_timeout(_PATIENCE)
            address = self._service.address
            value = ".".join(CURRENT)
            await context.add_cookies([{"name": "tablee_guided", "value": value, "url": address}])
            self._people[name] = Visitor(name, context, await context.new_page(), address)
        return self._people[name]

    async def at(self, name: str, address: str) -> Page:
        """Return the page of somebody who has opened an address."""
        page = (await self.person(name)).page
        await page.goto(address)
        return page

    async def staged(self, scene: Scene) -> Page:
        """Return a page that shows a table without the service."""
        page = (await self.person("stage")).page
        await show(page, scene)
        return page

    async def gathering(self) -> str:
        """Return Anna's table that waits for a friend."""
        if "gathering" not in self._known:
            anna = await self.person("Anna")
            self._known["gathering"] = await anna.make_table("skyjo", ("me", "person", "bot"))
        return self._known["gathering"]

    async def asked(self) -> str:
        """Return the table of Anna and Bert with a clock of days, at which Bert asks for a pause."""
        if "asked" not in self._known:
            anna, bert = await self.person("Anna"), await self.person("Bert")
            terms = {"clock": "86400", "bank": "259200", "option_first": "1"}
            match = await anna.make_table("lama", ("me", "person", "bot"), **terms)
            await bert.sit(match)
            await bert.be_ready()
            await bert.expect_dealt()
            await bert.open_menu()
            await bert.page.locator("#pausing > summary").click()
            await bert.page.click("#ask-to-pause")
            await expect(bert.page.locator("#requests #withdraw")).to_be_attached()
            self._known["asked"] = match
        return self._known["asked"]

    async def finished(self) -> str:
        """Return Clara's match that is over."""
        if "finished" not in self._known:
            clara = await self.person("Clara")
            await clara.make_table("lama", ("me", "bot", "bot"), option_limit="single")
            await clara.expect_turn_or_end()
            await play_until(clara, ".ranking")
            self._known["finished"] = clara.match
        return self._known["finished"]

    async def club(self) -> str:
        """Return the address of the club in which they all are."""
        if "club" not in self._known:
            anna = await self.person("Anna")
            page = anna.page
            await page.goto("/c")
            await page.fill("input[name=club]", CLUB[self.language])
            await page.fill("form[action='/c'] input[name=name]", "Anna")
            await page.click("form[action='/c'] button")
            await page.wait_for_url("**/c/c*")
            self._known["club"] = page.url
            await page.goto(f"{page.url}/settings")
            await page.fill("form[action$='/invitations'] input[name=uses]", "9")
            await page.click("form[action$='/invitations'] button")
            address = await page.input_value("#address")
            for name in ("Bert", "Clara", "Dora"):
                other = await self.person(name)
                await other.page.goto(address)
                await other.page.fill("form[action^='/i/'] input[name=name]", name)
                await other.page.click("form[action^='/i/'] button")
                await other.page.wait_for_url("**/c/c*")
        return self._known["club"]

    async def league(self) -> str:
        """Return the address of the club's league, whose first round is open."""
        if "league" not in self._known:
            club = await self.club()
            page = await self.at("Anna", f"{club}/leagues/new")
            await page.fill("input[name=name]", LEAGUE[self.language])
            for box in await page.locator("input[name=member]").all():
                await box.check()
            await page.click("form[action$='/leagues'] button.main")
            await page.wait_for_url("**/leagues/l*")
            self._known["league"] = page.url
            for name in ("Bert", "Clara", "Dora"):
                other = await self.at(name, page.url)
                await other.click("form:has(input[value=sign_up]) button")
            await page.goto(page.url)
            await page.click("form:has(input[value=begin]) button")
            await expect(page.locator("li.mine a")).to_be_visible()
        return self._known["league"]

    async def operator(self) -> Page:
        """Return the page of somebody who came in by an operator's link."""
        command = [sys.executable, "-m", "api.command_line.main", "operator-link"]
        told = subprocess.run(  # noqa: ASYNC221 - nothing else is to happen meanwhile.
            [*command, "--data", str(self._service.data)],
            env=without_settings(),
            check=True,
            capture_output=True,
            text=True,
        )
        page = await self.at("Olga", told.stdout.strip())
        await page.locator("main button").click()
        await page.wait_for_url("**/ops")
        return page
