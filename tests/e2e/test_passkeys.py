"""A passkey in a real browser, whose device Chromium pretends to be: made under "my devices", and a way back."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.looks import assert_accessible
from tests.e2e.people import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


async def device_of(visitor: Visitor) -> tuple[Any, str]:
    """Give a browser a device that keeps passkeys; passkeys are kept for names, so it comes by one."""
    visitor.address = visitor.address.replace("127.0.0.1", "localhost")
    debugging = await visitor.context.new_cdp_session(visitor.page)
    await debugging.send("WebAuthn.enable")
    made = await debugging.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    return debugging, made["authenticatorId"]


async def test_a_passkey_is_made_and_lets_its_owner_back_in(visitors):
    anna = await visitors.new("Anna")
    page = anna.page
    debugging, device = await device_of(anna)
    await page.goto(f"{anna.address}/new?game=lama")
    await page.fill("input[name=name]", "Anna")
    await page.locator("main form button.main").first.click()
    await page.wait_for_url("**/m/*")

    await page.goto(f"{anna.address}/me/devices")
    form = page.locator("form[data-passkey]")
    await form.get_by_role("textbox").fill("My phone")
    await form.get_by_role("button").click()
    await expect(page.get_by_role("button", name="Remove: My phone")).to_be_visible()
    await assert_accessible(anna)
    kept = await debugging.send("WebAuthn.getCredentials", {"authenticatorId": device})
    assert len(kept["credentials"]) == 1

    # The same device is not asked twice: it knows that it keeps one already.
    await form.get_by_role("button").click()
    await expect(page.locator("#passkey-status")).to_have_text(
        "Your device keeps a passkey of yours for this address already."
    )

    await anna.context.clear_cookies()
    await page.goto(f"{anna.address}/back")
    await page.get_by_role("button", name="Come back with a passkey").click()
    await page.wait_for_url(f"{anna.address}/")
    await page.goto(f"{anna.address}/me/devices")
    await expect(page.locator("li.mine")).to_contain_text("came in with a passkey")


async def test_who_stops_their_device_reads_that_nothing_has_changed(visitors):
    anna = await visitors.new("Anna")
    debugging, device = await device_of(anna)
    await debugging.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    await anna.page.goto(f"{anna.address}/back")
    await anna.page.get_by_role("button", name="Come back with a passkey").click()
    await expect(anna.page.locator("#passkey-status")).to_contain_text("Nothing has changed")
    await expect(anna.page.get_by_role("button", name="Come back with a passkey")).to_be_enabled()


async def test_an_address_in_numbers_says_why_there_is_none(visitors):
    anna = await visitors.new("Anna")
    await anna.make_table("lama")
    await anna.page.goto("/me/devices")
    await expect(anna.page.get_by_text("a passkey needs HTTPS and a host name")).to_be_visible()
