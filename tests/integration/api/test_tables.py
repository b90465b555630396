import hashlib

import pytest

from tests.integration.api.tables import Api, Table, fresh_key

LAMA = {"game": "lama", "seats": [{}, {"bot": "steady"}]}


async def tokens_of(api: Api) -> set[bytes | str]:
    return set(await api.application.log_client.keys("tb:people:token:*"))


async def test_who_makes_a_table_gets_its_id_its_token_and_a_view(api: Api):
    answer = await api.post("/matches", key=fresh_key(), json=LAMA)
    made = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/v1/matches/{made['match']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert made["version"] == made["view"]["version"] == 2
    assert made["view"]["lifecycle"] == {"phase": "gathering"}
    assert [seat["kind"] for seat in made["view"]["seats"]] == ["open", "bot"]
    assert made["view"]["viewer"] is None


async def test_the_same_request_again_gets_the_same_answer(api: Api):
    key = fresh_key()
    first = await api.post("/matches", key=key, json=LAMA)
    table = Table(api, first.json()["match"], first.json()["host_token"], "lama")
    await table.sit(ready=True)
    again = await api.post("/matches", key=key, json=LAMA)
    assert again.status_code == 201
    assert again.json() == first.json()
    assert [match async for match in api.application.store.matches()] == [table.id]


async def test_the_same_key_for_another_table_is_refused(api: Api):
    key = fresh_key()
    await api.post("/matches", key=key, json=LAMA)
    answer = await api.post("/matches", key=key, json={**LAMA, "undo": "off"})
    assert (answer.status_code, answer.json()["code"]) == (422, "command.id_reused")


@pytest.mark.parametrize("path", ["/matches", "/matches/{match}/seats"])
@pytest.mark.parametrize(
    ("key", "code"),
    [
        (None, "idempotency_key.missing"),
        ("tooshort", "idempotency_key.malformed"),
        ("x" * 129, "idempotency_key.malformed"),
        ("has a space in its middle", "idempotency_key.malformed"),
    ],
)
async def test_a_token_is_only_handed_out_for_a_key_that_nobody_guesses(api: Api, path, key, code):
    table = await Table.make(api)
    answer = await api.post(path.format(match=table.id), key=key, json=LAMA if path == "/matches" else {})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert "openssl rand -hex 16" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "game.unknown"),
        ({"seats": [{}]}, "seats.number"),
        ({"seats": [{}] * 7}, "seats.number"),
        ({"seats": [{}, {"bot": "genius"}]}, "bot.unknown_level"),
        ({"options": {"limit": 41}}, "options.invalid"),
        ({"options": {"colour": "red"}}, "options.invalid"),
        ({"options": {"first": 4}}, "options.first_not_a_seat"),
        ({"undo": "sometimes"}, "undo.unknown_policy"),
        ({"visibility": "secret"}, "visibility.unknown"),
        ({"clock": {"per_turn": 3}}, "clock.out_of_range"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_and_leaves_nothing_behind(api: Api, change, code):
    answer = await api.post("/matches", key=fresh_key(), json={**LAMA, **change})
    assert answer.status_code == 422
    if code != "options.first_not_a_seat":
        assert answer.json()["code"] == code
    assert [match async for match in api.application.store.matches()] == []
    assert await tokens_of(api) == set()


async def test_all_choices_of_a_table_stand_in_its_terms(api: Api):
    body = {
        "options": {"limit": "single", "first": 1},
        "clock": {"per_turn": 3600},
        "undo": "consent",
        "visibility": "private",
        "rematch_of": "earlier_match-1",
    }
    answer = await api.post("/matches", key=fresh_key(), json={**LAMA, **body})
    terms = answer.json()["view"]["terms"]
    assert {name: terms[name] for name in body} == body


async def test_people_sit_down_on_the_first_free_seat_or_on_the_one_they_name(api: Api):
    table = await Table.make(api, people=3)
    assert await table.sit(seat=1) == 1
    assert await table.sit() == 0
    assert await table.sit() == 2
    view = await table.view(1)
    assert view["viewer"] == 1
    assert [seat["kind"] for seat in view["seats"]] == ["person"] * 3


async def test_sitting_down_again_with_the_same_key_gives_the_same_seat_and_token(api: Api):
    table = await Table.make(api, people=2)
    key = fresh_key()
    first = await api.post(f"{table.path}/seats", key=key, json={"seat": 1})
    await table.sit()
    again = await api.post(f"{table.path}/seats", key=key, json={"seat": 1})
    assert (again.status_code, again.json()) == (201, first.json())
    other = await api.post(f"{table.path}/seats", key=key, json={"seat": 0})
    assert (other.status_code, other.json()["code"]) == (422, "command.id_reused")


async def test_one_key_opens_two_different_seats_at_two_tables(api: Api):
    key, tokens = fresh_key(), set()
    for _ in range(2):
        table = await Table.make(api)
        seated = (await api.post(f"{table.path}/seats", key=key, json={})).json()
        tokens |= {seated["seat_token"], seated["view"]["seats"][0]["player"]}
    assert len(tokens) == 4


async def test_a_refused_seat_leaves_no_token_behind(api: Api):
    table = await Table.make(api, people=1, bots=1)
    await table.sit()
    held = await tokens_of(api)
    full = await api.post(f"{table.path}/seats", key=fresh_key(), json={})
    assert (full.status_code, full.json()["code"]) == (409, "seat.none_free")
    taken = await api.post(f"{table.path}/seats", key=fresh_key(), json={"seat": 1})
    assert (taken.status_code, taken.json()["code"]) == (409, "seat.taken")
    assert taken.json()["arguments"] == {"seat": 1, "free": []}
    nowhere = await api.post(f"{table.path}/seats", key=fresh_key(), json={"seat": 9})
    assert (nowhere.status_code, nowhere.json()["code"]) == (422, "seat.unknown")
    # Sentences are for people, who count from 1; arguments are for programs.
    assert nowhere.json()["detail"] == "The table has no seat 10. It has 2 seats."
    assert nowhere.json()["arguments"] == {"seat": 9, "seats": 2}
    assert await tokens_of(api) == held


async def test_players_add_to_the_chance_of_the_match(api: Api):
    table = await Table.make(api, people=1, bots=1)
    nonce = "a-word-of-mine"
    seat = await table.sit(nonce_hash=hashlib.sha256(nonce.encode()).hexdigest())
    without = await api.post(f"{table.path}/ready", token=table.seats[seat])
    assert without.json()["view"]["nonces_until"]
    early = await api.post(f"{table.path}/start", token=table.host)
    assert (early.status_code, early.json()["code"]) == (409, "match.nonces_awaited")
    wrong = await api.post(f"{table.path}/ready", token=table.seats[seat], json={"nonce": "another"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "nonce.mismatch")
    right = await api.post(f"{table.path}/ready", token=table.seats[seat], json={"nonce": nonce})
    assert right.json()["view"]["seats"][seat]["nonce"] == nonce


async def test_a_table_begins_by_itself_when_everybody_is_ready_some_of_them_in_advance(api: Api):
    table = await Table.make(api, people=2, start="ready")
    await table.sit(ready=True)
    seated = await api.post(f"{table.path}/seats", key=(key := fresh_key()), json={"ready": True})
    assert seated.json()["view"]["lifecycle"]["phase"] == "playing"
    again = await api.post(f"{table.path}/seats", key=key, json={"ready": True})
    assert again.json() == seated.json()


async def test_a_nonce_is_shown_once_all_sit(api: Api):
    table = await Table.make(api, people=2)
    nonce = "a-word-of-mine"
    seat = await table.sit(nonce_hash=hashlib.sha256(nonce.encode()).hexdigest(), ready=True)
    early = await api.post(f"{table.path}/ready", token=table.seats[seat], json={"nonce": nonce})
    assert (early.status_code, early.json()["code"]) == (409, "nonce.too_early")
    await table.sit(ready=True)
    shown = await api.post(f"{table.path}/ready", token=table.seats[seat], json={"nonce": nonce})
    assert shown.json()["view"]["seats"][seat]["nonce"] == nonce
    begun = await api.post(f"{table.path}/start", token=table.host)
    assert begun.json()["view"]["lifecycle"]["phase"] == "playing"


async def test_the_start_waits_for_seats_and_for_readiness(api: Api):
    table = await Table.make(api, people=2)
    early = await api.post(f"{table.path}/start", token=table.host)
    assert (early.status_code, early.json()["code"]) == (409, "match.seats_open")
    for _ in range(2):
        await table.sit()
    unready = await api.post(f"{table.path}/start", token=table.host)
    assert (unready.status_code, unready.json()["code"]) == (409, "match.not_ready")
    assert unready.json()["arguments"] == {"seats": [0, 1]}


async def test_who_leaves_frees_the_seat_and_his_token_opens_nothing_any_more(api: Api):
    table = await Table.make(api, people=2)
    seat = await table.sit()
    token = table.seats[seat]
    left = await api.post(f"{table.path}/leave", token=token, key="leave-1")
    assert left.status_code == 200
    assert left.json()["view"]["viewer"] is None
    again = await api.post(f"{table.path}/leave", token=token, key="leave-1")
    assert (again.status_code, again.json()["duplicate"]) == (200, True)
    other = await api.post(f"{table.path}/leave", token=token, key="leave-2")
    assert (other.status_code, other.json()["code"]) == (403, "seat.not_held")
    looked = await api.get(table.path, token=token)
    assert (looked.status_code, looked.json()["code"]) == (403, "seat.not_held")


async def test_who_left_cannot_push_his_successor_off_the_seat(api: Api):
    table = await Table.make(api, people=2)
    seat = await table.sit()
    gone = table.seats[seat]
    await api.post(f"{table.path}/leave", token=gone)
    assert await table.sit(seat=seat) == seat
    answer = await api.post(f"{table.path}/leave", token=gone)
    assert answer.status_code == 403
    assert (await table.view(seat))["seats"][seat]["kind"] == "person"


async def test_a_bot_stands_in_and_the_person_comes_back(api: Api):
    table = await Table.started(api)
    for command, stands_in in (("hand-to-bot", True), ("reclaim", False)):
        answer = await api.post(f"{table.path}/{command}", token=table.seats[0])
        assert answer.status_code == 200, answer.text
        assert answer.json()["view"]["seats"][0].get("stand_in", False) is stands_in
    refused = await api.post(f"{table.path}/reclaim", token=table.seats[0])
    assert (refused.status_code, refused.json()["code"]) == (409, "seat.no_bot_plays")


async def test_when_all_but_one_have_resigned_that_one_has_won(api: Api):
    table = await Table.started(api, people=3)
    first = await api.post(f"{table.path}/resign", token=table.seats[1], key="resign-1")
    assert first.json()["view"]["lifecycle"]["phase"] == "playing"
    again = await api.post(f"{table.path}/resign", token=table.seats[1], key="resign-2")
    assert (again.status_code, again.json()["code"]) == (409, "seat.resigned")
    last = await api.post(f"{table.path}/resign", token=table.seats[0])
    assert last.json()["view"]["lifecycle"]["phase"] == "finished"
    assert last.json()["view"]["lifecycle"]["ranking"] == [[2], [0], [1]]


async def test_an_abandoned_match_opens_its_seed_and_takes_no_more_commands(api: Api):
    table = await Table.started(api)
    ended = await api.post(f"{table.path}/abandon", token=table.host, json={"reason": "rain"}, key="end")
    view = ended.json()["view"]
    assert view["lifecycle"] == {"phase": "abandoned", "reason": "rain"}
    assert len(view["seed"]) == 64
    again = await api.post(f"{table.path}/abandon", token=table.host, json={"reason": "rain"}, key="end")
    assert (again.status_code, again.json()["duplicate"]) == (200, True)
    for command, token in (("abandon", table.host), ("resign", table.seats[0])):
        late = await api.post(f"{table.path}/{command}", token=token)
        assert (late.status_code, late.json()["code"]) == (410, "match.closed")
    late = await api.post(f"{table.path}/seats", key=fresh_key(), json={})
    assert (late.status_code, late.json()["code"]) == (410, "match.closed")


async def test_commands_without_an_id_are_new_ones_each_time(api: Api):
    table = await Table.make(api, people=2)
    seat = await table.sit()
    first = await api.post(f"{table.path}/ready", token=table.seats[seat])
    second = await api.post(f"{table.path}/ready", token=table.seats[seat])
    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json()["code"] == "seat.already_ready"


async def test_a_fork_before_the_first_event_or_with_rules_of_its_own_is_refused(api: Api):
    table = await Table.make(api, people=1, bots=1)
    seat = await table.sit()
    body = {"game": "lama", "seats": [{}, {"bot": "steady"}], "fork": {"match": table.id, "version": 0}}
    token = table.seats[seat]
    nowhere = await api.post("/matches", key=fresh_key(), token=token, json=body)
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "version.unknown")
    for extra in ({"options": {"limit": "single"}}, {"rules": 1}):
        refused = await api.post("/matches", key=fresh_key(), token=token, json={**body, **extra})
        assert (refused.status_code, refused.json()["code"]) == (400, "body.malformed")
        assert "leave them out" in refused.json()["detail"]


async def test_a_rematch_over_the_api_is_one_table_for_everybody(api: Api):
    table = await Table.started(api, people=2, bots=1)
    early = await api.post(f"{table.path}/rematch", token=table.seats[0])
    assert (early.status_code, early.json()["code"]) == (409, "rematch.not_over")
    await api.post(f"{table.path}/abandon", token=table.host, json={})
    first = await api.post(f"{table.path}/rematch", token=table.seats[0])
    second = await api.post(f"{table.path}/rematch", token=table.seats[1])
    assert (first.status_code, second.status_code) == (201, 201), second.text
    assert first.json()["match"] == second.json()["match"]
    assert first.json()["host_token"]
    assert second.json()["host_token"] == ""
    # Who has only a token is not known beside it: their seats are for everybody.
    assert not any(seat.get("kept", False) for seat in first.json()["view"]["seats"])
    other = await api.post(f"{table.path}/rematch", token=table.host)
    assert other.status_code == 403
