"""Bodies of requests about leagues, and the parts of their addresses."""

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from api.parts import Http, parts_of
from api.requests.bodies import AnyNumber, Body, ClockBody
from api.requests.instants import given_instant
from api.requests.submissions import clock_terms
from domain.errors import Malformed
from domain.instants import EARLIEST, Instant
from services.errors import NoSuchLeague
from services.people.clubs.club import Club
from services.people.clubs.league import LONGEST_ROUND, MOST_ENTRANTS, MOST_PLACE_POINTS, League, LeagueTerms
from services.standings.leagues.schedule import MOST_ROUNDS

_ID: Final = re.compile(r"l[a-z2-7]{20}").fullmatch

_Text = Annotated[str, msgspec.Meta(max_length=100)]
_Word = Annotated[str, msgspec.Meta(max_length=32)]
_Options = Mapping[_Word, str | AnyNumber]
_PlacePoints = Annotated[int, msgspec.Meta(ge=0, le=MOST_PLACE_POINTS)]


class LeagueBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A new league. Options, clock, taking back and onlookers are as the club's defaults have them if left out.

    Attributes:
        name: Up to 40 characters on one line.
        game: The game's key.
        seats: How many sit at a table at most.
        rounds: How many rounds, up to 60; 0 for as many as it takes until everybody has met everybody.
        days: How long each round has, up to 60: its tables begin within them.
        waits: Whether a round waits for its date; if not, it opens as soon as all tables before it are over.
        starts: When the first round opens by itself, in RFC 3339, or a day; left out, when somebody begins it.
        by_invitation: Whether only those may take part who are asked.
        ask: Members of the club who are asked to take part, by their ids there.
        points: What a table counts for: ``share`` (1 for the first, 0 for the last, evenly between), ``beaten`` (1 for
            each who came after), ``wins`` (1 for who won, which winners share) or ``places`` (what `places` says).
        places: By ``places``, what each place counts for, from the first on; who shares places gets their mean.
        bots: The level of the bots that fill up tables for which people are missing; left out, no bots sit there.
        options: The game's options.
        clock: How much time people have.
        undo: What may be taken back.
        visibility: ``private`` shows the tables to the club only, ``public`` to everybody.
        friendly: Whether its tables shall not count in the club's standings.
    """

    name: _Text
    game: _Word
    seats: Annotated[int, msgspec.Meta(ge=2, le=64)]
    rounds: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] = 0
    days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_ROUND)] = 7
    waits: bool = True
    starts: _Word = ""
    by_invitation: bool = False
    ask: Annotated[tuple[_Word, ...], msgspec.Meta(max_length=MOST_ENTRANTS)] = ()
    points: Literal["share", "beaten", "wins", "places"] = "share"
    places: Annotated[tuple[_PlacePoints, ...], msgspec.Meta(max_length=64)] = ()
    bots: _Word = ""
    options: _Options | None = None
    clock: ClockBody | None = None
    undo: _Word | None = None
    visibility: _Word | None = None
    friendly: bool = False

    def terms(self, club: Club) -> LeagueTerms:
        """Return the terms, with the club's defaults where nothing was said.

        Raises:
            Malformed: `starts` is no instant.
            Refused: There is no such thing as what is to happen when time runs out.
        """
        defaults = club.defaults
        return LeagueTerms(
            self.game,
            self.seats,
            self.rounds,
            self.days,
            self.waits,
            self._starts(),
            self.by_invitation,
            self.points,
            self.places,
            self.bots,
            dict(defaults.options.get(self.game, {}) if self.options is None else self.options),
            clock_terms(ClockBody(defaults.clock) if self.clock is None else self.clock),
            defaults.undo if self.undo is None else self.undo,
            defaults.visibility if self.visibility is None else self.visibility,
            self.friendly,
        )

    def _starts(self) -> Instant:
        if not self.starts:
            return EARLIEST
        found = given_instant(self.starts)
        if found is None:
            raise Malformed("body.malformed", "`starts` is an instant as in RFC 3339, or a day.")
        return found


class LeagueAskBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """People who are asked to take part.

    Attributes:
        members: Members of the club, by their ids there.
    """

    members: Annotated[tuple[_Word, ...], msgspec.Meta(min_length=1, max_length=MOST_ENTRANTS)]


class LeagueStepBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step in a league. Nothing has to be said."""


async def league_of(request: Http, club: Club) -> League:
    """Return the league in a request's path, of a club.

    Raises:
        NoSuchLeague: It is none, or another club's.
    """
    league: str = request.path_params["league"]
    found = await parts_of(request).application.clubs.leagues.of(league) if _ID(league) else None
    if found is None or found.club != club.id:
        raise NoSuchLeague
    return found
