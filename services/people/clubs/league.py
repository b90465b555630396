"""A league of a club, as it is kept: its terms, who takes part, its rounds. Who stands where is read from results."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from domain.instants import EARLIEST, Instant
from domain.match.clock import ClockTerms

LONGEST_LEAGUE_NAME: Final = 40
"""Characters of a league's name."""

MOST_ENTRANTS: Final = 48
MOST_LEAGUES: Final = 4
"""How many leagues of a club may be gathering or running at once."""

LONGEST_ROUND: Final = 60
"""Days."""

PointsRule = Literal["share", "beaten", "wins", "places"]
"""What a table counts for: ``share`` gives the first one 1 and the last one 0, by how many of the others came after
them; ``beaten`` a point for each of those; ``wins`` a point to who won, which winners share; ``places`` what the terms
say for each place. Who shares a place with somebody has half a point of theirs; by ``places``, the mean of the places
that they take together."""

POINTS_RULES: Final[tuple[PointsRule, ...]] = get_args(PointsRule)

MOST_PLACE_POINTS: Final = 1000
"""How much a place may count for at most."""

LeagueState = Literal["gathering", "running", "finished", "called_off"]


class LeagueTerms(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a league is played by. It does not change.

    Attributes:
        game: The game's key.
        seats: How many sit at a table at most.
        rounds: How many rounds there are; 0 for as many as it takes until everybody has met everybody.
        days: How long each round has: its tables begin within them.
        waits: Whether a round waits for its date; if not, it opens as soon as all tables before it are over.
        starts: When the first round opens by itself; :data:`EARLIEST` for when somebody says so.
        by_invitation: Whether only those may take part who were invited.
        points: What a table counts for.
        places: By ``places``, what each place counts for, from the first on; places after these count for nothing.
        bots: The level of the bots that fill up tables for which people are missing; empty for no bots.
        options: The game's options.
        clock: The time that seats have.
        undo: What may be taken back; empty for what is usual.
        visibility: ``private`` shows the tables to the club only, ``public`` to everybody.
        friendly: Whether its tables shall not count in the club's standings.
    """

    game: str
    seats: int
    rounds: int = 0
    days: int = 7
    waits: bool = True
    starts: Instant = EARLIEST
    by_invitation: bool = False
    points: PointsRule = "share"
    places: tuple[int, ...] = ()
    bots: str = ""
    options: Mapping[str, str | int] = {}
    clock: ClockTerms = ClockTerms()
    undo: str = ""
    visibility: str = "private"
    friendly: bool = False


class LeagueEntrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who takes part. The number of their place in the list is theirs for good once the league has begun.

    Attributes:
        person: The person; empty for somebody who was erased.
        since: When they signed up.
        left: When they left the running league; :data:`EARLIEST` for those who are in it.
    """

    person: str
    since: Instant
    left: Instant = EARLIEST

    @property
    def plays(self) -> bool:
        """Whether they still take part."""
        return bool(self.person) and self.left == EARLIEST


class LeagueTable(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A table of a round.

    Attributes:
        seats: Who sits where, by the numbers of the entrants.
        match: The match; empty before the round opens.
        attempt: How often it was made anew.
        is_over: Whether nothing more will happen there.
        came: Of a table that never began: who was there and ready. None for all others.
        until: Until when it begins, if that is later than its round says.
    """

    seats: tuple[int, ...]
    match: str = ""
    attempt: int = 0
    is_over: bool = False
    came: tuple[int, ...] | None = None
    until: Instant = EARLIEST


class LeagueRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round.

    Attributes:
        opens: When it opens; when it did, once it is open.
        ends: Until when its tables begin.
    """

    opens: Instant
    ends: Instant
    tables: tuple[LeagueTable, ...]
    is_open: bool = False

    @property
    def is_over(self) -> bool:
        """Whether all its tables are over."""
        return self.is_open and all(table.is_over for table in self.tables)


class League(msgspec.Struct, frozen=True, omit_defaults=True):
    """A league.

    Attributes:
        id: Opaque.
        maker: The person who made it; empty for somebody who was erased.
        invited: Persons who were asked to take part and have not answered.
        ended: When it was finished or called off.
    """

    id: str
    club: str
    name: str
    maker: str
    since: Instant
    terms: LeagueTerms
    state: LeagueState = "gathering"
    entrants: tuple[LeagueEntrant, ...] = ()
    invited: tuple[str, ...] = ()
    rounds: tuple[LeagueRound, ...] = ()
    ended: Instant = EARLIEST

    def number_of(self, person: str) -> int | None:
        """Return an entrant's number; None for somebody who never took part."""
        return next((number for number, one in enumerate(self.entrants) if one.person == person), None)

    def takes_part(self, person: str) -> bool:
        """Tell whether a person takes part now."""
        number = self.number_of(person)
        return number is not None and self.entrants[number].plays

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of those who still take part."""
        return tuple(number for number, one in enumerate(self.entrants) if one.plays)

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens in it."""
        return self.state in {"finished", "called_off"}

    def tables(self) -> dict[str, LeagueTable]:
        """Return the tables that were made, by match."""
        return {table.match: table for one in self.rounds for table in one.tables if table.match}

    @property
    def persons(self) -> frozenset[str]:
        """Whoever it knows."""
        known = (self.maker, *self.invited, *(one.person for one in self.entrants))
        return frozenset(filter(None, known))
