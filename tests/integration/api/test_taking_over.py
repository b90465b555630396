"""Taking over a seat in play: what each holder sees, and sees no more, over every door of the API."""

from tests.integration.api.streaming import reading
from tests.integration.api.tables import Api, Table, fresh_key


async def asked(table: Table, seat: int = 0) -> tuple[str, str]:
    """Let somebody ask for a seat; return their token and the request."""
    answer = await table.api.post(f"{table.path}/ask-for-seat", key=fresh_key(), json={"seat": seat})
    assert answer.status_code == 201, answer.text
    return answer.json()["seat_token"], answer.json()["request"]


async def agreed(table: Table, request: str) -> None:
    for token in table.seats.values():
        answer = await table.api.post(
            f"{table.path}/requests/{request}/answer", token=token, json={"agree": True}
        )
        assert answer.status_code == 200, answer.text


async def test_who_asked_takes_it_back_with_the_key_of_asking(api: Api):
    table = await Table.started(api, "lama", people=2, bots=1)
    address, key = f"{table.path}/ask-for-seat", fresh_key()
    assert (await api.post(address, key=key, json={"seat": 0})).status_code == 201
    other = await api.ask("DELETE", address, key=fresh_key())
    assert (other.status_code, other.json()["code"]) == (409, "seat.not_asked")
    for _ in range(2):  # the answer was lost
        assert (await api.ask("DELETE", address, key=key)).status_code == 204
    view = (await api.get(table.path, token=table.seats[1])).json()
    assert view["requests"] == []


async def test_the_newcomer_sees_what_the_seat_saw_and_the_former_holder_nothing_more(api: Api):
    table = await Table.started(api, "lama", people=2, bots=1)
    former, path = table.seats[0], table.path
    cards = (await api.get(path, token=former)).json()["game"]["hands"][0]
    before = (await api.get(path, token=former)).json()["version"]
    newcomer, request = await asked(table)
    # Nobody sees more before the table has agreed.
    early = await api.get(path, token=newcomer)
    assert early.status_code == 403, early.text
    await agreed(table, request)

    seen = (await api.get(path, token=newcomer)).json()
    assert seen["viewer"] == 0
    assert sorted(map(str, seen["game"]["hands"][0])) == sorted(map(str, cards))
    assert seen["seats"][0]["former"]
    earlier = (await api.get(f"{path}/at/{before}", token=newcomer)).json()
    assert earlier["game"]["hands"][0] == cards

    for address in ("", f"/at/{before}", "/events", "/replay"):
        answer = await api.get(f"{path}{address}", token=former)
        assert answer.status_code == 403, (address, answer.text)
    late = await api.post(f"{path}/resign", token=former)
    assert (late.status_code, late.json()["code"]) == (403, "seat.not_held")
    spectator = (await api.get(path)).json()
    assert not isinstance(spectator["game"]["hands"][0], list)


async def test_the_events_of_a_seat_are_opened_for_its_present_holder_only(api: Api):
    table = await Table.started(api, "lama", people=2, bots=1)
    former = table.seats[0]
    newcomer, request = await asked(table)
    await agreed(table, request)
    lines = (await api.get(f"{table.path}/events", token=newcomer)).text
    assert '"field":"hands/0"' in lines
    assert (await api.get(f"{table.path}/events", token=former)).status_code == 403


async def test_an_open_stream_of_the_former_holder_ends_with_the_seat(api: Api):
    table = await Table.started(api, "lama", people=2, bots=1)
    newcomer, request = await asked(table)
    bearer = f"Bearer {table.seats[0]}"
    async with reading(api.app, f"{table.path}/stream", Authorization=bearer) as stream:
        await agreed(table, request)
        told = [await stream.next()]
        while told[-1].event != "over":
            told.append(await stream.next())
    assert "SeatGiven" in told[-2].data
    assert newcomer


async def test_asking_twice_with_one_key_is_one_request_and_strangers_of_private_tables_ask_nothing(api: Api):
    table, key = await Table.started(api, people=2), fresh_key()
    answers = [await api.post(f"{table.path}/ask-for-seat", key=key, json={"seat": 1}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201], answers[1].text
    assert answers[0].json()["request"] == answers[1].json()["request"]
    assert len((await api.get(table.path)).json()["requests"]) == 1
    private = await Table.started(api, people=2, visibility="private")
    refused = await api.post(f"{private.path}/ask-for-seat", key=fresh_key(), json={"seat": 1})
    assert (refused.status_code, refused.json()["code"]) == (403, "match.private")
    seated = await api.post(
        f"{private.path}/ask-for-seat", token=private.seats[0], key=fresh_key(), json={"seat": 1}
    )
    assert (seated.status_code, seated.json()["code"]) == (409, "player.already_seated")
