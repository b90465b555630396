"""Tables and people of a club, as its pages show them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from api.answering.clubs import ClubTableShown, shown_table
from api.pages.visits import Visit
from domain.instants import Instant
from domain.match.fold import Position
from services.people.clubs.club import Club
from services.people.clubs.member_names import member_names
from services.people.clubs.roles import RIGHTS, STANDINGS, Role
from services.words.clubs import ACTION_NAMES, ROLE_NAMES
from services.words.leagues import LEAGUE_STATES
from services.words.names import game_name
from services.words.phrases import counted, phrase, words_in
from services.words.times import local_day

_FREE: Final = counted("{free} seat is free", "{free} seats are free", "free")


class TableRow(msgspec.Struct, frozen=True):
    """A table in a club's list.

    Attributes:
        names: Who sits there.
        state: How it stands.
        is_mine: Whether the reader owes a move there.
        may_sit: Whether the reader could take a seat.
        day: When it ended; when something happened last, if it is open.
    """

    match: str
    game: str
    names: str
    state: str
    is_mine: bool
    may_sit: bool
    day: str


class LeagueLink(msgspec.Struct, frozen=True):
    """A league in a club's list.

    Attributes:
        is_mine: Whether the reader owes an answer there.
    """

    id: str
    name: str
    game: str
    state: str
    is_mine: bool
    is_over: bool


class MemberRow(msgspec.Struct, frozen=True):
    """A member in a club's list.

    Attributes:
        role: Their role, as the code has it.
        role_name: The same in words.
    """

    id: str
    name: str
    role: Role
    role_name: str
    since: str
    is_reader: bool


async def table_rows(visit: Visit, positions: Sequence[Position]) -> list[TableRow]:
    """Return tables as the reader may see them, in the same order."""
    person = await visit.person()
    shown = await asyncio.gather(
        *(shown_table(visit.parts, one, person, visit.language) for one in positions)
    )
    return [_row(one, visit.language) for one in shown]


async def member_rows(visit: Visit, club: Club) -> list[MemberRow]:
    """Return the members in the order in which they joined."""
    names = await member_names(visit.parts.application.persons, club, visit.language)
    person, words = await visit.person(), words_in(visit.language)
    return [
        MemberRow(
            one.id,
            names[one.id],
            one.role,
            words.say(ROLE_NAMES[one.role]),
            day_of(one.since, visit.language),
            one.person == person,
        )
        for one in club.members
    ]


async def league_links(visit: Visit, club: Club) -> list[LeagueLink]:
    """Return the leagues of a club, those that go on first."""
    person, words = await visit.person(), words_in(visit.language)
    found = await visit.parts.application.clubs.leagues.of_club(club.id)
    links = [
        LeagueLink(
            one.id,
            one.name,
            game_name(one.terms.game, visit.language),
            words.say(phrase("you are asked to take part"))
            if person in one.invited
            else words.say(LEAGUE_STATES[one.state]),
            person in one.invited,
            one.is_over,
        )
        for one in found
    ]
    return sorted(links, key=lambda one: (one.is_over, not one.is_mine))


def role_names(language: str) -> Mapping[str, str]:
    """Return what each role is called."""
    words = words_in(language)
    return {role: words.say(name) for role, name in ROLE_NAMES.items()}


def rights_table(language: str) -> tuple[list[str], list[tuple[str, list[bool]]]]:
    """Return the names of all roles, and by action who may do it."""
    words = words_in(language)
    rows = [
        (words.say(ACTION_NAMES[action]), [one in who for one in STANDINGS]) for action, who in RIGHTS.items()
    ]
    return list(role_names(language).values()), rows


def day_of(instant: Instant, language: str) -> str:
    """Return the day of an instant, in UTC."""
    return local_day(instant, ZoneInfo("UTC"), language)


def _row(table: ClubTableShown, language: str) -> TableRow:
    free = sum(seat.kind == "open" for seat in table.seats)
    return TableRow(
        table.match,
        game_name(table.game, language),
        ", ".join(seat.name for seat in table.seats if seat.kind != "open"),
        _state(table, free, language),
        table.mine is not None and table.mine in table.to_act,
        table.phase == "gathering" and bool(free) and table.mine is None,
        day_of(table.at, language),
    )


def _state(table: ClubTableShown, free: int, language: str) -> str:
    words, names = words_in(language), [seat.name for seat in table.seats]
    if table.phase == "gathering":
        return words.say(_FREE, free=free) if free else words.say(phrase("waits for players"))
    if table.phase == "playing":
        if table.mine is not None and table.mine in table.to_act:
            return words.say(phrase("your turn"))
        return words.say(phrase("waits for {names}"), names=words.all_of(names[one] for one in table.to_act))
    if table.phase == "finished" and table.ranking:
        winners = table.ranking[0]
        if table.mine in winners and len(winners) == 1:
            return words.say(phrase("you won"))
        return words.say(phrase("won by {names}"), names=words.all_of(names[one] for one in winners))
    return words.say(phrase("ended without a result"))
