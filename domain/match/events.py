"""The match's own events. A game's events live in its folder; both share one log."""

from collections.abc import Mapping
from typing import ClassVar

from domain.instants import EARLIEST, Instant
from domain.match.clock_events import ClockRested, ClockResumed, RestsPlanned, TimeGiven
from domain.match.state import Entropy, Terms
from domain.sealing import Audience, Event


class MatchCreated(Event, frozen=True, omit_defaults=True):
    """A table was made. The seed stays sealed until the match ends; its commitment is public from here on.

    Attributes:
        terms: What the match was created with.
        seed: The sealed seed.
        chance: Digest of the description by which its deals can be recomputed (see
            :mod:`domain.games.recorded_chance`); empty in matches of releases up to 0.2.0.
    """

    SEALED: ClassVar[Mapping[str, Audience]] = {"seed": Audience.NOBODY}

    terms: Terms
    seed: str
    chance: str = ""


class MatchForked(Event, frozen=True, omit_defaults=True):
    """This match starts from another's position. Its log needs no other log, because it holds the position.

    Attributes:
        parent: The match that the position comes from; provenance only.
        version: The parent's version.
        head: The parent's chain hash at that version, hexadecimal.
        position: The game's full state; sealed, as the hands in it are.
        entropy: The parent's seed and nonces if later deals are to bring the same cards, else empty; sealed.
        redealt_for: The seat whose unknown cards were redealt; None if all cards are the parent's.
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
        nonce_hash: SHA-256, hexadecimal, of the nonce that this player will add to the match's entropy.
        program: Whether a program of a person's holds the seat, who themselves may sit elsewhere. It is asked as people
            are.
    """

    seat: int
    player: str
    kind: str
    level: str = ""
    nonce_hash: str = ""
    program: bool = False


class SeatKept(Event, frozen=True, omit_defaults=True):
    """A seat is kept for a person.

    Attributes:
        seat: The seat.
        invitation: An id that leads to nobody: only the service can tell who has it.
    """

    seat: int
    invitation: str


class SeatOpened(Event, frozen=True, omit_defaults=True):
    """A seat that was kept for somebody can be taken by anybody."""

    seat: int


class SeatReady(Event, frozen=True, omit_defaults=True):
    """A person is ready, and shows the nonce that they announced; some show it later, as :class:`NonceShown`."""

    seat: int
    nonce: str = ""


class NonceShown(Event, frozen=True, omit_defaults=True):
    """A person who was ready already shows the nonce that they announced."""

    seat: int
    nonce: str


class NoncesAwaited(Event, frozen=True, omit_defaults=True):
    """Everybody is ready, but some have not shown their nonces.

    Attributes:
        until: When the match may begin without them.
    """

    until: Instant


class SeatLeft(Event, frozen=True, omit_defaults=True):
    """A person left the table before the start."""

    seat: int


class NonceAnnounced(Event, frozen=True, omit_defaults=True):
    """A person announced another nonce, after theirs was voided.

    Attributes:
        seat: Their seat.
        nonce_hash: SHA-256 of the nonce.
    """

    seat: int
    nonce_hash: str


class ReadinessVoided(Event, frozen=True, omit_defaults=True):
    """A seat changed after a nonce was shown: these people's nonces and readiness count no more.

    Attributes:
        seats: The seats of those who were ready.
        still_ready: Whether only their nonces are void.
    """

    seats: tuple[int, ...]
    still_ready: bool = False


class MatchStarted(Event, frozen=True, omit_defaults=True):
    """All seats are taken and ready: the game begins.

    Attributes:
        entropy_of: The seats whose nonces the deals come from, beside the server's seed; empty in matches of releases
            up to 0.2.0, whatever was given.
        without: The seats that had announced a nonce and did not show it in time.
    """

    entropy_of: tuple[int, ...] = ()
    without: tuple[int, ...] = ()


class ExpiryAnnounced(Event, frozen=True, omit_defaults=True):
    """Nothing has happened at a table for long; it ends unless something does.

    Attributes:
        until: When it ends.
    """

    until: Instant


class TableKept(Event, frozen=True, omit_defaults=True):
    """The host lets a table wait on whose end was told."""


class TurnTimedOut(Event, frozen=True, omit_defaults=True):
    """A seat's time ran out: a bot plays this turn.

    At tables of a number below 3 the fallback move follows in the same command instead.

    Attributes:
        seat: The seat.
        row: How many of its turns in a row this is; 0 at tables of a number below 3.
    """

    seat: int
    row: int = 0


class SeatHandedToBot(Event, frozen=True, omit_defaults=True):
    """A bot plays for a person until they reclaim the seat."""

    seat: int
    level: str = ""


class SeatReclaimed(Event, frozen=True, omit_defaults=True):
    """A person plays for themselves again."""

    seat: int


class SeatResigned(Event, frozen=True, omit_defaults=True):
    """A person gave up: a bot plays on, and the seat is ranked last (the first to leave last of all)."""

    seat: int
    level: str = ""


class RequestMade(Event, frozen=True, omit_defaults=True):
    """A seat asked the others to agree to something.

    Attributes:
        id: The id of the command that made it.
        kind: ``undo``, ``end``, ``pause``, ``resume`` or ``replace``.
        seat: Who asks; for ``replace``: the seat that is asked for.
        expires: When it lapses by itself, unless somebody's clock rests meanwhile.
        to: For ``undo``: the version whose position to restore.
        known: For ``undo``: how many cards the seat has learned since, and will remember.
        made: When it was made; empty at tables of a number below 3.
        seconds: For ``pause``: how long. For ``undo``: the time that the others give with it, as none is left.
        player: For ``replace``: opaque id of who asks.
    """

    id: str
    kind: str
    seat: int
    expires: Instant
    to: int = 0
    known: int = 0
    made: Instant = EARLIEST
    seconds: int = 0
    player: str = ""


class SeatGiven(Event, frozen=True, omit_defaults=True):
    """Somebody else has taken over a seat in play; from here on they see what it sees, and its former holder does not.

    Attributes:
        seat: The seat.
        player: Opaque id of the new holder.
    """

    seat: int
    player: str


class RequestAnswered(Event, frozen=True, omit_defaults=True):
    """A seat agreed to a request, or refused it."""

    id: str
    seat: int
    agree: bool


class RequestLapsed(Event, frozen=True, omit_defaults=True):
    """A request is no longer open.

    Attributes:
        id: The request.
        reason: ``agreed`` (and carried out), ``silent`` (carried out, as nobody who is away has objected in time),
            ``refused``, ``withdrawn``, ``moved`` (somebody played on), ``expired`` or ``ended`` (the match is over).
    """

    id: str
    reason: str


class MoveUndone(Event, frozen=True, omit_defaults=True):
    """An earlier game state was restored; nothing is deleted, and no time is given back.

    Attributes:
        to: The version whose game state was restored.
        seat: Whose turn was taken back.
        given: Seconds that the others gave for that turn, as no time of it was left.
    """

    to: int
    seat: int
    given: int = 0


class MoveRedone(Event, frozen=True, omit_defaults=True):
    """What was undone was played again, up to a version.

    Attributes:
        to: The version whose game state was restored.
        seat: Who stepped forward.
    """

    to: int
    seat: int


class MatchFinished(Event, frozen=True, omit_defaults=True):
    """The match is over; everything sealed is open from here on.

    Attributes:
        ranking: Seats from first place to last; those that share a place form one group.
        totals: Points by seat.
        stalled: Whether it ended because it could not go on.
    """

    ranking: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    stalled: bool = False


class MatchAbandoned(Event, frozen=True, omit_defaults=True):
    """The match ended without a result; everything sealed is open from here on."""

    reason: str


class LogUnsealed(Event, frozen=True, omit_defaults=True):
    """Somebody may see what was still sealed. Changes nothing; everybody at the table can read it.

    Attributes:
        reason: Why, in the operator's words.
        fork: Whether it was no operator who looked: the match's own player went on elsewhere with the same cards.
    """

    reason: str
    fork: bool = False


class OperatorActed(Event, frozen=True, omit_defaults=True):
    """An operator stepped in; the consequences follow in the same command.

    Attributes:
        act: ``end``, ``void``, ``hand_over``, ``reissue`` (of a lost seat) or ``reissue_host``.
        reason: Why, in the operator's words.
        seat: The seat that was given back to its owner; None for other acts.
    """

    act: str
    reason: str
    seat: int | None = None


MATCH_EVENTS: tuple[type[Event], ...] = (
    MatchCreated,
    MatchForked,
    SeatTaken,
    SeatKept,
    SeatOpened,
    SeatReady,
    NonceShown,
    NoncesAwaited,
    SeatLeft,
    NonceAnnounced,
    ReadinessVoided,
    MatchStarted,
    ExpiryAnnounced,
    TableKept,
    TurnTimedOut,
    TimeGiven,
    ClockRested,
    ClockResumed,
    RestsPlanned,
    SeatHandedToBot,
    SeatReclaimed,
    SeatResigned,
    RequestMade,
    SeatGiven,
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

MATCH_ENDS = frozenset({"MatchFinished", "MatchAbandoned"})
"""Types of the events that end a match."""
