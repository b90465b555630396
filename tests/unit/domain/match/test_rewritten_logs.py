"""Somebody holds the store and computes everything anew, as far as he can: the seed and the published head tell."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.entries import decode_openings, encode_openings
from domain.games.recorded_chance import pick_of, shuffle_of
from domain.games.registry import CURRENT, GAMES
from domain.match.commands import AbandonMatch, StartMatch
from domain.match.events import MatchCreated, MatchStarted, SeatReady, SeatTaken
from domain.match.state import Terms
from domain.match.verification import verify
from domain.sealing import commitment_of
from domain.viewers import SPECTATOR, seat_viewer
from tests.kit.games import EVERY_GAME, every_game, name_of
from tests.kit.log import events_of, rechained, redacted
from tests.kit.stacked import StackedChance
from tests.kit.table import SEED, Table, gathered, nonce_hash_of, nonce_of, started
from tests.kit.tampering import changed, found, reopened, replaced, where_sealed


class TestRewrittenWithHashesThatFit:
    """Somebody holds the store and computes everything anew, as far as he can."""

    def test_another_value_behind_the_old_commitment(self, table):
        index = where_sealed(table.entries)[-1]
        edited = reopened(table.entries[index], lambda opening: opening.update(value="something else"))
        log = rechained("m1", replaced(table.entries, index, edited))
        assert found(log) == ("seal.differs", index + 1)

    def test_a_salt_that_does_not_come_from_the_seed(self, table):
        index = next(index for index in where_sealed(table.entries) if index)
        entry, salt = table.entries[index], bytes(32)
        opening = decode_openings(entry.s)[-1]
        sealed = json.loads(entry.e)["data"]
        name, _, seat = opening.field.partition("/")
        old = sealed[name][int(seat)]["sealed"] if seat else sealed[name]["sealed"]
        fresh = commitment_of(salt, bytes(opening.value))
        edited = msgspec.structs.replace(
            entry,
            e=entry.e.replace(old.encode(), fresh.encode()),
            s=entry.s.replace(opening.salt.encode(), salt.hex().encode()),
        )
        log = rechained("m1", replaced(table.entries, index, edited))
        assert found(log) == ("seal.salt_differs", index + 1)

    def test_another_history_has_another_head(self, table):
        mark = table.envelopes[-1].command
        rest = [
            changed(entry, lambda plain: plain.update(actor="player-9"))
            if entry.version >= mark.first
            else entry
            for entry in table.entries
        ]
        verdict = verify("m1", rechained("m1", rest), complete=True)
        assert verdict.good
        assert verdict.head != table.position.head.hex()

    def test_another_type_that_no_game_has(self, table):
        index = len(table.entries) - 1
        edited = changed(table.entries[index], lambda plain: plain.update(type="Cheated"))
        log = rechained("m1", replaced(table.entries, index, edited))
        assert found(log) == ("log.newer_release", index + 1)
        assert found(log, complete=False) == ("log.newer_release", index + 1)

    def test_another_type_whose_seals_stay_closed(self, table):
        index = next(index for index in where_sealed(table.entries) if index)
        edited = changed(table.entries[index], lambda plain: plain.update(type="Cheated"))
        log = rechained("m1", replaced(table.entries, index, edited))
        shown = [redacted(entry, SPECTATOR) for entry in log]
        assert found(shown, complete=False) == ("log.newer_release", index + 1)

    def test_a_type_of_another_game(self, table):
        index = len(table.entries) - 1
        edited = changed(table.entries[index], lambda plain: plain.update(type=type_of_another_game(table)))
        assert found(rechained("m1", replaced(table.entries, index, edited))) == ("log.unreadable", index + 1)

    def test_bytes_that_are_no_envelope(self, table):
        for index in (0, len(table.entries) - 1):
            edited = msgspec.structs.replace(table.entries[index], e=b'{"v":1')
            log = rechained("m1", replaced(table.entries, index, edited))
            assert found(log) == ("log.unreadable", index + 1)

    def test_events_that_cannot_be(self, table):
        index = next(
            index for index, envelope in enumerate(table.envelopes) if envelope.type == SeatReady.__name__
        )
        edited = changed(table.entries[index], lambda plain: plain["data"].update(seat=9))
        log = rechained("m1", replaced(table.entries, index, edited))
        assert found(log) == ("log.cannot_be_folded", index + 1)
        told = verify("m1", log, complete=True).detail
        assert told == "it cannot have happened after the events before it (IndexError)"


def draws_who_begins(game) -> bool:
    return any(pick_of(event) for event in started(game, 2).happened[1:])


class TestAnotherDeal:
    def dealt(self, game, **chance: Any) -> Table:
        """Return a started match that was dealt by another chance than its seed's, and sealed by its seed."""
        table = gathered(game, 3)
        initial = game.initial(msgspec.convert({}, game.options_type), 3)
        events = game.start(initial, StackedChance(SEED, ("",) * 3, **chance))
        return table.given(MatchStarted(), *events, metadata=table.metadata(None))

    def versions_of(self, table: Table, recorded: Callable[[Any], object]) -> list[int]:
        events = events_of("m1", table.entries)
        return [
            version
            for version, event in enumerate(events, 1)
            if type(event) in table.game.event_types and recorded(event) is not None
        ]

    @every_game
    def test_the_true_one_verifies(self, game):
        assert found(self.dealt(game).entries) == ("", 0)

    @every_game
    def test_two_cards_that_changed_places(self, game):
        order = list(StackedChance(SEED, ("",) * 3).shuffle(game.cards, 1, 0))
        other = next(place for place, card in enumerate(order) if card != order[0])
        order[0], order[other] = order[other], order[0]
        table = self.dealt(game, orders={(1, 0): order})
        (deal,) = self.versions_of(table, shuffle_of)
        assert found(table.entries) == ("deal.differs", deal)

    @every_game
    def test_a_card_that_the_game_does_not_have_so_often(self, game):
        order = list(StackedChance(SEED, ("",) * 3).shuffle(game.cards, 1, 0))
        order[0] = next(card for card in order if card != order[0])
        table = self.dealt(game, orders={(1, 0): order})
        (deal,) = self.versions_of(table, shuffle_of)
        assert found(table.entries) == ("deal.other_cards", deal)

    @pytest.mark.parametrize("game", [game for game in EVERY_GAME if draws_who_begins(game)], ids=name_of)
    def test_another_first_player(self, game):
        true = StackedChance(SEED, ("",) * 3).pick(3, "first")
        table = self.dealt(game, picks={"first": (true + 1) % 3})
        (draw,) = self.versions_of(table, pick_of)
        assert found(table.entries) == ("draw.differs", draw)

    @every_game
    def test_is_found_by_anybody_once_the_match_is_over(self, game):
        order = sorted(game.cards, key=str)
        table = self.dealt(game, orders={(1, 0): order})
        (deal,) = self.versions_of(table, shuffle_of)
        shown = [redacted(entry, seat_viewer(0)) for entry in table.entries]
        assert found(shown, complete=False) == ("", 0)
        table.when(AbandonMatch("I do not believe it"))
        assert found(table.entries, complete=False) == ("deal.differs", deal)


class TestNonces:
    def sat(self, hashed: str, revealed: str) -> Table:
        """Return a started match whose one nonce was announced and revealed so."""
        table = Table()
        table.given(MatchCreated(Terms("odin", CURRENT["odin"].rules_number, {}, 2, "host", table=2), SEED))
        for seat in range(2):
            table.given(SeatTaken(seat, f"player-{seat}", "person", nonce_hash="" if seat else hashed))
            table.given(SeatReady(seat, "" if seat else revealed))
        return table.when(StartMatch())

    def test_the_one_that_was_announced(self):
        assert found(self.sat(nonce_hash_of(0), nonce_of(0)).entries) == ("", 0)

    def test_another_than_the_announced_one(self):
        assert found(self.sat(nonce_hash_of(0), "a better one").entries) == ("nonce.differs", 3)

    def test_none_though_one_was_announced(self):
        assert found(self.sat(nonce_hash_of(0), "").entries) == ("nonce.differs", 3)

    def test_another_one_with_a_fitting_hash_does_not_fit_the_deal(self):
        log = self.sat(nonce_hash_of(0), nonce_of(0)).entries
        other = hashlib.sha256(b"other").hexdigest()
        taken = changed(log[1], lambda plain: plain["data"].update(nonce_hash=other))
        ready = changed(log[2], lambda plain: plain["data"].update(nonce="other"))
        code, version = found(rechained("m1", [log[0], taken, ready, *log[3:]]))
        assert code in {"draw.differs", "deal.differs"}
        assert version > 5


class TestTheFirstEvent:
    def rewritten(self, change) -> tuple[str, int]:
        log = gathered("odin", 2).entries
        return found(rechained("m1", replaced(log, 0, changed(log[0], change))))

    def test_must_create_the_match(self):
        log = gathered("odin", 2).entries[1:]
        renumbered = [
            changed(
                msgspec.structs.replace(entry, version=version),
                lambda plain: plain.update(
                    v=plain["v"] - 1, command={"id": "c", "from": plain["v"] - 1, "to": plain["v"] - 1}
                ),
            )
            for version, entry in enumerate(log, 1)
        ]
        assert found(rechained("m1", renumbered)) == ("log.no_beginning", 1)

    @pytest.mark.parametrize("terms", [{"game": "skat"}, {"rules": 99}, {"seats": 1}, {"seats": 2**70}])
    def test_must_name_a_game_that_can_be_played(self, terms):
        assert self.rewritten(lambda plain: plain["data"]["terms"].update(terms)) == ("log.unknown_rules", 1)

    def test_must_be_readable(self):
        assert self.rewritten(lambda plain: plain["data"].update(terms=7)) == ("log.unreadable", 1)
        assert self.rewritten(lambda plain: plain.update(data=[])) == ("log.unreadable", 1)

    def test_must_hold_a_seed_that_is_one(self):
        log = gathered("odin", 2).entries
        opening = decode_openings(log[0].s)[0]
        value = b'"no hexadecimal"'
        fresh = commitment_of(bytes.fromhex(opening.salt), value)
        old = json.loads(log[0].e)["data"]["seed"]["sealed"]
        edited = msgspec.structs.replace(
            log[0],
            e=log[0].e.replace(old.encode(), fresh.encode()),
            s=encode_openings((msgspec.structs.replace(opening, value=msgspec.Raw(value)),)),
        )
        assert found(rechained("m1", replaced(log, 0, edited))) == ("log.unreadable", 1)


def type_of_another_game(table: Table) -> str:
    """Return the name of an event that some game has, and not the one that is played."""
    own = {kind.__name__ for kind in table.game.event_types}
    every = {kind.__name__ for game in GAMES.values() for kind in game.event_types}
    return min(every - own)
