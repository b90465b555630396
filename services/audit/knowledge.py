"""Who knew a card: whether somebody could have known what they played on."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from domain.entries import StoredEntry
from domain.errors import Malformed
from domain.games.contract import AnyGame, PhysicalCard
from domain.games.recorded_chance import CardName
from domain.match.evolve import game_of
from domain.match.fold import beginning, positions
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from services.errors import NoSuchVersion
from services.words.languages import LANGUAGES
from services.words.names import card_name


class CardKnown(msgspec.Struct, frozen=True):
    """A physical card on the table, and since when who knows it.

    Attributes:
        card: Its name.
        seats: By seat that knows it: the version since which it does. What was seen and taken back stays known.
        open: The version since which it lies, or lay, open for everybody; None if it never did.
        former: By seat: its former holders who knew it, too, by opaque id, with the version since which they did. Who
            takes a seat over knows from then on what it knew.
    """

    card: CardName
    seats: dict[int, int]
    open: int | None = None
    former: dict[int, dict[str, int]] = {}


def who_knew(match: str, entries: Iterable[StoredEntry], card: str, version: int) -> tuple[CardKnown, ...]:
    """Return who knew the cards of a name at a version; one row for each such card that was in play then.

    Args:
        match: The match's id.
        entries: Its complete log.
        card: The card's name, as on the wire or in words: ``R8``, ``red 8``, ``7``.
        version: The version.

    Raises:
        NoSuchVersion: The match has no such version.
        Malformed: The game has no such card.
    """
    since: dict[tuple[PhysicalCard, int | None, str], int] = {}
    last = None
    for position in positions(beginning(match), entries):
        state = position.state
        if state.terms is not None and state.game is not None:
            game = game_of(state.terms)
            for viewer in (SPECTATOR, *map(seat_viewer, range(state.terms.seats))):
                holder = "" if viewer.seat is None else state.seats[viewer.seat].player
                for known in game.knows(state.game, viewer):
                    since.setdefault((known, viewer.seat, holder), position.version)
        if position.version == version:
            last = position
            break
    if last is None:
        raise NoSuchVersion(f"{match} has no version {version}.")
    terms, present = last.state.terms, last.state.game
    if terms is None:
        raise NoSuchVersion(f"{match} has no version {version}.")
    game, name = game_of(terms), _card(game_of(terms), card)
    if present is None:
        return ()
    # A deal of one round tells nothing of the cards of another: only those on the table are looked at.
    places = sorted(
        place for place in game.knows(present, EVERYTHING) if game.name_of(present, place) == name
    )
    holders = [seat.player for seat in last.state.seats]
    return tuple(_known(name, place, holders, since) for place in places)


def _known(
    name: CardName,
    place: PhysicalCard,
    holders: Sequence[str],
    since: Mapping[tuple[PhysicalCard, int | None, str], int],
) -> CardKnown:
    seats: dict[int, int] = {}
    former: dict[int, dict[str, int]] = {}
    for (card, seat, player), version in since.items():
        if card != place or seat is None:
            continue
        if player == holders[seat]:
            seats[seat] = version
        else:
            former.setdefault(seat, {})[player] = version
    return CardKnown(name, dict(sorted(seats.items())), since.get((place, None, "")), former)


def _card(game: AnyGame, card: str) -> CardName:
    cards = tuple(dict.fromkeys(game.cards))
    in_words = {
        card_name(game.key, name, language).casefold(): name for language in LANGUAGES for name in cards
    }
    # The names on the wire come last: they hold whatever a language makes of their letters.
    name = (in_words | {str(name).casefold(): name for name in cards}).get(card.casefold())
    if name is None:
        raise Malformed(
            "card.unknown", f"{game.key} has no card {card}; there are {', '.join(map(str, cards))}."
        )
    return name
