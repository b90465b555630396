"""A real service and a real browser: Debian's Chromium, driven from outside."""

import contextlib
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.e2e.people import PATIENCE, Visitor
from tests.kit.environment import without_settings
from tests.kit.unlimited import UNLIMITED

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


expect.set_options(timeout=PATIENCE)


class Service:
    """A running service that can be stopped and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.data = folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "api.command_line.main", "up"]
        command += ["--port", str(self.port), "--data", str(self.data), "--log-format", "json"]
        environment = without_settings()
        with (self._folder / "service.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment | UNLIMITED)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.address}/health/ready").status_code == 200:
                    return
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError((self._folder / "service.log").read_text()[-3000:])

    def stop(self) -> float:
        """Stop it as Ctrl-C does; return the seconds that took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.terminate()
        self._process.wait(30)
        return time.monotonic() - begun


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
        script: bool = True,
    ) -> Visitor:
        context = await self._browser.new_context(
            base_url=self._service.address,
            locale={"en": "en-GB", "fr": "fr-FR"}[language],
            color_scheme="dark" if theme == "dark" else "light",
            viewport={"width": 360, "height": 740} if phone else {"width": 1200, "height": 900},
            java_script_enabled=script,
        )
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(name, context, await context.new_page(), self._service.address)
        self.all.append(visitor)
        return visitor
