"""Recording the missing matches: ``python -m tests.golden.record``. Existing files are never touched."""

import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from domain.games.contract import AnyGame
from domain.games.registry import is_built_in
from domain.match.fold import beginning, positions
from domain.match.hashing import state_hash
from tests.golden.corpus import FOLDER, Header, list_anew, write
from tests.golden.scenarios import EVERYWHERE, ONCE
from tests.kit.games import EVERY_GAME
from tests.kit.options import player_counts
from tests.kit.table import Table

RECORDED = tuple(game for game in EVERY_GAME if is_built_in(game.key))
"""The games with recorded matches. A game from outside keeps its own: its releases are not Tablée's."""


def wanted() -> Iterator[tuple[AnyGame, int, str]]:
    """Yield what the corpus should hold: game, number of players, scenario."""
    for game in RECORDED:
        for seats in player_counts(game):
            for name in EVERYWHERE:
                yield game, seats, name
        for name in ONCE:
            yield game, game.seats[0], name


def path_of(game: AnyGame, seats: int, name: str) -> Path:
    """Return the path of a match's file."""
    rules = "" if game.rules_number == 1 else f"-rules{game.rules_number}"
    return FOLDER / game.key / f"{seats}-{name}{rules}.ndjson.gz"


def record(path: Path, game: AnyGame, name: str, table: Table) -> None:
    """Write a match into a new file, with the state hash at every version."""
    match = table.position.match
    hashes = [state_hash(position.state) for position in positions(beginning(match), table.entries)]
    header = Header(
        game=game.key,
        rules=game.rules_number,
        seats=len(table.state.seats),
        name=name,
        match=match,
        events=table.position.version,
        head=table.position.head.hex(),
        release=version("tablee"),
    )
    write(path, header, table.entries, hashes)


def main() -> None:
    """Record every missing match."""
    for game, seats, name in wanted():
        path = path_of(game, seats, name)
        if path.exists():
            continue
        table = {**EVERYWHERE, **ONCE}[name](game, seats)
        record(path, game, name, table)
        sys.stdout.write(f"{path.relative_to(FOLDER)}: {table.position.version} events\n")
    list_anew()


if __name__ == "__main__":
    main()
