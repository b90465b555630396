"""What a viewer sees of a match: the table around the game's own view."""

import msgspec

from domain.errors import Refused
from domain.games.contract import GameView, LegalMoves
from domain.instants import EARLIEST, Instant
from domain.match.clock import Rest
from domain.match.decide_undo import may_redo, what_undo_does
from domain.match.due import deadlines_of
from domain.match.evolve import game_of, seats_that_may_act, seats_to_act
from domain.match.fold import Position
from domain.match.state import OVER, Lifecycle, Match, Request, Terms
from domain.viewers import Viewer


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of the table, as all viewers see it.

    Attributes:
        seat: Its number.
        kind: ``open``, ``person`` or ``bot``.
        player: Opaque id of its holder.
        level: A bot's level.
        ready: Whether its holder is ready.
        nonce_hash: What its holder has announced.
        nonce: What they have revealed.
        resigned: Whether they have resigned.
        stand_in: Whether a bot plays for them until they return.
        covered: Whether a bot plays this one turn for them.
        missed: How many of their turns in a row a bot has played because no time was left.
        stood_in: How many moves bots have made for them.
        program: Whether it is a bot that one of the people brought: it plays over the API, and is asked as people are.
        kept: Whether it is kept for somebody.
        former: Opaque ids of those who held it before, while the match was played.
    """

    seat: int
    kind: str
    player: str = ""
    level: str = ""
    ready: bool = False
    nonce_hash: str = ""
    nonce: str = ""
    resigned: bool = False
    stand_in: bool = False
    covered: bool = False
    missed: int = 0
    stood_in: int = 0
    program: bool = False
    kept: bool = False
    former: tuple[str, ...] = ()


class UndoView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat may take back.

    Attributes:
        to: The version whose position would be restored; None if there is nothing to take back.
        ask: Whether the others must agree first.
        redo: Whether the seat can play again what was taken back.
    """

    to: int | None = None
    ask: bool = False
    redo: bool = False


class MatchView(msgspec.Struct, frozen=True):
    """A match as one viewer sees it at one version.

    Attributes:
        match: The match's id.
        version: The number of events behind this view.
        head: The chain hash at that version, hexadecimal.
        at: When the last of them was accepted.
        terms: What the match was created with.
        lifecycle: How far it has come; with ranking and totals once finished.
        seats: The seats in their order around the table.
        viewer: The seat that the viewer looks from; None for a spectator.
        to_act: The seats that owe a move.
        asked_at: The version at which the viewer's seat was asked for the move that it owes; None if it owes none. A
            move's ``If-Match`` may name this version or any later one.
        deadlines: By seat, as text: when its time ends; seats without a limit are left out.
        game: The game as the viewer sees it; None before the start.
        legal: What the viewer's seat may do now; None if it neither owes a move nor may make one.
        seed: The opened seed, once the match is over.
        requests: Open requests for the others' agreement.
        undo: What the viewer's seat may take back; None for spectators, and while nobody plays.
        forked_from: Where a fork comes from: match and version.
        may_act: The seats that may move although nobody waits for them: they have chosen, and may choose again.
        nonces_until: Until when a table at which everybody is ready waits for announced nonces; empty if it does not.
        bank: By seat, as text: the seconds that its bank held when it was last asked; empty where there are no banks.
        rests: When the clocks of those who owe a move rest, as far as their deadlines.
        expires: When a table that has not begun ends unless something happens there; empty if that was not told.
    """

    match: str
    version: int
    head: str
    at: Instant
    terms: Terms
    lifecycle: Lifecycle
    seats: tuple[SeatView, ...]
    viewer: int | None
    to_act: tuple[int, ...]
    asked_at: int | None
    deadlines: dict[str, Instant]
    game: GameView | None
    legal: LegalMoves | None
    seed: str | None
    requests: tuple[Request, ...] = ()
    undo: UndoView | None = None
    forked_from: tuple[str, int] | None = None
    may_act: tuple[int, ...] = ()
    nonces_until: Instant = EARLIEST
    bank: dict[str, int] = {}
    rests: tuple[Rest, ...] = ()
    expires: Instant = EARLIEST


def viewer_of(state: Match, seat: int | None) -> Viewer:
    """Return the viewer who looks from a seat (None for a spectator). Once a match is over, nothing is hidden."""
    return Viewer(seat, everything=True) if state.lifecycle.phase in OVER else Viewer(seat)


def match_view(position: Position, viewer: Viewer) -> MatchView:
    """Return what a viewer sees of a match.

    Raises:
        ValueError: The match has no event yet.
    """
    state, seat = position.state, viewer.seat
    if state.terms is None:
        raise ValueError(position.match)
    to_act, may_act = seats_to_act(state), seats_that_may_act(state)
    shown = legal = None
    if state.game is not None:
        game = game_of(state.terms)
        shown = game.view(state.game, viewer)
        if seat is not None and (seat in to_act or seat in may_act):
            legal = game.legal_moves(state.game, seat)
    asked_at = state.asked_at[seat] if seat is not None and seat in to_act else None
    deadlines, clock = deadlines_of(state), state.clock
    latest = max(deadlines.values(), default=position.at)
    return MatchView(
        match=position.match,
        version=position.version,
        head=position.head.hex(),
        at=position.at,
        terms=state.terms,
        lifecycle=state.lifecycle,
        seats=seat_views(state),
        viewer=seat,
        to_act=to_act,
        asked_at=asked_at,
        deadlines={str(number): deadline for number, deadline in deadlines.items()},
        game=shown,
        legal=legal,
        seed=state.entropy.seed if viewer.everything else None,
        requests=state.requests,
        undo=undo_view(state, seat) if seat is not None else None,
        forked_from=(state.origin.parent, state.origin.version) if state.origin is not None else None,
        may_act=may_act,
        nonces_until=state.nonces_until,
        bank={str(number): clock.bank_of(number) // 1000 for number in range(len(state.seats)) if clock.bank},
        rests=tuple(
            rest
            for rest in clock.rests
            if rest.ends > position.at
            and rest.begins < latest
            and (not rest.seats or {*rest.seats} & {*deadlines})
        ),
        expires=state.expires,
    )


def undo_view(state: Match, seat: int) -> UndoView | None:
    """Return what a seat may take back; None while nobody plays."""
    if state.lifecycle.phase != "playing" or state.terms is None or state.terms.undo == "off":
        return None
    try:
        target, ask = what_undo_does(state, seat)
    except Refused:
        return UndoView(redo=may_redo(state, seat))
    return UndoView(target.version, ask, may_redo(state, seat))


def seat_views(state: Match) -> tuple[SeatView, ...]:
    """Return the seats as all viewers see them."""
    return tuple(
        SeatView(
            number,
            seat.kind,
            seat.player,
            seat.level,
            seat.ready,
            seat.nonce_hash,
            seat.nonce,
            bool(seat.resigned),
            seat.stand_in,
            seat.covered,
            seat.missed,
            seat.stood_in,
            seat.program,
            bool(seat.kept),
            seat.former,
        )
        for number, seat in enumerate(state.seats)
    )
