"""What lies open to an operator: nothing that is sealed, until he has told the table why."""

import re
from random import Random

import msgspec

from domain.entries import decode_openings
from domain.match.command_handler import CommandMetadata
from domain.match.commands import UnsealLog, VoidMatch
from domain.match.verification import Verdict
from domain.viewers import SPECTATOR
from services.watch.inspection.disclosure import Disclosure, disclosure_of, mark_of, unsealing_id
from services.watch.inspection.one_event import inspected
from tests.kit.games import every_key
from tests.kit.play import Player
from tests.kit.table import Table, started
from tests.kit.twins import OTHER_SEED, twin_of

MINE, OTHERS = mark_of("my session", "m1"), mark_of("another session", "m1")


def unseal(table: Table, mark: str = MINE, key: str = "k1") -> Table:
    return table.when(
        UnsealLog("a complaint"), metadata=CommandMetadata("operator", "operator", unsealing_id(mark, key))
    )


def shown(table: Table, version: int, disclosure: Disclosure) -> bytes:
    """Everything that is told of an event, but the positions, which are for the server."""
    event = inspected(table.position.match, table.entries, version, disclosure, ())
    views = [disclosure.view(position, version) for position in (event.before, event.after) if position]
    # A twin's cards are not dealt by its seed, which its verdict says: a verdict tells no cards.
    chained = msgspec.structs.replace(event.chained, verdict=Verdict(table.position.match))
    plain = msgspec.structs.replace(event, before=None, after=None, chained=chained)
    return msgspec.json.encode([plain, views])


def test_without_a_reason_only_what_everybody_sees_is_open():
    table = started("lama", 3)
    assert disclosure_of(table.entries, MINE) == Disclosure()
    assert disclosure_of(unseal(table, OTHERS).entries, MINE) == Disclosure()
    assert disclosure_of(table.entries, "") == Disclosure()


def test_a_reason_opens_what_is_in_front_of_it_for_the_session_that_gave_it():
    table = unseal(started("lama", 3))
    version = table.position.version
    disclosure = disclosure_of(table.entries, MINE)
    assert disclosure == Disclosure(unsealed=version)
    assert disclosure.is_open(version)
    table.move(table.to_act[0])
    assert disclosure_of(table.entries, MINE) == disclosure
    assert not disclosure.is_open(version + 1)
    assert disclosure_of(unseal(table, key="k2").entries, MINE).unsealed == table.position.version


def test_an_unsealing_on_the_command_line_opens_nothing_on_the_operators_pages():
    table = started("lama", 2).when(
        UnsealLog("x"), metadata=CommandMetadata("operator", "operator", "operator-0011223344556677")
    )
    for mark in ("", MINE, "0011223344556677"[:4]):
        assert disclosure_of(table.entries, mark) == Disclosure()


def test_nobody_but_an_operator_opens_anything_whatever_his_command_is_called():
    table = started("lama", 2)
    for actor, door in (("player-0", "api"), ("operator", "api"), ("player-0", "operator")):
        table.when(UnsealLog("mine"), metadata=CommandMetadata(actor, door, unsealing_id(MINE, "k1")))
    assert disclosure_of(table.entries, MINE) == Disclosure()


def test_when_a_match_is_over_everything_is_open():
    table = started("lama", 2).when(VoidMatch("over"))
    assert disclosure_of(table.entries, "") == Disclosure(over=True)
    assert disclosure_of(table.entries, "").view(table.position, table.position.version).seed == table.seed


@every_key
def test_what_is_told_of_events_is_the_same_letter_by_letter_whatever_is_sealed(game):
    found = 0
    for number in range(4):
        random = Random(f"inspection {game} {number}")
        table = started(game, 3, seed=random.randbytes(32).hex())
        player = Player(table, random)
        while player.is_on and player.moves < 8:
            player.random_move()
        twin = twin_of(table, SPECTATOR, random) if player.is_on else None
        if twin is None:
            continue
        found += 1
        assert table.state.game != twin.state.game
        for version in range(1, len(table.entries) + 1):
            assert blank(shown(table, version, Disclosure())) == blank(shown(twin, version, Disclosure()))
    assert found


def blank(told: bytes) -> bytes:
    return re.sub(rb"[0-9a-f]{64}", b"0" * 64, told)


def test_what_is_opened_is_all_but_the_seed_from_which_later_cards_follow():
    table = unseal(started("skyjo", 2))
    disclosure = disclosure_of(table.entries, MINE)
    told = b"".join(shown(table, version, disclosure) for version in range(1, len(table.entries) + 1))
    dealt = next(entry for entry in table.entries if b'"RoundStarted"' in entry.e)
    openings = decode_openings(dealt.s)
    assert openings
    for opening in openings:
        assert msgspec.json.encode(bytes(opening.value).decode())[1:-1] in told
    assert table.seed.encode() not in told
    assert OTHER_SEED.encode() not in told


def test_an_error_of_folding_is_not_quoted_while_it_may_name_a_card():
    for code in ("log.cannot_be_folded", "log.unreadable", "rules.differs"):
        verdict = Verdict("m1", code=code, bad_version=7, detail="KeyError: 'R8'")
        assert Disclosure().told(verdict).detail == "KeyError"
        assert Disclosure(unsealed=7).told(verdict) == verdict


def test_marks_of_a_session_have_nothing_in_common():
    assert len({MINE, OTHERS, mark_of("my session", "m2")}) == 3
