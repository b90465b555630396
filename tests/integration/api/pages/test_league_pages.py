"""The pages of leagues, in a browser without scripts."""

import csv
import io

import pytest

from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader
from tests.integration.api.pages.test_club_pages import host_of_club, invitation, joined


async def made(host: Reader, club: str, *more: tuple[str, str], **fields: str) -> str:
    await host.get(f"{club}/leagues/new")
    await host.submit("/leagues", ("game", "lama"), *more, **{"name": "Winter", **fields})
    assert host.page.status_code == 200, host.page.text
    return host.page.url.path


async def press(reader: Reader, league: str, does: str, **more: str) -> None:
    await reader.get(league)
    token = next(value for name, value in reader.form("/language")["fields"] if name == "form")
    await reader.post(league, [("form", token), ("does", does), *more.items()])


async def play(readers: list[Reader], league: str) -> None:
    """Let everybody go where the league's page leads them; the second at each table gives up."""
    seated = set[str]()
    for reader in readers:
        await reader.get(league)
        match = reader.page.text.split('<li class="mine"><a href="/m/')[1].split("/")[0].split('"')[0]
        await reader.sit(match)
        await reader.get(f"/m/{match}")
        await reader.submit("/ready")
        if match not in seated:
            seated.add(match)
            continue
        await reader.get(f"/m/{match}")
        await reader.submit("/resign")


async def test_a_league_from_its_form_to_its_table(pages: Pages):
    hanna, club = await host_of_club(pages)
    assert "The club plays no league yet." in hanna.page.text
    link = await invitation(hanna, club, uses="9")
    max_, zoe, gino = [await joined(pages, link, name) for name in ("Max", "Zoe", "Gino")]
    kept = await pages.application.clubs.of(club.rpartition("/")[2])
    assert kept is not None
    asked = ("member", kept.members[1].id)
    league = await made(
        hanna, club, asked, ("waits", "no"), seats="2", rounds="3", points="beaten", takes_part="yes"
    )
    assert "In the league" not in hanna.page.text
    assert "It can begin once 2 people take part." in hanna.page.text
    await max_.get(club)
    assert "you are asked to take part" in max_.page.text
    await max_.get("/")
    assert f'href="{league}"' in max_.page.text
    for reader in (max_, zoe, gino):
        await press(reader, league, "sign_up")
        assert reader.page.status_code == 200
        assert "Take no part after all" in reader.page.text
    await max_.get("/")
    assert f'href="{league}"' not in max_.page.text
    await press(hanna, league, "begin")
    assert hanna.page.text.count("<h3") == 3
    for number in range(3):
        await play([hanna, max_, zoe, gino], league)
        await pages.application.league_runner.look(league.rpartition("/")[2])
        await gino.get(league)
        assert (f'id="round-{number + 1}"') in gino.page.text
    await gino.get(league)
    assert "League: played to its end" in gino.page.text
    assert not gino.has_form(league)


async def test_downloads_and_what_others_see(pages: Pages):
    hanna, club = await host_of_club(pages)
    max_ = await joined(pages, await invitation(hanna, club), "=Max")
    league = await made(hanna, club, seats="2", rounds="1")
    await press(max_, league, "sign_up")
    await press(hanna, league, "begin")
    await hanna.get(f"{league}/table.csv")
    rows = list(csv.DictReader(io.StringIO(hanna.page.text)))
    assert sorted(row["name"] for row in rows) == ["'=Max", "Hanna"]
    await hanna.get(f"{league}/league.json")
    assert hanna.page.json()["state"] == "running"
    await hanna.get(f"{club}/standings.json")
    assert hanna.page.json()["standings"] == []
    stranger = pages.reader()
    for address in (league, f"{league}/table.csv", f"{league}/league.json", f"{club}/leagues/new"):
        assert (await stranger.get(address)).status_code in {403, 404}
    # Who does not run it is shown no button for it, and gets nothing done by pressing one all the same.
    await max_.get(league)
    assert "Call the league off" not in max_.page.text
    await press(max_, league, "call_off", sure="yes")
    assert max_.page.status_code == 403
    await press(hanna, league, "call_off")
    assert "The box was not ticked" in hanna.page.text
    await press(hanna, league, "call_off", sure="yes")
    assert "League: called off" in hanna.page.text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": " "}, "The league has no name."),
        ({"seats": "9"}, "Choose 2 to 6 seats."),
        ({"points": "places", "places": "1 2"}, "These points for places make no sense."),
        ({"points": "places", "places": "one"}, "These points for places make no sense."),
        ({"starts": "2001-01-01"}, "cannot open in the past"),
    ],
)
async def test_a_form_that_makes_no_sense_comes_back_filled_in(pages: Pages, fields, told):
    hanna, club = await host_of_club(pages)
    await hanna.get(f"{club}/leagues/new")
    await hanna.submit("/leagues", ("game", "lama"), **{"name": "Winter", "days": "3", **fields})
    assert hanna.page.status_code == 422
    assert told in hanna.page.text
    assert 'name="days" type="number" min="1" max="60" value="3"' in hanna.page.text


async def test_a_league_speaks_french(pages: Pages):
    hanna, club = await host_of_club(pages, "fr")
    league = await made(hanna, club, seats="4")
    assert league.startswith(f"{club}/leagues/l")
    for english in ("League", "Take part", "Terms", "Schedule"):
        assert english not in hanna.page.text.partition("<main")[2]
