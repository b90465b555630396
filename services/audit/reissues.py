"""Letting somebody back on a seat that they have lost: a link of its own, by the table's host or an operator.

The link opens that seat and nothing else. Once it is used, whoever held the seat before does not see it any longer.
"""

import structlog

from domain.errors import Refused
from domain.instants import Instant
from domain.match.commands import ReissueSeat
from domain.match.decide_operator import LONGEST_REASON, is_reason
from domain.match.decide_table import require_seat
from domain.match.state import Match
from services.audit.operators import act_as_operator
from services.errors import MatchClosed, NoSuchMatch
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.people.hashed_secrets import hash_of
from services.people.identity import Holder
from services.people.links import Link, Links
from services.people.reissues import By, Place, Reissue, Reissues

_log = structlog.get_logger(__name__)


class Reissuing:
    """Makes links to seats, and records them. Methods may raise ``StoreUnavailable``."""

    def __init__(self, service: MatchService, reader: MatchReader, links: Links, reissues: Reissues) -> None:
        self._service = service
        self._reader = reader
        self._links = links
        self._reissues = reissues

    async def by_host(self, match: str, seat: int, token: str, now: Instant) -> Link:
        """Make a link to a seat for the table's host, who may do so until the cards are dealt.

        Raises:
            NoSuchMatch: There is no such match.
            Refused: No person sits there, or the cards are dealt.
        """
        state = (await self._reader.head(match)).state
        if state.lifecycle.phase != "gathering":
            raise Refused("seat.reissued_by_operator", "seats come back")
        return await self._make(_holder(state, match, seat), seat, "host", token, now)

    async def by_operator(self, match: str, place: Place, reason: str, token: str, now: Instant) -> Link:
        """Make a link to a seat, or to the host's place, for an operator; the log of a match that goes on tells why.

        Raises:
            NoSuchMatch: There is no such match.
            Refused: No person sits there, or there is no reason.
            BrokenLog: An event of the match was altered, or is missing; nothing has changed.
        """
        holder = _holder((await self._reader.head(match)).state, match, place)
        command = ReissueSeat(None if place == "host" else place, reason)
        try:
            # The log is everybody's to read: nothing of the token goes into it.
            await act_as_operator(self._service, match, command, f"reissue-{hash_of(token)[:20]}")
        except MatchClosed:
            if not is_reason(reason):
                raise Refused("reason.missing", "operators give a reason", longest=LONGEST_REASON) from None
        return await self._make(holder, place, "operator", token, now)

    async def _make(self, holder: Holder, place: Place, by: By, token: str, now: Instant) -> Link:
        link = await self._links.make_for_seat(token, holder, now)
        await self._reissues.note(holder.match, Reissue(now, place, by))
        _log.info("seat_reissued", match=holder.match, seat=place, by=by)
        return link


def _holder(state: Match, match: str, place: Place) -> Holder:
    if state.terms is None:
        raise NoSuchMatch(match)
    if place == "host":
        return Holder(match, state.terms.host, "host")
    require_seat(state, place)
    if state.seats[place].kind != "person":
        raise Refused("seat.empty", "only people lose a seat", seat=place)
    return Holder(match, state.seats[place].player, "seat")
