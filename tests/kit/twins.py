"""Matches that differ only in what one viewer may not know.

A twin is dealt the same cards in all places that the viewer has ever known, and mixed cards elsewhere. The cards of
other seats' hands are reordered, too, since their places must not show either. Then the twin gets the same commands.
Its seed differs, so that no salt and no commitment is the same. What the viewer receives must be the same.

Such a twin leaves every card in the place from which it was played. A twin with exchanged cards does not: two cards
that another seat held at once trade places, and that seat plays the other of two equal ones. The game tells the viewer
the same; what the match adds (requests, offers) must be the same too.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any
from unittest.mock import PropertyMock, patch

import msgspec

from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.errors import Refused
from domain.games.contract import PhysicalCard
from domain.games.recorded_chance import CardName, shuffle_of
from domain.match.command_handler import PreparedAppend, prepare_append
from domain.match.commands import CreateMatch, PlayMove
from domain.match.decide_undo import what_undo_does
from domain.match.fold import Position, beginning, positions
from domain.match.state import Match
from domain.match.view import match_view
from domain.sealing import Audience, Event, redact
from domain.viewers import Viewer, seat_viewer
from tests.kit.log import events_of
from tests.kit.stacked import StackedChance
from tests.kit.table import Accepted, Table

OTHER_SEED = "07" * 32

Orders = Mapping[tuple[int, int], list[CardName]]


def twin_of(table: Table, viewer: Viewer, random: Random, tries: int = 20) -> Table | None:
    """Return a twin for a viewer, or None if no mixing of the hidden cards allows the same commands.

    Some public events follow from hidden cards, for example that somebody cannot move, so not every mixing fits.
    """
    known = known_cards(table, viewer)
    for _ in range(tries):
        twin = _replayed(table, mixed(table, viewer, known, random), viewer)
        if twin is not None:
            return twin
    return None


def known_cards(table: Table, viewer: Viewer) -> frozenset[PhysicalCard]:
    """Return all physical cards that a viewer has ever known."""
    known: set[PhysicalCard] = set()
    for position in along(table):
        if position.state.game is not None:
            known |= table.game.knows(position.state.game, viewer)
    return frozenset(known)


def mixed(table: Table, viewer: Viewer, known: frozenset[PhysicalCard], random: Random) -> Orders:
    """Return the orders of all shuffles of a match, mixed where the viewer cannot tell the difference."""
    orders: dict[tuple[int, int], list[CardName]] = {}
    game = table.game
    for event in events_of(table.position.match, table.entries):
        recorded = shuffle_of(event) if type(event) in game.event_types else None
        if recorded is None:
            continue
        deal, order = len(orders) + 1, list(recorded.order)
        _mix(order, [place for place in range(len(order)) if (deal, place) not in known], random)
        for hand in _hands_of_others(event, recorded.order, viewer):
            _mix(order, list(hand), random)
        orders[recorded.round, recorded.number] = order
    return orders


def recorded_orders(table: Table) -> dict[tuple[int, int], list[CardName]]:
    """Return the orders of all shuffles of a match."""
    game = table.game
    recorded = (
        shuffle_of(event)
        for event in events_of(table.position.match, table.entries)
        if type(event) in game.event_types
    )
    return {(one.round, one.number): list(one.order) for one in recorded if one is not None}


def twins_with_exchanged_cards(
    table: Table, viewer: Viewer, random: Random, tries: int = 12
) -> Iterator[Table]:
    """Yield twins in which two cards of another seat's hand traded places, and the game tells the viewer the same."""
    orders = recorded_orders(table)
    keys = list(orders)
    pairs = sorted(_exchangeable(table, viewer))
    random.shuffle(pairs)
    told = _told_by_the_game(table, viewer)
    for (deal, one), (other_deal, other) in pairs[:tries]:
        exchanged = {key: list(order) for key, order in orders.items()}
        here, there = exchanged[keys[deal - 1]], exchanged[keys[other_deal - 1]]
        if here[one] == there[other]:
            continue
        here[one], there[other] = there[other], here[one]
        twin = _replayed(table, exchanged, viewer)
        if twin is not None and _told_by_the_game(twin, viewer) == told:
            yield twin


def check_no_choice_leaks(table: Table, viewer: Viewer) -> int:
    """Check that a viewer cannot tell what others chose in secret; return how many other choices were compared.

    Wherever another seat moved, it makes each other move that it could have made. If the game then tells the viewer the
    same, the match must.
    """
    compared = 0
    for before, after, accepted in moves_of(table):
        command = accepted.command
        if not isinstance(command, PlayMove) or command.seat == viewer.seat or before.state.game is None:
            continue
        legal = table.game.legal_moves(before.state.game, command.seat)
        told = [without_secrets(entry, viewer) for entry in after.entries]
        for move in () if legal is None else table.game.expand(legal):
            if move == command.move:
                continue
            other = prepare_append(before, PlayMove(command.seat, move), accepted.metadata, accepted.context)
            if [without_secrets(entry, viewer) for entry in other.entries] != told:
                continue
            compared += 1
            assert seen(other.position, viewer) == seen(after.position, viewer)
            assert offers_to(other.position.state, viewer) == offers_to(after.position.state, viewer)
    return compared


def moves_of(table: Table) -> Iterator[tuple[Position, PreparedAppend, Accepted]]:
    """Yield each accepted command with the position before it and its outcome."""
    position = beginning(table.position.match)
    for accepted in table.accepted:
        prepared = prepare_append(position, accepted.command, accepted.metadata, accepted.context)
        yield position, prepared, accepted
        position = prepared.position


def offers_to(state: Match, viewer: Viewer) -> list[object]:
    """Return what a seat is offered to take back: each turn, and whether the others must agree."""
    found: list[object] = []
    if viewer.seat is None:
        return found
    node, versions = state.past, []
    while node is not None:
        versions.append(node.version)
        node = node.before
    for to in (None, *versions):
        try:
            target, must_ask = what_undo_does(state, viewer.seat, to)
            found.append((to, target.version, must_ask))
        except Refused as refused:
            found.append((to, refused.code))
    return found


def _exchangeable(table: Table, viewer: Viewer) -> set[tuple[PhysicalCard, PhysicalCard]]:
    """Return pairs of cards that another seat knew at once and the viewer did not; one of them the viewer saw later."""
    later = known_cards(table, viewer)
    pairs: set[tuple[PhysicalCard, PhysicalCard]] = set()
    for position in along(table):
        game = position.state.game
        if game is None:
            continue
        mine = table.game.knows(game, viewer)
        for seat in range(len(position.state.seats)):
            if seat != viewer.seat:
                theirs = table.game.knows(game, seat_viewer(seat)) - mine
                pairs |= {(one, other) for one in theirs & later for other in theirs if one != other}
    return pairs


def _told_by_the_game(table: Table, viewer: Viewer) -> list[bytes]:
    """Return what the game's own events tell a viewer."""
    names = {kind.__name__ for kind in table.game.event_types}
    return [
        without_secrets(entry, viewer) for entry in table.entries if decode_envelope(entry.e).type in names
    ]


def _mix(order: list[CardName], places: list[int], random: Random) -> None:
    cards = [order[place] for place in places]
    random.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        order[place] = card


def _hands_of_others(event: Event, order: tuple[CardName, ...], viewer: Viewer) -> list[range]:
    """Return the places of the cards dealt to other seats, where each hand is for its seat alone."""
    places: list[range] = []
    for name, audience in event.SEALED.items():
        if audience is not Audience.EACH_SEAT:
            continue
        start = 0
        for seat, hand in enumerate(getattr(event, name)):
            hand_places = range(start, start + len(hand))
            assert order[hand_places.start : hand_places.stop] == tuple(hand)
            start = hand_places.stop
            if seat != viewer.seat:
                places.append(hand_places)
    return places


def _replayed(table: Table, orders: Orders, viewer: Viewer) -> Table | None:
    twin = Table(table.position.match)
    twin.seed = OTHER_SEED
    chance = StackedChance(table.seed, table.state.entropy.nonces, orders)
    with patch.object(Match, "chance", PropertyMock(return_value=chance)):
        for command, metadata, context in table.accepted:
            if isinstance(command, CreateMatch):
                command = msgspec.structs.replace(command, seed=OTHER_SEED)  # noqa: PLW2901
            try:
                prepared = prepare_append(twin.position, command, metadata, context)
            except Refused:
                told = table.entries[len(twin.entries) :]
                other = _chosen_otherwise(twin, Accepted(command, metadata, context), told, viewer)
                if other is None:
                    return None
                prepared = other
            twin.position = prepared.position
            twin.entries += prepared.entries
            if not _same_course(twin, table):
                return None
    return twin


def _chosen_otherwise(
    twin: Table, accepted: Accepted, told: Sequence[StoredEntry], viewer: Viewer
) -> PreparedAppend | None:
    """Return another choice of another seat, made in secret: one of which the viewer is told the same."""
    command = accepted.command
    if not isinstance(command, PlayMove) or command.seat == viewer.seat:
        return None
    for move in twin.legal(command.seat):
        other = prepare_append(
            twin.position, PlayMove(command.seat, move), accepted.metadata, accepted.context
        )
        expected = [without_secrets(entry, viewer) for entry in told[: len(other.entries)]]
        if [without_secrets(entry, viewer) for entry in other.entries] == expected:
            return other
    return None


def _same_course(twin: Table, table: Table) -> bool:
    """Tell whether the same types of events have happened; the test compares their content."""
    if len(twin.entries) > len(table.entries):
        return False
    mine, theirs = (
        decode_envelope(twin.entries[-1].e),
        decode_envelope(table.entries[len(twin.entries) - 1].e),
    )
    return (mine.type, mine.command) == (theirs.type, theirs.command)


def without_secrets(entry: StoredEntry, viewer: Viewer) -> bytes:
    """Return what a viewer receives of an entry, with everything random replaced by constants of the same length."""
    plain: dict[str, Any] = msgspec.json.decode(entry.e)
    data = msgspec.json.encode(blanked(plain["data"]))
    openings = [
        msgspec.structs.replace(opening, salt="0" * 64)
        for opening in redact(decode_openings(entry.s), viewer)
    ]
    assert len(entry.h) == 32
    return b"\n".join((msgspec.json.encode({**plain, "data": 0}), data, msgspec.json.encode(openings)))


def blanked(value: Any) -> Any:
    """Return a JSON value with all commitments in it replaced by a constant of the same length."""
    if isinstance(value, dict):
        if value.keys() == {"sealed"}:
            assert len(value["sealed"]) == 64
            return {"sealed": "0" * 64}
        return {name: blanked(member) for name, member in value.items()}
    return [blanked(member) for member in value] if isinstance(value, list) else value


def along(table: Table) -> Sequence[Position]:
    """Return the positions of a match at every version."""
    return _along(table, table.position.version)


@lru_cache(maxsize=8)
def _along(table: Table, _version: int) -> Sequence[Position]:
    return tuple(positions(beginning(table.position.match), table.entries))


def seen(position: Position, viewer: Viewer) -> bytes:
    """Return a viewer's view as sent, with the chain hash replaced by a constant of the same length."""
    view = msgspec.json.encode(match_view(position, viewer))
    head = position.head.hex().encode()
    assert view.count(head) == 1
    return view.replace(head, b"0" * 64)


def check_nothing_leaks(table: Table, viewer: Viewer, random: Random) -> bool:
    """Check that a viewer cannot tell a match from its twin; return whether there is a twin."""
    twin = twin_of(table, viewer, random)
    if twin is None:
        return False
    for mine, theirs in zip(table.entries, twin.entries, strict=True):
        assert without_secrets(mine, viewer) == without_secrets(theirs, viewer)
    for one, other in zip(along(table), along(twin), strict=True):
        assert seen(one, viewer) == seen(other, viewer)
    return True
