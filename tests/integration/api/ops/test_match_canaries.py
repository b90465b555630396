"""Without a reason no operator's page holds a byte that follows from a hidden card of a running match.

Two matches with the same course, whose hidden cards differ, are shown to the operator under the same id: every answer
must be the same, letter by letter, but for what looks random anyway (hashes, commitments, keys of forms).
"""

import re
from collections.abc import Iterable
from random import Random

import msgspec
from structlog.testing import capture_logs

from domain.entries import StoredEntry, decode_openings
from domain.match.command_handler import CommandMetadata
from domain.match.commands import UnsealLog
from domain.match.deals import Dealing
from domain.match.fold import beginning, positions
from domain.match.verification import Verdict, verify
from domain.match.view import match_view
from domain.viewers import EVERYTHING, SPECTATOR
from services.log.event_store.contract import Status
from services.watch.inspection.disclosure import mark_of, unsealing_id
from tests.integration.api.ops.conftest import OperatorPages
from tests.integration.api.pages.conftest import running_pages
from tests.kit.games import every_key
from tests.kit.logs import put
from tests.kit.play import Player
from tests.kit.table import Table, started
from tests.kit.twins import twin_of

REFUSAL = b'{"at":"2026-11-29T12:00:00.000Z","actor":"player-0","door":"api","command":"c9","kind":"Play","code":"x"}'


def twins(game: str) -> tuple[Table, Table]:
    """Return a running match, and one with the same course and other hidden cards."""
    for number in range(40):
        random = Random(f"desk {game} {number}")
        table = started(game, 3, bots=1, seed=random.randbytes(32).hex())
        player = Player(table, random)
        while player.is_on and player.moves < 7:
            player.random_move()
        # Somebody else's unsealing, and one on the command line, open nothing here.
        others = unsealing_id(mark_of("somebody else's session", "m1"), "k1")
        for command in ("operator-0123456789abcdef", others):
            table.when(UnsealLog("why"), metadata=CommandMetadata("operator", "operator", command))
        twin = twin_of(table, SPECTATOR, random) if player.is_on else None
        if twin is not None and twin.state.game != table.state.game:
            return table, twin
    raise AssertionError(game)


def addresses(length: int) -> list[str]:
    pages = [
        "",
        "/events",
        "/events?from=1",
        "/events?from=1&hashes=1&json=1",
        "/events?type=RoundStarted",
        "/tail",
    ]
    pages += ["/tail/rows?after=0"]
    # What happens in front of the start holds no cards; its end does, and the seed is in the first event.
    for version in (1, *range(6, length + 1)):
        eyes = ("seat0", "seat1", "seat2", "spectator")[version % 4]
        pages += [f"/e/{version}?eyes={eyes}", f"/e/{version}/raw"]
    return pages


async def everything_shown(table: Table) -> dict[str, str]:
    """Return all that the operator's pages show of a match to an operator who has given no reason."""
    with capture_logs():
        async with running_pages() as running:
            ops = OperatorPages(running.app, running.people)
            store = ops.application.store
            await put(store, "m1", tuple(table.entries), Status.OPEN, table.game.key)
            await store.record_refusal("m1", REFUSAL)
            operator = await ops.operator()
            shown = {}
            for address in addresses(len(table.entries)):
                answer = await operator.get(f"/ops/m/m1{address}")
                assert answer.status_code == 200, address
                shown[address] = answer.text
            return shown


def without_what_is_random(text: str) -> str:
    """Leave out hashes, commitments, the keys of forms, and how long ago something was."""
    text = re.sub(r"\d+(\.\d+)? (ms|s|min|h|d)( \d+ (s|min|h))?\b", "a while", text)
    return re.sub(r"\b[0-9a-f]{8,64}\b", "0", text)


def without_referee(match: str, entries: Iterable[StoredEntry], *, complete: bool, **_: bool) -> Verdict:
    return verify(match, entries, complete=complete)


@every_key
async def test_the_operators_pages_show_the_same_whatever_is_hidden(game, monkeypatch):
    # A twin's cards are not dealt by its seed. A whole verdict says so, and names the event but no card; and who
    # decides its commands once more deals other cards.
    monkeypatch.setattr(Dealing, "take", lambda *_: None)
    for place in ("services.log.proof.verify", "services.watch.inspection.one_event.verify"):
        monkeypatch.setattr(place, without_referee)
    table, twin = twins(game)
    mine, others = await everything_shown(table), await everything_shown(twin)
    for address, text in mine.items():
        assert without_what_is_random(text) == without_what_is_random(others[address]), address
    assert_no_secret_is_in(mine, table)


def assert_no_secret_is_in(shown: dict[str, str], table: Table) -> None:
    openings = [opening for entry in table.entries for opening in decode_openings(entry.s)]
    # Shorter values stand on every page by chance.
    secrets = [bytes(opening.value).decode() for opening in openings if len(opening.value) > 8]
    assert secrets
    for address, text in shown.items():
        plain = text.replace("&#34;", '"').replace(" ", "").replace("\n", "")
        for hidden in (*secrets, *(opening.salt for opening in openings), table.seed):
            assert hidden not in plain, address


async def test_after_a_reason_everything_in_front_of_it_is_there_and_nothing_of_what_follows():
    with capture_logs():
        async with running_pages() as running:
            ops = OperatorPages(running.app, running.people)
            table = started("lama", 3)
            log = await put(ops.application.store, "m1", tuple(table.entries), Status.OPEN)
            operator = await ops.operator()
            await operator.get("/ops/m/m1")
            await operator.submit("/unseal", reason="a complaint")
            dealt = next(entry for entry in log if entry.s and entry.version > 1)
            text = (await operator.get(f"/ops/m/m1/e/{dealt.version}")).text.replace("&#34;", '"')
            for opening in decode_openings(dealt.s):
                assert bytes(opening.value).decode() in text
            position = list(positions(beginning("m1"), log))[dealt.version - 1]
            hands = msgspec.json.encode(match_view(position, EVERYTHING).game.hands)  # type: ignore[union-attr]
            shown = re.sub(r"\s", "", text)
            assert re.sub(r"\s", "", hands.decode()) in shown
            # All later cards follow from the seed: it stays sealed.
            for version in range(1, len(log) + 2):
                answer = await operator.get(f"/ops/m/m1/e/{version}")
                assert table.seed not in answer.text
