"""Taking somebody out of a match for good, who is to be erased: a seat is freed, or resigned to a bot."""

from typing import Final

import structlog

from domain.canonical import digest
from domain.errors import BrokenLog, Refused
from domain.match.command_handler import CommandMetadata
from domain.match.commands import AbandonMatch, Command, LeaveSeat, ResignSeat, SeatCommand
from domain.match.state import OVER, Match
from services.errors import MatchClosed, MatchFull, NoSuchMatch, SeatNotHeld
from services.matches.reader import MatchReader
from services.matches.service import OPERATOR, ForOwnSeat, MatchService, Submission, seat_of
from services.people.identity import Holder
from services.people.memberships import Membership

REASON: Final = "host_gone"
"""Why a table ends at which nobody sits any more."""

_log = structlog.get_logger(__name__)


class Leaving:
    """Lets persons leave matches."""

    def __init__(self, service: MatchService, reader: MatchReader) -> None:
        self._service = service
        self._reader = reader

    async def goes_on(self, membership: Membership) -> bool:
        """Tell whether somebody still plays, or will play, where they have a seat."""
        try:
            state = (await self._reader.head(membership.holder.match)).state
        except (BrokenLog, MatchClosed, NoSuchMatch):
            return False
        return state.lifecycle.phase not in OVER and seat_of(state, membership.holder.player) is not None

    async def leave(self, membership: Membership, running: type[SeatCommand] = ResignSeat) -> None:
        """Take a person out of a match that goes on; one that is over, or cannot be read, stays as it is.

        Args:
            membership: Their part in the match.
            running: What is done for a seat at which somebody plays.

        Raises:
            StoreUnavailable, OutcomeUnknown, Contended: It may be tried again.
        """
        holder = membership.holder
        try:
            state = (await self._reader.head(holder.match)).state
            command = _command(state, holder, running)
            if command is not None:
                await self._service.execute(_submission(holder, command))
        except (BrokenLog, MatchClosed, MatchFull, NoSuchMatch, Refused, SeatNotHeld) as error:
            _log.warning("seat_not_left", match=holder.match, code=error.code)


def _command(state: Match, holder: Holder, running: type[SeatCommand]) -> Command | ForOwnSeat | None:
    phase = state.lifecycle.phase
    if holder.role == "host":
        # While others sit there they may go on; when nobody does, nobody would ever end it.
        others = any(seat.kind == "person" and seat.player != holder.player for seat in state.seats)
        return AbandonMatch(REASON) if phase == "gathering" and not others else None
    seat = seat_of(state, holder.player)
    if seat is None or phase not in {"gathering", "playing"} or state.seats[seat].resigned:
        return None
    return ForOwnSeat(LeaveSeat) if phase == "gathering" else ForOwnSeat(running)


def _submission(holder: Holder, command: Command | ForOwnSeat) -> Submission:
    kind = command.kind.__name__ if isinstance(command, ForOwnSeat) else type(command).__name__
    # Carried out again after it broke off, it is the same command.
    metadata = CommandMetadata(holder.player, OPERATOR, f"gone-{kind}")
    return Submission(holder.match, command, metadata, digest({"gone": kind}))
