"""Odin behind the contract that every game keeps."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import (
    CardName,
    Game,
    GameResult,
    PhysicalCard,
    RecordedPick,
    RecordedShuffle,
)
from domain.games.odin import dealing, rules, scoring
from domain.games.odin.bot import choose
from domain.games.odin.cards import CARDS
from domain.games.odin.events import (
    CardsPlayed,
    FirstPlayerDrawn,
    OdinEvent,
    Passed,
    RoundEnded,
    RoundStarted,
    TrickEnded,
)
from domain.games.odin.evolve import evolve
from domain.games.odin.legal import OdinLegalMoves, expand, fallback, legal_moves
from domain.games.odin.move_recovery import recover_move
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.options import OdinOptions
from domain.games.odin.rulings import RULINGS
from domain.games.odin.state import OdinState
from domain.games.odin.view import OdinView, knows, sample, view
from domain.games.redealing import relaid
from domain.viewers import Viewer, seat_viewer


class Odin(Game[OdinState, OdinEvent, OdinMove, OdinOptions, OdinView, OdinLegalMoves]):
    """Odin under rules number 1."""

    key: ClassVar[str] = "odin"
    rules_number: ClassVar[int] = 1
    rulings = RULINGS[1]
    seats: ClassVar[tuple[int, int]] = (RULINGS[1].fewest_seats, RULINGS[1].most_seats)
    cards: ClassVar[tuple[CardName, ...]] = CARDS
    options_type = OdinOptions
    state_type = OdinState
    view_type = OdinView
    legal_type = OdinLegalMoves
    move_types = (Play, Pass)
    event_types = (FirstPlayerDrawn, RoundStarted, CardsPlayed, Passed, TrickEnded, RoundEnded)

    def initial(self, options: OdinOptions, seats: int) -> OdinState:
        """Return the state before the first deal."""
        return dealing.initial(self.rulings, options, seats)

    def start(self, state: OdinState, chance: Chance) -> tuple[OdinEvent, ...]:
        """Return who starts, where chance says it, and the first deal."""
        return dealing.start(self.rulings, state, chance)

    def decide(self, state: OdinState, seat: int, move: OdinMove, chance: Chance) -> tuple[OdinEvent, ...]:
        """Return the events that a move causes."""
        return rules.decide(self.rulings, state, seat, move, chance)

    def evolve(self, state: OdinState, event: OdinEvent) -> OdinState:
        """Return the state after an event."""
        return evolve(state, event)

    def to_act(self, state: OdinState) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: OdinState, seat: int) -> OdinLegalMoves | None:
        """Return what a seat may do now; None when it is not asked."""
        return legal_moves(self.rulings, state, seat)

    def expand(self, legal: OdinLegalMoves) -> Iterator[OdinMove]:
        """Yield every legal move once."""
        return expand(legal)

    def view(self, state: OdinState, viewer: Viewer) -> OdinView:
        """Return what a viewer sees."""
        return view(state, viewer)

    def knows(self, state: OdinState, viewer: Viewer) -> frozenset[PhysicalCard]:
        """Return the cards of the present deal that a viewer knows."""
        return knows(state, viewer)

    def name_of(self, state: OdinState, card: PhysicalCard) -> CardName:
        """Return what stands on a card of the present deal."""
        return state.order[card[1]]

    def standing(self, state: OdinState) -> GameResult:
        """Return the ranking by the present totals."""
        return scoring.standing(state)

    def is_over(self, state: OdinState) -> bool:
        """Tell whether the match has ended."""
        return state.over

    def fallback(self, state: OdinState, seat: int) -> OdinMove:
        """Return a pass, or the lowest card of a leader."""
        return fallback(state, seat)

    def sample(self, view: OdinView, seat: int, chance: Chance) -> OdinState:
        """Return a full state that agrees with a seat's view."""
        return sample(view, seat, chance)

    def redeal(self, state: OdinState, seat: int, chance: Chance) -> OdinState:
        """Return the state with the cards that a seat does not know dealt anew."""
        known = {place for _, place in knows(state, seat_viewer(seat))}
        unknown = [place for place in range(len(state.order)) if place not in known]
        return replace(state, order=relaid(state.order, unknown, CARDS, chance))

    def choose(
        self,
        view: OdinView,
        legal: OdinLegalMoves,
        seat: int,
        chance: Chance,  # noqa: ARG002 - given by the contract
        rollouts: int,  # noqa: ARG002
    ) -> OdinMove:
        """Return a bot's move; it neither draws nor searches."""
        return choose(view, legal, seat)

    def recover_move(self, events: Sequence[OdinEvent]) -> tuple[int, OdinMove] | None:
        """Return who moved, and how, from the events of one move."""
        return recover_move(events)

    def shuffle_of(self, event: OdinEvent) -> RecordedShuffle | None:
        """Return the shuffle that an event recorded, if it did."""
        return dealing.shuffle_of(event)

    def pick_of(self, event: OdinEvent) -> RecordedPick | None:
        """Return the drawn seat that an event recorded, if it did."""
        return dealing.pick_of(event)
