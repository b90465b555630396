"""What a table may choose, and what it may not."""

import msgspec
import pytest

from domain.games.skyjo.events import RoundScored
from domain.games.skyjo.moves import Take
from domain.games.skyjo.options import SkyjoOptions
from tests.unit.domain.games.skyjo.arrange import GAME, given, when


@pytest.mark.parametrize(
    ("text", "options"), [("{}", SkyjoOptions()), ('{"limit":"single"}', SkyjoOptions("single"))]
)
def test_the_limit_is_100_or_a_single_round(text: str, options: SkyjoOptions) -> None:
    assert msgspec.json.decode(text, type=SkyjoOptions) == options
    assert GAME.initial(options, 2).limit == options.limit


@pytest.mark.parametrize("text", ['{"limit":50}', '{"limit":"100"}', '{"limit":null}', '{"rounds":3}'])
def test_other_options_are_rejected(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=SkyjoOptions)


def test_a_single_round_ends_the_match_whatever_the_totals() -> None:
    boards = ("1 2 3 | gone | gone | gone", "3 4 1 | gone | gone | gone")
    state = given(*boards, discard="3", turn=1, closer=0, limit="single")

    outcome = when(state, 1, Take(0))

    assert outcome.one(RoundScored).over
    assert GAME.is_over(outcome.state)
    assert GAME.standing(outcome.state).ranking == ((0,), (1,))
