"""What the guide shows: how one comes to each picture, what of the page is on it, and what is numbered there."""

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from playwright.async_api import Page, ViewportSize

from tests.e2e import lama_scenes, odin_scenes, skyjo_scenes
from tests.screenshots.handbook_house import House

PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
SMALL: Final[ViewportSize] = {"width": 360, "height": 640}
MIDDLING: Final[ViewportSize] = {"width": 480, "height": 740}
BROAD: Final[ViewportSize] = {"width": 720, "height": 640}

_ADDRESS: Final = "https://cards.example.org/m/mhmdeqn5rlm3/sit"
"""What is shown as the address of a table: not that of the machine on which pictures are taken."""


class Shot(NamedTuple):
    """A picture of the guide.

    Attributes:
        come: Comes to the page that it shows.
        frame: What of the page is on it, as selectors.
        marks: What gets a number, from 1 on.
        space: How much is to be seen around the frame, in pixels.
    """

    name: str
    come: Callable[[House], Awaitable[Page]]
    frame: tuple[str, ...] = ("main",)
    marks: tuple[str, ...] = ()
    size: ViewportSize = PHONE
    space: int = 12


def at(name: str, address: str) -> Callable[[House], Awaitable[Page]]:
    """Return how somebody opens an address."""

    async def opened(house: House) -> Page:
        return await house.at(name, address)

    return opened


async def sit(house: House) -> Page:
    return await house.at("Bert", f"/m/{await house.gathering()}/sit")


async def invite(house: House) -> Page:
    page = await house.at("Anna", f"/m/{await house.gathering()}")
    await page.locator("#invitation-address").evaluate(
        "(field, address) => (field.value = address)", _ADDRESS
    )
    return page


async def lama(house: House) -> Page:
    return await house.staged(lama_scenes.scene_of("turn", 4, house.language))


async def odin(house: House) -> Page:
    return await house.staged(odin_scenes.scene_of("taking", 4, house.language))


async def skyjo(house: House) -> Page:
    return await house.staged(skyjo_scenes.scene_of("turn", 3, house.language))


async def round_end(house: House) -> Page:
    return await house.staged(lama_scenes.scene_of("round_end", 3, house.language))


async def over(house: House) -> Page:
    return await house.staged(skyjo_scenes.scene_of("over", 3, house.language))


async def request(house: House) -> Page:
    return await house.at("Anna", f"/m/{await house.asked()}")


async def more(house: House) -> Page:
    await house.at("Anna", f"/m/{await house.asked()}")
    anna = await house.person("Anna")
    await anna.open_menu()
    await anna.page.locator("#rail > .part > details:not(#more)").evaluate_all(
        "all => all.forEach((one) => (one.open = false))"
    )
    return anna.page


async def tables(house: House) -> Page:
    await house.gathering()
    await house.asked()
    return await house.at("Anna", "/")


async def new(house: House) -> Page:
    page = await house.at("Dora", "/new?game=skyjo")
    await page.fill("input[name=name]", "Dora")
    await page.locator("input[name=name]").blur()
    return page


async def options(house: House) -> Page:
    page = await new(house)
    await page.locator("#terms summary").click()
    await page.select_option("select[name=clock]", "86400")
    return page


async def replay(house: House) -> Page:
    page = await house.at("Clara", f"/m/{await house.finished()}/replay?at=16")
    await page.wait_for_timeout(500)
    return page


async def proof(house: House) -> Page:
    page = await house.at("Clara", f"/m/{await house.finished()}/proof")
    await page.locator(".verdict.good").wait_for()
    return page


async def back(house: House) -> Page:
    await house.finished()
    return await house.at("Clara", "/me")


async def club(house: House) -> Page:
    return await house.at("Anna", await house.club())


async def league(house: House) -> Page:
    return await house.at("Anna", await house.league())


async def ops(house: House) -> Page:
    await house.gathering()
    await house.finished()
    return await house.operator()


_TABLE: Final = (".bar", "main")
_TILE: Final = ".painted > li:first-child"

SHOTS: Final = (
    Shot(
        "home",
        at("Émile", "/"),
        frame=("h1", ".painted > li:first-child"),
        marks=(f"{_TILE} button.main", f"{_TILE} a.button", f"{_TILE} .row a:last-child"),
    ),
    Shot("sit", sit, frame=("h1", "#sitting"), space=4),
    Shot(
        "lama",
        lama,
        _TABLE,
        (".opponents", ".middle", ".own .hand", ".own .actions", ".bar .menu"),
        size=SMALL,
        space=0,
    ),
    Shot("odin", odin, _TABLE, (".opponents", ".middle", ".own .hand", ".own .actions"), size=SMALL, space=0),
    Shot("skyjo", skyjo, _TABLE, (".opponents", "#draw", "#take", ".own .board"), size=SMALL, space=0),
    Shot("round-end", round_end, frame=("#round-end",), size=SMALL),
    Shot("over", over, frame=("#status", ".result .row"), space=2),
    Shot("request", request, frame=("#status", "#requests", "#agree", "#refuse"), space=14),
    Shot("more", more, frame=("#more",)),
    Shot("tables", tables, frame=("#tables",)),
    Shot("notices", at("Anna", "/me/notices"), frame=("main .scroll",), size=MIDDLING),
    Shot("back", back, frame=("main section:has([href='/me/code'])",)),
    Shot("replay", replay, _TABLE, space=0),
    Shot("proof", proof, frame=("h1", ".verdict", "main table tr:nth-child(2)"), space=3),
    Shot(
        "new",
        new,
        frame=("h1", "main form > button.main"),
        marks=("#people", "#bots-normal", "main form > button.main"),
    ),
    Shot("options", options, frame=("#terms",)),
    Shot("invite", invite, _TABLE, space=0),
    Shot("league", league, frame=("h1", "main table"), size=BROAD),
    Shot("club", club),
    Shot("ops", ops, frame=("header", "#list tbody tr:nth-child(2)"), size=BROAD, space=0),
)
