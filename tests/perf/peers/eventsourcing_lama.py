"""L.A.M.A. as an aggregate of the library `eventsourcing`, holding the same events as our log.

Written as that library's own documentation writes aggregates: one method for each event, the default JSON transcoder.
It folds what our matches fold (the table, the hands, the piles, the scores). It has no commitments, no chain, no past
for undo and nobody's clock, all of which ours keep.
"""
# ruff: noqa: A002 - the methods' arguments are the events' fields, and a round is called so

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from domain.sealing import Event

Cards = list[str]


class LamaMatch(Aggregate):
    """A match."""

    @event("MatchCreated")
    def __init__(self, terms: dict[str, Any], seed: str, chance: str = "") -> None:
        self.terms = terms
        self.seed = seed
        self.chance = chance
        self.phase = "gathering"
        self.seats: dict[int, dict[str, Any]] = {}
        self.first: int | None = None
        self.round = 0
        self.hands: list[Cards] = []
        self.discard: Cards = []
        self.pile: Cards = []
        self.quit: list[int] = []
        self.turn: int | None = None
        self.totals: list[int] = []
        self.returning: int | None = None
        self.ranking: list[Any] = []

    @event("SeatTaken")
    def take_seat(self, seat: int, player: str, kind: str, level: str = "", nonce_hash: str = "") -> None:
        self.seats[seat] = {
            "player": player, "kind": kind, "level": level, "nonce_hash": nonce_hash, "ready": kind == "bot",
        }  # fmt: skip

    @event("SeatReady")
    def be_ready(self, seat: int, nonce: str = "") -> None:
        self.seats[seat]["ready"] = True
        self.seats[seat]["nonce"] = nonce

    @event("MatchStarted")
    def begin(self) -> None:
        self.phase = "playing"
        self.totals = [0] * len(self.seats)

    @event("FirstPlayerDrawn")
    def draw_first_player(self, seat: int, below: int) -> None:
        assert seat < below
        self.first = seat

    @event("RoundStarted")
    def deal(self, round: int, shuffle: int, starter: int, top: str, hands: list[Cards], pile: Cards) -> None:
        assert shuffle == 0
        self.round = round
        self.hands = [list(hand) for hand in hands]
        self.discard = [top]
        self.pile = list(pile)
        self.quit = []
        self.turn = starter

    @event("CardPlayed")
    def play(self, seat: int, card: str, next_seat: int | None = None) -> None:
        self.hands[seat].remove(card)
        self.discard.append(card)
        self.turn = next_seat

    @event("CardDrawn")
    def draw(self, seat: int, card: str, next_seat: int) -> None:
        self.hands[seat].append(card)
        self.pile.pop(0)
        self.turn = next_seat

    @event("RoundQuit")
    def quit_round(self, seat: int, next_seat: int | None = None) -> None:
        self.quit.append(seat)
        self.turn = next_seat

    @event("RoundEnded")
    def end_round(
        self,
        round: int,
        hands: list[Cards],
        points: list[int],
        totals: list[int],
        winner: int | None = None,
        return_asked: bool = False,
    ) -> None:
        self.last_round = {"round": round, "hands": hands, "points": points, "winner": winner}
        self.totals = list(totals)
        self.returning = winner if return_asked else None

    @event("ChipReturned")
    def return_chip(self, seat: int, chip: str, total: int) -> None:
        self.totals[seat] = total
        self.last_round["chip"] = chip
        self.returning = None

    @event("ChipKept")
    def keep_chip(self, seat: int) -> None:
        self.last_round["chip"] = f"kept by {seat}"
        self.returning = None

    @event("GameEnded")
    def end_game(self, reached: list[int] | tuple[int, ...] = ()) -> None:
        self.reached = list(reached)

    @event("MatchFinished")
    def finish(self, ranking: list[Any], totals: list[int], stalled: bool = False) -> None:
        self.phase = "stalled" if stalled else "finished"
        self.ranking = ranking
        self.totals = list(totals)


METHODS: Mapping[str, Callable[..., None]] = {
    "SeatTaken": LamaMatch.take_seat,
    "SeatReady": LamaMatch.be_ready,
    "MatchStarted": LamaMatch.begin,
    "FirstPlayerDrawn": LamaMatch.draw_first_player,
    "RoundStarted": LamaMatch.deal,
    "CardPlayed": LamaMatch.play,
    "CardDrawn": LamaMatch.draw,
    "RoundQuit": LamaMatch.quit_round,
    "RoundEnded": LamaMatch.end_round,
    "ChipReturned": LamaMatch.return_chip,
    "ChipKept": LamaMatch.keep_chip,
    "GameEnded": LamaMatch.end_game,
    "MatchFinished": LamaMatch.finish,
}
"""By the type of our event: the library's method that records the same."""


class Tables(Application[UUID]):
    """Keeps matches."""


def recorded(events: Iterable[Event], tables: Tables) -> UUID:
    """Record events one by one, saving each before the next; return the aggregate's id."""
    first, *rest = events
    match = LamaMatch(**msgspec.to_builtins(first))
    tables.save(match)
    for happened in rest:
        METHODS[type(happened).__name__](match, **msgspec.to_builtins(happened))
        tables.save(match)
    return match.id
