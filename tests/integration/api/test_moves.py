import random

import pytest

from domain.games.registry import CURRENT, move_types
from domain.match.view import match_view
from domain.viewers import seat_viewer
from tests.integration.api.tables import Api, Table, fresh_key, legal_moves
from tests.kit.games import GAME_KEYS, every_key
from tests.kit.options import shortest


async def test_a_move_answers_its_versions_and_the_movers_view(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    answer = await table.move(seat, {"type": "draw"}, view["version"])
    done = answer.json()
    assert answer.status_code == 200
    assert done["first"] == view["version"] + 1
    assert done["version"] == done["last"] == done["view"]["version"]
    assert done["duplicate"] is False
    assert done["view"]["viewer"] == seat
    assert len(done["view"]["game"]["hands"][seat]) == 7


async def test_the_same_move_sent_again_gets_the_first_answer_however_far_the_match_is(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    key = fresh_key()
    first = await table.move(seat, {"type": "draw"}, view["version"], key=key)
    await table.play_some(random.Random(4), 3)
    again = await table.move(seat, {"type": "draw"}, view["version"], key=key)
    assert again.status_code == 200
    assert again.json() == {**first.json(), "duplicate": True}


async def test_a_move_is_remembered_by_its_id_and_not_by_its_if_match(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    key = fresh_key()
    first = await table.move(seat, {"type": "draw"}, view["version"], key=key)
    again = await table.move(seat, {"type": "draw"}, first.json()["version"], key=key)
    assert again.json() == {**first.json(), "duplicate": True}


async def test_another_move_under_the_same_id_is_refused(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    key = fresh_key()
    await table.move(seat, {"type": "draw"}, view["version"], key=key)
    answer = await table.move(seat, {"type": "quit"}, view["version"], key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "command.id_reused")


async def test_two_seats_may_use_the_same_id(api: Api):
    table = await Table.started(api)
    for _ in range(2):
        seat, view = await table.turn()
        answer = await table.move(seat, {"type": "draw"}, view["version"], key="my-first-move")
        assert (answer.status_code, answer.json()["duplicate"]) == (200, False)


@pytest.mark.parametrize("written", ['"{}"', "{}", ' "{}" '])
async def test_if_match_is_a_version_with_or_without_quotes(api: Api, written):
    table = await Table.started(api)
    seat, view = await table.turn()
    answer = await table.move(seat, {"type": "draw"}, written.format(view["version"]))
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "written", ["*", 'W/"8"', '"8', '8"', '"8", "9"', "", "-1", "eight", '"' + "9" * 40 + '"', "٨"]
)
async def test_any_other_if_match_is_refused_with_an_explanation(api: Api, written):
    table = await Table.started(api)
    seat, _ = await table.turn()
    headers = {b"If-Match": written.encode()}
    answer = await table.move(seat, {"type": "draw"}, None, headers=headers)  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["code"]) == (400, "if_match.malformed")
    assert '"12"' in answer.json()["detail"]


async def test_a_move_needs_if_match_and_an_id(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    unbased = await api.post(f"{table.path}/moves", token=table.seats[seat], key="a", json={"type": "draw"})
    assert (unbased.status_code, unbased.json()["code"]) == (428, "precondition.required")
    nameless = await table.move(seat, {"type": "draw"}, view["version"], key=None)
    assert (nameless.status_code, nameless.json()["code"]) == (400, "idempotency_key.missing")
    odd = await table.move(seat, {"type": "draw"}, view["version"], key="has a space")
    assert (odd.status_code, odd.json()["code"]) == (400, "idempotency_key.malformed")


async def test_a_seat_that_is_not_asked_is_told_what_happened_since_it_looked(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    await table.move(seat, {"type": "draw"}, view["version"])
    answer = await table.move(seat, {"type": "draw"}, view["version"])
    told = answer.json()
    assert (answer.status_code, told["code"]) == (412, "version.stale")
    assert told["version"] == view["version"] + 1
    assert told["events_since"] == ["CardDrawn"]


async def test_a_version_that_is_not_there_yet_is_stale_too(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    answer = await table.move(seat, {"type": "draw"}, view["version"] + 50)
    assert (answer.status_code, answer.json()["code"]) == (412, "version.stale")
    assert answer.json()["events_since"] == []


async def test_an_unrelated_event_does_not_throw_the_mover_back(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    await api.post(f"{table.path}/hand-to-bot", token=table.seats[1 - seat])
    answer = await table.move(seat, {"type": "draw"}, view["version"])
    assert answer.status_code == 200
    assert answer.json()["first"] == view["version"] + 2


async def test_whose_turn_it_is_not_is_told_whose_it_is(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    answer = await table.move(1 - seat, {"type": "draw"}, view["version"])
    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "not_your_turn")
    assert told["arguments"] == {"seat": 1 - seat, "to_act": [seat]}
    assert "legal" not in told


async def test_a_refused_move_names_the_rule_and_what_would_be_right(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    held = view["game"]["hands"][seat]
    missing = next(card for card in ("1", "2", "3", "4", "5", "6", "L") if card not in held)
    answer = await table.move(seat, {"type": "play", "card": missing}, view["version"])
    told = answer.json()
    assert answer.status_code == 422
    assert told["code"] == "card_not_in_hand"
    assert told["rule"]
    assert told["legal"] == view["legal"]
    assert told["version"] == view["version"]
    assert told["detail"].endswith(".")
    assert await table.view(seat) == view


async def test_a_refusal_speaks_the_language_that_is_asked_for(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    told = {}
    for language in ("en", "fr-CH, fr;q=0.9, en;q=0.5", "de"):
        answer = await table.move(
            1 - seat, {"type": "draw"}, view["version"], headers={"Accept-Language": language}
        )
        told[answer.headers["Content-Language"], language[:2]] = answer.json()["detail"]
    assert set(told) == {("en", "en"), ("fr", "fr"), ("en", "de")}
    assert told["en", "en"] == told["en", "de"] != told["fr", "fr"]


@every_key
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"type": "fly"},
        {"type": "draw", "extra": 1},
        {"type": "play", "card": "9", "cards": ["Z9"]},
        {"type": ["draw"]},
        [],
        None,
        "draw",
        {"type": "return", "chip": 10},
        {"type": "reveal", "slots": ["a"]},
    ],
)
async def test_a_body_that_is_no_move_of_the_game_is_malformed(api: Api, game, body):
    table = await Table.started(api, game)
    seat, view = await table.turn()
    answer = await table.move(seat, body, view["version"])
    told = answer.json()
    assert (answer.status_code, told["code"]) == (400, "move.malformed")
    assert set(told["move_types"]) == move_types(CURRENT[game]).keys()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "The field `type` has a value that it cannot have. Allowed: `play` with `cards` (a list of 1 to 9",
        ),
        (
            "fr",
            "Le champ `type` a une valeur impossible. Possible\N{NO-BREAK SPACE}: `play` avec `cards` (une liste",
        ),
    ],
)
async def test_a_body_that_is_no_move_is_told_what_a_move_is(api: Api, language, told):
    table = await Table.started(api, "odin")
    seat, view = await table.turn()
    spoken = {"Accept-Language": language}
    answer = await table.move(seat, {"type": "draw"}, view["version"], headers=spoken)
    assert answer.json()["detail"].startswith(told)


async def test_moves_come_after_the_start_and_before_the_end(api: Api):
    table = await Table.make(api)
    seat = await table.sit()
    early = await table.move(seat, {"type": "draw"}, 2)
    assert (early.status_code, early.json()["code"]) == (409, "match.not_started")
    await api.post(f"{table.path}/abandon", token=table.host)
    late = await table.move(seat, {"type": "draw"}, 3)
    assert (late.status_code, late.json()["code"]) == (410, "match.closed")


@every_key
async def test_a_whole_match_of_people_and_bots(api: Api, game):
    table = await Table.started(api, game, people=1, bots=2, options=dict(shortest(CURRENT[game])))
    seat, view = await table.turn()
    (move, *_) = legal_moves(game, view["legal"])
    view = await table.play_out(random.Random(7))
    assert view["lifecycle"]["phase"] == "finished"
    assert sorted(seat for group in view["lifecycle"]["ranking"] for seat in group) == [0, 1, 2]
    late = await table.move(seat, move, view["version"])
    assert late.status_code == 410


async def test_every_legal_move_that_a_view_tells_is_accepted(api: Api):
    chance = random.Random(3)
    for game in GAME_KEYS:
        table = await Table.started(api, game)
        for _ in range(15):
            seat, view = await table.turn()
            moves = [one for one in legal_moves(game, view["legal"]) if one["type"] != "quit"]
            answer = await table.move(seat, chance.choice(moves), view["asked_at"])
            assert answer.status_code == 200, answer.text


async def test_the_view_in_an_answer_is_the_one_of_the_log(api: Api):
    table = await Table.started(api, "odin")
    answer = await table.play(lambda moves: moves[0])
    done = answer.json()
    position = await api.application.reader.at(table.id, done["last"])
    shown = match_view(position, seat_viewer(done["view"]["viewer"]))
    assert done["view"]["head"] == position.head.hex() == shown.head
