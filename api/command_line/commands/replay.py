"""``tablee replay``."""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from api.command_line.eyes import check_unsealing, eyes_option, viewer_named
from api.command_line.opening import log_address, work_on
from api.command_line.options import (
    Location,
    json_option,
    language_option,
    location_options,
    spoken_language,
    unseal_option,
)
from api.command_line.output import say, say_json
from api.command_line.playing.client import EventLine
from api.command_line.playing.following import line_of, seat_names
from api.command_line.playing.tables import table_of
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
from domain.entries import StoredEntry, decode_openings
from domain.match.fold import beginning, fold
from domain.match.view import match_view
from domain.sealing import redact
from domain.viewers import SPECTATOR, Viewer
from services.bootstrap.parts import LogParts
from services.errors import NoSuchVersion
from services.words.names import phase_name
from services.words.phrases import phrase, words_in
from services.words.telling import Teller


@click.command()
@click.argument("match", type=MatchId())
@click.option("--at", type=click.IntRange(1), help="The version to show.  [default: the last one]")
@eyes_option
@unseal_option
@language_option
@json_option
@location_options
@remote_options
def replay(
    *,
    match: str,
    at: int | None,
    eyes: str | None,
    unseal: str | None,
    language: str | None,
    as_json: bool,
    location: Location,
    remote: Remote | None,
) -> None:
    """Show a match as it stood at any version.

    Operators, too, see a running match as spectators do. To see hands takes --unseal REASON, which is recorded in the
    match's log.
    """
    refuse_with_server(remote, NO_UNSEALING, unseal=unseal)
    if remote is not None:
        with asked(remote) as client:
            built = client.view(match) if at is None else {"version": at}
            built = client.at(match, built["version"], eyes_over_http(eyes))
            last = client.event(match, built["version"])
        _show(built, last, spoken_language(language), as_json=as_json)
        return
    check_unsealing(eyes, unseal)
    with log_address(location, purpose="tablee replay") as log:
        entries, viewer = work_on(log, lambda parts: _read(parts, match, at, eyes, unseal))
    if at is not None and at > len(entries):
        raise NoSuchVersion(f"The match {match} has {len(entries)} versions; there is no version {at}.")
    position = fold(beginning(match), entries[: at or len(entries)])
    view = match_view(position, viewer)
    stored = entries[position.version - 1]
    event = EventLine(stored.version, stored.e.decode(), redact(decode_openings(stored.s), viewer))
    _show(msgspec.to_builtins(view, str_keys=True), event, spoken_language(language), as_json=as_json)


async def _read(
    parts: LogParts, match: str, at: int | None, eyes: str | None, unseal: str | None
) -> tuple[list[StoredEntry], Viewer]:
    entries, head = await log_up_to(parts, match, at)
    viewer = viewer_named(eyes, head)
    # Nothing is unsealed for a version that there is not.
    if viewer != SPECTATOR and (at is None or at <= len(entries)):
        entries = await open_log(parts, match, unseal, "To see hands", at)
    return entries, viewer


def _show(view: Mapping[str, Any], last: EventLine, language: str, *, as_json: bool) -> None:
    """Show a view, and the event that led to it."""
    if as_json:
        say_json(view)
        return
    words, names = words_in(language), seat_names(view, language)
    # A seat that looks back is spoken of by its name: the operator is not the player.
    teller = Teller(words, names, None)
    game = view["terms"]["game"]
    say(
        words.say(
            phrase("Match {match}, version {version}, {at}: {phase}."),
            match=view["match"],
            version=view["version"],
            at=view["at"],
            phase=phase_name(view["lifecycle"]["phase"], language),
        )
    )
    say(line_of(last, game, names, language, None) or "")
    if view["game"] is not None:
        say()
        for line in table_of(game).lines(teller, view):
            say(line)
