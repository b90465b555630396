"""The recorded scenarios: for every game and number of players, matches that go through different events.

Chance comes from fixed seeds and time from a fixed clock, so under the same release a scenario always gives the same
match. Under a later release it may give another, which is why recorded files stay as they are.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from domain.games.contract import AnyGame
from domain.games.skyjo.moves import Take
from domain.instants import after
from domain.match.clock import ClockTerms, Rest
from domain.match.clock_terms import DAY
from domain.match.commands import (
    AbandonMatch,
    AnnounceExpiry,
    AnnounceNonce,
    AnswerRequest,
    AskForSeat,
    AskToEnd,
    AskToPause,
    AskToResume,
    BeReady,
    CreateMatch,
    CreditOutage,
    ExpireTable,
    Fork,
    GiveTime,
    HandSeatToBot,
    KeepTable,
    LapseRequest,
    LeaveSeat,
    OpenSeat,
    PlanRests,
    PlayMove,
    ReclaimSeat,
    ResignSeat,
    SeatCommand,
    SeatPlan,
    StartMatch,
    TakeSeat,
    UndoMove,
    UnsealLog,
    VoidMatch,
    WithdrawRequest,
)
from domain.match.events import MatchCreated, SeatReady, SeatTaken
from domain.match.expiry import next_of_expiry
from domain.match.state import EVENTS_KEPT_FREE, Terms
from domain.viewers import SPECTATOR
from tests.kit.options import choices
from tests.kit.play import Player
from tests.kit.table import Table, gathered, nonce_hash_of, nonce_of, started

MOST_EVENTS = 150
"""About where longer matches are given up before their end, to keep the corpus small."""


def _random(game: AnyGame, seats: int, name: str) -> Random:
    return Random(f"golden {game.key} {game.rules_number} {seats} {name}")


def _single(game: AnyGame) -> Mapping[str, str | int]:
    return next(choice for choice in choices(game, game.seats[0]) if choice.get("limit") == "single")


def _play(player: Player, table: Table, random: Random, *, until: int) -> None:
    while player.is_on and table.position.version < until:
        table.now = after(table.now, random.choice((0.35, 2, 9.001)))
        (player.bot_move if random.random() < 0.8 else player.random_move)()


def whole(game: AnyGame, seats: int) -> Table:
    """A match from its first deal to its result (for Skyjo mostly one round), with nonces; mostly bots choose."""
    random = _random(game, seats, "whole")
    options = _single(game) if game.key == "skyjo" and seats > game.seats[0] else {}
    table = started(
        game,
        seats,
        bots=seats // 3,
        options=options,
        nonces=True,
        seed=random.randbytes(32).hex(),
        match=_id(game, seats),
    )
    player = Player(table, random)
    while player.is_on:
        table.now = after(table.now, random.choice((0.35, 2, 9.001)))
        seat = table.to_act[0]
        keeps = [move for move in table.legal(seat) if getattr(move, "chip", "") == "none"]
        if keeps and random.random() < 0.5:
            table.move(seat, keeps[0])
        else:
            (player.bot_move if random.random() < 0.85 else player.random_move)()
    return table


def departures(game: AnyGame, seats: int) -> Table:
    """A table with a clock: somebody sits, leaves and comes back, bots stand in, time runs out, all people resign."""
    random = _random(game, seats, "departures")
    seed = random.randbytes(32).hex()
    table = Table(_id(game, seats))
    table.when(_create(game, seats, seed, random))
    table.when(TakeSeat("player-0", 0, nonce_hash_of(0))).when(LeaveSeat(0))
    for seat in range(seats):
        table.when(TakeSeat(f"player-{seat}", None, nonce_hash_of(seat) if seat % 2 else ""))
    for seat in range(seats):
        table.when(BeReady(seat, nonce_of(seat) if seat % 2 else ""))
    table.when(StartMatch())
    player = Player(table, random)
    _play(player, table, random, until=MOST_EVENTS // 4)
    for seat in range(seats):
        table.when(HandSeatToBot(seat)) if seat % 2 else player.time_out()
        _play(player, table, random, until=table.position.version + 3)
        table.when(ReclaimSeat(seat))
    for seat in reversed(range(seats)):
        _play(player, table, random, until=table.position.version + 2)
        table.when(ResignSeat(seat))
    return table


def _create(game: AnyGame, seats: int, seed: str, random: Random) -> CreateMatch:
    options = dict(random.choice(choices(game, seats)))
    return CreateMatch(
        game.key,
        options,
        (SeatPlan(),) * seats,
        "host",
        seed,
        ClockTerms(90),
        visibility="private",
        rematch_of="golden-0",
        rules=game.rules_number,
    )


def stalled(game: AnyGame, seats: int) -> Table:
    """A log with a small limit: the match ends with its present ranking. In Skyjo a round stalls before that."""
    random = _random(game, seats, "stalled")
    table = Table(_id(game, seats))
    table.seed = random.randbytes(32).hex()
    limit = EVENTS_KEPT_FREE + 2 * seats + (60 if seats < 4 else 30)
    table.given(MatchCreated(Terms(game.key, game.rules_number, {}, seats, "host", limit=limit), table.seed))
    for seat in range(seats):
        table.given(SeatTaken(seat, f"player-{seat}", "person")).given(SeatReady(seat))
    table.when(StartMatch())
    player = Player(table, random)
    while player.is_on:
        table.now = after(table.now, 1)
        if not (game.key == "skyjo" and seats < 4 and _stand_still(table)):
            player.random_move()
    return table


def _stand_still(table: Table) -> bool:
    """Exchange an open card for the top of the discard pile, which makes no progress; tell whether it was done."""
    view: Any = table.game.view(table.present, SPECTATOR)
    if view.phase != "play":
        return False
    (seat,) = table.to_act
    slot = next(slot for slot, card in enumerate(view.boards[seat]) if isinstance(card, int))
    table.when(PlayMove(seat, Take(slot)))
    return table.refusal is None


def taken_back(game: AnyGame, seats: int) -> Table:
    """Turns are taken back and replayed, requests made, answered, withdrawn; an operator looks; the match ends."""
    random = _random(game, seats, "taken-back")
    table = started(
        game, seats, undo="consent", seed=random.randbytes(32).hex(), per_turn=120, match=_id(game, seats)
    )
    player = Player(table, random)
    for _ in range(8):
        _play(player, table, random, until=table.position.version + 4)
        if not player.is_on:
            return table
        player.undo()
        for request in table.state.requests:
            for seat in range(seats):
                table.when(AnswerRequest(seat, request.id, agree=random.random() < 0.8))
        player.redo()
    table.when(AskToEnd(0, "end-1")).when(WithdrawRequest(0, "end-1"))
    table.when(
        UnsealLog("seat 1 says that a card was missing"),
        metadata=table.metadata(None, "operator", "operator"),
    )
    table.when(AskToEnd(seats - 1, "end-2"))
    for seat in range(seats):
        table.when(AnswerRequest(seat, "end-2", agree=True))
    return table


def forked(game: AnyGame, seats: int) -> Table:
    """A match that continues from the middle of another, with the cards that one seat did not know redealt."""
    random = _random(game, seats, "forked")
    parent = started(game, seats, seed=random.randbytes(32).hex(), match=f"{_id(game, seats)}-parent")
    _play(Player(parent, random), parent, random, until=20)
    terms = parent.state.terms
    assert terms is not None
    fork = Fork(
        parent=parent.position.match,
        key=game.key,
        version=parent.position.version,
        head=parent.position.head.hex(),
        rules=terms.rules,
        options=terms.options,
        game=parent.present,
        entropy=parent.state.entropy,
        same_cards=False,
        seat=1,
    )
    table = Table(_id(game, seats))
    plans = (SeatPlan(), *(SeatPlan("steady"),) * (seats - 1))
    table.when(CreateMatch(game.key, {}, plans, "host", random.randbytes(32).hex(), fork=fork))
    table.when(TakeSeat("player-0")).when(BeReady(0)).when(StartMatch())
    player = Player(table, random)
    _play(player, table, random, until=60)
    if player.is_on:
        table.when(AbandonMatch("enough seen"))
    return table


def gathering(game: AnyGame, seats: int) -> Table:
    """Nothing was dealt: an operator closes the table while people gather."""
    table = gathered(game, seats, bots=1, nonces=True, match=_id(game, seats))
    return table.when(VoidMatch("nobody came"), metadata=table.metadata(None, "operator", "operator"))


def voided(game: AnyGame, seats: int) -> Table:
    """A seat changes after nonces were shown: all announce anew. In the end all but one resign, and that one wins."""
    random = _random(game, seats, "voided")
    table = Table(_id(game, seats))
    table.when(_create(game, seats, random.randbytes(32).hex(), random))
    for seat in range(seats):
        table.when(TakeSeat(f"player-{seat}", seat, nonce_hash_of(seat)))
    table.when(BeReady(0, nonce_of(0))).when(LeaveSeat(1))
    table.when(TakeSeat("player-1", 1, nonce_hash_of(1))).when(AnnounceNonce(0, nonce_hash_of(0)))
    for seat in range(seats):
        table.when(BeReady(seat, nonce_of(seat)))
        assert table.refusal is None, table.refusal
    table.when(StartMatch())
    _play(Player(table, random), table, random, until=table.position.version + 10)
    for seat in range(1, seats):
        table.when(ResignSeat(seat))
    return table


def ahead(game: AnyGame, seats: int) -> Table:
    """People are ready with sitting down; one shows their nonce, the others are dealt without theirs."""
    table = gathered(game, seats, nonces=True, start="ready", ahead=True, match=_id(game, seats))
    table.when(BeReady(0, nonce_of(0)))
    table.now = table.state.nonces_until
    table.when(StartMatch(), metadata=table.metadata(None, "clock", "clock"))
    return table.when(AbandonMatch("host"))


def brought(game: AnyGame, seats: int) -> Table:
    """A bot that one of the people brought sits among them, and plays."""
    random = _random(game, seats, "brought")
    table = Table(_id(game, seats))
    plans = (SeatPlan(),) * seats
    table.when(CreateMatch(game.key, {}, plans, "host", table.seed, rules=game.rules_number))
    for seat in range(seats):
        table.when(TakeSeat(f"player-{seat}", seat, ready=True, program=seat == 1))
    table.when(StartMatch())
    _play(Player(table, random), table, random, until=table.position.version + 10)
    return table.when(AbandonMatch("host"))


def adjourned(game: AnyGame, seats: int) -> Table:
    """A match of days: rests, an outage, a pause that ends early, time that is given, time that runs out, a return."""
    random = _random(game, seats, "adjourned")
    table = Table(_id(game, seats))
    clock = ClockTerms(DAY, 3600, "stand_in", 2, rests=True)
    table.when(
        CreateMatch(
            game.key,
            {},
            (SeatPlan(),) * seats,
            "host",
            random.randbytes(32).hex(),
            clock,
            "consent",
            rules=game.rules_number,
        )
    )
    for seat in range(seats):
        table.when(TakeSeat(f"player-{seat}", seat)).when(BeReady(seat))
    table.when(StartMatch())
    player = Player(table, random)
    nights = (Rest(after(table.now, DAY / 2), after(table.now, 3 * DAY / 4), "night", (0, 1)),)
    table.when(PlanRests((0, 1), after(table.now, 7 * DAY), nights))
    _play(player, table, random, until=table.position.version + 6)
    gap = table.now, after(table.now, DAY)
    table.now = after(table.now, DAY + 300)
    table.when(CreditOutage(*gap))
    _agreed(table, AskToPause(0, 2 * DAY, "pause"), "pause")
    table.now = after(table.now, DAY)
    _agreed(table, AskToResume(1, "resume"), "resume")
    asked = table.to_act[0]
    table.when(GiveTime((asked + 1) % seats, asked, 3600))
    for _ in range(2 * seats):
        player.time_out()
        _play(player, table, random, until=table.position.version + 1)
    away = next((seat for seat, held in enumerate(table.state.seats) if held.is_away), 0)
    table.when(AskToEnd((away + 1) % seats, "end"))
    table.when(ReclaimSeat(away)).when(AnswerRequest(away, "end", agree=False))
    _agreed(table, UndoMove(away, "undo"), "undo")
    _play(player, table, random, until=table.position.version + 4)
    if player.is_on:
        table.when(AskToEnd(0, "end"))
        for seat in range(1, seats):
            table.when(HandSeatToBot(seat))
        table.now = after(table.now, 2 * DAY)
        table.when(LapseRequest("end"))
    return table


def _agreed(table: Table, ask: SeatCommand, name: str) -> None:
    """Ask the others for something, and let them agree."""
    table.when(ask)
    for seat in range(len(table.state.seats)):
        if any(request.id == name for request in table.state.requests):
            table.when(AnswerRequest(seat, name, agree=True))


def expired(game: AnyGame, seats: int) -> Table:
    """Nobody else comes: the table is told its end, kept, told again, and closed by the clock."""
    table, seed = Table(_id(game, seats)), _random(game, seats, "expired").randbytes(32).hex()
    plans = (SeatPlan(),) * seats
    table.when(CreateMatch(game.key, {}, plans, "host", seed, rules=game.rules_number))
    table.when(TakeSeat("player-0", 0))
    for command in (AnnounceExpiry(), KeepTable(), AnnounceExpiry(), ExpireTable()):
        table.now = next_of_expiry(table.state, table.position.at)
        table.when(command, metadata=table.metadata(None, "clock", "clock"))
        assert table.refusal is None, table.refusal
    return table


def kept(game: AnyGame, seats: int) -> Table:
    """A rematch: one seat is kept for somebody who comes, another is opened; the host ends it."""
    table, seed = Table(_id(game, seats)), _random(game, seats, "kept").randbytes(32).hex()
    plans = tuple(SeatPlan(kept=f"invitation-{seat}") for seat in range(seats))
    number = game.rules_number
    table.when(CreateMatch(game.key, {}, plans, "host", seed, rematch_of="golden-0", rules=number))
    table.when(TakeSeat("player-0", invitation="invitation-0")).when(OpenSeat(1)).when(TakeSeat("player-1"))
    return table.when(AbandonMatch("host"))


def taken_over(game: AnyGame, seats: int) -> Table:
    """Somebody from outside takes over a seat and plays on; the host ends it."""
    random = _random(game, seats, "taken-over")
    table = started(game, seats, seed=random.randbytes(32).hex(), match=_id(game, seats))
    player = Player(table, random)
    _play(player, table, random, until=table.position.version + 4)
    table.when(AskForSeat("player-9", 1, "replace-1"), metadata=table.metadata(None, "player-9"))
    for seat in range(seats):
        table.when(AnswerRequest(seat, "replace-1", agree=True))
    _play(player, table, random, until=table.position.version + 6)
    return table.when(AbandonMatch("host"))


def _id(game: AnyGame, seats: int) -> str:
    return f"golden-{game.key}{game.rules_number}-{seats}"


EVERYWHERE: Mapping[str, Callable[[AnyGame, int], Table]] = {
    "whole": whole,
    "departures": departures,
    "stalled": stalled,
    "taken-back": taken_back,
}
"""Recorded for every number of players."""

ONCE: Mapping[str, Callable[[AnyGame, int], Table]] = {
    "voided": voided,
    "adjourned": adjourned,
    "forked": forked,
    "gathering": gathering,
    "ahead": ahead,
    "expired": expired,
    "kept": kept,
    "taken-over": taken_over,
    "brought": brought,
}
"""Recorded for the fewest players only."""
