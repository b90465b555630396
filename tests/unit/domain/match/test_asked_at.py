"""Since which version a seat owes its move: what an ``If-Match`` of that seat must not be older than."""

from domain.games.skyjo.moves import Reveal
from domain.match.commands import AbandonMatch, HandSeatOver, HandSeatToBot, ReclaimSeat, ResignSeat
from tests.kit.games import every_game
from tests.kit.table import started


@every_game
def test_the_first_to_act_are_asked_by_the_last_event_of_the_start(game):
    table = started(game, 3)
    last = table.position.version
    expected = tuple(last if seat in table.to_act else 0 for seat in range(3))
    assert table.state.asked_at == expected
    assert table.envelopes[-1].command.last == last > table.envelopes[-1].command.first


@every_game
def test_who_moved_is_asked_anew_or_no_more_and_who_follows_is_asked_from_then_on(game):
    table = started(game, 3)
    for _ in range(30):
        before, seat = table.state.asked_at, table.to_act[0]
        table.move(seat)
        last = table.position.version
        for other in range(3):
            if other not in table.to_act:
                assert table.state.asked_at[other] == 0
            elif other == seat or not before[other]:
                assert table.state.asked_at[other] == last
            else:
                assert table.state.asked_at[other] == before[other]


class TestFirstFlipsOfSkyjo:
    """All seats are asked at once, and nobody throws anybody back."""

    def test_the_others_keep_theirs(self):
        table = started("skyjo", 3)
        start = table.position.version
        assert table.state.asked_at == (start, start, start)
        table.move(1, Reveal((0, 1)))
        assert table.state.asked_at == (start, 0, start)
        table.move(2, Reveal((3,)))
        assert table.state.asked_at == (start, 0, start + 2)
        table.move(2, Reveal((4,)))
        assert table.state.asked_at == (start, 0, 0)

    def test_the_last_flip_asks_the_one_who_begins(self):
        table = started("skyjo", 2)
        table.move(0, Reveal((0, 1)))
        table.move(1, Reveal((0, 1)))
        (begins,) = table.to_act
        asked = [0, 0]
        asked[begins] = table.position.version
        assert table.state.asked_at == tuple(asked)


@every_game
def test_a_command_of_a_seat_that_is_asked_asks_it_anew_though_the_game_stays_as_it_was(game):
    table = started(game, 3)
    seat = table.to_act[0]
    for command in (HandSeatToBot(seat), ReclaimSeat(seat), ResignSeat(seat)):
        others = [at for number, at in enumerate(table.state.asked_at) if number != seat]
        table.when(command)
        assert table.refusal is None
        assert table.state.asked_at[seat] == table.position.version
        assert [at for number, at in enumerate(table.state.asked_at) if number != seat] == others


@every_game
def test_a_command_of_somebody_else_asks_nobody_anew(game):
    table = started(game, 3)
    while len(table.to_act) > 1:
        table.move(table.to_act[0])
    asked = table.state.asked_at
    other = next(seat for seat in range(3) if seat not in table.to_act)
    table.when(HandSeatToBot(other)).when(ResignSeat(other))
    assert table.refusal is None
    assert table.state.asked_at == asked


@every_game
def test_a_command_for_no_seat_asks_nobody_anew(game):
    table = started(game, 3)
    asked = table.state.asked_at
    seat = table.to_act[0]
    table.when(HandSeatOver(seat, "they went to bed"))
    assert table.refusal is None
    assert table.state.asked_at == asked


@every_game
def test_at_the_end_nobody_is_asked(game):
    assert started(game, 3).when(AbandonMatch("tired")).state.asked_at == (0, 0, 0)
