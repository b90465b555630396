"""The coach's page: at one's own practice table and for matches that are over, and nowhere else."""

import pytest

from api.pages import coaching
from services.matches.advice import Advice, Weighed, seat_asked
from tests.integration.api.pages.conftest import Pages

ADVICE = Advice(
    "m", 9, 0, (Weighed({"type": "draw"}, 0.61), Weighed({"type": "quit"}, 0.4)), {"type": "quit"}, 0.21
)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Advice | None, bool]]:
    """Return what the desk answers; the last answer stays."""
    answers: list[tuple[Advice | None, bool]] = []

    async def advice(*_: object) -> tuple[Advice | None, bool]:
        return answers.pop(0) if len(answers) > 1 else answers[0]

    monkeypatch.setattr(coaching, "_advice", advice)
    return answers


async def test_who_plays_alone_asks_about_their_own_turn(pages: Pages, desk) -> None:
    desk += [(None, True), (ADVICE, True)]
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    head = await pages.application.reader.head(match)
    await anna.get(f"/m/{match}/replay?at={head.version}")
    assert f'formaction="/m/{match}/coach"' in anna.page.text

    await anna.get(f"/m/{match}/coach?at={head.version}")
    assert anna.page.headers["refresh"] == "1"
    assert "thinking" in anna.page.text

    await anna.get(f"/m/{match}/coach?at={head.version}")
    assert "refresh" not in anna.page.headers
    assert "61 %" in anna.page.text
    assert "It cost 21" in anna.page.text


async def test_nobody_looks_through_the_bots_eyes_while_it_is_played(pages: Pages, desk) -> None:
    desk.append((ADVICE, True))
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    head = await pages.application.reader.head(match)
    told = 0
    for version in range(2, head.version + 1):
        await anna.get(f"/m/{match}/coach?at={version}")
        position = await pages.application.reader.at(match, version)
        seat = seat_asked(position)
        assert anna.page.status_code == 200, version
        # The line that only advice has.
        is_told = "the expert sees no more than this seat did" in anna.page.text
        assert is_told == (seat == 0), version
        assert ("your own turns only" in anna.page.text) == (seat not in {None, 0}), version
        told += is_told
    assert told


async def test_others_get_none_while_it_is_played(pages: Pages, desk) -> None:
    desk.append((ADVICE, True))
    anna, ben = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    head = await pages.application.reader.head(match)
    await ben.get(f"/m/{match}/coach?at={head.version}")
    assert ben.page.status_code == 403
    assert "It cost" not in ben.page.text


async def test_without_a_desk_it_says_so(pages: Pages) -> None:
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    head = await pages.application.reader.head(match)
    await anna.get(f"/m/{match}/coach?at={head.version}")
    assert anna.page.status_code == 200
    assert 'role="alert"' in anna.page.text
