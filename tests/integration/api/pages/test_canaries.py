"""No card that somebody may not know is in what he is shown.

Two matches that differ in hidden cards only look the same to him, letter by letter.
"""

import random
import re
from collections.abc import Iterable

import msgspec
import pytest

from api.pages.stops import changes_of
from api.pages.table import render_board, render_fragment
from domain.chance import Chance
from domain.entries import StoredEntry, decode_envelope, decode_openings, encode_openings
from domain.games.registry import CURRENT, GAMES
from domain.match.evolve import game_of
from domain.viewers import EVERYTHING, seat_viewer
from services.matches.history import lines_of
from tests.integration.api.pages.conftest import Pages, running_pages
from tests.integration.api.pages.reader import Reader
from tests.integration.api.pages.scenes import Played
from tests.kit.games import every_key
from tests.kit.memory_store import MemoryEventStore
from tests.kit.options import shortest


@every_key
def test_a_table_looks_the_same_whatever_its_reader_cannot_see(game):
    chance = random.Random(3)
    changed = 0
    for number in range(12):
        played = Played(game, 3, seed=f"{number:02x}" * 32).begin().play(chance.randrange(40), chance=chance)
        state = played.position.state
        if played.is_over:
            continue
        assert state.terms is not None
        assert state.game is not None
        rules = game_of(state.terms)
        for seat in range(3):
            seen = rules.view(state.game, seat_viewer(seat))
            other = rules.sample(seen, seat, Chance(f"{seat + 50:02x}" * 32))
            changed += other != state.game
            twin = played.with_game(other)
            plain = msgspec.structs.replace(played.scene(seat), offers=twin.scene(seat).offers)
            assert str(render_fragment(plain)) == str(render_fragment(twin.scene(seat)))
            replayed = msgspec.structs.replace(plain, is_replay=True)
            assert render_board(replayed) == render_board(
                msgspec.structs.replace(twin.scene(seat), is_replay=True)
            )
            if seat == 0:
                spectated = msgspec.structs.replace(twin.scene(None), offers=played.scene(None).offers)
                assert render_fragment(played.scene(None)) == render_fragment(spectated)
    assert changed > 10


DEALS = {kind for game in GAMES.values() for kind in game.round_starts()}


def with_other_hidden_cards(entries: Iterable[StoredEntry], seat: int | None) -> list[StoredEntry]:
    """Deal the cards that a seat (None: a spectator) has not seen in another way, under the same commitments."""
    return [_dealt_anew(entry, seat) for entry in entries]


def _dealt_anew(entry: StoredEntry, seat: int | None) -> StoredEntry:
    if decode_envelope(entry.e).type not in DEALS:
        return entry
    openings = decode_openings(entry.s)
    hidden = [opening for opening in openings if seat is None or seat not in opening.seats]
    values = [msgspec.json.decode(opening.value) for opening in hidden]
    cards = list(leaves(values))
    random.Random(5).shuffle(cards)
    dealt = iter(cards)
    anew = {
        opening.field: msgspec.structs.replace(
            opening, value=msgspec.Raw(msgspec.json.encode(refill(value, dealt)))
        )
        for opening, value in zip(hidden, values, strict=True)
    }
    changed = tuple(anew.get(opening.field, opening) for opening in openings)
    return msgspec.structs.replace(entry, s=encode_openings(changed))


def leaves(value):
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def refill(value, cards):
    return [refill(item, cards) for item in value] if isinstance(value, list) else next(cards)


KEYS = re.compile(r'name="key" value="[0-9a-f]{32}"')


async def everything_shown(reader: Reader, match: str, version: int) -> list[str]:
    shown = []
    addresses = [
        "",
        "/fragment",
        "?choice=take",
        "?choice=flip",
        "/history",
        "/changes",
        "/replay",
        f"/replay?at={version}",
        "/cards",
        "/sheet",
    ]
    for address in addresses:
        answer = await reader.get(f"/m/{match}{address}")
        assert answer.status_code == 200
        shown.append(KEYS.sub("", answer.text))
    # Keys of forms that make something are new each time.
    shown.append(KEYS.sub("", (await reader.get("/")).text))
    return shown


class Twin(MemoryEventStore):
    """A store with the same matches, one of which has other openings."""

    def __init__(self, store: MemoryEventStore, entries: list[StoredEntry]) -> None:
        super().__init__()
        self.__dict__.update(store.__dict__)
        self._altered = entries

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        original = await super().read(match, after, last)
        altered = {entry.version: entry for entry in self._altered}
        for entry in original:
            assert altered[entry.version].e == entry.e
        return [altered[entry.version] for entry in original]


@every_key
@pytest.mark.parametrize("is_seated", [True, False])
async def test_no_page_fragment_or_replay_differs_by_hidden_cards(pages: Pages, game, is_seated):
    anna, bert, stranger = pages.reader(), pages.reader(), pages.reader()
    match = await anna.make_table(game, "me", "person", name="Anna")
    await bert.sit(match)
    await bert.submit("/ready")
    version = (await pages.application.reader.head(match)).version
    store = pages.application.store
    assert isinstance(store, MemoryEventStore)
    altered = with_other_hidden_cards(await store.read(match), 0 if is_seated else None)
    twin = Twin(store, altered)
    async with running_pages(twin, pages.people) as others:
        who = anna if is_seated else stranger
        await who.get("/")
        double = others.reader()
        double.client.cookies = who.client.cookies
        here = await everything_shown(who, match, version)
        there = await everything_shown(double, match, version)
        assert here == there
        position, other = (
            await pages.application.reader.head(match),
            await others.application.reader.head(match),
        )
        assert position.state.game != other.state.game


@every_key
def test_a_finished_match_shows_everything(game):
    played = Played(game, 2, options=dict(shortest(CURRENT[game]))).begin().play(3000)
    assert played.is_over
    lines = list(lines_of(played.entries, EVERYTHING, game, ("Anna", "Bert"), "en"))
    told = changes_of("golden", played.entries, lines, EVERYTHING, ("Anna", "Bert"), "en")
    assert set(told.faces) >= {str(card) for card in CURRENT[game].cards}
