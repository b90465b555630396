"""Ids and names are restricted text: nothing that could reach into another key, field or record gets in."""

import pytest

from domain.errors import Malformed
from tests.conformance.journal import Journal, everything

pytestmark = pytest.mark.backends(shards=(16,))

BAD = ("", "a b", "a\n", "a\r\nb", "{a}", "a:b}", "é", "a\x00", "*", "x" * 200)


async def test_a_malformed_match_id_reaches_no_store(store):
    for match in (*BAD, "a:b", "a.b", "m/../n"):
        for call in (
            store.append(Journal("m").command(match=match)),
            store.read(match),
            store.meta(match),
            store.command(match, "p", "c"),
            store.set_due(match, 0, 1),
            store.record_refusal(match, b"{}"),
            store.refusals(match),
            store.write_tombstone(match, b""),
        ):
            with pytest.raises(Malformed):
                await call


async def test_malformed_actors_commands_and_consumers_reach_no_store(store):
    ada = Journal()
    await ada.write(store)
    before = await everything(store)
    for text in BAD:
        for call in (
            store.append(ada.command(actor=text)),
            store.append(ada.command(command_id=text)),
            store.command("m", text, "c"),
            store.command("m", "p", text),
            store.checkpoint(text, 0),
            store.advance(text, 0, None, 0),
        ):
            with pytest.raises(Malformed):
                await call
        for append in (ada.command(fingerprint=text), ada.command(game=text), ada.command(types=(text,))):
            with pytest.raises(ValueError, match=r"has 1 to|are names"):
                await store.append(append)
    assert await everything(store) == before
