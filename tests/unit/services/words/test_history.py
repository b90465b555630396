"""Every type of event has its line, in every language, for every reader, whatever is still sealed."""

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect

from domain.games.registry import GAMES
from domain.match.events import MATCH_EVENTS, MatchAbandoned
from domain.match.state import Terms
from domain.sealing import Event, redact, seal, unseal
from domain.viewers import SPECTATOR, Viewer, seat_viewer
from services.words.history import history_line
from services.words.languages import LANGUAGES

NAMES = ("Anna", "Ben")
SEED = "ab" * 32
EVENTS = [
    *(("lama", kind) for kind in MATCH_EVENTS),
    *((game.key, kind) for game in GAMES.values() for kind in game.event_types),
]


SIMPLE = {
    inspect.BoolType: st.booleans(),
    inspect.IntType: st.integers(0, 1),
    inspect.StrType: st.sampled_from(("R8", "B2", "undo", "end", "expired", "person", "bot")),
    inspect.NoneType: st.none(),
    inspect.DictType: st.sampled_from(({}, {"limit": "single"})),
}


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Everything that a field of this type may hold, in small."""
    match kind:
        case inspect.LiteralType(values=literals):
            return st.sampled_from(literals)
        case inspect.UnionType(types=types):
            return st.one_of(*map(values, types))
        case inspect.VarTupleType(item_type=item):
            return st.lists(values(item), min_size=2, max_size=3)
        case inspect.StructType(cls=cls) if cls is Terms:
            return st.just(msgspec.to_builtins(Terms("lama", 1, {"limit": "single"}, 2, "host")))
        case inspect.StructType(fields=fields):
            return st.fixed_dictionaries({field.encode_name: values(field.type) for field in fields})
        case _:
            return SIMPLE[type(kind)]


@st.composite
def sealed_events(draw: st.DrawFn, kind: type[Event], viewer: Viewer) -> dict[str, Any]:
    """The data of such an event as a viewer gets it."""
    shape = inspect.type_info(kind)
    event = msgspec.convert(draw(values(shape)), kind)
    data, openings = seal(event, 1, SEED)
    return unseal(data, redact(openings, viewer))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "kind"), EVENTS, ids=lambda value: getattr(value, "__name__", value))
@given(drawn=st.data())
@settings(max_examples=5, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_event_has_a_line(game, kind, language, drawn):
    viewer = drawn.draw(st.sampled_from((SPECTATOR, seat_viewer(0), Viewer(1, everything=True))))
    data = drawn.draw(sealed_events(kind, viewer))
    line = history_line(game, kind.__name__, data, NAMES, language, you=viewer.seat)
    assert line
    assert line[-1] in ".!"
    assert not set("{}").intersection(line)
    assert "sealed" not in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawn_card_is_told_to_who_may_know_it(language):
    said = {
        "en": ("Anna draws a card.", "You draw a 3.", "Anna draws a 3.", "You draw a card."),
        "fr": ("Anna pioche une carte.", "Tu pioches un 3.", "Anna pioche un 3.", "Tu pioches une carte."),
    }[language]
    closed, opened = {"seat": 0, "card": {"sealed": "00" * 32}}, {"seat": 0, "card": "3"}

    def line(data, you):
        return history_line("lama", "CardDrawn", data, NAMES, language, you=you)

    assert (line(closed, None), line(opened, 0), line(opened, 1), line(closed, 0)) == said


@pytest.mark.parametrize(
    ("game", "kind", "data", "english", "french"),
    [
        (
            "odin",
            "CardsPlayed",
            {"seat": 1, "cards": ["R8", "R2"], "taken": "B5", "next_seat": 0},
            "Ben plays the red 8 and the red 2 (82) and takes the blue 5.",
            "Ben joue le 8 rouge et le 2 rouge (82) et prend le 5 bleu.",
        ),
        (
            "odin",
            "CardsPlayed",
            {"seat": 0, "cards": ["V4"]},
            "You play the violet 4 and have no card left.",
            "Tu joues le 4 violet et tu n\N{RIGHT SINGLE QUOTATION MARK}as plus de carte.",
        ),
        (
            "lama",
            "RoundEnded",
            {"round": 2, "hands": [["1", "L"], []], "points": [11, 0], "totals": [12, 0], "winner": 1},
            "Round 2 is over: you +11 (1, llama), Ben +0. Totals: you (12), Ben (0).",
            "La manche 2 est finie : toi +11 (1, lama), Ben +0. Totaux : toi (12), Ben (0).",
        ),
        (
            "skyjo",
            "CardSwapped",
            {"seat": 1, "slot": 4, "card": 8, "replaced": -2, "next_seat": 0},
            "Ben puts an 8 in row 2, column 2 and discards a \N{MINUS SIGN}2.",
            "Ben pose un 8 en ligne 2, colonne 2 et défausse un \N{MINUS SIGN}2.",
        ),
        (
            "skyjo",
            "CardsRevealed",
            {"seat": 0, "slots": [1, 9], "cards": [8, 0]},
            "You turn up an 8 in row 2, column 1 and a 0 in row 1, column 4.",
            "Tu retournes un 8 en ligne 2, colonne 1 et un 0 en ligne 1, colonne 4.",
        ),
        (
            "skyjo",
            "MatchFinished",
            {"ranking": [[0, 1]], "totals": [7, 7]},
            "You share the victory with Ben. Totals: you (7), Ben (7).",
            "Tu partages la victoire avec Ben. Totaux : toi (7), Ben (7).",
        ),
        (
            "lama",
            "MatchCreated",
            {"terms": {"game": "lama", "seats": 3, "options": {"limit": "single"}}},
            "A table for L.A.M.A. opens, with 3 seats. Limit: one round.",
            "Une table est ouverte pour jouer à L.A.M.A., avec 3 places. Limite : une seule manche.",
        ),
    ],
)
def test_lines_read_like_sentences(game, kind, data, english, french):
    def plain(line):
        return line.replace("\N{NO-BREAK SPACE}", " ")

    assert plain(history_line(game, kind, data, NAMES, "en", you=0)) == english
    assert plain(history_line(game, kind, data, NAMES, "fr", you=0)) == french


@pytest.mark.parametrize("game", ["odin", "lama"])
def test_a_deal_is_told_without_its_cards_which_lie_on_the_table_in_front_of_the_reader(game):
    data = {"round": 1, "starter": 0, "top": "3", "hands": [["R8", "R2"], ["B5", "L"]]}
    said = history_line(game, "RoundStarted", data, NAMES, "en", you=0)
    assert said == history_line(game, "RoundStarted", {**data, "hands": [["R1"], ["R3"]]}, NAMES, "en", you=0)


def test_a_line_says_you_only_to_the_one_whose_seat_it_is():
    for you, said in (
        (0, "You quit the round."),
        (1, "Anna quits the round."),
        (None, "Anna quits the round."),
    ):
        assert history_line("lama", "RoundQuit", {"seat": 0}, NAMES, "en", you=you) == said


def test_a_seat_without_a_name_is_called_by_its_number():
    assert history_line("odin", "Passed", {"seat": 3}, NAMES, "en") == "seat 4 passes."


def test_a_fallback_move_is_told_as_one():
    line = history_line("lama", "RoundQuit", {"seat": 0}, NAMES, "en", note="fallback")
    assert line == "Anna quits the round. (The bot found no move, so this one was made for it.)"


def test_an_unknown_reason_is_told_as_it_stands():
    line = history_line("lama", MatchAbandoned.__name__, {"reason": "moved_house"}, NAMES, "en")
    assert line == "The match ends without a result (moved_house)."


def test_what_nobody_knows_has_no_line():
    assert history_line("lama", "TableTurned", {}, NAMES, "en") is None
    assert history_line("whist", "CardDrawn", {"seat": 0, "card": "3"}, NAMES, "en") is None
    assert history_line("os", "MatchStarted", {}, NAMES, "en") == "The match begins."
