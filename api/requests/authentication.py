"""Who asks: a bearer token's holder or person, and what they may see."""

import msgspec

from api.parts import Http, parts_of
from api.requests.headers import bearer
from domain.match.state import Match
from services.bootstrap import present_instant
from services.errors import NotAllowed, SeatNotHeld, Unauthenticated
from services.matches.service import seat_of
from services.people.identity import Role
from services.people.memberships import Held


class TokenMissing(Unauthenticated):
    """The request has no token."""

    code = "token.missing"


class HostTokenNeeded(NotAllowed):
    """Only the table's host may do this."""

    code = "token.host_needed"


class SeatTokenNeeded(NotAllowed):
    """Only people who sit at the table may do this."""

    code = "token.seat_needed"


class PersonTokenNeeded(NotAllowed):
    """It is about a person, whom a token of one seat does not prove."""

    code = "token.person_needed"


class MatchPrivate(NotAllowed):
    """Only people who sit at the table may see it."""

    code = "match.private"


class OtherSeat(NotAllowed):
    """Until a match is over, only a seat's holder may see what it sees."""

    code = "seat.other"


class Asker(msgspec.Struct, frozen=True):
    """The person who looks at a match.

    Attributes:
        seat: The seat that they hold; None for a spectator.
        host: Whether they hold the host's token.
    """

    seat: int | None = None
    host: bool = False


async def player_of(request: Http, match: str, role: Role) -> str:
    """Return the player as whom the request's sender acts in a role, for a command that needs one.

    Raises:
        Unauthenticated: There is no token, or it opens nothing at this match.
        NotAllowed: They are not the host where the host is needed, or hold no seat where a seat is.
        StoreUnavailable: The store did not answer.
    """
    held = await asker_of(request, match)
    if held is None:
        raise TokenMissing
    player = held.player(role)
    if not player:
        raise HostTokenNeeded if role == "host" else SeatTokenNeeded
    await parts_of(request).application.persons.keep(held.person)
    return player


async def asker_of(request: Http, match: str) -> Held | None:
    """Return who the request's sender is at a match, by a token of the match or a person's own.

    Returns:
        None for a request without a token.

    Raises:
        Unauthenticated: The token opens nothing at this match.
        StoreUnavailable: The store did not answer.
    """
    token = _token(request)
    if token is None:
        return None
    application = parts_of(request).application
    holder = await application.identity.find(token)
    if holder is not None:
        if holder.match != match:
            raise Unauthenticated
        return Held(holder.player) if holder.role == "seat" else Held(host=holder.player)
    person = await application.sessions.person(token, present_instant())
    if not person:
        raise Unauthenticated
    return await application.memberships.held(person, match)


async def person_of(request: Http) -> str:
    """Return the person whose own token the request carries; empty without one, or with a token of a match.

    Raises:
        Unauthenticated: The token opens nothing.
        StoreUnavailable: The store did not answer.
    """
    token = _token(request)
    if token is None:
        return ""
    application = parts_of(request).application
    person = await application.sessions.person(token, present_instant())
    if not person and await application.identity.find(token) is None:
        raise Unauthenticated
    return person


async def required_person(request: Http) -> str:
    """Return the person whose own token the request carries.

    Raises:
        Unauthenticated: It carries none, or one that opens nothing.
        PersonTokenNeeded: It is the token of a seat or a host.
        StoreUnavailable: The store did not answer.
    """
    if bearer(request) is None:
        raise TokenMissing
    person = await person_of(request)
    if not person:
        raise PersonTokenNeeded
    return person


def asker_at(state: Match, held: Held | None) -> Asker:
    """Return what somebody is at a match; None stands for somebody without a token.

    Raises:
        SeatNotHeld: Their token is a seat's that they no longer hold.
        MatchPrivate: They have no part in the match, and it has no spectators.
    """
    seat = seat_of(state, held.seat) if held is not None and held.seat else None
    if held is not None and held.seat and seat is None and not held.person:
        raise SeatNotHeld(held.seat)
    is_host = held is not None and bool(held.host)
    if seat is None and not is_host and state.terms is not None and state.terms.visibility == "private":
        raise MatchPrivate
    return Asker(seat, is_host)


def _token(request: Http) -> str | None:
    token = bearer(request)
    if token == "":
        raise Unauthenticated
    return token
