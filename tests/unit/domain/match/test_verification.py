"""Logs that nobody touched verify: complete ones, redacted ones, running and ended ones."""

from domain.entries import decode_openings
from domain.games.recorded_chance import pick_of, shuffle_of
from domain.match.commands import AbandonMatch, AnnounceNonce, BeReady, LeaveSeat, StartMatch, TakeSeat
from domain.match.events import MatchStarted
from domain.match.verification import Verdict, verify, verify_chain
from domain.viewers import EVERYTHING, SPECTATOR
from tests.kit.games import every_game, every_game_and_number_of_players
from tests.kit.invariants import viewers
from tests.kit.log import events_of, redacted
from tests.kit.table import Table, gathered, nonce_hash_of, nonce_of, started
from tests.kit.tampering import changed, replaced


def played(game, seats: int, moves: int = 20) -> Table:
    table = started(game, seats, nonces=True, per_turn=60)
    for _ in range(moves):
        if table.to_act:
            table.move(table.to_act[-1])
    return table


@every_game_and_number_of_players
def test_a_complete_log_verifies_with_all_its_deals(game, seats):
    table = played(game, seats)
    verdict = verify("m1", table.entries, complete=True)
    assert verdict.good
    assert verdict == Verdict(
        "m1",
        events=len(table.entries),
        head=table.position.head.hex(),
        openings=verdict.openings,
        deals=verdict.deals,
    )
    recorded = [event for event in events_of("m1", table.entries) if type(event) in game.event_types]
    deals = sum(shuffle_of(event) is not None for event in recorded)
    draws = sum(pick_of(event) is not None for event in recorded)
    assert verdict.deals == deals + draws > 0
    assert verdict.openings == sum(len(decode_openings(entry.s)) for entry in table.entries)


@every_game_and_number_of_players
def test_what_each_viewer_gets_of_a_running_match_verifies_and_says_what_it_could_not_check(game, seats):
    table = played(game, seats)
    complete = verify("m1", table.entries, complete=True)
    for viewer in viewers(seats):
        shown = verify("m1", [redacted(entry, viewer) for entry in table.entries], complete=False)
        assert shown.good
        assert (shown.events, shown.head) == (complete.events, complete.head)
        assert shown.openings + shown.sealed == complete.openings
        assert shown.sealed >= 1
        # Draws of a seat are public, shuffles are not: without the seed neither can be recomputed.
        assert shown.deals == 0
        assert shown.sealed_deals >= 1


@every_game
def test_once_it_is_over_anybody_can_recompute_every_deal(game):
    table = played(game, 3).when(AbandonMatch("tired"))
    log = [redacted(entry, EVERYTHING) for entry in table.entries]
    assert log == table.entries
    verdict = verify("m1", log, complete=False)
    assert verdict.good
    assert verdict.sealed == verdict.sealed_deals == 0
    assert verdict.deals == verify("m1", table.entries, complete=True).deals


def test_what_a_spectator_gets_of_lama_leaves_all_its_seals_closed():
    table = started("lama", 3)
    verdict = verify("m1", [redacted(entry, SPECTATOR) for entry in table.entries], complete=False)
    # The seed, three hands and the pile.
    assert (verdict.openings, verdict.sealed, verdict.deals, verdict.sealed_deals) == (0, 5, 0, 2)


def test_a_redacted_log_does_not_pass_for_a_complete_one():
    table = started("lama", 3)
    verdict = verify("m1", [redacted(entry, SPECTATOR) for entry in table.entries], complete=True)
    assert (verdict.code, verdict.bad_version) == ("seal.opening_missing", 1)


def test_who_sat_and_left_again_takes_his_nonce_with_him():
    table = gathered("lama", 2, nonces=True).when(LeaveSeat(0))
    table.when(TakeSeat("ann", 0)).when(AnnounceNonce(1, nonce_hash_of(7))).when(BeReady(0))
    table.when(BeReady(1, nonce_of(7))).when(StartMatch())
    assert table.happened[0] == MatchStarted((1,))
    verdict = verify("m1", table.entries, complete=True)
    assert verdict.good
    assert verdict.deals == 2


def test_no_events_are_a_log_without_faults():
    assert verify("m1", [], complete=True) == Verdict("m1", head=Table().position.head.hex())


@every_game
def test_the_chain_alone_tells_whether_stored_bytes_are_those_that_were_written(game):
    table = played(game, 2)
    head = table.position.head.hex()
    assert verify_chain("m1", table.entries) == Verdict("m1", events=len(table.entries), head=head)
    altered = replaced(table.entries, 4, changed(table.entries[4], lambda plain: plain.update(door="page")))
    verdict = verify_chain("m1", altered)
    assert (verdict.code, verdict.bad_version, verdict.events) == ("log.chain_broken", 5, 4)
