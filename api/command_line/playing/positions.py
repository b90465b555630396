"""Tables that begin with a position: of a match that the service has, or of one in a file."""

from pathlib import Path
from typing import NamedTuple

from api.command_line.group import CommandFailed
from api.command_line.playing.client import Client


class Position(NamedTuple):
    """Where to play on from.

    Attributes:
        source: A match's id, or the name of a file.
        version: The version; None for the last one of a file's match at which somebody is to move.
        seat: Which seat to take, from 0 on.
    """

    source: str
    version: int | None
    seat: int

    @property
    def file(self) -> Path | None:
        """The file, if there is one of that name."""
        path = Path(self.source)
        return path if path.is_file() else None


class Begun(NamedTuple):
    """A table at which somebody can sit down."""

    match: str
    game: str


def table_from(client: Client, position: Position, level: str) -> Begun:
    """Make a table that begins with a position, with bots on the other seats.

    Raises:
        Answered: The service refuses.
        CommandFailed: The file cannot be read, or the version is missing.
    """
    file = position.file
    if file is not None:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise CommandFailed(f"{file} cannot be read: {error.strerror}.") from error
        match = client.fork_file(content, position.version, position.seat)
        return Begun(match, client.view(match)["terms"]["game"])
    if position.version is None:
        raise CommandFailed(
            f"{position.source} is no file. If it is a match, say from which version: --at N."
        )
    view = client.view(position.source)
    bots = tuple("" if seat == position.seat else level for seat in range(len(view["seats"])))
    fork = {"match": position.source, "version": position.version, "seat": position.seat}
    game: str = view["terms"]["game"]
    return Begun(client.create(game, {}, bots, fork), game)
