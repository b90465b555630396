"""Forms: what they do, once, for whom, and what is refused."""

import asyncio
import hashlib
import re

import pytest
from fakeredis import FakeAsyncRedis

from api.pages.refusals import in_words
from domain.errors import Refused
from domain.games.registry import CURRENT
from domain.match.levels import DEFAULT_LEVEL, LEVELS
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader


async def two_at_a_table(pages: Pages, game: str = "lama", **fields: str) -> tuple[str, Reader, Reader]:
    anna, bert = pages.reader(), pages.reader()
    match = await anna.make_table(game, "me", "person", name="Anna", **fields)
    await bert.sit(match, name="Bert")
    await bert.submit("/ready")
    return match, anna, bert


async def test_alone_with_bots_one_plays_at_once(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("skyjo", "me", "bot", "bot", name="Anna")
    assert "Anna (you)" in anna.page.text
    assert anna.has_form("/move")
    await anna.get("/")
    assert f'href="/m/{match}"' in anna.page.text
    assert "your turn" in anna.page.text


async def test_a_new_browser_is_told_how_to_start(pages: Pages):
    anna = pages.reader()
    await anna.get("/")
    assert "Card games by turns" in anna.page.text
    assert anna.page.text.count("/new?game=") == len(CURRENT)


async def test_making_a_table_twice_with_one_form_makes_one(pages: Pages):
    anna = pages.reader()
    await anna.get("/new?game=odin")
    form = anna.form("/new")
    fields = form["fields"]
    await anna.post("/new", fields)
    first = anna.page.url.path
    await anna.post("/new", fields)
    assert anna.page.url.path == first
    matches = [match async for match in pages.application.store.matches()]
    assert len(matches) == 1
    position = await pages.application.reader.head(matches[0])
    assert [seat.kind for seat in position.state.seats] == ["person", "bot", "bot"]
    assert position.state.terms is not None
    assert position.state.terms.visibility == "private"


async def test_the_number_of_people_and_bots_is_stepped_without_scripts(pages: Pages):
    anna = pages.reader()
    await anna.get("/new?game=lama")
    for step in ("people+", f"{DEFAULT_LEVEL}-", f"{LEVELS[0]}+", "nonsense+", f"{LEVELS[0]}?"):
        await anna.submit("/new", ("step", step), name="Anna")
        assert anna.page.status_code == 200
    fields = dict(anna.form("/new")["fields"])
    assert (fields["people"], fields[f"bots-{DEFAULT_LEVEL}"], fields[f"bots-{LEVELS[0]}"]) == ("2", "1", "1")
    assert fields["name"] == "Anna"
    for _ in range(9):
        await anna.submit("/new", ("step", "people+"))
    assert dict(anna.form("/new")["fields"])["people"] == "4"
    await anna.submit("/new")
    match = anna.page.url.path.rpartition("/")[2]
    state = (await pages.application.reader.head(match)).state
    assert [seat.kind for seat in state.seats] == ["person", "open", "open", "open", "bot", "bot"]
    assert {seat.level for seat in state.seats[4:]} == {LEVELS[0], DEFAULT_LEVEL}


async def test_one_plays_against_bots_with_one_press_on_a_private_table(pages: Pages):
    anna = pages.reader()
    await anna.get("/")
    form = anna.form("/play")
    for _ in range(2):
        await anna.post("/play", [*form["fields"], ("game", "skyjo")])
    match = anna.page.url.path.rpartition("/")[2]
    state = (await pages.application.reader.head(match)).state
    assert state.lifecycle.phase == "playing"
    assert state.terms is not None
    assert (state.terms.game, state.terms.visibility, state.terms.undo) == ("skyjo", "private", "practice")
    assert [one async for one in pages.application.store.matches()] == [match]
    await anna.get("/")
    await anna.submit("/play", ("game", "bridge"))
    assert anna.page.text.count("/new?game=") == len(CURRENT)


async def test_what_cannot_be_made_is_explained_in_the_form(pages: Pages):
    anna = pages.reader("fr")
    await anna.make_table("lama", "me")
    assert anna.page.status_code == 422
    assert "L.A.M.A. se joue de 2 à 6" in anna.page.text
    assert [match async for match in pages.application.store.matches()] == []


async def test_the_page_is_the_door_in_the_log(pages: Pages):
    match, *_ = await two_at_a_table(pages)
    position = await pages.application.reader.head(match)
    assert position.door == "page"


async def test_a_move_posted_twice_is_one_and_another_one_in_its_place_is_stale(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, **{"option-first": "0"})
    await anna.get(f"/m/{match}")
    fields = anna.form("/move")["fields"]
    before = (await pages.application.reader.head(match)).version
    for _ in range(2):
        await anna.post(f"/m/{match}/move", [*fields, ("move", "draw")])
        assert anna.page.status_code == 200
        assert str(anna.page.url).endswith(f"/m/{match}")
    assert (await pages.application.reader.head(match)).version == before + 1
    await anna.post(f"/m/{match}/move", [*fields, ("move", "quit")])
    assert anna.page.status_code == 412
    assert "nothing was done" in anna.page.text
    assert "Waiting for Bert." in anna.page.text
    del bert


async def test_a_refusal_says_what_was_wrong_and_shows_the_table(pages: Pages):
    match, anna, _ = await two_at_a_table(pages, "odin", **{"option-first": "0"})
    await anna.get(f"/m/{match}")
    cards = re.findall(r'name="card" value="(\w+)"', anna.page.text)
    chosen = [("card", cards[0]), ("card", cards[1])]
    await anna.submit("/move", *chosen, ("move", "play"))
    assert anna.page.status_code == 422
    assert "Lead with one card." in anna.page.text
    assert anna.has_form("/move")
    await anna.submit("/move", ("card", cards[0]), ("move", "play"))
    assert anna.page.status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"headers": {"Origin": "http://elsewhere.test"}},
        {"headers": {"Origin": "null"}},
        {"headers": {"Content-Type": "text/plain"}},
    ],
)
async def test_a_form_from_elsewhere_is_refused(pages: Pages, change):
    match, anna, _ = await two_at_a_table(pages, **{"option-first": "0"})
    await anna.get(f"/m/{match}")
    fields = anna.form("/move")["fields"]
    before = (await pages.application.reader.head(match)).version
    await anna.post(f"/m/{match}/move", [*fields, ("move", "draw")], **change)
    assert anna.page.status_code in {400, 403}
    assert (await pages.application.reader.head(match)).version == before


async def test_a_form_of_another_session_is_refused(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, **{"option-first": "0"})
    await anna.get(f"/m/{match}")
    fields = anna.form("/move")["fields"]
    await bert.post(f"/m/{match}/move", [*fields, ("move", "draw")])
    assert bert.page.status_code == 403
    stranger = pages.reader()
    await stranger.post(f"/m/{match}/move", [*fields, ("move", "draw")])
    assert stranger.page.status_code == 403


async def test_the_cookie_is_hidden_from_scripts_and_other_sites_and_only_its_hash_is_kept(pages: Pages):
    anna = pages.reader()
    await anna.get("/new?game=lama")
    cookie = anna.page.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    await anna.make_table("lama", "me", "bot")
    secret = anna.client.cookies["tablee"]
    async with FakeAsyncRedis(server=pages.people) as client:
        (key,) = await client.keys("tb:people:session:*")
        assert key == f"tb:people:session:{hashlib.sha256(secret.encode()).hexdigest()}".encode()
        assert secret not in repr(await client.hgetall(key))


async def test_a_seat_taken_elsewhere_is_proved_by_its_token(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "person", "person")
    seated = await anna.client.post(
        f"/api/v1/matches/{match}/seats", json={}, headers={"Idempotency-Key": "0123456789abcdef01"}
    )
    bert = pages.reader()
    await bert.get(f"/m/{match}/sit")
    await bert.submit("/me/tokens", token="not the token that it is, only one of its length")
    assert bert.page.status_code == 401
    await bert.get(f"/m/{match}/sit")
    await bert.submit("/me/tokens", token=seated.json()["seat_token"])
    assert bert.page.url.path == f"/m/{match}"
    assert bert.has_form("/ready")


async def test_nobody_is_sent_elsewhere_with_the_language(pages: Pages):
    anna = pages.reader()
    await anna.get("/rules")
    for back in ("//elsewhere.test/", "/\\elsewhere.test", "https://elsewhere.test/"):
        anna.client.follow_redirects = False
        await anna.get("/rules")
        answer = await anna.submit("/language", ("language", "fr"), back=back)
        assert answer.headers["location"] == "/"
    assert anna.client.cookies["tablee_language"] == "fr"


async def test_a_private_table_shows_itself_to_its_people_only(pages: Pages):
    match, anna, _ = await two_at_a_table(pages, visibility="private")
    stranger = pages.reader()
    for address in ("", "/fragment", "/replay", "/changes", "/history"):
        await stranger.get(f"/m/{match}{address}")
        assert stranger.page.status_code == 403
    await stranger.get(f"/me/stream?seen={match}.1")
    assert stranger.page.status_code == 403
    await anna.get(f"/m/{match}")
    assert anna.page.status_code == 200


async def test_what_is_not_there_is_told_on_a_page(pages: Pages):
    anna = pages.reader("fr")
    for address in ("/m/nosuchmatch", "/rules/whist", "/m/nosuchmatch/fragment", "/no/such/page"):
        await anna.get(address, headers={"Accept": "text/html"})
        assert anna.page.status_code == 404
        assert '<html lang="fr">' in anna.page.text
    assert "Mes tables" in anna.page.text


async def test_names_are_shown_as_they_are_written_and_never_as_html(pages: Pages):
    anna = pages.reader()
    await anna.make_table("lama", "me", "bot", name="<b>A&B</b>\n\N{ZERO WIDTH SPACE}")
    assert "&lt;b&gt;A&amp;B&lt;/b&gt; (you)" in anna.page.text
    assert "<b>A" not in anna.page.text


def test_who_is_refused_is_told_of_seats_as_the_pages_count_them():
    refused = Refused("seat.taken", "one player on each seat", seat=0, free=(1, 2))
    assert str(in_words(refused, "en", "")).endswith("Free seats: 2 or 3.")
    assert in_words(refused, "en", "").wrong == "Seat 1 is taken."
    waiting = Refused("match.not_ready", "ready", seats=(0,))
    assert in_words(waiting, "en", "").wrong == "Not everybody is ready. Missing seats: 1."


async def test_the_service_log_names_what_a_form_commanded_in_vain(pages: Pages, capsys):
    match, anna, _ = await two_at_a_table(pages)
    await anna.get(f"/m/{match}")
    form = dict(anna.form("/resign")["fields"])
    await anna.post(f"/m/{match}/leave", form.items())
    assert anna.page.status_code == 409
    written = ""
    async with asyncio.timeout(10):
        while " code=" not in written:  # lines are handed over in batches
            await asyncio.sleep(0.02)
            written += capsys.readouterr().err
    (line,) = (line for line in written.splitlines() if " code=" in line)
    assert f"match={match} command={form['key']} code=match.already_started" in line
