"""A pushed notice in a real browser: our service worker shows it and leads to the table."""

import asyncio
import json
import time
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.people import PATIENCE, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_push_is_shown_by_the_service_worker(visitors):
    anna = await visitors.new("Anna")
    await anna.make_table("lama", ("me", "bot"))
    await anna.page.goto("/me/contacts")
    await expect(anna.page.get_by_role("button", name="Tell me on this device")).to_be_visible()
    await anna.context.grant_permissions(["notifications"])
    debugging = await anna.context.new_cdp_session(anna.page)
    registrations: list[Any] = []
    debugging.on(
        "ServiceWorker.workerRegistrationUpdated", lambda said: registrations.extend(said["registrations"])
    )
    await debugging.send("ServiceWorker.enable")
    await anna.page.evaluate(
        "async () => { await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready }"
    )
    said = {
        "title": "Your turn: L.A.M.A.",
        "text": "Round 3",
        "tag": "t1",
        "address": f"{anna.address}/rules",
    }
    for data in (json.dumps(said), json.dumps({**said, "text": "Round 4"}), "nonsense"):
        await debugging.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": anna.address, "registrationId": registrations[0]["registrationId"], "data": data},
        )
    # The second replaced the first about the same table; what cannot be read shows something, too.
    wanted = [["Tablée", ""], ["Your turn: L.A.M.A.", "Round 4"]]
    until = time.monotonic() + PATIENCE / 1000
    while await shown(anna) != wanted:
        assert time.monotonic() < until, await shown(anna)
        await asyncio.sleep(0.05)


async def shown(visitor: Visitor) -> list[list[str]]:
    found: list[list[str]] = await visitor.page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.ready
          return (await registration.getNotifications()).map(one => [one.title, one.body])
        }"""
    )
    return sorted(found)
