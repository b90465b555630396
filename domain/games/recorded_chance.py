"""How events record what chance gave them, so that a deal can be recomputed from the log alone.

An event type says which of its fields hold a shuffle or a drawn number. Our own verifier reads that from the type, a
foreign one from the description that every export carries.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec

from domain.canonical import digest
from domain.sealing import Event

CardName = str | int
"""A card on the wire."""


class ShuffleFields(msgspec.Struct, frozen=True):
    """Which fields of an event hold a shuffle.

    Attributes:
        cards: The fields that hold the shuffled cards, in order; nested lists are read one after the other.
        whole: Whether all cards of the game were shuffled; if not, only those in the fields were.
        round: The field with the round.
        number: The field with the number of the shuffle in the round; 0 is the deal.
    """

    cards: tuple[str, ...]
    whole: bool = True
    round: str = "round"
    number: str = "shuffle"


class PickFields(msgspec.Struct, frozen=True):
    """Which fields of an event hold a drawn number.

    Attributes:
        purpose: The purpose under which it was drawn.
        value: The field that holds the number.
        below: The field that holds how many numbers it was drawn from.
    """

    purpose: str
    value: str = "seat"
    below: str = "below"


class RecordedShuffle(msgspec.Struct, frozen=True):
    """A shuffle as an event recorded it.

    Attributes:
        round: The round, from 1.
        number: Which shuffle of the round; 0 is the deal.
        order: The shuffled cards, in order.
        whole: Whether they must be all cards of the game.
    """

    round: int
    number: int
    order: tuple[CardName, ...]
    whole: bool = True


class RecordedPick(msgspec.Struct, frozen=True):
    """A drawn number as an event recorded it (see :meth:`domain.chance.Chance.pick`)."""

    below: int
    purpose: str
    value: int


class GameEvent(Event, frozen=True, omit_defaults=True):
    """Base of a game's events.

    Attributes:
        SHUFFLE: Which fields hold a shuffle, if the event records one.
        PICK: Which fields hold a drawn number, if the event records one.
        STARTS_ROUND: Whether the event begins a round.
        SCORES_ROUND: Whether the event scores a round; it then has the fields ``round``, ``points`` and ``totals``, the
            last two by seat.
        SETTLES_SCORE: Whether the event still changes a total of the round that was scored last, such as by a chip
            that goes back; it then has the fields ``seat`` and ``total``.
        CARDS: Which fields name the cards that it moves or turns up, one card or several; not what was dealt, and not
            hands that are shown when a round ends.
    """

    SHUFFLE: ClassVar[ShuffleFields | None] = None
    PICK: ClassVar[PickFields | None] = None
    STARTS_ROUND: ClassVar[bool] = False
    SCORES_ROUND: ClassVar[bool] = False
    SETTLES_SCORE: ClassVar[bool] = False
    CARDS: ClassVar[tuple[str, ...]] = ()


def shuffle_of(event: Event) -> RecordedShuffle | None:
    """Return the shuffle that an event recorded; None if it recorded none. All its fields must be open."""
    fields = event.SHUFFLE if isinstance(event, GameEvent) else None
    if fields is None:
        return None
    order = tuple(card for name in fields.cards for card in _flat(getattr(event, name)))
    return RecordedShuffle(getattr(event, fields.round), getattr(event, fields.number), order, fields.whole)


def pick_of(event: Event) -> RecordedPick | None:
    """Return the drawn number that an event recorded; None if it recorded none."""
    fields = event.PICK if isinstance(event, GameEvent) else None
    if fields is None:
        return None
    return RecordedPick(getattr(event, fields.below), fields.purpose, getattr(event, fields.value))


def _flat(value: CardName | tuple[Any, ...]) -> Iterator[CardName]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


class ChanceDescription(msgspec.Struct, frozen=True):
    """All that is needed to recompute a game's deals and draws.

    Attributes:
        cards: The cards in card-list order, each with its number of copies.
        shuffles: By event type, which fields hold a shuffle.
        picks: By event type, which fields hold a drawn number.
    """

    cards: tuple[tuple[CardName, int], ...]
    shuffles: Mapping[str, ShuffleFields]
    picks: Mapping[str, PickFields]


def described_chance(cards: tuple[CardName, ...], event_types: tuple[type[Event], ...]) -> ChanceDescription:
    """Return the description of a game with these cards and these event types."""
    types = [kind for kind in event_types if issubclass(kind, GameEvent)]
    return ChanceDescription(
        tuple((card, cards.count(card)) for card in dict.fromkeys(cards)),
        {kind.__name__: kind.SHUFFLE for kind in types if kind.SHUFFLE is not None},
        {kind.__name__: kind.PICK for kind in types if kind.PICK is not None},
    )


def digest_of(description: ChanceDescription) -> str:
    """Return the digest of a description, which a match's first event records so that other verifiers can trust it."""
    return digest(msgspec.to_builtins(description))
