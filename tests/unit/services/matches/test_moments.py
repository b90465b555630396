"""Moments: what people ask about a match, answered from what they may know, without what was taken back."""

from random import Random

import pytest

from domain.entries import decode_envelope
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
