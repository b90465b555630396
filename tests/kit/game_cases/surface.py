"""The cases of what people read: a game's words, in every language, and its pages."""

from itertools import pairwise

import msgspec
import pytest

from api.pages.games import page_of
from api.pages.games.contract import BACK, Cards
from domain.sealing import redact, seal, unseal
from domain.viewers import SPECTATOR, seat_viewer
from services.words.games import words_of
from services.words.history import history_line
from services.words.languages import LANGUAGES
from services.words.names import card_name, game_name, rules_summary
from services.words.phrases import words_in
from tests.kit.game_cases.matches import FIRST_CHANCE, Cases, seats_of, viewers_of

NAMES = tuple(f"Player {letter}" for letter in "ABCDEFGHIJ")


in_every_language = pytest.mark.parametrize("language", LANGUAGES)


class SurfaceCases(Cases):
    """Words and pages."""

    @in_every_language
    def test_every_card_has_a_name_and_a_face_of_its_own(self, language):
        key, cards = self.game.key, set(self.game.cards)
        page = page_of(key)
        assert game_name(key, language) != key
        assert rules_summary(key, language)
        assert len({card_name(key, card, language) for card in cards}) == len(cards)
        assert len({page.face(card, language) for card in cards}) == len(cards)
        assert page.face(BACK, language).label

    @in_every_language
    def test_every_event_is_told(self, language):
        for match in self.matches()[:2]:
            for step in match:
                for event in step.events:
                    data, openings = seal(event, 1, FIRST_CHANCE.seed)
                    for viewer in (SPECTATOR, seat_viewer(0)):
                        shown = unseal(data, redact(openings, viewer))
                        kind = type(event).__name__
                        line = history_line(self.game.key, kind, shown, NAMES, language, you=viewer.seat)
                        assert line
                        assert "{" not in line

    @in_every_language
    def test_every_legal_move_has_a_text_of_its_own(self, language):
        words = words_of(self.game.key)
        assert words is not None
        for state, _ in self.positions_to_look_at():
            for seat in self.acting(state):
                moves = self.legal(state, seat)
                texts = {words.move(words_in(language), msgspec.to_builtins(move)) for move in moves}
                assert len(texts) == len(moves)
                assert all(text and "{" not in text for text in texts)

    @in_every_language
    def test_the_places_of_its_page_show_every_view(self, language):
        page, game = page_of(self.game.key), self.game
        faces = {*game.cards, *page.more_faces, BACK}
        for match in self.matches()[:2]:
            seats = seats_of(game, match[0].before)
            for viewer in viewers_of(seats):
                views = [game.view(step.after, viewer) for step in match]
                found = [page.places(view, NAMES[:seats], language) for view in views]
                # A replay tells by number which places have changed.
                assert {tuple(places) for places in found} == {tuple(found[0])}
                for (before, shown), (view, places) in pairwise(zip(views, found, strict=True)):
                    assert (places == shown) == (view == before)
                    assert all(set(place) <= faces for place in places.values() if isinstance(place, Cards))
