"""No byte that reaches a viewer tells a card that he may not know.

For every game, number of players and viewer: two matches that differ only in cards hidden from that viewer, dealt
from two seeds, give him the same bytes, once commitments, salts and hashes of fixed length are replaced by constants.
"""

from contextlib import suppress
from functools import cache
from random import Random

import msgspec
import pytest

from domain.entries import decode_openings
from domain.errors import Refused
from domain.match.command_handler import prepare_append
from domain.match.commands import PlayMove, UndoMove, WithdrawRequest
from domain.match.decide_table import UNDO_POLICIES
from domain.match.due import context_at
from domain.viewers import SPECTATOR, Viewer, seat_viewer
from services.matches.replay import replay
from services.words.history import history_line
from tests.kit.games import EVERY_GAME, every_game_and_number_of_players, name_of
from tests.kit.invariants import viewers
from tests.kit.log import redacted
from tests.kit.play import Player
from tests.kit.table import Table, started
from tests.kit.twins import (
    along,
    blanked,
    check_no_choice_leaks,
    offers_to,
    seen,
    twin_of,
    twins_with_exchanged_cards,
    without_secrets,
)

COMMANDS = 40


def number_of_matches(seats: int) -> int:
    """Return how many matches are compared: each is for as many viewers as there are seats, and one."""
    return 2 if seats <= 3 else 1


@cache
def twins(game, seats: int) -> tuple[tuple[Table, Viewer, Table], ...]:
    """Return matches with a twin for every viewer."""
    found = []
    for number in range(number_of_matches(seats)):
        random = Random(f"{name_of(game)} {seats} {number}")
        table = running(game, seats, random)
        for viewer in viewers(seats):
            twin = twin_of(table, viewer, random)
            if twin is not None:
                found.append((table, viewer, twin))
    return tuple(found)


def running(game, seats: int, random: Random) -> Table:
    """Return a match in its course: once it is over, nothing is hidden any more.

    If the game has such moves, it stops behind one that only its own seat has seen.
    """
    table = started(game, seats, nonces=True, per_turn=60, undo=random.choice(UNDO_POLICIES))
    player = Player(table, random)
    steps = (player.random_move, player.random_move, player.bot_move, player.bot_move, player.undo)
    shortest = random.randrange(COMMANDS // 3, COMMANDS)
    for number in range(COMMANDS):
        if number >= shortest and any(opening.seats for opening in decode_openings(table.entries[-1].s)):
            break
        before = table.copy()
        random.choice(steps)()
        if not player.is_on:
            return before
    return table


@every_game_and_number_of_players
def test_twins_exist_and_are_no_copies(game, seats):
    pairs = twins(game, seats)
    assert len(pairs) >= number_of_matches(seats) * (seats + 1) * 3 // 4
    assert all(twin.present != table.present for table, _, twin in pairs)
    assert {viewer for _, viewer, _ in pairs} == set(viewers(seats))


@every_game_and_number_of_players
def test_views_and_legal_moves_at_every_version(game, seats):
    for table, viewer, twin in twins(game, seats):
        for mine, theirs in zip(along(table), along(twin), strict=True):
            assert seen(mine, viewer) == seen(theirs, viewer)


@every_game_and_number_of_players
def test_events(game, seats):
    for table, viewer, twin in twins(game, seats):
        for mine, theirs in zip(table.entries, twin.entries, strict=True):
            assert without_secrets(mine, viewer) == without_secrets(theirs, viewer)
            assert mine.h != theirs.h


@every_game_and_number_of_players
def test_replays(game, seats):
    for table, viewer, twin in twins(game, seats):
        mine, theirs = (
            blanked(msgspec.to_builtins(replay("m1", one.entries, viewer.seat, one.state)))
            for one in (table, twin)
        )
        heads = table.entries[0].h.hex(), twin.entries[0].h.hex()
        mine["start"].pop("head")
        theirs["start"].pop("head")
        assert heads[0] not in str(mine)
        assert msgspec.json.encode(mine) == msgspec.json.encode(theirs)


@every_game_and_number_of_players
def test_history_lines(game, seats):
    names = [f"player {seat}" for seat in range(seats)]
    for table, viewer, twin in twins(game, seats):
        told = []
        for one in (table, twin):
            steps = replay("m1", one.entries, viewer.seat, one.state).steps
            told.append(
                [history_line(game.key, step.type, step.data, names, "en", you=viewer.seat) for step in steps]
            )
        assert told[0] == told[1]
        assert None not in told[0]


@every_game_and_number_of_players
def test_refusals_and_who_is_refused(game, seats):
    for table, viewer, twin in twins(game, seats):
        if viewer.seat is None:
            continue
        for move in moves_ever_legal(table):
            mine, theirs = (answer(one, viewer.seat, move) for one in (table, twin))
            assert mine == theirs


def moves_ever_legal(table: Table):
    """Return moves that were legal for somebody at some time: most of them are not for this seat now."""
    found = {}
    for position in along(table)[::5]:
        if position.state.game is None:
            continue
        for seat in table.game.to_act(position.state.game):
            legal = table.game.legal_moves(position.state.game, seat)
            for move in list(table.game.expand(legal))[:8] if legal else ():
                found[msgspec.json.encode(move)] = move
    return list(found.values())[:40]


def answer(table: Table, seat: int, move) -> tuple[object, ...]:
    try:
        prepare_append(
            table.position, PlayMove(seat, move), table.metadata(seat), context_at(table.state, table.now)
        )
    except Refused as refusal:
        return refusal.code, refusal.rule, dict(refusal.arguments)
    return ()


@pytest.mark.parametrize("game", EVERY_GAME, ids=name_of)
def test_twins_for_one_seat_do_look_different_from_another(game):
    """Otherwise the tests above would find no leak."""
    seats = 4
    others = [
        (table, seat_viewer(seat), twin)
        for table, viewer, twin in twins(game, seats)
        for seat in range(seats)
        if seat != viewer.seat
    ]
    differing = [
        any(
            seen(mine, viewer) != seen(theirs, viewer)
            for mine, theirs in zip(along(table), along(twin), strict=True)
        )
        for table, viewer, twin in others
    ]
    assert any(differing)


class TestOpenings:
    """None that excludes a viewer is in what he receives."""

    @every_game_and_number_of_players
    def test_go_to_nobody_outside_their_audience(self, game, seats):
        for table, viewer, _ in twins(game, seats):
            for entry in table.entries:
                received = decode_openings(redacted(entry, viewer).s)
                assert all(viewer.seat in opening.seats for opening in received)

    @every_game_and_number_of_players
    def test_of_the_seed_and_of_undealt_cards_go_to_nobody_at_all(self, game, seats):
        for table, viewer, _ in twins(game, seats):
            salts = {
                opening.salt
                for entry in table.entries
                for opening in decode_openings(entry.s)
                if not opening.seats
            }
            assert salts
            received = b"".join(redacted(entry, viewer).s + entry.e for entry in table.entries)
            assert not any(salt.encode() in received for salt in salts)
            assert table.seed.encode() not in received

    @every_game_and_number_of_players
    def test_of_a_spectator_do_not_exist(self, game, seats):
        table = twins(game, seats)[0][0]
        assert all(redacted(entry, SPECTATOR).s == b"" for entry in table.entries)


def asking_to_take_back(game, seats: int, random: Random) -> Table:
    """Return a match in which people ask to take turns back, to any turn of theirs, and withdraw."""
    table = started(game, seats, nonces=True, undo="consent")
    player = Player(table, random)
    for number in range(COMMANDS):
        before = table.copy()
        player.random_move()
        if not player.is_on:
            return before
        if number % 4:
            continue
        for seat in range(seats):
            to = random.choice([None, *turns_of(table, seat)])
            with suppress(AssertionError, Refused):
                table.when(UndoMove(seat, f"k{number}", to))
            for request in table.state.requests:
                table.when(WithdrawRequest(request.seat, request.id))
    return table


def turns_of(table: Table, seat: int) -> tuple[int, ...]:
    """Return the versions of the turns that a seat could name."""
    found, node = [], table.state.past
    while node is not None:
        if seat in table.game.to_act(node.game):
            found.append(node.version)
        node = node.before
    return tuple(found)


@pytest.mark.parametrize("game", EVERY_GAME, ids=name_of)
def test_requests_and_offers_do_not_tell_which_of_two_equal_cards_was_played(game):
    compared = 0
    for number in range(3):
        random = Random(f"{name_of(game)} {number}")
        table = asking_to_take_back(game, 3, random)
        for viewer in viewers(3):
            for twin in twins_with_exchanged_cards(table, viewer, random):
                compared += 1
                for mine, theirs in zip(table.entries, twin.entries, strict=True):
                    assert without_secrets(mine, viewer) == without_secrets(theirs, viewer)
                for one, other in zip(along(table), along(twin), strict=True):
                    assert seen(one, viewer) == seen(other, viewer)
                assert offers_to(table.state, viewer) == offers_to(twin.state, viewer)
    # One card can stand for another only where cards are alike and a hand holds several.
    assert compared >= (10 if game.key == "lama" else 0)


@every_game_and_number_of_players
def test_nothing_tells_what_others_chose_in_secret(game, seats):
    random = Random(f"choices {name_of(game)} {seats}")
    table = running(game, seats, random)
    for viewer in viewers(seats):
        check_no_choice_leaks(table, viewer)
