"""Who asks: a bearer token's holder, and what they may see."""

import msgspec

from api.parts import Http, parts_of
from api.requests.headers import bearer
from domain.match.state import Match
from services.errors import NotAllowed, SeatNotHeld, Unauthenticated
from services.matches.service import seat_of
from services.people.identity import Holder, Role


class TokenMissing(Unauthenticated):
    """The request has no token."""

    code = "token.missing"


class HostTokenNeeded(NotAllowed):
    """Only the table's host may do this."""

    code = "token.host_needed"


class SeatTokenNeeded(NotAllowed):
    """Only people who sit at the table may do this."""

    code = "token.seat_needed"


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


async def holder_of(request: Http, match: str, role: Role) -> Holder:
    """Return who holds the request's token, for a command that needs one.

    Raises:
        Unauthenticated: There is no token, or it opens nothing at this match.
        NotAllowed: It is the host's where a seat's is needed, or the other way round.
        StoreUnavailable: The store did not answer.
    """
    holder = await asker_of(request, match)
    if holder is None:
        raise TokenMissing
    if holder.role != role:
        raise HostTokenNeeded if role == "host" else SeatTokenNeeded
    return holder


async def asker_of(request: Http, match: str) -> Holder | None:
    """Return who holds the request's token; None for a request without one.

    Raises:
        Unauthenticated: The token opens nothing at this match.
        StoreUnavailable: The store did not answer.
    """
    token = bearer(request)
    if token is None:
        return None
    if not token:
        raise Unauthenticated
    return await parts_of(request).application.identity.holder(token, match)


def asker_at(state: Match, holder: Holder | None) -> Asker:
    """Return what a token's holder, or somebody without a token, is at a match.

    Raises:
        SeatNotHeld: Their token is a seat's that they no longer hold.
        MatchPrivate: They have no token, and the match has no spectators.
    """
    if holder is not None and holder.role == "seat":
        seat = seat_of(state, holder.player)
        if seat is None:
            raise SeatNotHeld(holder.player)
        return Asker(seat)
    host = holder is not None
    if not host and state.terms is not None and state.terms.visibility == "private":
        raise MatchPrivate
    return Asker(host=host)
