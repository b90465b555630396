"""``tablee club``: clubs, for the operator."""

from collections.abc import Sequence

import click
import msgspec

from api.command_line.base_address import base_address
from api.command_line.call import Call, call_options
from api.command_line.club_channel import channel
from api.command_line.club_leagues import league, leagues
from api.command_line.group import CommandFailed
from api.command_line.output import number_of, say, say_json, say_table, tell
from domain.errors import Refused
from services.bootstrap import present_instant
from services.bootstrap.log_parts import LogParts
from services.errors import NoSuchClub, NoSuchMember
from services.people.clubs.changes import OPERATOR, begun, closed, invited, with_role
from services.people.clubs.club import Club
from services.people.clubs.clubs import Step
from services.people.clubs.invitations import invitation_for
from services.people.clubs.member_names import member_names
from services.people.hashed_secrets import new_secret
from services.people.opaque_ids import new_id
from services.people.persons import Persons
from services.words.refusals import refusal_text

_DAYS = 7
"""How long a host's invitation holds."""


class _Row(msgspec.Struct, frozen=True):
    """A club in the list.

    Attributes:
        open: How many of its tables are not over.
    """

    id: str
    name: str
    since: str
    members: int
    hosts: int
    open: int


class _MemberRow(msgspec.Struct, frozen=True):
    """A member of a club."""

    id: str
    name: str
    role: str
    since: str


class _Shown(msgspec.Struct, frozen=True):
    """A club."""

    id: str
    name: str
    since: str
    members: tuple[_MemberRow, ...]
    tables: tuple[str, ...]


@click.group()
def club() -> None:
    """List, show, make and close clubs, make somebody their host, and show leagues.

    Clubs are their members' own: they invite, leave and settle everything on the pages. This is for a club that nobody
    can help any longer, and for one that the operator begins for others.
    """


club.add_command(channel)
club.add_command(leagues)
club.add_command(league)


@club.command("list")
@call_options()
def list_clubs(*, call: Call) -> None:
    """List all clubs, oldest first."""
    rows = call.work(_rows)
    if call.as_json:
        for row in rows:
            say_json(row)
    elif not rows:
        tell("There is no club yet. People make them on the pages, and `tablee club make NAME` does.")
    else:
        say_table(
            ("club", "name", "since", "members", "hosts", "open tables"),
            [
                (row.id, row.name, row.since[:10], *map(str, (row.members, row.hosts, row.open)))
                for row in rows
            ],
        )


@club.command()
@click.argument("club_id", metavar="CLUB")
@call_options()
def show(*, club_id: str, call: Call) -> None:
    """Show a club: its members by name, and its open tables."""
    shown = call.work(lambda parts: _shown(parts, club_id))
    if call.as_json:
        say_json(shown)
        return
    say(f"{shown.name}, since {shown.since[:10]}")
    if shown.members:
        rows: list[tuple[str, ...]] = [(one.id, one.name, one.role, one.since[:10]) for one in shown.members]
        say_table(("member", "name", "role", "since"), rows)
    else:
        say("Nobody is in it yet.")
    tables = ", ".join(shown.tables)
    say(number_of(len(shown.tables), "open table") + (f": {tables}" if tables else ""))


@club.command()
@click.argument("name", metavar="NAME")
@call_options()
def make(*, name: str, call: Call) -> None:
    """Make a club, and print the invitation that makes its first visitor its host."""
    _print_invitation(call, "", name)


@club.command("make-host")
@click.argument("club_id", metavar="CLUB")
@click.argument("member_id", metavar="[MEMBER]", required=False)
@call_options()
def make_host(*, club_id: str, member_id: str | None, call: Call) -> None:
    """Make a member host; without MEMBER, print an invitation that makes one person host, once, within seven days.

    `tablee club show CLUB` names the members.
    """
    if member_id is None:
        _print_invitation(call, club_id, "")
        return
    chosen = member_id
    call.work(
        lambda parts: _changed(parts, club_id, lambda present: with_role(present, OPERATOR, chosen, "host"))
    )
    call.say({"club": club_id, "host": chosen}, f"{chosen} is host of {club_id} now.")


@club.command()
@click.argument("club_id", metavar="CLUB")
@click.option("--yes", is_flag=True, help="Close it without asking.")
@call_options()
def close(*, club_id: str, yes: bool, call: Call) -> None:
    """Close a club for good. Its tables go on for those who sit there."""
    if not yes:
        click.confirm(f"Close the club {club_id}? It cannot be undone.", abort=True, err=True)
    call.work(lambda parts: _changed(parts, club_id, lambda present: closed(present, OPERATOR)))
    call.say({"closed": club_id}, f"The club {club_id} is closed.")


def _print_invitation(call: Call, club_id: str, name: str) -> None:
    settings, code = call.location.settings(), new_secret()

    async def work(parts: LogParts) -> str:
        now = present_instant()
        found = club_id
        if not found:
            found = (await parts.clubs.create(_begun(name), now)).id
        invitation = invitation_for(code, "host", 1, _DAYS, now)
        await _changed(parts, found, lambda present: invited(present, OPERATOR, invitation, now))
        return found

    with call.log() as log:
        base, _ = base_address(settings, log.url)
    found = call.work(work)
    address = f"{base}/i/{code}"
    if call.as_json:
        say_json({"club": found, "invitation": address})
        return
    tell(f"Club {found}. Whoever opens this first, within {_DAYS} days, becomes its host:")
    say(address)


def _begun(name: str) -> Club:
    try:
        return begun(new_id("c"), name, present_instant())
    except Refused as refusal:
        raise _failed(refusal) from refusal


async def _changed(parts: LogParts, club_id: str, step: Step) -> None:
    try:
        await parts.clubs.change(club_id, step)
    except NoSuchMember as error:
        raise CommandFailed(f"Nobody in {club_id} has this id: `tablee club show {club_id}`.") from error
    except NoSuchClub as error:
        raise _unknown(club_id) from error
    except Refused as refusal:
        raise _failed(refusal) from refusal


def _failed(refusal: Refused) -> CommandFailed:
    return CommandFailed(str(refusal_text(refusal.code, refusal.rule, refusal.arguments, "en")))


def _unknown(club_id: str) -> CommandFailed:
    return CommandFailed(f"There is no club {club_id}: `tablee club list`.")


async def _rows(parts: LogParts) -> Sequence[_Row]:
    now = present_instant()
    return [
        _Row(
            one.id,
            one.name,
            one.since,
            len(one.members),
            len(one.hosts),
            len(await parts.tables_of_clubs.open(one.id, now)),
        )
        async for one in parts.clubs.all()
    ]


async def _shown(parts: LogParts, club_id: str) -> _Shown:
    found = await parts.clubs.of(club_id)
    if found is None:
        raise _unknown(club_id)
    names = await member_names(Persons(parts.log_client), found, "en")
    tables = await parts.tables_of_clubs.open(club_id, present_instant())
    return _Shown(
        found.id,
        found.name,
        found.since,
        tuple(_MemberRow(one.id, names[one.id], one.role, one.since) for one in found.members),
        tuple(table.match for table in tables),
    )
