"""A rematch: another table with the same terms and bots, at which a seat is kept for each of the same people."""

import secrets
from typing import Final

import msgspec

from api.parts import Parts
from api.requests.kept_seats import invitations_for
from api.requests.submissions import Door, fingerprint, issued_caller, submission
from domain.errors import Refused
from domain.match.commands import CreateMatch, SeatPlan
from domain.match.fold import Position
from domain.match.levels import DEFAULT_LEVEL, LEVELS
from domain.match.state import OVER, Match, Seat
from services.bootstrap import present_instant
from services.errors import MatchClosed, NoSuchMatch
from services.people.identity import Holder, Issued

MOST: Final = 20
"""How many rematches of one match are tried: an earlier one may have come to nothing."""


class Rematch(msgspec.Struct, frozen=True):
    """A rematch of a match.

    Attributes:
        issued: Its id, and what its host is.
        position: The match as it stands; None if it is not made yet.
    """

    issued: Issued
    position: Position | None


class _Asked(msgspec.Struct, frozen=True):
    """What a rematch says, for its fingerprint."""

    rematch_of: str


async def rematch_of(parts: Parts, match: str) -> Rematch:
    """Return the rematch that a match has, or would get: the same one for everybody who asks.

    Raises:
        Refused: All that were made came to nothing.
    """
    for number in range(MOST):
        issued = parts.application.identity.for_rematch(match, number)
        try:
            position = await parts.application.reader.head(issued.match)
        except NoSuchMatch:
            return Rematch(issued, None)
        except MatchClosed:
            continue
        if position.state.lifecycle.phase != "abandoned":
            return Rematch(issued, position)
    raise Refused("rematch.too_many", "rematches", most=MOST)


async def made_rematch(parts: Parts, door: Door, position: Position, person: str, club: str = "") -> Rematch:
    """Return the rematch of a match that is over, made now if nobody has made it.

    Args:
        parts: The service.
        door: The door that whoever asks came through.
        position: The match.
        person: Who makes it, and becomes its host; empty for somebody who has only a token.
        club: The club whose table it is to be; empty for none.

    Raises:
        Refused: The match goes on, or cannot be played again.
    """
    terms, application = position.state.terms, parts.application
    if position.state.lifecycle.phase not in OVER or terms is None:
        raise Refused("rematch.not_over", "rematches")
    found = await rematch_of(parts, position.match)
    if found.position is not None:
        return found
    issued = found.issued
    command = CreateMatch(
        game=terms.game,
        options=terms.options,
        seats=await _plans(parts, position.state, issued.match),
        host=issued.player,
        seed=secrets.token_hex(32),
        clock=terms.clock,
        undo=terms.undo,
        visibility=terms.visibility,
        rematch_of=position.match,
        start=terms.start,
        friendly=terms.friendly,
    )
    said = fingerprint("create", "", _Asked(position.match))
    order = submission(issued_caller(door, issued), issued.match, command, said)
    if person:
        holder = Holder(issued.match, issued.player, "host")
        await application.memberships.collect(person, holder, present_instant())
    else:
        await application.identity.remember(issued, "host")
    if club:
        await application.clubs.tables.record(club, issued.match, present_instant())
    return Rematch(issued, (await application.service.execute(order)).position)


async def _plans(parts: Parts, state: Match, rematch: str) -> tuple[SeatPlan, ...]:
    """Return who shall sit where: bots again, and seats kept for the people whom the service knows."""
    persons = await parts.application.memberships.persons_of([seat.player or "-" for seat in state.seats])

    known = [
        person if person and seat.kind != "bot" and not seat.program else ""
        for seat, person in zip(state.seats, persons, strict=True)
    ]
    invitations = iter(await invitations_for(parts, rematch, filter(None, known)))

    def plan(seat: Seat, person: str) -> SeatPlan:
        if seat.kind == "bot":
            return SeatPlan(seat.level if seat.level in LEVELS else DEFAULT_LEVEL)
        return SeatPlan(kept=next(invitations) if person else "")

    return tuple(map(plan, state.seats, known))
