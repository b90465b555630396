"""Taking over a seat on the pages: who asks, who answers, who sees what."""

from tests.integration.api.pages.conftest import Pages


async def test_a_reader_asks_the_people_agree_and_the_former_holder_is_an_onlooker(pages: Pages):
    anna, bert, dora = pages.reader(), pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "person", name="Anna", **{"option-first": "0"})
    await bert.sit(match, name="Bert")
    await bert.submit("/ready")
    await bert.get(f"/m/{match}")
    await bert.submit("/hand-to-bot")

    await dora.get(f"/m/{match}")
    assert "Ask for the seat of Bert" in dora.page.text
    await dora.submit("/ask-for-seat", ("seat", "1"), name="Dora")
    assert dora.page.status_code == 200
    for reader in (anna, bert):
        await reader.get(f"/m/{match}")
        assert "Dora" in reader.page.text
        await reader.submit("/answer", ("agree", "yes"))
    await dora.get(f"/m/{match}")
    assert "Dora (you)" in dora.page.text
    assert "You take over seat 2" in dora.page.text
    assert not dora.has_form("/ask-for-seat")

    await bert.get(f"/m/{match}")
    assert "(you)" not in bert.page.text
    assert bert.has_form("/ask-for-seat")
    for address in ("/replay", "/history", "/changes"):
        await bert.get(f"/m/{match}{address}")
        assert "Your cards" not in bert.page.text


async def test_a_history_tells_of_those_who_sat_there_then(pages: Pages):
    anna, bert, dora = pages.reader(), pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "person", name="Anna", **{"option-first": "1"})
    await bert.sit(match, name="Bert")
    await bert.submit("/leave")
    await bert.sit(match, name="Bert")
    await bert.submit("/ready")
    await bert.get(f"/m/{match}")
    await bert.submit("/hand-to-bot")
    await bert.get(f"/m/{match}")
    await dora.get(f"/m/{match}")
    await dora.submit("/ask-for-seat", ("seat", "1"), name="Dora")
    for reader in (anna, bert):
        await reader.get(f"/m/{match}")
        await reader.submit("/answer", ("agree", "yes"))
    text = ""
    for reader in (anna, dora):
        await reader.get(f"/m/{match}/history")
        text = reader.page.text
        assert text.count("Bert sits down.") == 2
        assert "Bert leaves" in text
        assert "Dora sits down." not in text
    assert "You take over seat 2" in text
    assert "You sit down" not in text
    await dora.get(f"/m/{match}/replay?at=3")
    assert "Bert sits down." in dora.page.text


async def test_who_asked_takes_it_back(pages: Pages):
    anna, dora = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    await dora.get(f"/m/{match}")
    await dora.submit("/ask-for-seat", ("seat", "0"), name="Dora")
    assert "You ask to take over the seat of Anna." in dora.page.text
    await anna.get(f"/m/{match}")
    assert not anna.has_form("/ask-for-seat/withdraw")
    await dora.submit("/ask-for-seat/withdraw")
    assert dora.page.status_code == 200
    assert (await pages.application.reader.head(match)).state.requests == ()
    assert "The request is withdrawn." in dora.page.text
    await anna.get(f"/m/{match}")
    assert not anna.has_form("/answer")


async def test_a_private_table_is_asked_by_nobody_from_outside(pages: Pages):
    anna, stranger = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot", name="Anna", visibility="private")
    await stranger.get("/")
    form = dict(stranger.form("/language")["fields"])["form"]
    fields = [("form", form), ("key", "0" * 32), ("seat", "0")]
    await stranger.post(f"/m/{match}/ask-for-seat", fields)
    assert stranger.page.status_code == 403
    assert (await pages.application.reader.head(match)).state.requests == ()
