"""Moments: what people ask about a match, answered from what they may know, without what was taken back."""

from random import Random

import pytest

from domain.entries import decode_envelope
from domain.games.lama import events as lama
from domain.games.lama.moments import moments as lama_moments
from domain.games.moments import Moment, Seen
from domain.games.odin import events as odin
from domain.games.odin.moments import moments as odin_moments
from domain.games.skyjo import events as skyjo
from domain.games.skyjo.moments import moments as skyjo_moments
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from services.matches.moments import left_in, moments_of
from services.words.games import words_of
from services.words.languages import LANGUAGES
from services.words.moments import moment_line, question_name
from tests.kit.games import every_game
from tests.kit.logs import finished
from tests.kit.play import Player
from tests.kit.table import started
from tests.unit.domain.match.test_past import versions

NAMES = ("Anna", "Ben", "Zoé")


def told(*events):
    return [Seen(version, event) for version, event in enumerate(events, 1)]


def of(found, question):
    return [moment for moment in found if moment.question == question]


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_asked_and_every_answer_told(game, language):
    words = words_of(game.key)
    assert words is not None
    assert set(words.moments) == {question.name for question in game.questions}
    log = finished(game.key, 3, 1, whole=True)
    found = moments_of(log, EVERYTHING)
    assert found or not game.questions
    for moment in found:
        assert 1 <= moment.version <= len(log)
        assert question_name(game.key, moment.question, language) != moment.question
        lines = {moment_line(game.key, moment, NAMES, language, you) for you in (None, moment.seat)}
        assert all(line and "{" not in line for line in lines)
        assert len(lines) == (1 if moment.seat is None else 2)


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_what_was_taken_back_is_left_out_and_what_was_played_again_counts(game, seed):
    table, random = started(game, 2, undo="practice"), Random(seed)
    player = Player(table, random)
    for _ in range(120):
        if not player.is_on:
            break
        random.choice((player.random_move, player.random_move, player.undo, player.redo))()
    left = left_in(table.entries)
    envelopes = [decode_envelope(entry.e) for entry in table.entries]
    own = {kind.__name__ for kind in game.event_types}
    counting = [one.command.last for one in envelopes if one.type in own and one.v not in left]
    assert sorted(set(counting)) == versions(table.state.past)
    assert all(moment.version not in left for moment in moments_of(table.entries, EVERYTHING))


@every_game
def test_nobody_is_told_what_they_may_not_know(game):
    log = finished(game.key, 3, 2, whole=True)
    for length in (len(log) // 3, len(log) // 2):
        everything = set(moments_of(log[:length], EVERYTHING))
        for viewer in (SPECTATOR, seat_viewer(0), seat_viewer(2)):
            found = moments_of(log[:length], viewer)
            assert set(found) <= everything


def test_a_doubled_closer_a_column_and_a_stall_in_skyjo():
    stalled = [skyjo.DiscardTaken(seat % 2, 0, 5, 5, (seat + 1) % 2) for seat in range(4)]
    found = list(
        skyjo_moments(
            told(
                skyjo.CardsRevealed(0, (0, 1), (5, 5)),
                skyjo.CardsRevealed(1, (0, 1), (5, 5)),
                skyjo.PlayBegan(0, (10, 10)),
                *stalled,
                skyjo.CardFlipped(0, 2, 5, 9, 1),
                skyjo.ColumnDiscarded(0, 0, 5),
                skyjo.RoundScored(1, (-2, 12), (-2, 24), (-2, 24), doubled=1),
            )
        )
    )
    assert of(found, "stall") == [Moment("stall", 7, None, 4)]
    assert of(found, "column") == [Moment("column", 9, 0, 5)]
    assert of(found, "doubled") == [Moment("doubled", 10, 1, 24)]
    assert of(found, "lowest_round") == [Moment("lowest_round", 10, 0, -2)]


def test_a_hand_that_went_out_at_once_and_one_that_never_played_in_odin():
    found = list(
        odin_moments(
            told(
                odin.RoundStarted(1, 0, 0, ((), (), ()), ()),
                odin.CardsPlayed(0, ("red9", "red8", "red7"), next_seat=1),
                odin.CardsPlayed(1, ("blue9", "blue9", "blue9", "blue9")),
                odin.RoundEnded(1, 1, (6, 0, 9), (6, 0, 9)),
            )
        )
    )
    assert of(found, "out_at_once") == [Moment("out_at_once", 3, 1, 4)]
    assert of(found, "largest_set") == [Moment("largest_set", 3, 1, 4)]
    assert of(found, "never_played") == [Moment("never_played", 4, 2, 9)]


def test_the_last_one_standing_in_lama():
    found = list(
        lama_moments(
            told(
                lama.CardPlayed(0, "3", 1),
                lama.RoundQuit(1, 2),
                lama.RoundQuit(2, 0),
                lama.CardPlayed(0, "4", 0),
                lama.CardPlayed(0, "5"),
                lama.RoundEnded(1, ((), ("1",), ("2",)), (0, 1, 2), (0, 1, 2), winner=0),
            )
        )
    )
    assert of(found, "last_standing") == [Moment("last_standing", 4, 0, 2)]
    assert of(found, "went_out") == [Moment("went_out", 6, 0, 0)]
