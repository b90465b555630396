"""Random matches and random positions, the same for the same seed."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from hypothesis import HealthCheck, settings, strategies

from domain.chance import Chance
from domain.games.lama.cards import CARDS
from domain.games.lama.events import LamaEvent
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState
from tests.unit.domain.games.lama.arrangement import GAME, started

Temper = Mapping[type[LamaMove], int]

TEMPERS: tuple[Temper, ...] = (
    {Play: 1, Draw: 1, Quit: 1, Return: 1},
    {Play: 20, Draw: 10, Quit: 1, Return: 1},
    {Play: 1, Draw: 60, Quit: 1, Return: 1},
    {Play: 60, Draw: 1, Quit: 30, Return: 1},
)
"""How likely a kind of move is: even; staying in the round; drawing the pile down; soon alone."""


class Step(NamedTuple):
    """One move of a match and what came of it."""

    before: LamaState
    seat: int
    move: LamaMove
    events: tuple[LamaEvent, ...]
    after: LamaState
    chance: Chance


def random_match(seats: int, options: LamaOptions, seed: int, temper: Temper) -> Iterator[Step]:
    """Play a match to its end with random legal moves."""
    dice = Random(seed)
    table = started(seats, options, Chance(f"{seed:064x}"))
    while not GAME.is_over(table.state):
        (seat,) = table.to_act
        moves = table.legal(seat)
        (move,) = dice.choices(moves, [temper[type(move)] for move in moves])
        before = table.state
        table.move(seat, move)
        yield Step(before, seat, move, table.events, table.state, table.chance)


def random_position(seed: int) -> LamaState:
    """Return any position in which somebody is asked, reachable by play or not."""
    dice = Random(seed)
    seats = dice.randint(2, 6)
    order = list(CARDS)
    dice.shuffle(order)
    sizes = [dice.choice((1, 1, 2, 6, 8)) for _ in range(seats)]
    places = list(range(len(order)))
    pile_start = dice.choice((len(order), len(order) - 1, sum(sizes) + 1))
    held = dice.sample(places[:pile_start], sum(sizes))
    hands = [tuple(held[sum(sizes[:seat]) : sum(sizes[: seat + 1])]) for seat in range(seats)]
    turn = dice.randrange(seats)
    is_return = dice.random() < 0.2
    if is_return:
        hands[turn] = ()
    lying = {place for hand in hands for place in hand}
    others = [seat for seat in range(seats) if seat != turn]
    return LamaState(
        options=LamaOptions(dice.choice((40, "single")), dice.choice(("last_played", "last_acted"))),
        seats=seats,
        totals=tuple(dice.choice((0, 1, 9, 10, 39, 50)) for _ in range(seats)),
        round=dice.randint(1, 9),
        starter=dice.randrange(seats),
        order=tuple(order),
        hands=tuple(hands),
        discard=tuple(place for place in places[:pile_start] if place not in lying),
        pile_start=pile_start,
        quit=tuple(dice.sample(others, dice.randint(0, seats - 1))),
        turn=None if is_return else turn,
        last_played=dice.choice((None, turn, 0)),
        last_acted=turn,
        returning=turn if is_return else None,
    )


def examples(number: int) -> settings:
    """Return the settings of a property: a match takes its time to be played, more so on a busy machine."""
    return settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow])


seeds = strategies.integers(0, 2**64)

matches = strategies.builds(
    lambda options, seats, seed, temper: list(random_match(seats, options, seed, temper)),
    strategies.builds(
        LamaOptions,
        limit=strategies.sampled_from((40, "single")),
        next_starter=strategies.sampled_from(("last_played", "last_acted")),
        first=strategies.sampled_from(("random", 0, 1)),
    ),
    strategies.integers(2, 6),
    seeds,
    strategies.sampled_from(TEMPERS),
)
"""Whole matches, step by step."""

positions = strategies.one_of(
    strategies.builds(random_position, seeds),
    matches.flatmap(lambda steps: strategies.sampled_from([step.before for step in steps])),
)
"""Positions in which somebody is asked: out of matches, and made up."""
