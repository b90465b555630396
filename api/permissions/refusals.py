"""What is told to whoever may not do something. Each is about another cause, and has a code of its own."""

from services.errors import NotAllowed, Unauthenticated


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


class KeyOfOtherScope(NotAllowed):
    """The key of a program is good for something else."""

    code = "key.other_scope"


class PartakersOnly(NotAllowed):
    """Only who sits at the table, and its host, may read and speak there."""

    code = "talk.partakers_only"


class MatchPrivate(NotAllowed):
    """Only people who sit at the table may see it."""

    code = "match.private"


class OtherSeat(NotAllowed):
    """Until a match is over, only a seat's holder may see what it sees."""

    code = "seat.other"


class CoachNotAllowed(NotAllowed):
    """Only an ended match, or one's own turns at one's own practice table, may be looked at with an expert's eyes.

    In a match that people still play, it would be help from outside.
    """

    code = "coach.not_allowed"


class ForkNotAllowed(NotAllowed):
    """Only an ended match, or one's own practice match, can be forked.

    In a match that people still play, a fork would show players what is hidden from them.
    """

    code = "fork.not_allowed"
