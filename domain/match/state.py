"""The state of a match: its log, folded. Frozen; rebuilt from the events alone."""

import msgspec

from domain.chance import Chance
from domain.games.contract import GameState
from domain.instants import EARLIEST, Instant
from domain.match.clock import NOT_ASKED, Clock, ClockTerms

TABLE_RULES = 3
"""The number of the table's rules under which new matches are made."""

EVENTS_LIMIT = 20_000
"""How many events a match may have."""

EVENTS_KEPT_FREE = 64
"""How many of them are reserved for ending the match; seats' commands may not use them."""


GATHERING_LIMIT = 300
"""After how many events of a match that has not begun nobody else sits down: coming and going must not fill its log."""

OVER = ("finished", "abandoned")
"""The phases in which a match has ended: nothing changes any more, and everything sealed is open."""


IDLE_LIMIT = 40
"""How many commands of one seat may leave the game as it was between two moves of anybody."""


class Terms(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a match was created with; never changes.

    Attributes:
        game: The game's key.
        rules: Its rules number.
        options: The game's options as chosen, defaults left out.
        seats: How many seats the table has.
        host: Opaque id of the player who made the table.
        clock: The time that seats have.
        undo: Undo policy: ``off``, ``free``, ``consent`` or ``practice``.
        visibility: Whether spectators see the public view (``public``) or nothing (``private``).
        limit: How many events the log may hold.
        format: Number of the envelope format.
        generator: Number of the generator of chance.
        rematch_of: The match that this one repeats, if any.
        table: Number of the table's rules: how seats, readiness, resignations and full logs are decided. 1 is that of
            releases up to 0.2.0.
        start: What begins the match: ``ready``, once everybody is, or ``host``.
        friendly: Whether its result shall not count in any standings.
    """

    game: str
    rules: int
    options: dict[str, str | int]
    seats: int
    host: str
    clock: ClockTerms = ClockTerms()
    undo: str = "off"
    visibility: str = "public"
    limit: int = EVENTS_LIMIT
    format: int = 1
    generator: int = 1
    rematch_of: str = ""
    table: int = 1
    start: str = "host"
    friendly: bool = False


class Entropy(msgspec.Struct, frozen=True, omit_defaults=True):
    """The source of the match's chance; not part of the state hash.

    Attributes:
        seed: The sealed seed, hexadecimal.
        nonces: The players' own entropy by seat, empty where a seat gave none.
    """

    seed: str = ""
    nonces: tuple[str, ...] = ()

    @property
    def chance(self) -> Chance:
        """The generator that this entropy feeds."""
        return Chance(self.seed, self.nonces)


class Origin(msgspec.Struct, frozen=True):
    """The position that a fork starts from.

    Attributes:
        parent: The match that it comes from.
        version: The parent's version.
        position: The game's full state, as JSON values.
        entropy: The parent's entropy, if later deals use it.
    """

    parent: str
    version: int
    position: dict[str, object]
    entropy: Entropy | None = None


class Lifecycle(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far the match has come.

    Attributes:
        phase: ``none`` before the first event, then ``gathering``, ``playing``, ``finished`` or ``abandoned``.
        ranking: Seats from first place to last, those that share a place in one group; once finished.
        totals: Points by seat; once finished.
        stalled: Whether it ended because it could not go on.
        reason: Why it was abandoned.
    """

    phase: str = "none"
    ranking: tuple[tuple[int, ...], ...] = ()
    totals: tuple[int, ...] = ()
    stalled: bool = False
    reason: str = ""


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat of the table.

    Attributes:
        player: Opaque id of the person or bot who holds it; empty while it is free.
        kind: ``open``, ``person`` or ``bot``.
        level: A bot's level.
        ready: Whether its holder is ready; bots always are.
        nonce_hash: SHA-256 of the holder's nonce, announced on sitting down; empty for none.
        nonce: The nonce, once it is shown.
        resigned: Which resignation of the match this was, from 1; 0 for none.
        stand_in: Whether a bot plays for the person who holds it.
        covered: Whether a bot plays this one turn, for which the person had no time.
        missed: How many of the person's turns in a row a bot has played so.
        stood_in: How many moves bots have made for the person; counted from table number 3 on.
        program: Whether a program of a person's holds it.
        kept: The invitation with which alone it can be taken; empty if anybody may.
        former: Opaque ids of those who held it before, while the match was played.
    """

    player: str = ""
    kind: str = "open"
    level: str = ""
    ready: bool = False
    nonce_hash: str = ""
    nonce: str = ""
    resigned: int = 0
    stand_in: bool = False
    covered: bool = False
    missed: int = 0
    stood_in: int = 0
    program: bool = False
    kept: str = ""
    former: tuple[str, ...] = ()

    @property
    def owes_nonce(self) -> bool:
        """Whether its holder has announced a nonce and not shown it."""
        return bool(self.nonce_hash) and not self.nonce

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot makes this seat's moves now."""
        return self.kind == "bot" or self.stand_in or self.covered

    @property
    def is_away(self) -> bool:
        """Whether a bot plays for a person who may come back, or has played their last turn."""
        return self.kind == "person" and not self.resigned and (self.stand_in or self.missed > 0)


def bot_player(seat: int) -> str:
    """Return the id of the bot on a seat: the player who holds the seat, and the actor of its moves."""
    return f"bot-{seat}"


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a seat asked the others to agree to.

    Attributes:
        id: The id of the command that made it.
        kind: ``undo`` (take turns back), ``end`` (end the match without a result), ``pause``, ``resume`` or ``replace``
            (take over a seat).
        seat: Who asks; for ``replace``: the seat that is asked for.
        expires: When it lapses by itself, unless somebody's clock rests meanwhile.
        to: For ``undo``: the version whose position to restore.
        known: For ``undo``: how many cards the seat has learned since, and will remember.
        agreed: The seats that have agreed so far.
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
    agreed: tuple[int, ...] = ()
    made: Instant = EARLIEST
    seconds: int = 0
    player: str = ""


class Past(msgspec.Struct, frozen=True):
    """The game as a command left it. A linked list, so that states share their history.

    Attributes:
        version: Version of the command's last event.
        game: The game's state there.
        before: The node before it; None at the start. In ``undone``: the node after it.
        seat: The seat that the command was made for; None for the start.
        at: When it was accepted.
        clock: The clock as that command left it.
        origin: The position: this version, or an earlier one to which the same move led before it was taken back.
    """

    version: int
    game: GameState
    before: "Past | None"
    seat: int | None = None
    at: Instant = EARLIEST
    clock: Clock = Clock()
    origin: int = 0


class Match(msgspec.Struct, frozen=True):
    """The whole state of a match.

    Attributes:
        terms: What it was created with; None before the first event.
        entropy: Seed and nonces.
        lifecycle: How far it has come.
        seats: The seats, in their order around the table.
        clock: Since and until when seats are asked.
        requests: Requests that wait for consent.
        asked_at: By seat: the version at which it was asked for the move that it owes; 0 if it owes none.
        game: The game's own state; None before the start.
        past: The game as earlier commands left it.
        undone: What was taken back and can be played again.
        origin: The position that a fork starts from; None for other matches.
        idle: By seat: how many of its commands have left the game as it was since anybody's last move; empty for none.
        nonces_until: Until when a table at which everybody is ready waits for nonces.
        expires: When a table that has not begun ends, once it was told.
        asked_for: How often outsiders have asked for a seat in play.
        visitors: The first people who ever sat down; at most two are kept.
    """

    terms: Terms | None = None
    entropy: Entropy = Entropy()
    lifecycle: Lifecycle = Lifecycle()
    seats: tuple[Seat, ...] = ()
    clock: Clock = Clock()
    requests: tuple[Request, ...] = ()
    asked_at: tuple[int, ...] = ()
    game: GameState | None = None
    past: Past | None = None
    undone: Past | None = None
    origin: Origin | None = None
    idle: tuple[int, ...] = ()
    nonces_until: Instant = NOT_ASKED
    expires: Instant = NOT_ASKED
    visitors: tuple[str, ...] = ()
    asked_for: int = 0

    @property
    def cards_from(self) -> Entropy:
        """The entropy that deals the cards: the match's own, or its parent's if a fork asked for that."""
        if self.origin is not None and self.origin.entropy is not None:
            return self.origin.entropy
        return self.entropy

    @property
    def chance(self) -> Chance:
        """The generator of the match's cards."""
        return self.cards_from.chance


EMPTY = Match()
"""The state before the first event."""
