"""``tablee person``: persons, for the operator."""

import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from api.command_line.base_address import base_address
from api.command_line.call import Call, call_options
from api.command_line.group import CommandFailed
from api.command_line.options import match_argument
from api.command_line.output import number_of, say, say_json, say_table, tell
from api.command_line.seats import SeatNumber
from api.command_line.values import REASON
from domain.errors import Refused
from services.bootstrap import present_instant
from services.bootstrap.log_parts import LogParts
from services.bootstrap.people import PeopleParts, with_people
from services.people.hashed_secrets import new_secret
from services.people.reissues import Place
from services.process.service_log import configure_logs
from services.process.settings import present_secret
from services.words.refusals import refusal_text

T = TypeVar("T")

_PERSON = re.compile(r"u[a-z2-7]{20}").fullmatch
_PLAYER = re.compile(r"[hp][a-z2-7]{20}").fullmatch


class _Row(msgspec.Struct, frozen=True):
    """A person in the list.

    Attributes:
        seen: The day on which they were last seen on any device; empty if no device knows them.
    """

    id: str
    name: str
    since: str
    seen: str
    devices: int
    tables: int


class _Place(click.ParamType[Place]):
    """A seat as it stands in logs, or ``host``."""

    name = "seat"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """Return the number of the seat, or ``host``."""
        return "host" if value == "host" else SeatNumber().convert(value, param, ctx)


@click.group()
def person() -> None:
    """Find, show, export and erase persons, and let somebody back on a seat that they have lost.

    People do all of it for themselves at /me. This is for somebody who cannot, and asks the operator.
    """


@person.command()
@click.argument("who")
@call_options()
def find(*, who: str, call: Call) -> None:
    """List the persons who are called WHO, here or at a table; or whose id, or whose player's id in a log, WHO is."""
    rows = _work(call, lambda parts: _found(parts, who))
    if call.as_json:
        for row in rows:
            say_json(row)
    elif not rows:
        tell(f"Nobody here is known as {who}.")
    else:
        say_table(
            ("person", "name", "since", "last seen", "devices", "tables"),
            [
                (row.id, row.name, row.since[:10], row.seen[:10], str(row.devices), str(row.tables))
                for row in rows
            ],
        )


@person.command()
@click.argument("person_id", metavar="PERSON")
@call_options()
def show(*, person_id: str, call: Call) -> None:
    """Show what is kept about a person, in short."""
    kept = _work(call, lambda parts: _kept(parts, person_id))
    if call.as_json:
        say_json(kept)
        return
    known = kept["person"]
    say(f"{known.get('name') or 'without a name'}, since {known['since'][:10]}")
    for kind, value in kept.items():
        if kind != "person" and value:
            size = f": {len(value)}" if isinstance(value, list | dict) else ""
            say(f"  {kind}{size}")
    for table in kept["tables"]:
        say(f"  {table['role']} at {table['match']} as {table['player']} since {table['since'][:10]}")


@person.command()
@click.argument("person_id", metavar="PERSON")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write into this file.")
@call_options(json=False)
def export(*, person_id: str, output: Path | None, call: Call) -> None:
    """Write everything that is kept about a person as JSON: what they get at /me/file."""
    kept = _work(call, lambda parts: _kept(parts, person_id))
    content = msgspec.json.format(msgspec.json.encode(kept), indent=2)
    if output is None:
        say(content.decode())
        return
    try:
        with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(content + b"\n")
    except OSError as error:
        raise CommandFailed(f"{output} cannot be written: {error.strerror}.") from error
    tell(f"Written: {output}")


@person.command()
@click.argument("person_id", metavar="PERSON")
@click.option("--yes", is_flag=True, help="Erase without asking.")
@call_options()
def erase(*, person_id: str, yes: bool, call: Call) -> None:
    """Erase a person: names, devices, contacts, ways back, and whose their seats were. Logs stay, and still verify.

    Before the deal their seats become free, later they are resigned to a bot. Backups made before still hold them:
    after one is restored, erase again.
    """
    kept = _work(call, lambda parts: _kept(parts, person_id))
    if not yes:
        name = kept["person"].get("name") or "somebody without a name"
        tables = number_of(len(kept["tables"]), "place at tables", "places at tables")
        click.confirm(f"Erase {name} ({person_id}, {tables})? It cannot be undone.", abort=True, err=True)
    _work(call, lambda parts: parts.dossiers.erase(person_id, present_instant()))
    call.say(
        {"erased": person_id},
        f"{person_id} is erased. Should a backup from before be restored, erase again.",
    )


@person.command()
@match_argument
@click.argument("seat", type=_Place())
@click.option(
    "--reason",
    required=True,
    type=REASON,
    help="Why you do this. Everybody at the table can read it, so name no people.",
)
@call_options()
def reissue(*, match: str, seat: Place, reason: str, call: Call) -> None:
    """Print a link that lets somebody back on a seat that they have lost, once, within seven days.

    SEAT counts from 0, as in the log; `host` is the host's place. Whoever uses the link holds the seat, and whoever
    held it before does not see it any longer. The log of a match that goes on tells that you did this, and why.
    """
    token = new_secret()
    _work(call, lambda parts: _reissued(parts, match, seat, reason, token))
    with call.log() as log:
        base, _ = base_address(call.location.settings(), log.url)
    address = f"{base}/s/{token}"
    if call.as_json:
        say_json({"match": match, "seat": seat, "link": address})
        return
    tell("Whoever opens this first, within seven days, gets the seat:")
    say(address)


def _work(call: Call, work: Callable[[PeopleParts], Awaitable[T]]) -> T:
    secret = present_secret(call.location.settings())
    if secret is None:
        raise CommandFailed(
            "The secret of this installation is not here, and without it nobody can be erased wholly. Name the "
            "service's data folder with --data FOLDER, or set TABLEE_SECRET or TABLEE_SECRET_FILE."
        )

    # What the service tells of its work goes where its log goes, and only what is wrong.
    configure_logs("console", "warning", process="tablee")

    async def worked(parts: LogParts) -> T:
        return await work(with_people(parts, secret))

    return call.work(worked)


async def _found(parts: PeopleParts, who: str) -> list[_Row]:
    if _PERSON(who):
        ids = [who]
    elif _PLAYER(who):
        ids = await parts.memberships.persons_of([who])
    else:
        ids = [one.id for one in await parts.persons.called(who)]
        ids += await parts.memberships.persons_of(sorted(await parts.names.called(who)))
    wanted = [one for one in dict.fromkeys(ids) if one]
    known = [one for one in await parts.persons.of_many(wanted) if one is not None]
    rows = []
    for one in known:
        devices, tables = await parts.sessions.of(one.id), await parts.memberships.of(one.id)
        seen = max((device.seen for device in devices), default="")
        matches = {membership.holder.match for membership in tables}
        rows.append(_Row(one.id, one.name, one.since, seen, len(devices), len(matches)))
    return rows


async def _kept(parts: PeopleParts, person_id: str) -> dict[str, Any]:
    if await parts.persons.of(person_id) is None:
        raise CommandFailed(f"There is no person {person_id}: `tablee person find NAME`.")
    return dict(await parts.dossiers.of(person_id))


async def _reissued(parts: PeopleParts, match: str, seat: Place, reason: str, token: str) -> None:
    try:
        await parts.reissuing.by_operator(match, seat, reason, token, present_instant())
    except Refused as refusal:
        said = refusal_text(refusal.code, refusal.rule, refusal.arguments, "en")
        raise CommandFailed(" ".join(filter(None, (said.wrong, said.right)))) from refusal
