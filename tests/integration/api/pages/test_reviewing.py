"""The page of costly moves: for matches that are over, with a chart, a list, and the same for programs."""

import asyncio

import pytest

from api.answering.review import Reviewed
from api.pages import reviewing
from api.pages.cost_charts import cost_chart
from services.matches.review import Costly, Review
from tests.integration.api.pages.conftest import Pages

DRAW, QUIT = {"type": "draw"}, {"type": "quit"}


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Reviewed]:
    """Return what the expert has found; the last answer stays."""
    answers: list[Reviewed] = []

    async def review_of(*_: object, **__: object) -> Reviewed:
        return answers.pop(0) if len(answers) > 1 else answers[0]

    monkeypatch.setattr(reviewing, "review_of", review_of)
    return answers


def a_blunder(match: str) -> Review:
    return Review(match, 40, 3, 3, (Costly(20, 0, 0.13, "blunder", QUIT, DRAW),))


async def test_costly_moves_are_shown_once_the_expert_has_looked(pages: Pages, found: list[Reviewed]) -> None:
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    found += [Reviewed("thinking", Review(match, 40, 1, 3)), Reviewed("done", a_blunder(match))]

    await anna.get(f"/m/{match}/review")
    assert anna.page.headers["refresh"] == "2"
    assert "1 of 3 moves" in anna.page.text

    await anna.get(f"/m/{match}/review")
    assert "refresh" not in anna.page.headers
    assert "cost 13" in anna.page.text
    assert f'href="/m/{match}/replay?at=20"' in anna.page.text
    assert "Step 20" in anna.page.text
    drawn = anna.page.text.partition("<svg")[2].partition("</svg>")[0]
    for written in (
        "Chance to win that it cost, in percent",
        "0 %",
        "10 %",
        "20 %",
        "Steps of the match",
        ">40</text>",
    ):
        assert written in drawn


@pytest.mark.parametrize(
    ("cost", "head", "percents", "steps"),
    [
        (0.06, 3, [0, 5, 10], [0, 1, 2, 3]),
        (0.13, 97, [0, 10, 20], [0, 20, 40, 60, 80]),
        (1.0, 2200, [0, 50, 100], [0, 500, 1000, 1500, 2000]),
    ],
)
def test_both_axes_end_where_the_match_and_its_dearest_move_do(
    cost: float, head: int, percents: list[int], steps: list[int]
) -> None:
    drawn = cost_chart([Costly(head, 0, cost, "blunder", QUIT, DRAW)], ["told"], head)
    assert [tick.value for tick in drawn.percents] == percents
    assert [tick.value for tick in drawn.steps] == steps
    (bar,) = drawn.bars
    assert bar.x + drawn.bar == drawn.right
    assert bar.y + bar.height == drawn.floor
    assert drawn.percents[-1].at <= bar.y < drawn.percents[0].at


async def test_the_replay_has_the_marks_that_are_known(pages: Pages, found: list[Reviewed]) -> None:
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    found.append(Reviewed("done", a_blunder(match)))
    await anna.get(f"/m/{match}/replay?at=2")
    assert "cost 13" in anna.page.text
    assert '<option value="20">' in anna.page.text


async def test_a_silent_server_of_jobs_holds_no_replay_up(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object, **__: object) -> Reviewed:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(reviewing, "review_of", never)
    monkeypatch.setattr(reviewing, "_PATIENCE_SECONDS", 0.01)
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    await anna.get(f"/m/{match}/replay?at=2")
    assert anna.page.status_code == 200


async def test_while_it_is_played_nobody_looks(pages: Pages) -> None:
    anna, ben = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await anna.get(f"/m/{match}/review")
    assert "not over yet" in anna.page.text
    await ben.get(f"/m/{match}/review")
    assert ben.page.status_code == 403
