"""What every game offers the match, the doors and the bots.

A game is a folder of small files (``cards``, ``events``, ``moves``, ``state``, ``rules``, ``view``, ``bot``) and a
``game`` file whose class implements :class:`Game` by calling them. The match knows a game only by this contract; the
registry finds a game by its key and its rules number. ``docs/learn/new-game.md`` makes one from an empty folder.

Inside the server a physical card has an identity, ``(deal, place)``: ``deal`` counts the deals of the match from 1
(a round's deal or a reshuffle), ``place`` is the card's index in that deal's order. Identities never leave the
server: on the wire a card is its name.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import ClassVar, Final, Generic, Literal, TypeVar

import msgspec

from domain.chance import Chance
from domain.games.moments import Moment, Question, Seen
from domain.games.recorded_chance import (
    CardName,
    ChanceDescription,
    GameEvent,
    described_chance,
)
from domain.games.searching import Worth
from domain.sealing import Event
from domain.viewers import Viewer

PhysicalCard = tuple[int, int]
"""(deal, place in the dealt order)."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table's choices for one game, defaults first. Decoding refuses unknown or impossible ones."""


class Move(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=str.lower,
):
    """A move on the wire, told apart by its ``type``."""


class Plan(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=str.lower,
):
    """What a person wants to be played for them when it is their turn, told apart by its ``type``.

    Attributes:
        ONCE: Whether it holds for one turn only, whatever comes of it.
    """

    ONCE: ClassVar[bool] = False


class GameState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game's whole state, hidden cards included. Holds no version and no instant."""


class LegalMoves(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat may do now, compact enough for the wire."""


class GameView(msgspec.Struct, frozen=True):
    """What one viewer sees of a game. A card that they may not know is not in it, in any form."""


class GameResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game stands, or how it ended.

    Attributes:
        ranking: Seats from first place to last; seats that share a place form one group.
        totals: Points by seat. Whether the most or the fewest win, the ranking says.
        stalled: Whether it ended because it could not go on, not because the rules ended it.
    """

    ranking: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    stalled: bool = False


Level = Literal["easy", "normal", "hard", "expert"]
"""How a bot judges. Each level is a way of its own, not the next one held back."""


class Allowance(msgspec.Struct, frozen=True):
    """How a bot is to judge one move, and what it may spend on that.

    Attributes:
        playouts: How many possible courses of the game it may play out. Bots that judge without search spend none.
        level: How it judges. A game with a single way of judging takes it at every level.
    """

    playouts: int
    level: Level = "normal"


USUAL: Final = Allowance(60)
"""What a bot gets if nobody says more; with it a move takes less than a tenth of a second."""


S = TypeVar("S", bound=GameState)
E = TypeVar("E", bound=Event)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741 - one letter per part of the contract
V = TypeVar("V", bound=GameView)
L = TypeVar("L", bound=LegalMoves)


class Game(ABC, Generic[S, E, M, O, V, L]):
    """One game under one rules number. All methods are pure.

    Attributes:
        key: Name on the wire: small letters and digits.
        rules_number: The number of its set of rulings; pinned in a match's first event.
        seats: Fewest and most seats.
        cards: All cards of the game in card-list order, with repetitions.
        options_type: Struct of the options.
        state_type: Struct of the state.
        view_type: Struct of the views.
        legal_type: Struct of the legal moves.
        move_types: Structs of the moves; their tags are the ``type`` on the wire.
        event_types: Structs of the events; their class names are the types on the wire.
        plan_types: Structs of the plans that people may make; their tags are the ``type`` on the wire.
        questions: What people may ask about a match that was played; :meth:`moments` answers.
    """

    key: ClassVar[str]
    rules_number: ClassVar[int]
    seats: ClassVar[tuple[int, int]]
    cards: ClassVar[tuple[CardName, ...]]
    options_type: type[O]
    state_type: type[S]
    view_type: type[V]
    legal_type: type[L]
    move_types: tuple[type[M], ...]
    event_types: tuple[type[E], ...]
    plan_types: tuple[type[Plan], ...] = ()
    questions: ClassVar[tuple[Question, ...]] = ()

    def chance(self) -> ChanceDescription:
        """Return what is needed to recompute this game's deals and draws under this rules number."""
        return described_chance(self.cards, self.event_types)

    def round_starts(self) -> frozenset[str]:
        """Return the types of the events that begin a round."""
        return frozenset(kind.__name__ for kind in self._own_events() if kind.STARTS_ROUND)

    def round_scores(self) -> frozenset[str]:
        """Return the types of the events that score a round."""
        return frozenset(kind.__name__ for kind in self._own_events() if kind.SCORES_ROUND)

    def score_settlings(self) -> frozenset[str]:
        """Return the types of the events that still change a total after a round was scored."""
        return frozenset(kind.__name__ for kind in self._own_events() if kind.SETTLES_SCORE)

    def cards_moved(self) -> Mapping[str, tuple[str, ...]]:
        """Return by type of event which fields name the cards that it moves or turns up."""
        return {kind.__name__: kind.CARDS for kind in self._own_events() if kind.CARDS}

    def _own_events(self) -> Iterator[type[GameEvent]]:
        return (kind for kind in self.event_types if issubclass(kind, GameEvent))

    @abstractmethod
    def initial(self, options: O, seats: int) -> S:
        """Return the state before the first deal.

        Raises:
            Refused: An option does not fit the number of seats (for example ``first`` names no seat).
        """

    @abstractmethod
    def start(self, state: S, chance: Chance) -> tuple[E, ...]:
        """Return the events that begin the game: the draw of who starts, and the first deal."""

    @abstractmethod
    def decide(self, state: S, seat: int, move: M, chance: Chance) -> tuple[E, ...]:
        """Return the events that a move causes, up to the next move that somebody owes.

        The match has checked that the seat is to act.

        Raises:
            Refused: The move breaks a rule; the code says which. Nothing has happened.
        """

    @abstractmethod
    def evolve(self, state: S, event: E) -> S:
        """Return the state after an event. Total: validates nothing, never raises on an accepted event."""

    @abstractmethod
    def round_of(self, state: S) -> int:
        """Return the round being played or played last, from 1; 0 before the first."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """Return the seats that owe a move, in seat order; empty before the start and after the end."""

    def may_act(self, state: S) -> tuple[int, ...]:  # noqa: ARG002 - for games that have such seats
        """Return the seats that may move although nobody waits for them, in seat order.

        For secret choices made at the same time: whoever has chosen may choose again until everybody has. They get no
        deadline, no bot is asked for them, and :meth:`legal_moves` tells what they may do.
        """
        return ()

    def is_mid_turn(self, state: S, seat: int) -> bool:  # noqa: ARG002 - for games that have such turns
        """Tell whether a seat that owes a move has made another one of the same turn: it has drawn, and now places.

        A bot that plays one turn for somebody plays it to its end.
        """
        return False

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> L | None:
        """Return what a seat may do now; None if it owes no move."""

    @abstractmethod
    def expand(self, legal: L) -> Iterator[M]:
        """Yield every legal move once."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """Return what a viewer sees."""

    @abstractmethod
    def knows(self, state: S, viewer: Viewer) -> frozenset[PhysicalCard]:
        """Return the physical cards whose face the viewer knows: those lying open, their own, those they have seen.

        For undo: a move that showed any viewer a card cannot be taken back freely.
        """

    def secrets(self, state: S, viewer: Viewer) -> frozenset[Hashable]:  # noqa: ARG002 - see may_act
        """Return what else the viewer knows and others do not: secret choices and bids, each by a name.

        For undo, like :meth:`knows`. Whoever makes a choice knows it before, so it teaches them nothing.
        """
        return frozenset()

    @abstractmethod
    def name_of(self, state: S, card: PhysicalCard) -> CardName:
        """Return the face of a physical card of the present round, one that a viewer might know."""

    @abstractmethod
    def standing(self, state: S) -> GameResult:
        """Return the ranking by present totals, whether or not the game is over."""

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Tell whether the rules have ended the game; if so, :meth:`standing` is the result."""

    def planned(self, plan: Plan, view: V, legal: L, seat: int) -> M | None:  # noqa: ARG002 - for games with plans
        """Return the move that a plan makes now, from its seat's view alone; None if it makes none."""
        return None

    def plan_made(self, plan: Plan, view: V) -> Plan:  # noqa: ARG002 - for games with plans
        """Return a plan as it is kept: with what it needs to know of the moment at which it was made."""
        return plan

    def plan_lasts(self, plan: Plan, view: V) -> bool:  # noqa: ARG002 - for games with plans
        """Tell whether a plan still has something to wait for."""
        return True

    def moments(self, seen: Sequence[Seen]) -> Iterator[Moment]:  # noqa: ARG002 - for games with questions
        """Yield the answers to :attr:`questions`, each with where in the match it is.

        Args:
            seen: What happened and was not taken back, in its order: what is sealed from the reader is left out.
        """
        return iter(())

    @abstractmethod
    def fallback(self, state: S, seat: int) -> M:
        """Return the move made for a seat whose time ran out. A seat to act always has one; it needs no judgement."""

    @abstractmethod
    def sample(self, view: V, seat: int, chance: Chance) -> S:
        """Return a full state consistent with a seat's view, its unknown cards and choices drawn from ``chance``.

        For bots that search: they play such a state out with :meth:`decide` and :meth:`evolve`. Each playout takes a
        branch of the bot's own chance (see :meth:`domain.chance.Chance.branch`), or all would be the same.
        """

    @abstractmethod
    def redeal(self, state: S, seat: int, chance: Chance) -> S:
        """Return the state with the cards that a seat does not know redealt into the same places.

        See :func:`domain.games.redealing.relaid`. Nothing that lies open changes.
        """

    @abstractmethod
    def choose(self, view: V, legal: L, seat: int, chance: Chance, allowance: Allowance = USUAL) -> M:
        """Return a bot's move, from its seat's view alone.

        Args:
            view: The seat's view.
            legal: Its legal moves.
            seat: Its number.
            chance: The bot's own source of chance, unrelated to the match's.
            allowance: How it is to judge, and how much it may search.
        """

    def consider(
        self,
        view: V,  # noqa: ARG002 - for games that can say it
        legal: L,  # noqa: ARG002
        seat: int,  # noqa: ARG002
        chance: Chance,  # noqa: ARG002
        allowance: Allowance,  # noqa: ARG002
        also: M | None = None,  # noqa: ARG002
    ) -> tuple[Worth[M], ...]:
        """Return what moves are worth in an expert's eyes, best first; empty where a game cannot say.

        For those who learn. Like :meth:`choose` it has a seat's view and nothing else. Of many moves it compares the
        promising ones, and ``also`` the one that was made.
        """
        return ()

    @abstractmethod
    def recover_move(self, events: Sequence[E]) -> tuple[int, M] | None:
        """Return who moved, and how, from the events that one move caused; None if they do not begin with a move.

        The events may be forged: the answer is only what they claim. Events of the match itself may follow the
        game's own.
        """


AnyGame = Game[GameState, Event, Move, Options, GameView, LegalMoves]
"""A game as the match sees it: its parts are opaque."""
