"""``tablee diff``."""

from typing import Any

import click
import msgspec

from api.command_line.eyes import check_unsealing, eyes_option, viewer_named
from api.command_line.opening import log_address, work_on
from api.command_line.options import Location, json_option, location_options, unseal_option
from api.command_line.output import say, say_json
from api.command_line.remote import (
    NO_UNSEALING,
    Remote,
    asked,
    eyes_over_http,
    refuse_with_server,
    remote_options,
)
from api.command_line.unsealing import log_up_to, open_log
from api.command_line.values import MatchId
from domain.entries import StoredEntry
from domain.match.fold import beginning, fold
from domain.match.view import match_view
from domain.viewers import SPECTATOR, Viewer
from services.bootstrap.parts import LogParts
from services.errors import NoSuchVersion
from services.matches.replay import difference


@click.command()
@click.argument("match", type=MatchId())
@click.argument("before", type=click.IntRange(1))
@click.argument("after", type=click.IntRange(1), required=False)
@eyes_option
@unseal_option
@json_option
@location_options
@remote_options
def diff(
    *,
    match: str,
    before: int,
    after: int | None,
    eyes: str | None,
    unseal: str | None,
    as_json: bool,
    location: Location,
    remote: Remote | None,
) -> None:
    """Show what changes between two versions of a match. AFTER defaults to the last version.

    A running match is compared as spectators see it. To see hands takes --unseal REASON, which is recorded in the
    match's log.
    """
    refuse_with_server(remote, NO_UNSEALING, unseal=unseal)
    if remote is not None:
        with asked(remote) as client:
            found = client.difference(match, before, after, eyes_over_http(eyes))
        _show(found, as_json=as_json)
        return
    check_unsealing(eyes, unseal)
    with log_address(location, purpose="tablee diff") as log:
        entries, viewer = work_on(log, lambda parts: _read(parts, match, (before, after), eyes, unseal))
    last = after or len(entries)
    if max(before, last) > len(entries):
        raise NoSuchVersion(f"The match {match} has {len(entries)} versions.")
    views = [match_view(fold(beginning(match), entries[:version]), viewer) for version in (before, last)]
    row = difference(views[0], views[1])
    _show({"match": match, "before": before, "after": last, "changes": row}, as_json=as_json)


def _show(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(found)
        return
    row = found["changes"]
    for pointer, *value in row:
        say(f"{pointer}  {msgspec.json.encode(value[0]).decode() if value else '(gone)'}")
    if not row:
        say("Nothing changes.")


async def _read(
    parts: LogParts,
    match: str,
    versions: tuple[int, int | None],
    eyes: str | None,
    unseal: str | None,
) -> tuple[list[StoredEntry], Viewer]:
    before, after = versions
    highest = max(before, after or before)
    up_to = None if after is None else highest
    entries, head = await log_up_to(parts, match, up_to)
    viewer = viewer_named(eyes, head)
    # Nothing is unsealed for a version that there is not.
    if viewer != SPECTATOR and highest <= len(entries):
        entries = await open_log(parts, match, unseal, "To see hands", up_to)
    return entries, viewer
