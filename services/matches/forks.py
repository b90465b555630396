"""Forks: a position of one match becomes the beginning of another."""

from domain.canonical import digest
from domain.errors import Refused
from domain.match.command_handler import CommandMetadata
from domain.match.commands import Fork, UnsealLog
from domain.match.fold import Position
from domain.match.state import OVER
from services.matches.reader import MatchReader
from services.matches.service import MatchService, Submission


async def fork_of(
    reader: MatchReader,
    service: MatchService,
    parent: str,
    version: int,
    *,
    caller: CommandMetadata,
    same_cards: bool,
    seat: int,
) -> Fork:
    """Return the position with which a fork begins. Whether the asker may have it, the caller has made sure.

    Args:
        reader: Reads the parent.
        service: Notes in a running parent's log that the fork takes its cards.
        parent: The match that is forked.
        version: The version of the position.
        caller: Who asks; the actor is empty for somebody without a seat there.
        same_cards: Whether the cards still to come are the parent's.
        seat: If they are not: the seat whose unknown cards are dealt anew.

    Raises:
        NoSuchMatch: There is no such match, or no such version.
        Refused: There is no position at that version.
    """
    head = await reader.head(parent)
    position = await reader.at(parent, version)
    fork = fork_at(position, same_cards=same_cards, seat=seat)
    if same_cards and head.state.lifecycle.phase not in OVER:
        # The fork's player can end it and read the deck, so the parent's log must say so.
        unsealing = UnsealLog(f"version {version}", fork=True)
        what = digest({"fork": parent, "version": version})
        await service.execute(Submission(parent, unsealing, caller, what))
    return fork


def fork_at(position: Position, *, same_cards: bool, seat: int) -> Fork:
    """Return a position with which a fork begins, whether its match is in the log or came in a file.

    Raises:
        Refused: Nothing is played at this position.
    """
    terms, game = position.state.terms, position.state.game
    if terms is None or game is None:
        raise Refused("fork.nothing_to_play", "forks", version=position.version)
    return Fork(
        parent=position.match,
        key=terms.game,
        version=position.version,
        head=position.head.hex(),
        rules=terms.rules,
        options=terms.options,
        game=game,
        entropy=position.state.cards_from,
        same_cards=same_cards,
        seat=seat,
    )
