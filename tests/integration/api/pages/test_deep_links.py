"""A hundred addresses into a long match: each shows what its log folds to, in the API and on the page."""

import re
from random import Random

import msgspec
import pytest

from api.pages.scene import Scene
from api.pages.table import render_board
from domain.match.fold import beginning, positions
from domain.match.view import match_view
from domain.viewers import SPECTATOR
from services.log.event_store.contract import Status
from tests.integration.api.pages.conftest import running_pages
from tests.kit.logs import adoption
from tests.kit.memory_store import MemoryEventStore
from tests.kit.play import Player
from tests.kit.table import Table, started

LINKS = 100


def practised(events: int) -> Table:
    """Return a running match in which much was taken back, and some of it played again."""
    table, random = started("skyjo", 3, undo="practice"), Random(5)
    player = Player(table, random)
    while table.position.version < events:
        chosen = random.random()
        if chosen < 0.3:
            player.undo()
        elif chosen < 0.35:
            player.redo()
        else:
            player.bot_move()
        assert player.is_on
    return table


@pytest.fixture(scope="module")
def table() -> Table:
    return practised(700)


@pytest.fixture
async def pages(table):
    store, terms = MemoryEventStore(), table.state.terms
    assert await store.adopt(adoption("m1", tuple(table.entries), Status.OPEN, terms.game, terms.rules))
    async with running_pages(store) as running:
        yield running


async def test_each_address_shows_what_its_log_folds_to(pages, table):
    reader, random = pages.reader(), Random(6)
    everything = list(positions(beginning("m1"), table.entries))
    told = (await reader.get("/m/m1/changes?undone=1")).json()
    names = ("Player 1", "Player 2", "Player 3")
    for version in random.sample(told["versions"], LINKS):
        folded = match_view(everything[version - 1], SPECTATOR)
        answer = (await reader.get(f"/m/m1/replay?undone=1&at={version}")).text
        assert str(render_board(Scene(folded, names, "en", is_replay=True))) in answer
        api = (await reader.get(f"/api/v1/matches/m1/at/{version}")).content
        assert msgspec.json.decode(api) == msgspec.json.decode(msgspec.json.encode(folded))


async def test_stepping_there_shows_the_same_as_going_there(pages):
    reader = pages.reader()
    told = (await reader.get("/m/m1/changes?undone=1")).json()
    shown = list(told["start"])
    at = dict(zip(told["versions"][1:], told["steps"], strict=True))
    random = Random(7)
    looked = set(random.sample(told["versions"][1:], 20))
    for version, changes in at.items():
        for place, content in changes:
            shown[place] = content
        if version in looked:
            answer = (await reader.get(f"/m/m1/replay?undone=1&at={version}")).text
            drawn_there = dict(re.findall(r'data-place="([^"]+)">(.*?)</span>', answer))
            for place, content in zip(told["places"], shown, strict=True):
                drawn = (
                    content
                    if isinstance(content, str)
                    else "".join(told["faces"][str(card)] for card in content)
                )
                assert drawn_there.get(place, drawn) == drawn, place
            assert len(drawn_there.keys() & set(told["places"])) > 3 * 12
