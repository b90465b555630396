"""Passkeys on the pages: kept among my devices, and a way back; a clear sentence where browsers keep none."""

import json
from typing import Any

from services.people.links import MAIL_SECONDS
from services.process.settings import Settings
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader
from tests.integration.api.pages.test_contacts import pages_with
from tests.kit.authenticator import Authenticator

ORIGIN = "https://tablee.test"


def secure(pages: Pages) -> Reader:
    """Somebody who came by HTTPS."""
    reader = pages.reader()
    reader.client.base_url = ORIGIN
    reader.client.headers["Origin"] = ORIGIN
    return reader


async def options(reader: Reader, form: str) -> str:
    """What the script asks for before it turns to the device."""
    token = dict(reader.form(form)["fields"])["form"]
    answer = await reader.client.post(f"{form}/options", data={"form": token})
    assert answer.status_code == 200, answer.text
    return answer.text


async def keep(anna: Reader, phone: Authenticator, name: str = "My phone") -> None:
    await anna.get("/me/devices")
    made = phone.create(await options(anna, "/me/passkeys"))
    await anna.submit("/me/passkeys", answer=json.dumps(made), name=name)


async def come_back(reader: Reader, phone: Authenticator) -> None:
    await reader.get("/back")
    proof = phone.get(await options(reader, "/back/passkey"))
    await reader.submit("/back/passkey", answer=json.dumps(proof))


async def test_a_passkey_lets_one_in_on_another_device(pages: Pages):
    anna, phone, other = secure(pages), Authenticator(ORIGIN), secure(pages)
    await anna.make_table("lama", "me", "bot", name="Anna")
    await keep(anna, phone)
    assert "My phone" in anna.page.text
    await come_back(other, phone)
    await other.get("/me/devices")
    assert "came in with a passkey" in other.page.text
    await other.get("/me")
    assert "Anna" in other.page.text


async def test_one_renames_and_removes_it_under_my_devices(pages: Pages):
    anna, phone = secure(pages), Authenticator(ORIGIN)
    await anna.make_table("lama", "me", "bot", name="Anna")
    await keep(anna, phone)
    await anna.submit("/name", name="Old phone")
    assert "Old phone" in anna.page.text
    await anna.submit("/remove")
    assert "Old phone" not in anna.page.text
    other = secure(pages)
    await come_back(other, phone)
    assert other.page.status_code == 404
    assert "not kept here, or no longer" in other.page.text


async def test_who_is_somebody_else_here_chooses_whether_they_come_along(pages: Pages):
    anna, ben, phone = secure(pages), secure(pages), Authenticator(ORIGIN)
    await anna.make_table("lama", "me", "bot", name="Anna")
    await ben.make_table("skyjo", "me", "bot", name="Ben")
    await keep(anna, phone)
    await come_back(ben, phone)
    path = ben.page.url.path
    assert path.startswith("/s/")
    assert "Anna" in ben.page.text
    (link,) = [key async for key in pages.application.log_client.scan_iter(match="*:proved")]
    assert await pages.application.log_client.ttl(link) > MAIL_SECONDS - 60
    await ben.submit(path, join="yes")
    await ben.get("/")
    assert "Skyjo" in ben.page.text
    assert "L.A.M.A." in ben.page.text


async def test_a_forged_answer_is_refused_in_a_sentence(pages: Pages):
    anna, phone = secure(pages), Authenticator("https://evil.example")
    await anna.make_table("lama", "me", "bot", name="Anna")
    for answer in ("", "[]", "{", json.dumps({"id": 5})):
        await anna.get("/me/devices")
        await anna.submit("/me/passkeys", answer=answer)
        assert anna.page.status_code == 422
        assert "proves no passkey of this house" in anna.page.text
    await keep(anna, phone)
    assert "proves no passkey of this house" in anna.page.text


async def test_where_browsers_keep_none_the_page_says_so(pages: Pages):
    anna: Any = pages.reader()
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/me/devices")
    assert "a passkey needs HTTPS and a host name" in anna.page.text
    assert not anna.has_form("/me/passkeys")
    await anna.get("/back")
    assert not anna.has_form("/back/passkey")


async def test_behind_a_proxy_the_public_address_counts():
    async with pages_with(Settings(public_url="https://tablee.test")) as pages:
        anna = pages.reader()
        await anna.get("/back")
        assert anna.has_form("/back/passkey")
