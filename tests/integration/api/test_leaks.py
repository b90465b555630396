"""No byte of any answer tells a seat what is sealed from it, while the match runs."""

import random

from domain.entries import decode_envelope, decode_openings
from domain.match.state import Entropy
from tests.integration.api.tables import Api, Table, fresh_key
from tests.kit.games import every_key


async def ask_for_everything(api: Api, table: Table, version: int) -> None:
    for token in (None, table.host, *table.seats.values()):
        for address in ("", f"/at/{version}", "/at/8", "/events", "/events?format=ndjson"):
            await api.get(table.path + address, token=token)
        for seat in range(3):
            await api.get(f"{table.path}/at/{version}?as=seat{seat}", token=token)
        await api.get("/matches", token=token)
    for seat in table.seats:
        for move in (
            {"type": "draw"},
            {"type": "pass"},
            {"type": "take", "slot": 0},
            {"type": "play", "card": "1"},
        ):
            await table.move(seat, move, 1)
            await table.move(seat, move, "x", key=fresh_key())


@every_key
async def test_no_answer_holds_an_opening_of_another_seat_or_the_seed(api: Api, game):
    table = await Table.started(api, game, people=2, bots=1)
    chance = random.Random(11)
    for number in range(12):
        await table.play_some(chance, 1)
        if number % 4 == 0:
            await api.list_anew()
            await ask_for_everything(api, table, (await table.view())["version"])
    assert (await table.view())["lifecycle"]["phase"] == "playing"
    entries = await api.application.store.read(table.id)
    openings = [opening for entry in entries for opening in decode_openings(entry.s)]
    position = await api.application.reader.head(table.id)
    assert isinstance(position.state.entropy, Entropy)
    seats = {token: seat for seat, token in table.seats.items()}
    assert len(api.answers) > 100
    for token, answer in api.answers:
        seat = None if token is None else seats.get(token)
        forbidden = [opening.salt for opening in openings if seat is None or seat not in opening.seats]
        assert forbidden
        text = answer.text
        assert not any(salt in text for salt in forbidden), answer.request.url
        assert position.state.entropy.seed not in text


async def test_a_hidden_hand_is_in_no_view_of_others(api: Api):
    table = await Table.started(api, people=3)
    for _ in range(6):
        await table.play(lambda moves: moves[0])
        for viewer in (None, 0, 1, 2):
            view = await table.view(viewer)
            for seat, hand in enumerate(view["game"]["hands"]):
                assert (hand is not None) is (seat == viewer)
            assert view["game"]["pile"] is None
            assert view["seed"] is None


async def test_what_was_refused_is_told_to_nobody_else(api: Api):
    table = await Table.started(api)
    seat, view = await table.turn()
    held = view["game"]["hands"][seat]
    missing = next(card for card in ("1", "2", "3", "4", "5", "6", "L") if card not in held)
    await table.move(seat, {"type": "play", "card": missing}, view["version"])
    for refusal in await api.application.store.refusals(table.id):
        assert b"card_not_in_hand" in refusal
        assert b'"card"' not in refusal


async def test_envelopes_of_live_matches_hold_commitments_only(api: Api):
    table = await Table.started(api)
    told = (await api.get(f"{table.path}/events")).json()["events"]
    dealt = next(event for event in told if decode_envelope(event["e"].encode()).type == "RoundStarted")
    assert '"hands":[{"sealed":"' in dealt["e"]
    assert dealt["openings"] == []
