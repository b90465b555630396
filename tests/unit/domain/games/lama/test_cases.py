"""L.A.M.A. under the cases of every game, with its own invariants: all player counts, options and ways of playing."""

from random import Random

from domain.games.lama.cards import CARDS
from domain.games.lama.events import GameEnded, RoundEnded, RoundStarted
from domain.games.lama.moves import Draw
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState
from domain.games.registry import GAMES
from domain.viewers import EVERYTHING, seat_viewer
from tests.kit.game_cases import GameCases
from tests.kit.game_cases.matches import Step, viewers_of


class TestLama(GameCases):
    game = GAMES["lama", 1]
    rulings = ("M", 40)
    bot_wins = ((2, 60, 54),)
    moves = 4_000

    def made_up(self, random: Random) -> LamaState:
        return random_position(random)

    def check_step(self, step: Step) -> None:
        game = self.game
        for state in (step.before, *step.states):
            assert isinstance(state, LamaState)
            places = [*state.discard, *range(state.pile_start, len(state.order))]
            places += [place for hand in state.hands for place in hand]
            assert sorted(places) == list(range(len(state.order)))
        before, after = step.before, step.after
        assert isinstance(before, LamaState)
        assert isinstance(after, LamaState)
        if step.seat is None:
            return
        mover = seat_viewer(step.seat)
        known = game.knows(before, mover)
        # The chip that comes back at the end of the last round is no news: the hands were opened before that.
        if (after.scored and not before.scored) or after.round != before.round:
            assert any(game.knows(after, viewer) - known for viewer in map(seat_viewer, range(before.seats)))
        elif not after.scored:
            drawn = {(before.round, before.pile_start)} if isinstance(step.move, Draw) else set()
            assert game.knows(after, mover) - known == drawn
            for viewer in viewers_of(before.seats):
                if viewer not in {mover, EVERYTHING}:
                    # What the others learn, the mover knew: such a move may be taken back freely.
                    assert game.knows(after, viewer) <= game.knows(before, viewer) | known

    def test_rounds_end_within_their_bound_and_the_game_at_its_limit(self):
        for match in self.matches():
            moves = 0
            for step in match:
                moves += 1
                for event in step.events:
                    if isinstance(event, RoundStarted):
                        moves = 0
                    if isinstance(event, RoundEnded):
                        # Every move lays a card, takes one off the pile, or leaves the round.
                        assert moves <= 2 * 56 + 6
                        assert all(0 <= points <= 31 for points in event.points)
                        assert event.winner is None or event.points[event.winner] == 0
            totals = self.game.standing(match[-1].after).totals
            reached = tuple(seat for seat, total in enumerate(totals) if total >= 40)
            assert match[-1].events[-1] in (GameEnded(reached), GameEnded())


class TestLamaSecond(TestLama):
    game = GAMES["lama", 2]


def random_position(dice: Random) -> LamaState:
    """Return any position in which somebody is asked, reachable by play or not."""
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
