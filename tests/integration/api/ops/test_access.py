from fakeredis import FakeAsyncRedis
from msgspec.structs import replace

from domain.instants import after
from services.bootstrap import present_instant
from services.people.operators import LINK_SECONDS, SESSION_SECONDS, Operators

NOWHERE = "0" * 43


async def test_a_link_lets_one_browser_in_once(house):
    link = await house.application.operators.make_link(present_instant())
    anna, bert = house.reader(), house.reader()
    await anna.get(f"/ops/enter/{link}")
    await bert.get(f"/ops/enter/{link}")
    await anna.submit(f"/ops/enter/{link}")
    assert anna.page.status_code == 200
    assert anna.page.url.path == "/ops"
    await bert.submit(f"/ops/enter/{link}")
    assert bert.page.status_code == 410
    assert "tablee operator-link" in bert.page.text
    assert (await bert.get("/ops")).status_code == 401


async def test_looking_at_a_link_uses_nothing_up(house):
    link = await house.application.operators.make_link(present_instant())
    anna = house.reader()
    for _ in range(3):
        assert (await anna.get(f"/ops/enter/{link}")).status_code == 200
    await anna.submit(f"/ops/enter/{link}")
    assert anna.page.url.path == "/ops"


async def test_a_link_that_was_used_or_never_made_shows_no_button(house):
    link = await house.application.operators.make_link(present_instant())
    anna, bert = house.reader(), house.reader()
    await anna.get(f"/ops/enter/{link}")
    await anna.submit(f"/ops/enter/{link}")
    for spent in (link, NOWHERE):
        assert (await bert.get(f"/ops/enter/{spent}")).status_code == 410
        assert not bert.has_form(f"/ops/enter/{spent}")
        assert "tablee operator-link" in bert.page.text


async def test_the_cookie_is_for_the_operators_pages_only_and_no_script_reads_it(house):
    anna = house.reader()
    link = await house.application.operators.make_link(present_instant())
    await anna.get(f"/ops/enter/{link}")
    anna.client.follow_redirects = False
    answer = await anna.submit(f"/ops/enter/{link}")
    (cookie,) = [given for given in answer.headers.get_list("set-cookie") if "operator" in given]
    assert "Path=/ops" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert f"Max-Age={SESSION_SECONDS}" in cookie
    assert link not in cookie


async def test_under_https_the_cookie_travels_nowhere_else(house):
    anna = house.reader()
    anna.client.base_url = "https://tablee.test"
    anna.client.headers["Origin"] = "https://tablee.test"
    link = await house.application.operators.make_link(present_instant())
    await anna.get(f"/ops/enter/{link}")
    anna.client.follow_redirects = False
    answer = await anna.submit(f"/ops/enter/{link}")
    (cookie,) = [given for given in answer.headers.get_list("set-cookie") if "operator" in given]
    assert cookie.startswith("__Secure-tablee-operator=")
    assert "Secure" in cookie


async def test_strangers_see_one_page_wherever_they_knock(house):
    stranger = house.reader()
    await stranger.get("/ops")
    expected = stranger.page.text
    assert "tablee operator-link" in expected
    for address in ("/ops", "/ops/", "/ops/queues", "/ops/m/x", "/ops/no/such/page", "//ops", "/ops//queues"):
        for method in ("GET", "POST", "PUT", "DELETE", "HEAD"):
            answer = await stranger.client.request(method, f"http://tablee.test{address}", content=b"")
            assert answer.status_code == 401, (method, address)
            assert answer.text == ("" if method == "HEAD" else expected), (method, address)


async def test_an_operator_is_told_when_there_is_no_such_page(house):
    anna = await house.operator()
    answer = await anna.get("/ops/no/such/page")
    assert answer.status_code == 404
    assert "There is no such page." in answer.text
    assert 'href="/ops/queues"' in answer.text
    assert (await anna.client.delete("/ops")).status_code == 405
    # The entrance tells strangers nothing either.
    stranger = await house.reader().get("/ops/enter/a/b")
    assert stranger.status_code == 404
    assert "/ops/queues" not in stranger.text


async def test_an_invented_session_opens_nothing(house):
    for session in ("", "x", NOWHERE, NOWHERE + "0", "é" * 43):
        cookie = {"Cookie": f"tablee-operator={session}".encode()}
        assert (await house.reader().client.get("/ops", headers=cookie)).status_code == 401, session


async def test_who_leaves_is_out_and_others_stay(house):
    anna, bert = await house.operator(), await house.operator()
    await anna.submit("/ops/leave")
    assert (await anna.get("/ops")).status_code == 401
    assert (await bert.get("/ops")).status_code == 200


async def test_a_foreign_form_does_nothing(house):
    anna = await house.operator()
    answer = await anna.post("/ops/leave", [("form", "0" * 64)])
    assert answer.status_code == 403
    assert (await anna.get("/ops")).status_code == 200


async def test_ending_all_sessions_ends_them_and_the_unused_links():
    operators, now = Operators(FakeAsyncRedis()), present_instant()
    session = await operators.enter(await operators.make_link(now), now) or ""
    unused = await operators.make_link(now)
    assert await operators.knows(session, now)
    assert await operators.end_all(now) == (1, 1)
    assert not await operators.knows(session, now)
    assert await operators.enter(unused, now) is None


async def test_links_and_sessions_expire():
    operators, now = Operators(FakeAsyncRedis()), present_instant()
    link = await operators.make_link(now)
    session = await operators.enter(link, after(now, LINK_SECONDS - 1)) or ""
    assert await operators.knows(session, after(now, SESSION_SECONDS))
    assert not await operators.knows(session, after(now, SESSION_SECONDS + LINK_SECONDS))
    assert await operators.enter(await operators.make_link(now), after(now, LINK_SECONDS)) is None


async def test_the_first_link_is_made_once():
    operators, now = Operators(FakeAsyncRedis()), present_instant()
    assert await operators.make_first_link(now)
    assert await operators.make_first_link(now) is None


async def test_while_the_store_is_away_the_gate_says_so_and_opens_to_nobody(house, monkeypatch):
    anna = await house.operator()
    parts, operators = house.app.state.parts, Operators(FakeAsyncRedis(connected=False))
    away = replace(parts, application=replace(parts.application, operators=operators))
    monkeypatch.setattr(house.app.state, "parts", away)
    for address in ("/ops", "/ops/queues", "/ops/no/such/page"):
        answer = await anna.get(address)
        assert answer.status_code == 503
        assert "The store does not answer." in answer.text
        assert "tablee doctor" in answer.text
        assert "/ops/queues" not in answer.text
    assert (await house.reader().get("/ops")).status_code == 401
