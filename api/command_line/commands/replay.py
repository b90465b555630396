"""``tablee replay``."""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from api.command_line.call import Call, call_options
from api.command_line.eyes import Looking, looking_options
from api.command_line.options import language_option, match_argument, spoken_language
from api.command_line.output import say, say_json
from api.command_line.playing.client import EventLine
from api.command_line.playing.following import line_of, seat_names
from api.command_line.playing.tables import table_of
from api.command_line.remote_client import RemoteClient
from domain.entries import decode_openings
from domain.match.fold import beginning, fold
from domain.match.view import match_view
from domain.sealing import redact
from services.bootstrap.log_parts import LogParts
from services.errors import NoSuchVersion
from services.words.names import phase_name
from services.words.phrases import phrase, words_in
from services.words.telling import Teller


@click.command()
@match_argument
@click.option("--at", type=click.IntRange(1), help="The version to show.  [default: the last one]")
@looking_options
@language_option
@call_options(remote=True)
def replay(*, match: str, at: int | None, looking: Looking, language: str | None, call: Call) -> None:
    """Show a match as it stood at any version.

    Operators, too, see a running match as spectators do. To see hands takes --unseal REASON, which is recorded in the
    match's log.
    """
    looking.check(call)
    view, last = call.read(
        lambda client: _shown(client, match, at, looking), lambda parts: _read(parts, match, at, looking)
    )
    if call.as_json:
        say_json(view)
    else:
        _show(view, last, spoken_language(language))


def _shown(
    client: RemoteClient, match: str, at: int | None, looking: Looking
) -> tuple[Mapping[str, Any], EventLine]:
    version = client.view(match)["version"] if at is None else at
    view = client.at(match, version, looking.eyes)
    return view, client.event(match, view["version"])


async def _read(
    parts: LogParts, match: str, at: int | None, looking: Looking
) -> tuple[Mapping[str, Any], EventLine]:
    entries, viewer = await looking.read(parts, match, at, at)
    if at is not None and at > len(entries):
        raise NoSuchVersion(f"The match {match} has {len(entries)} versions; there is no version {at}.")
    position = fold(beginning(match), entries[: at or len(entries)])
    stored = entries[position.version - 1]
    event = EventLine(stored.version, stored.e.decode(), redact(decode_openings(stored.s), viewer))
    return msgspec.to_builtins(match_view(position, viewer), str_keys=True), event


def _show(view: Mapping[str, Any], last: EventLine, language: str) -> None:
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
