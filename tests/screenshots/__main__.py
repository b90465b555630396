"""Takes the pictures: ``python -m tests.screenshots``, or ``make screenshots``.

Every page and state is taken in both languages, both themes and three widths, and put on a contact sheet,
``index.html`` of the folder. A state that cannot be reached is said at the end, and is an error.
With ``--handbook`` the pictures of the guide are taken instead, into the folder from which the pages take them.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from domain.games.registry import CURRENT
from tests.e2e.people import Visitor
from tests.e2e.service import CHROMIUM, FLAGS, Service
from tests.screenshots.handbook import take_handbook
from tests.screenshots.sheet import SIZES, Picture, write_sheet
from tests.screenshots.states import STATES, State

_PATIENCE = 20_000


async def take(
    browser: Browser, address: str, name: str, state: State, wanted: argparse.Namespace
) -> list[Picture]:
    """Come to a state in each language, and take its pictures."""
    taken = []
    for language in wanted.languages:
        context = await browser.new_context(base_url=address, locale={"en": "en-GB", "fr": "fr-FR"}[language])
        context.set_default_timeout(_PATIENCE)
        if not name.startswith("guide"):
            await context.add_cookies([{"name": "tablee_guided", "value": ".".join(CURRENT), "url": address}])
        visitor = Visitor("Anna", context, await context.new_page(), address)
        try:
            await visitor.page.set_viewport_size(SIZES[wanted.sizes[0]])
            await state(visitor)
            for size in wanted.sizes:
                await visitor.page.set_viewport_size(SIZES[size])
                for theme in wanted.themes:
                    await visitor.page.emulate_media(color_scheme=theme)
                    picture = Picture(name, language, theme, size)
                    await visitor.page.screenshot(path=wanted.folder / picture.file, full_page=wanted.whole)
                    taken.append(picture)
        finally:
            await context.close()
    return taken


async def take_all(wanted: argparse.Namespace, address: str) -> list[str]:
    """Take all pictures that are wanted; return the states that could not be reached."""
    taken: list[Picture] = []
    missed: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, state in STATES.items():
            if wanted.only and not any(name.startswith(one) for one in wanted.only):
                continue
            try:
                taken += await take(browser, address, name, state, wanted)
            except Exception as error:  # noqa: BLE001 - whatever kept one picture away keeps no other one away.
                missed.append(f"{name}: {error}")
        await browser.close()
    write_sheet(wanted.folder, taken)
    return missed


def main() -> int:
    """Take pictures as the command line says."""
    parser = argparse.ArgumentParser(prog="make screenshots", description=__doc__)
    parser.add_argument("only", nargs="*", help="beginnings of states' names; all if left out")
    parser.add_argument("--folder", type=Path, help="screenshots, or where the guide's pictures lie")
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES))
    parser.add_argument("--themes", nargs="*", choices=("light", "dark"), default=["light", "dark"])
    parser.add_argument("--languages", nargs="*", choices=("en", "fr"), default=["en", "fr"])
    parser.add_argument(
        "--whole", action="store_true", help="whole pages rather than what a screen shows of them"
    )
    parser.add_argument("--handbook", action="store_true", help="the pictures of the guide")
    wanted = parser.parse_args()
    if wanted.handbook:
        return say_missed(take_handbook(wanted))
    wanted.folder = wanted.folder or Path("screenshots")
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder))
        service.start()
        try:
            missed = asyncio.run(take_all(wanted, service.address))
        finally:
            service.stop()
    print(f"Look at {wanted.folder / 'index.html'}.")
    return say_missed(missed)


def say_missed(missed: list[str]) -> int:
    """Say what could not be taken; return what the process exits with."""
    print("\n".join(missed), file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
