"""One deal of a duel: the same cards once with the hero in each seat, villains in all others."""

import time
from typing import Any

import msgspec

from domain.chance import Chance
from domain.games.contract import AnyGame
from domain.games.registry import CURRENT
from domain.viewers import seat_viewer
from tests.ladder.players import Player, player_of

MOST_MOVES = 6000
"""A match that takes longer is broken."""


class Duel(msgspec.Struct, frozen=True, order=True):
    """Who plays whom: one hero, and the villain in all other seats."""

    game: str
    seats: int
    hero: str
    villain: str


class Played(msgspec.Struct, frozen=True):
    """What came of one deal.

    Attributes:
        deal: The number of the deal, from which all chance follows.
        share: The hero's share of the wins over all seats, from 0 to 1; a shared win counts in part.
        points: By how much the hero's totals differ from the villains' mean.
        times: The hero's times for a move, in milliseconds of its processor: the median, the 95th percentile, the most.
        commit: The commit that played.
    """

    duel: Duel
    deal: int
    share: float
    points: float
    times: tuple[float, float, float]
    commit: str = ""


def play_deal(duel: Duel, deal: int, commit: str = "") -> Played:
    """Play one deal, with the hero in each seat once."""
    game = CURRENT[duel.game]
    hero, villain = player_of(duel.game, duel.hero), player_of(duel.game, duel.villain)
    wins, difference = 0.0, 0.0
    times: list[float] = []
    for seat in range(duel.seats):
        players = [villain] * duel.seats
        players[seat] = hero
        totals = _match(game, players, Chance(f"{deal:032x}"), seat, times)
        wins += 1 / totals.count(min(totals)) if totals[seat] == min(totals) else 0.0
        difference += totals[seat] - (sum(totals) - totals[seat]) / (duel.seats - 1)
    times.sort()
    last = len(times) - 1
    spread = (times[last // 2], times[int(0.95 * last)], times[last])
    return Played(duel, deal, wins / duel.seats, difference / duel.seats, spread, commit)


def _match(
    game: AnyGame, players: list[Player], chance: Chance, timed: int, times: list[float]
) -> tuple[int, ...]:
    """Play a match to its end; every move is decided by the rules. Return the totals."""
    state: Any = game.initial(game.options_type(), len(players))
    for event in game.start(state, chance):
        state = game.evolve(state, event)
    for number in range(MOST_MOVES):
        if game.is_over(state):
            return game.standing(state).totals
        seat = game.to_act(state)[0]
        view, legal = game.view(state, seat_viewer(seat)), game.legal_moves(state, seat)
        own_chance = chance.branch(f"bot/{seat}/{number}")
        began = time.process_time()
        move = players[seat](game, view, legal, seat, own_chance)
        if seat == timed:
            times.append(round(1000 * (time.process_time() - began), 3))
        for event in game.decide(state, seat, move, chance):
            state = game.evolve(state, event)
    raise AssertionError(f"{game.key}: no end after {MOST_MOVES} moves")
