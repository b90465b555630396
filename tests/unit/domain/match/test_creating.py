"""Making a table: what it is made with, and why one may be refused."""

import pytest
from msgspec.structs import fields

from domain.games.recorded_chance import digest_of
from domain.games.registry import CURRENT, GAMES
from domain.match.clock import ClockTerms
from domain.match.clock_terms import (
    ABSENT,
    LIVE_BELOW,
    LONGEST_BANK,
    LONGEST_TURN,
    MOST_MISSES,
    SHORTEST_TURN,
)
from domain.match.commands import AbandonMatch, CreateMatch, SeatPlan, StartMatch
from domain.match.events import MatchCreated, SeatTaken
from domain.match.state import TABLE_RULES, Terms
from tests.kit.games import every_game
from tests.kit.options import choices, player_counts
from tests.kit.table import SEED, Table

PERSON, BOT = SeatPlan(), SeatPlan("steady")

DESCRIBED = digest_of(CURRENT["lama"].chance())


def create(game="lama", options=None, seats=(PERSON, PERSON), **terms):
    return CreateMatch(game, options or {}, seats, "host", SEED, **terms)


def test_a_table_for_two_people():
    table = Table()
    table.when(create())
    table.then(MatchCreated(Terms("lama", 1, {}, 2, "host", undo="free", table=TABLE_RULES), SEED, DESCRIBED))
    assert table.state.lifecycle.phase == "gathering"
    assert [seat.kind for seat in table.state.seats] == ["open", "open"]


def test_bots_take_their_seats_at_once_and_are_ready():
    table = Table()
    table.when(create(seats=(PERSON, BOT, PERSON, BOT)))
    table.then(
        MatchCreated(Terms("lama", 1, {}, 4, "host", undo="free", table=TABLE_RULES), SEED, DESCRIBED),
        SeatTaken(1, "bot-1", "bot", "steady"),
        SeatTaken(3, "bot-3", "bot", "steady"),
    )
    assert [seat.ready for seat in table.state.seats] == [False, True, False, True]


def test_everything_that_the_host_chose_stands_in_the_terms():
    chosen = create(
        "odin",
        {"limit": 20, "first": 1},
        (PERSON,) * 3,
        clock=ClockTerms(90),
        undo="consent",
        visibility="private",
        rematch_of="m0",
    )
    table = Table().when(chosen)
    assert table.state.terms == Terms(
        "odin",
        1,
        {"limit": 20, "first": 1},
        3,
        "host",
        ClockTerms(90),
        "consent",
        "private",
        rematch_of="m0",
        table=TABLE_RULES,
    )


@pytest.mark.parametrize(("people", "policy"), [(0, "free"), (1, "practice"), (2, "free")])
def test_a_table_with_one_person_is_for_practice_unless_he_says_otherwise(people, policy):
    seats = (PERSON,) * people + (BOT,) * (3 - people)
    terms = Table().when(create(seats=seats)).state.terms
    assert terms is not None
    assert terms.undo == policy
    chosen = Table().when(create(seats=seats, undo="off")).state.terms
    assert chosen is not None
    assert chosen.undo == "off"


@every_game
def test_options_that_are_the_default_are_left_out(game):
    seats = game.seats[0]
    default = {field.name: field.default for field in fields(game.options_type)}
    table = Table().when(create(game.key, default, (PERSON,) * seats, rules=game.rules_number))
    assert table.state.terms is not None
    assert table.state.terms.options == {}


@every_game
def test_every_choice_of_options_can_be_made_for_every_number_of_players(game):
    for seats in player_counts(game):
        for choice in choices(game, seats):
            table = Table().when(create(game.key, dict(choice), (PERSON,) * seats, rules=game.rules_number))
            assert table.refusal is None
            assert table.state.terms is not None
            assert table.state.terms.options.items() <= dict(choice).items()


@every_game
def test_one_player_too_few_or_too_many_is_refused(game):
    fewest, most = game.seats
    for seats in (0, fewest - 1, most + 1):
        table = Table().when(create(game.key, {}, (BOT,) * seats, rules=game.rules_number))
        table.refused("seats.number", game=game.key, seats=seats, fewest=fewest, most=most)
        assert table.position.version == 0


def test_a_game_that_is_not_offered():
    Table().when(create("skat")).refused("game.unknown", game="skat", known=tuple(sorted(CURRENT)))


@pytest.mark.parametrize("game", sorted(CURRENT))
@pytest.mark.parametrize("options", [{"no such option": 1}, {"limit": -1}, {"limit": "forty"}])
def test_options_that_the_game_does_not_know(game, options):
    Table().when(create(game, options)).refused("options.invalid", game=game, option=next(iter(options)))


def test_a_refused_option_is_told_with_what_can_be_chosen():
    limits = ("limit=15", "limit=10", "limit=20", "limit=single")
    first = ("first=random", *(f"first={seat}" for seat in range(3)))
    table = Table()
    known = {"limit": limits, "first": first}
    for name, values in known.items():
        table.when(create("odin", {name: "x"}, (BOT,) * 3))
        table.refused("options.invalid", option=name, known=values)
    table.when(create("odin", {"colour": "red"}, (BOT,) * 3))
    table.refused("options.invalid", option="colour", known=(*limits, *first))


@pytest.mark.parametrize("game", sorted(CURRENT))
def test_a_table_that_names_no_rules_number_gets_the_current_one(game):
    terms = Table().when(create(game)).state.terms
    assert terms is not None
    assert terms.rules == CURRENT[game].rules_number


@pytest.mark.parametrize("game", sorted(CURRENT))
def test_a_rules_number_that_never_was(game):
    known = tuple(number for key, number in GAMES if key == game)
    Table().when(create(game, rules=99)).refused("rules.unknown", game=game, rules=99, known=known)


@pytest.mark.parametrize(
    ("game", "code"), [("lama", "lama.first_not_a_seat"), ("odin", "odin.first_is_no_seat")]
)
def test_options_that_do_not_fit_the_number_of_seats(game, code):
    Table().when(create(game, {"first": 2})).refused(code, first=2, seats=2)


def test_a_level_that_no_bot_has():
    table = Table().when(create(seats=(PERSON, SeatPlan("genius"))))
    table.refused("bot.unknown_level", level="genius", known=("easy", "normal", "hard", "expert"))


def test_an_undo_policy_that_does_not_exist():
    Table().when(create(undo="always")).refused("undo.unknown_policy", undo="always")


def test_a_visibility_that_does_not_exist():
    Table().when(create(visibility="secret")).refused("visibility.unknown", visibility="secret")


@pytest.mark.parametrize("seconds", [-1, 1, SHORTEST_TURN - 1, LONGEST_TURN + 1])
def test_a_clock_that_is_too_fast_or_too_slow(seconds):
    table = Table().when(create(clock=ClockTerms(seconds)))
    table.refused("clock.out_of_range", per_turn=seconds, shortest=SHORTEST_TURN, longest=LONGEST_TURN)


@pytest.mark.parametrize("seconds", [0, SHORTEST_TURN, LONGEST_TURN])
def test_the_fastest_and_the_slowest_clock_and_none(seconds):
    assert Table().when(create(clock=ClockTerms(seconds))).refusal is None


@pytest.mark.parametrize(
    ("clock", "code", "told"),
    [
        (ClockTerms(60, bank=-1), "clock.bank_out_of_range", {"bank": -1, "longest": LONGEST_BANK}),
        (ClockTerms(60, bank=LONGEST_BANK + 1), "clock.bank_out_of_range", {"bank": LONGEST_BANK + 1}),
        (ClockTerms(60, misses=0), "clock.misses_out_of_range", {"misses": 0, "most": MOST_MISSES}),
        (ClockTerms(60, misses=MOST_MISSES + 1), "clock.misses_out_of_range", {"misses": MOST_MISSES + 1}),
        (ClockTerms(60, absent="shame"), "clock.absent_unknown", {"absent": "shame", "known": ABSENT}),  # type: ignore[arg-type]
        (ClockTerms(bank=60), "clock.needs_turns", {}),
        (ClockTerms(rests=True), "clock.needs_turns", {}),
        (ClockTerms(LIVE_BELOW - 1, rests=True), "clock.too_quick_for_rests", {"shortest": LIVE_BELOW}),
    ],
)
def test_a_clock_that_no_table_can_have(clock, code, told):
    Table().when(create(clock=clock)).refused(code, **told)


@pytest.mark.parametrize(
    "clock",
    [
        ClockTerms(60, bank=LONGEST_BANK, absent="turn", misses=1),
        ClockTerms(LIVE_BELOW, absent="forfeit", misses=MOST_MISSES, rests=True),
    ],
)
def test_clocks_that_a_table_can_just_have(clock):
    assert Table().when(create(clock=clock)).refusal is None


def test_an_id_names_one_match_for_ever():
    Table().when(create()).when(create()).refused("match.exists")


def test_before_it_is_made_nothing_can_be_done_with_a_match():
    Table().when(StartMatch()).refused("match.unknown")
    Table().when(AbandonMatch("tired")).refused("match.unknown")
