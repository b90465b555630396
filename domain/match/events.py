"""The match's own events. A game's events live in its folder; both share one log."""

from collections.abc import Mapping
from typing import ClassVar

from domain.instants import Instant
from domain.match.state import Entropy, Terms
from domain.sealing import Audience, Event


class MatchCreated(Event, frozen=True, omit_defaults=True):
    """A table was made. The seed stays sealed until the match ends; its commitment is public from here on."""

    SEALED: ClassVar[Mapping[str, Audience]] = {"seed": Audience.NOBODY}

    terms: Terms
    seed: str


class MatchForked(Event, frozen=True, omit_defaults=True):
    """This match begins with a position of another one. Its log needs no other log: the position is in it.

    Attributes:
        parent: Where the position comes from; provenance only.
        version: The parent's version.
        head: The parent's chain hash at that version, hexadecimal.
        position: The game's full state, sealed like the hands in it.
        entropy: The parent's seed and nonces when later deals shall bring the same cards, else empty; sealed.
        redealt_for: The seat for which what it did not know was dealt anew; None when all cards are the parent's.
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {"position": Audience.NOBODY, "entropy": Audience.NOBODY}

    parent: str
    version: int
    head: str
    position: dict[str, object]
    entropy: Entropy
    redealt_for: int | None = None


class SeatTaken(Event, frozen=True, omit_defaults=True):
    """Somebody sat down.

    Attributes:
        seat: The seat.
        player: Opaque player id; never a name.
        kind: ``person`` or ``bot``.
        level: A bot's level.
        nonce_hash: SHA-256, hexadecimal, of the nonce that this player will add to the match's chance.
    """

    seat: int
    player: str
    kind: str
    level: str = ""
    nonce_hash: str = ""


class SeatReady(Event, frozen=True, omit_defaults=True):
    """A person is ready; with the nonce, if he announced one."""

    seat: int
    nonce: str = ""


class SeatLeft(Event, frozen=True, omit_defaults=True):
    """A person stood up before the start."""

    seat: int


class MatchStarted(Event, frozen=True, omit_defaults=True):
    """All seats are taken and ready: the game begins."""


class TurnTimedOut(Event, frozen=True, omit_defaults=True):
    """A seat's time ran out; the fallback move follows in the same command."""

    seat: int


class SeatHandedToBot(Event, frozen=True, omit_defaults=True):
    """A bot plays for a person from now on, until he reclaims the seat."""

    seat: int
    level: str = ""


class SeatReclaimed(Event, frozen=True, omit_defaults=True):
    """A person plays for himself again."""

    seat: int


class SeatResigned(Event, frozen=True, omit_defaults=True):
    """A person gave up: a bot plays on, and the seat is ranked last (the first leaver last of all)."""

    seat: int
    level: str = ""


class RequestMade(Event, frozen=True, omit_defaults=True):
    """A seat asked the others to agree to something.

    Attributes:
        id: The command id of the one who asked.
        kind: ``undo`` or ``end``.
        seat: Who asks.
        expires: When it lapses by itself.
        to: For ``undo``: the version whose position shall come back.
        known: For ``undo``: how many cards the seat has come to know since, and will go on knowing.
    """

    id: str
    kind: str
    seat: int
    expires: Instant
    to: int = 0
    known: int = 0


class RequestAnswered(Event, frozen=True, omit_defaults=True):
    """A seat agreed to a request, or refused it."""

    id: str
    seat: int
    agree: bool


class RequestLapsed(Event, frozen=True, omit_defaults=True):
    """A request is off the table.

    Attributes:
        id: The request.
        reason: ``agreed`` (and carried out), ``refused``, ``withdrawn``, ``moved`` (somebody played on), ``expired``
            or ``ended`` (the match is over).
    """

    id: str
    reason: str


class MoveUndone(Event, frozen=True, omit_defaults=True):
    """The game is again as it was; nothing is deleted, and no time is given back.

    Attributes:
        to: The version whose game came back.
        seat: Whose turn was taken back.
    """

    to: int
    seat: int


class MoveRedone(Event, frozen=True, omit_defaults=True):
    """What was undone holds again, up to a version.

    Attributes:
        to: The version whose game came back.
        seat: Who stepped forward.
    """

    to: int
    seat: int


class MatchFinished(Event, frozen=True, omit_defaults=True):
    """The match is over; everything sealed is open from here on.

    Attributes:
        ranking: Seats from best to last; those that share a place stand in one group.
        totals: Points by seat.
        stalled: Whether it ended because it could not go on.
    """

    ranking: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    stalled: bool = False


class MatchAbandoned(Event, frozen=True, omit_defaults=True):
    """The match was given up without a result; everything sealed is open from here on."""

    reason: str


class LogUnsealed(Event, frozen=True, omit_defaults=True):
    """An operator looked at what was still sealed. It changes nothing, and everybody at the table can read it.

    Attributes:
        reason: Why, in the operator's words.
    """

    reason: str


class OperatorActed(Event, frozen=True, omit_defaults=True):
    """An operator steps in; what it comes to follows in the same command.

    Attributes:
        act: ``end``, ``void`` or ``hand_over``.
        reason: Why, in the operator's words.
    """

    act: str
    reason: str


MATCH_EVENTS: tuple[type[Event], ...] = (
    MatchCreated,
    MatchForked,
    SeatTaken,
    SeatReady,
    SeatLeft,
    MatchStarted,
    TurnTimedOut,
    SeatHandedToBot,
    SeatReclaimed,
    SeatResigned,
    RequestMade,
    RequestAnswered,
    RequestLapsed,
    MoveUndone,
    MoveRedone,
    MatchFinished,
    MatchAbandoned,
    LogUnsealed,
    OperatorActed,
)
"""All of them, for the codec."""
