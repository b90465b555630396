"""Pages in a browser on loopback: what is loaded, how soon a move is shown, how long a replay's step takes."""

import asyncio
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from api.pages.games import page_of
from api.pages.static_files import joined
from domain.games.registry import CURRENT
from tests.e2e.people import Visitor, seat_two
from tests.e2e.service import CHROMIUM, FLAGS, Service
from tests.kit.games import GAME_KEYS
from tests.perf.report import judged, show

MOVES = 12

Row = tuple[str, float, str]

_SHOWN = """(words) => new Promise((done) => {
  const part = document.getElementById("status")
  const now = () => performance.timeOrigin + performance.now()
  const look = () => words.some((word) => part.textContent.includes(word)) && done(now())
  new MutationObserver(look).observe(part, { childList: true, subtree: true, characterData: true })
})"""
"""Resolves with the moment at which the status line says one of some words."""

_PRESS = """(id) => {
  const at = performance.timeOrigin + performance.now()
  document.getElementById(id).click()
  return at
}"""

_STEPS = """() => new Promise((done) => {
  const times = []
  const one = () => {
    const begun = performance.now()
    document.getElementById("on").click()
    document.body.offsetHeight
    times.push(performance.now() - begun)
    times.length < 60 ? setTimeout(one, 5) : done(times)
  }
  one()
})"""


async def new_visitor(browser: Browser, service: Service, name: str) -> Visitor:
    context = await browser.new_context(base_url=service.address, locale="en-GB")
    return Visitor(name, context, await context.new_page(), service.address)


async def loaded(page: Page, address: str) -> tuple[int, int]:
    """Return the requests and bytes of a page opened for the first time."""
    client = await page.context.new_cdp_session(page)
    await client.send("Network.enable")
    sizes: list[float] = []
    client.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(address)
    await page.wait_for_timeout(1500)
    return len(asked), int(sum(sizes))


async def first_pages(browser: Browser, service: Service) -> list[Row]:
    rows: list[Row] = []
    for game, seats in ((key, CURRENT[key].seats[1]) for key in GAME_KEYS):
        anna = await new_visitor(browser, service, "Anna")
        match = await anna.make_table(game, ("me", *["bot"] * (seats - 1)))
        await anna.expect_turn_or_end()
        cookies = await anna.context.cookies()
        await anna.leave()
        fresh = await browser.new_context(base_url=service.address, locale="en-GB")
        await fresh.add_cookies([_kept(cookie) for cookie in cookies])
        requests, size = await loaded(await fresh.new_page(), f"/m/{match}")
        rows.append((f"first page, {game}, table of {seats}: requests", requests, judged(requests, 6)))
        rows.append((f"first page, {game}, table of {seats}: KB", size / 1000, judged(size / 1000, 60)))
        await fresh.close()
    return rows


def _kept(cookie: Any) -> Any:
    return {key: cookie[key] for key in ("name", "value", "domain", "path")}


async def moves(browser: Browser, service: Service) -> list[Row]:
    first, second = await new_visitor(browser, service, "Anna"), await new_visitor(browser, service, "Bert")
    await seat_two(first, second, "lama", option_first="0")
    own, others = [], []
    mover, watcher = first, second
    for _ in range(MOVES):
        await mover.expect_turn()
        seen_there = asyncio.create_task(watcher.page.evaluate(_SHOWN, ["draws a card"]))
        seen_here = asyncio.create_task(mover.page.evaluate(_SHOWN, ["You draw"]))
        await asyncio.sleep(0.15)
        pressed = await mover.page.evaluate(_PRESS, "draw")
        own.append(await seen_here - pressed)
        others.append(await seen_there - pressed)
        mover, watcher = watcher, mover
    mine, theirs = statistics.median(own), statistics.median(others)
    return [
        ("own move shown, median ms", mine, judged(mine, 100)),
        ("somebody else's move shown, median ms", theirs, judged(theirs, 200)),
    ]


async def replay_steps(browser: Browser, service: Service) -> list[Row]:
    host = await new_visitor(browser, service, "Host")
    await host.make_table("skyjo", ("bot",) * 8, option_limit="single")
    if await host.page.locator("#start").count():
        await host.page.click("#start")
    await host.page.locator(".ranking").wait_for(timeout=120_000)
    page = host.page
    sizes: list[int] = []

    async def weigh(response: Any) -> None:
        if "/changes" in response.url:
            sizes.append(int(response.headers["content-length"]))

    page.on("response", weigh)
    await page.goto(f"/m/{host.match}/replay")
    await page.locator("[data-ready]").wait_for(state="attached")
    times = await page.evaluate(_STEPS)
    return [
        ("replay, Skyjo of eight, one round: KB of changes", sizes[0] / 1000, ""),
        ("replay, one step and its layout, median ms", statistics.median(times), ""),
    ]


def _modules(game: str) -> int:
    """Return the bytes of all modules that a table's page may need, whatever its reader wished for."""
    names = ("live", "sheet", "motion", "confirm", "sound", "talk", "nonce", "share")
    own = (name.removesuffix(".js") for name in page_of(game).modules)
    return len(joined((*names, *own), "js").compressed)


async def measured(service: Service) -> list[Row]:
    rows: list[Row] = [
        (f"modules of a table, {game}: KB as they are sent", size / 1000, judged(size / 1000, 14))
        for game, size in ((game, _modules(game)) for game in GAME_KEYS)
    ]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for part in (first_pages, moves, replay_steps):
            rows += await part(browser, service)
        await browser.close()
    return rows


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder))
        service.start()
        try:
            rows = asyncio.run(measured(service))
        finally:
            service.stop()
    show(("what", "measured", "budget"), rows)
