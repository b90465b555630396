"""Records of a club, from the rows of its matches."""

from random import Random

from domain.entries import decode_envelope
from domain.games.moments import Question
from domain.games.registry import CURRENT
from domain.match.fold import beginning, fold
from domain.match.view import viewer_of
from services.matches.moments import moments_of
from services.projections.feats import Feat, feats_in, feats_of, flat
from services.projections.matches import RESIGNED, STATES, STOOD_IN, KeptRow, read_row, row_of
from services.standings.records import Record, records
from tests.kit.games import every_key
from tests.kit.instants import NOON
from tests.kit.play import Player
from tests.kit.table import started

QUESTIONS = (Question("column"), Question("low", "fewest"), Question("stall", "most"))
PERSONS = {"pa": "anna", "pb": "ben"}


def row(at: int, *feats: Feat, rounds: int = 3, lasted: int = 60_000, **more) -> KeptRow:
    said = {
        "seats": ("pa", "pb"),
        "totals": (10, 30),
        "ranking": ((0,), (1,)),
        "marks": (),
        "friendly": 0,
        **more,
    }
    return KeptRow(
        9, "h", at, lasted, "skyjo", 1, STATES.index("finished"), 0, round=rounds, numbers=flat(feats), **said
    )


def of(found: list[Record], name: str) -> list[tuple[int, int, str, str]]:
    return [(one.rank, one.value, one.match, one.person) for one in found if one.name == name]


def test_the_best_three_of_each_and_who_was_first_before_who_is_level():
    rows = {
        "a": row(4, Feat(1, 5, 1, 44), rounds=3),
        "b": row(2, Feat(1, -2, 0, 20), rounds=7),
        "c": row(3, Feat(1, 5, 0, 30), rounds=7, lasted=3_600_000),
        "d": row(1, Feat(1, 9, 1, 10), rounds=1),
    }
    found = records(rows, PERSONS, QUESTIONS)
    assert of(found, "rounds") == [(1, 7, "b", ""), (1, 7, "c", ""), (3, 3, "a", "")]
    assert of(found, "time")[0] == (1, 3600, "c", "")
    assert of(found, "low") == [(1, -2, "b", "anna"), (2, 5, "c", "anna"), (2, 5, "a", "ben")]
    assert of(found, "margin")[0] == (1, 20, "d", "anna")
    assert of(found, "column") == []
    assert [one.version for one in found if one.name == "low"] == [20, 30, 44]


def test_neither_bots_nor_somebody_who_gave_up_make_records():
    alone = row(1, seats=("pa", 1))
    stood_in = row(2, Feat(2, 9, 0, 5), Feat(1, 3, 1, 6), marks=(STOOD_IN, 0))
    resigned = row(3, marks=(0, RESIGNED))
    assert records({"m": alone}, PERSONS, QUESTIONS) == []
    found = records({"m": stood_in}, PERSONS, QUESTIONS)
    assert of(found, "stall") == []
    assert of(found, "low") == [(1, 3, "m", "ben")]
    assert of(records({"m": resigned}, PERSONS, QUESTIONS), "margin") == []


@every_key
def test_a_row_keeps_the_best_answer_to_each_question_once_people_have_played(game):
    table = started(game, 2)
    player = Player(table, Random(5))
    while player.is_on:
        player.bot_move()
        entries = tuple(table.entries)
        if player.moves % 40 == 0 and player.is_on:
            assert feats_of(entries, table.state) == ()
    entries = tuple(table.entries)
    feats = feats_of(entries, table.state)
    questions = CURRENT[game].questions
    assert feats or not questions
    assert all(questions[feat.question].record for feat in feats)
    moments = moments_of(entries, viewer_of(table.state, None))
    for feat in feats:
        values = [one.value for one in moments if one.question == questions[feat.question].name]
        assert feat.value == (max if questions[feat.question].record == "most" else min)(values)
    position = fold(beginning("m1"), entries)
    kept = read_row(row_of(position, decode_envelope(entries[0].e).at, feats))
    assert kept.feats == feats == feats_in(flat(feats))
    assert (row_of(position, NOON) == row_of(position, NOON, feats)) == (not feats)
