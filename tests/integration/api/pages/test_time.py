"""Time on the pages: what a table chooses, until when somebody has time, pauses, gifts, and coming back."""

from domain.match.clock import ClockTerms
from services.people.persons import Wish
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.test_forms import two_at_a_table

DAY = "86400"


async def terms(pages: Pages, match: str) -> ClockTerms:
    state = (await pages.application.reader.head(match)).state
    assert state.terms is not None
    return state.terms.clock


async def test_a_table_chooses_its_clock_and_another_like_it_has_the_same(pages: Pages):
    match, anna, _ = await two_at_a_table(pages, clock=DAY, bank="3600", absent="forfeit-4", rests="yes")
    expected = ClockTerms(86_400, 3600, "forfeit", 4, rests=True)
    assert await terms(pages, match) == expected
    await anna.get(f"/new?like={match}")
    again = await anna.submit("/new", ("seat", "me"), ("seat", "person"))
    assert await terms(pages, again.url.path.rpartition("/")[2]) == expected


async def test_without_a_clock_nothing_else_is_chosen(pages: Pages):
    match, *_ = await two_at_a_table(pages, bank="3600", rests="yes")
    assert await terms(pages, match) == ClockTerms()


async def test_what_no_clock_can_be_is_explained(pages: Pages):
    anna = pages.reader()
    await anna.make_table("lama", "me", "person", clock=DAY, absent="punish-1")
    assert anna.page.status_code == 422
    assert "There is nothing called punish" in anna.page.text


async def test_time_is_told_by_the_readers_own_clock_with_what_is_left(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, clock=DAY)
    await anna.get(f"/m/{match}")
    assert "23 hours left" in anna.page.text
    # In a few letters where there is no room, as in a phone's bar.
    assert "Time: 23 h 59 min.</span>" in anna.page.text
    state = (await pages.application.reader.head(match)).state
    members = await pages.application.memberships.persons_of([seat.player for seat in state.seats])
    await pages.application.persons.change(members[0], Wish(time_zone="Pacific/Kiritimati"))
    before = bert.page.text
    for reader in (anna, bert):
        await reader.get(f"/m/{match}")

    def told(text: str) -> str:
        return text.partition("Time: ")[2].partition(",")[0]

    assert told(anna.page.text) != told(bert.page.text)
    assert before


async def test_all_pause_together_and_go_on_together(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, clock=DAY)
    await anna.get(f"/m/{match}")
    await anna.submit("/ask-to-pause", ("seconds", DAY))
    assert "You ask the others to pause (1 day)." in anna.page.text
    await bert.get(f"/m/{match}")
    assert "asks for a pause (1 day)." in bert.page.text
    await bert.submit("/answer", ("agree", "yes"))
    assert "The match pauses until" in bert.page.text
    assert "The match pauses: nobody" in bert.page.text
    await bert.submit("/ask-to-resume")
    await anna.get(f"/m/{match}")
    assert "asks to go on now" in anna.page.text
    await anna.submit("/answer", ("agree", "yes"))
    assert "The match pauses until" not in anna.page.text
    assert "The pause is over." in anna.page.text


async def test_time_is_given_by_a_button(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, clock=DAY, **{"option-first": "0"})
    before = (await pages.application.reader.head(match)).state.clock.deadline_of(0)
    await bert.get(f"/m/{match}")
    await bert.submit("/give-time")
    assert "You give Anna more time: 6 hours." in bert.page.text
    assert (await pages.application.reader.head(match)).state.clock.deadline_of(0) > before
    await anna.get(f"/m/{match}")
    assert "Bert gives you more time: 6 hours." in anna.page.text
    assert not anna.has_form("/give-time")


async def test_whoever_is_away_comes_back_with_one_click(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, clock=DAY)
    await anna.get(f"/m/{match}")
    await anna.submit("/hand-to-bot")
    assert "A bot plays for you." in anna.page.text
    await bert.get(f"/m/{match}")
    assert "A bot plays for Anna until they return." in bert.page.text
    await bert.submit("/ask-to-end")
    assert "whoever is away agrees by silence" in bert.page.text
    await anna.get(f"/m/{match}")
    await anna.submit("/reclaim")
    assert "A bot plays for you." not in anna.page.text
    await bert.get(f"/m/{match}")
    assert "whoever is away agrees by silence" not in bert.page.text


async def test_whoever_lives_by_universal_time_reads_so_among_the_zones(pages: Pages):
    anna = pages.reader()
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/me")
    await anna.submit("/me", ("time_zone", "UTC"))
    await anna.get("/me")
    assert "<option selected>UTC</option>" in anna.page.text


async def test_one_chooses_once_when_ones_clocks_rest(pages: Pages):
    _, anna, _ = await two_at_a_table(pages, clock=DAY, rests="yes")
    await anna.get("/me/rests")
    await anna.submit(
        "/me/rests",
        ("nights", "yes"),
        ("from", "22"),
        ("to", "7"),
        ("day", "7"),
        time_zone="Europe/Paris",
    )
    assert anna.page.status_code == 200
    assert 'value="Europe/Paris"' in anna.page.text
    assert 'name="nights" value="yes" checked' in anna.page.text
    assert 'name="day" value="7" checked' in anna.page.text
    await anna.submit("/me/rests", ("nights", "yes"), ("from", "8"), ("to", "7"))
    assert anna.page.status_code == 422
    assert "A night is not so long." in anna.page.text


async def test_a_plan_is_made_seen_by_its_owner_alone_and_cancelled(pages: Pages):
    match, anna, bert = await two_at_a_table(pages, "odin", **{"option-first": "0"})
    await bert.get(f"/m/{match}")
    assert "Pass until this trick ends" in bert.page.text
    await bert.submit("/plan", plan="pass_this_trick")
    assert "Cancel my plan" in bert.page.text
    await anna.get(f"/m/{match}")
    assert "Cancel my plan" not in anna.page.text
    await bert.post(f"/m/{match}/plan", [("form", dict(bert.form("/plan")["fields"])["form"])])
    assert "Cancel my plan" not in bert.page.text


async def test_a_plan_that_no_game_has_is_explained(pages: Pages):
    match, _, bert = await two_at_a_table(pages, "odin")
    await bert.get(f"/m/{match}")
    await bert.submit("/plan", plan="cheat")
    assert bert.page.status_code == 422
    assert "Odin has no such plan." in bert.page.text
