"""Bodies of requests about clubs, and the parts of their addresses."""

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from api.parts import Http, Parts, parts_of
from api.requests.bodies import (
    AnyNumber,
    Body,
    ClockBody,
    CreateMatchBody,
    MatchId,
    SeatBody,
    without_defaults,
)
from api.requests.kept_seats import invitations_for
from domain.errors import Malformed, Refused
from domain.games.registry import CURRENT
from domain.match.clock import ClockTerms
from domain.match.clock_terms import check_clock
from domain.match.decide_table import UNDO_POLICIES, VISIBILITIES
from services.errors import NoSuchClub, NoSuchInvitation, NoSuchMember
from services.matches.catalogue import describe
from services.people.clubs.changes import member_of
from services.people.clubs.club import LONGEST_DAYS, MOST_USES, Club, TableDefaults
from services.people.clubs.roles import Role
from services.people.hashed_secrets import is_secret

_ID: Final = re.compile(r"[a-z][a-z2-7]{20}").fullmatch

is_club_id: Final = re.compile(r"c[a-z2-7]{20}").fullmatch
"""Whether a text can be the id of a club; the store is not asked about others."""

_Text = Annotated[str, msgspec.Meta(max_length=100)]
_Word = Annotated[str, msgspec.Meta(max_length=32)]
_Options = Mapping[_Word, str | AnyNumber]


class DefaultsBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What new tables of a club take where their maker says nothing.

    Attributes:
        clock: How much time people have.
        undo: What may be taken back; empty for what is usual at a table of that size.
        visibility: ``private`` shows a table to the club only, ``public`` to everybody.
        options: By game, its options by name.
    """

    clock: ClockBody = ClockBody()
    undo: _Word = ""
    visibility: _Word = "private"
    options: Mapping[_Word, _Options] = {}


class ClubBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A new club.

    Attributes:
        name: Up to 40 characters on one line.
        defaults: What its new tables take.
    """

    name: _Text
    defaults: DefaultsBody = DefaultsBody()


class ClubChangeBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What changes about a club; what is left out stays as it is.

    Attributes:
        name: Up to 40 characters on one line.
        defaults: What its new tables take, all of it.
    """

    name: _Text | None = None
    defaults: DefaultsBody | None = None


class InvitationBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A new invitation.

    Attributes:
        role: What those who join become.
        uses: How many may join, up to 100.
        days: For how many days it holds, up to 90.
    """

    role: Literal["guest", "member"] = "member"
    uses: Annotated[int, msgspec.Meta(ge=1, le=MOST_USES)] = 10
    days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_DAYS)] = 14


class MemberBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What changes about a member.

    Attributes:
        role: Their new role.
        pass_on: Whether you hand the club to them: they become host, and you a member. Their role is then ``host``.
    """

    role: Role
    pass_on: bool = False


class JoinBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Joining a club. Nothing has to be said."""


class ClubMatchBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A new table of a club. What is left out is as the club's defaults have it.

    Attributes:
        game: The game's key.
        seats: One for each seat, in their order around the table.
        options: The game's options.
        clock: How much time people have.
        undo: What may be taken back.
        visibility: ``private`` shows the table to the club only, ``public`` to everybody.
        rematch_of: The id of the match that this one repeats.
        start: What begins the match: ``ready`` (everybody is ready) or ``host`` (the host says so).
        friendly: Whether its result shall not count in the club's standings.
        keep: Members of the club, by their ids there: a seat is kept for each, from the first of the people's seats on.
    """

    game: _Word
    seats: Annotated[tuple[SeatBody, ...], msgspec.Meta(max_length=64)]
    options: _Options | None = None
    clock: ClockBody | None = None
    undo: _Word | None = None
    visibility: _Word | None = None
    rematch_of: MatchId | None = None
    start: _Word = "ready"
    friendly: bool = False
    keep: Annotated[tuple[_Word, ...], msgspec.Meta(max_length=64)] = ()

    def completed(self, defaults: TableDefaults) -> CreateMatchBody:
        """Return the body of the table, with the club's defaults where nothing was said."""
        body = CreateMatchBody(
            game=self.game,
            seats=self.seats,
            options=dict(defaults.options.get(self.game, {}) if self.options is None else self.options),
            clock=ClockBody(defaults.clock) if self.clock is None else self.clock,
            undo=defaults.undo if self.undo is None else self.undo,
            visibility=defaults.visibility if self.visibility is None else self.visibility,
            rematch_of=self.rematch_of,
            start=self.start,
            friendly=self.friendly,
        )
        return without_defaults(body)


def defaults_of(body: DefaultsBody) -> TableDefaults:
    """Return defaults that a table can have.

    Raises:
        Refused: No table can have them.
    """
    seconds = body.clock.per_turn
    check_clock(ClockTerms(seconds))
    if body.undo and body.undo not in UNDO_POLICIES:
        raise Refused("undo.unknown_policy", "undo", undo=body.undo, known=UNDO_POLICIES)
    if body.visibility not in VISIBILITIES:
        raise Refused("visibility.unknown", "visibility", visibility=body.visibility, known=VISIBILITIES)
    for game, options in body.options.items():
        if game not in CURRENT:
            raise Refused("game.unknown", "games", game=game, known=tuple(sorted(CURRENT)))
        described = {option.name: option for option in describe(CURRENT[game]).options}
        for name, value in options.items():
            allowed = described[name].allowed if name in described else ()
            if value not in allowed:
                raise Refused("options.invalid", "options", game=game, option=name, known=tuple(allowed))
    return TableDefaults(seconds, body.undo, body.visibility, body.options)


def club_id(request: Http) -> str:
    """Return the id of the club in a request's path.

    Raises:
        NoSuchClub: It is none.
    """
    club: str = request.path_params["club"]
    if not is_club_id(club):
        raise NoSuchClub
    return club


def member_id(request: Http) -> str:
    """Return the id of the member in a request's path.

    Raises:
        NoSuchMember: It is none.
    """
    member: str = request.path_params["member"]
    if not _ID(member):
        raise NoSuchMember
    return member


def invitation_id(request: Http) -> str:
    """Return the id of the invitation in a request's path.

    Raises:
        NoSuchInvitation: It is none.
    """
    invitation: str = request.path_params["invitation"]
    if not _ID(invitation):
        raise NoSuchInvitation
    return invitation


def code_of(request: Http) -> str:
    """Return the code of an invitation in a request's path.

    Raises:
        NoSuchInvitation: It is none.
    """
    code: str = request.path_params["code"]
    if not is_secret(code):
        raise NoSuchInvitation
    return code


async def club_for(parts: Parts, club: str, person: str) -> Club:
    """Return a club for somebody who is in it.

    Raises:
        NoSuchClub: There is none, or they are not in it.
    """
    found = await parts.application.clubs.of(club)
    if found is None or found.role(person) is None:
        raise NoSuchClub
    return found


async def club_of(request: Http, person: str) -> Club:
    """Return the club in a request's path, for somebody who is in it. See :func:`club_for`."""
    return await club_for(parts_of(request), club_id(request), person)


async def kept_for(parts: Parts, club: Club, body: ClubMatchBody, match: str) -> dict[int, str]:
    """Return by seat the invitations of members for whom seats are kept.

    Raises:
        NoSuchMember: Somebody named is not in the club.
        Malformed: There are fewer seats for people.
    """
    people = [number for number, seat in enumerate(body.seats) if not seat.bot]
    members = tuple(dict.fromkeys(body.keep))
    if len(members) > len(people):
        raise Malformed("body.malformed", "`keep` names more members than there are seats for people.")
    persons = [member_of(club, one).person for one in members]
    return dict(zip(people, await invitations_for(parts, match, persons), strict=False))
