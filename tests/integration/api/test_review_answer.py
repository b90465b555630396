"""Costly moves of a match, for programs."""

import pytest

from api.answering.review import Reviewed
from api.routes import review
from services.matches.review import Costly, Review
from tests.integration.api.tables import Api, Table

DRAW, QUIT = {"type": "draw"}, {"type": "quit"}


async def test_costly_moves_are_told_with_what_was_better(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await Table.started(api)
    await api.post(f"{table.path}/abandon", token=table.host)

    async def review_of(*_: object, **__: object) -> Reviewed:
        return Reviewed("done", Review(table.id, 40, 3, 3, (Costly(20, 0, 0.13, "blunder", QUIT, DRAW),)))

    monkeypatch.setattr(review, "review_of", review_of)
    told = (await api.get(f"{table.path}/review", token=table.host)).json()

    assert (told["progress"], told["looked_at"], told["turns"]) == ("done", 3, 3)
    assert told["costly"] == [
        {"version": 20, "seat": 0, "cost": 0.13, "grade": "blunder", "made": QUIT, "better": DRAW}
    ]


async def test_while_people_play_nobody_gets_it(api: Api) -> None:
    table = await Table.started(api)
    answer = await api.get(f"{table.path}/review", token=table.seats[0])
    assert (answer.status_code, answer.json()["code"]) == (403, "coach.not_allowed")


async def test_without_workers_nobody_can_be_asked(api: Api) -> None:
    table = await Table.started(api)
    await api.post(f"{table.path}/abandon", token=table.host)
    told = (await api.get(f"{table.path}/review", token=table.host)).json()
    assert (told["progress"], told["costly"]) == ("unavailable", [])
