"""One name at one table means one person."""

import pytest

from services.people.names_at_table import free_name
from services.people.player_names import LONGEST_NAME
from tests.integration.api.pages.conftest import Pages


@pytest.mark.parametrize(
    ("wanted", "taken", "given"),
    [
        ("Anna", [], "Anna"),
        ("Anna", ["Bert"], "Anna"),
        ("anna", ["Anna"], "anna B."),
        ("Anna", ["Anna", "Anna B."], "Anna C."),
        ("A" * LONGEST_NAME, ["A" * LONGEST_NAME], "A" * (LONGEST_NAME - 3) + " B."),
        ("Bot 2", ["Anna", "Bot 2"], "Bot 2 B."),
    ],
)
def test_a_name_that_somebody_has_gets_a_letter(wanted, taken, given):
    assert free_name(wanted, taken) == given


def test_a_table_full_of_annas_runs_out_of_no_names():
    names: list[str] = []
    for _ in range(40):
        names.append(free_name("Anna", names))
    assert len({name.casefold() for name in names}) == 40


async def test_a_second_anna_is_told_so_and_offered_another_name(pages: Pages):
    first, second = pages.reader(), pages.reader()
    match = await first.make_table("lama", "me", "person", "person", name="Anna")
    await second.sit(match, name="ANNA")
    assert "Somebody at this table is called ANNA." in second.page.text
    assert 'value="ANNA B."' in second.page.text
    await second.submit("/sit")
    state = (await pages.application.reader.head(match)).state
    players = [seat.player for seat in state.seats if seat.player]
    assert await pages.application.names.of(players) == ["Anna", "ANNA B."]


async def test_nobody_is_taken_for_a_bot(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "person", "bot", name="Anna")
    await bert.sit(match, name="Bot 3")
    assert "Somebody at this table is called Bot 3." in bert.page.text
