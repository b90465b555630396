"""A body that cannot be read is explained in words, never in the decoder's."""

from functools import cache
from typing import Any, Union

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.requests import bodies
from api.requests.bodies import Body, CreateMatchBody, NoBody, decoded
from domain.games.registry import CURRENT
from services.words.languages import LANGUAGES
from services.words.misfits import Misfit

GAMES = sorted(CURRENT)
BODIES = sorted(
    (kind for kind in vars(bodies).values() if isinstance(kind, type) and issubclass(kind, Body)),
    key=lambda kind: kind.__name__,
)
WORDS_OF_THE_DECODER = (
    "Expected `",
    "Invalid enum value",
    "Invalid value",
    "at `$",
    "Object ",
    "regex",
    "malformed:",
)

NAMES = st.sampled_from(
    sorted(
        {name for kind in BODIES for name in kind.__struct_fields__}
        | {"type", "card", "cards", "take", "chip", "slot", "slots", "x"}
    )
)
TEXTS = st.sampled_from(
    ["play", "draw", "pass", "reveal", "swap", "return", "R8", "3", "xml", "a b", "", "é" * 70]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)


@cache
def decoder_of(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def move_of(game: str) -> Any:
    return Union[CURRENT[game].move_types]  # noqa: UP007 - put together at run time


def misfit(content: bytes | str, kind: Any, game: str = "") -> Misfit:
    raw = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(Misfit) as refusal:
        decoded(raw, decoder_of(kind), "a.code", CURRENT.get(game))
    assert refusal.value.code == "a.code"
    return refusal.value


def check(content: bytes, kind: Any, game: str = "") -> None:
    try:
        decoded(content, decoder_of(kind), "a.code", CURRENT.get(game))
    except Misfit as refusal:
        for language in LANGUAGES:
            told = refusal.say(language)
            assert told.endswith(".")
            assert not [words for words in WORDS_OF_THE_DECODER if words in told], told


@given(VALUES, st.sampled_from(BODIES))
def test_no_body_is_answered_in_the_decoders_words(value, kind):
    check(msgspec.json.encode(value), kind)


@given(st.dictionaries(NAMES, VALUES, max_size=3), TEXTS, st.sampled_from(GAMES))
def test_no_move_is_answered_in_the_decoders_words(fields, tag, game):
    check(msgspec.json.encode({**fields, "type": tag}), move_of(game), game)
    check(msgspec.json.encode(fields), move_of(game), game)


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode), st.sampled_from(BODIES))
def test_no_bytes_are_answered_in_the_decoders_words(content, kind):
    check(content, kind)


SLOT = "a whole number from 0 to 11"
ODIN_CARDS = "a list of 1 to 9 entries, each of which is a card, such as R1"
ODIN_MOVES = f"`play` with `cards` ({ODIN_CARDS}) and `take` (a card, such as R1; may be left out) or `pass`"


@pytest.mark.parametrize(
    ("game", "content", "told"),
    [
        (
            "odin",
            '{"type":"draw"}',
            f"The field `type` has a value that it cannot have. Allowed: {ODIN_MOVES}.",
        ),
        ("odin", "{}", f"The field `type` is missing. Allowed: {ODIN_MOVES}."),
        ("odin", "[1]", f"The body cannot be a list. Allowed: {ODIN_MOVES}."),
        (
            "odin",
            '{"type":"play","cards":[]}',
            f"The field `cards` has a value that it cannot have. Allowed: {ODIN_CARDS}.",
        ),
        (
            "odin",
            '{"type":"play","cards":["X1"]}',
            "The field `cards[0]` has a value that it cannot have. Allowed: a card, such as R1.",
        ),
        (
            "lama",
            '{"type":"return","chip":"xml"}',
            "The field `chip` has a value that it cannot have. Allowed: black, none or white.",
        ),
        (
            "lama",
            '{"type":"return","card":"3"}',
            "There is no field `card` here. Allowed: `type` (return) and `chip` (black, none or white).",
        ),
        (
            "skyjo",
            '{"type":"swap","slot":"4"}',
            "The field `slot` cannot be text. Allowed: a whole number from 0 to 11.",
        ),
        (
            "skyjo",
            '{"type":"reveal"}',
            f"The field `slots` is missing. Allowed: a list of 1 to 2 entries, each of which is {SLOT}.",
        ),
    ],
)
def test_a_move_is_told_what_the_games_moves_are(game, content, told):
    assert misfit(content, move_of(game), game).say("en") == told


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_game_is_named(game):
    told = misfit('{"type":"dance"}', move_of(game), game).say("fr")
    assert all(f"`{kind.__struct_config__.tag}`" in told for kind in CURRENT[game].move_types)
    assert all(f"`{name}`" in told for kind in CURRENT[game].move_types for name in kind.__struct_fields__)


SEATS = '"seats":[]'
TYPED = str.maketrans("\N{NO-BREAK SPACE}\N{RIGHT SINGLE QUOTATION MARK}", " '")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            f'{{"game":7,{SEATS}}}',
            "Le champ `game` ne peut pas être un nombre entier. Possible : un texte de 32",
        ),
        (f"{{{SEATS}}}", "Le champ `game` manque."),
        (
            f'{{"game":"lama",{SEATS},"surprise":1}}',
            "Il n'y a pas de champ `surprise` ici. Possible : `game`, ",
        ),
        (
            f'{{"game":"lama",{SEATS},"a `b` {"c" * 99}":1}}',
            "Il n'y a pas de champ (son nom est illisible) ici.",
        ),
        (
            f'{{"game":"lama",{SEATS},"clock":{{"per_turn":1.5}}}}',
            "`clock.per_turn` ne peut pas être un nombre à",
        ),
        (
            f'{{"game":"lama",{SEATS},"fork":{{"version":1}}}}',
            "Le champ `fork.match` manque. Possible : l'identifiant",
        ),
        (f'{{"game":"lama",{SEATS},"options":{{"a":[]}}}}', "Le champ `options` a une valeur impossible."),
        (
            '{"game":"lama","seats":[{},{"bot":null}]}',
            "Le champ `seats[1].bot` ne peut pas être rien (null).",
        ),
        ("null", "Le corps ne peut pas être rien (null). Possible : un objet avec `game`, `seats`"),
        ("{", "Le corps n'est pas entier"),
        ("{} {}", "Le corps n'est pas du JSON."),
        (b'{"game":"\xff"}', "Le corps n'est pas du texte en UTF-8."),
        (b'{"game":"lama","seats":[],"undo":"\xff"}', "Le corps n'est pas du texte en UTF-8."),
        ("[" * 50_000, "Le corps n'est pas"),
    ],
)
def test_a_body_is_told_the_field_what_it_is_and_what_it_may_be(content, told):
    assert told in misfit(content, CreateMatchBody).say("fr").translate(TYPED)


def test_a_body_that_needs_nothing_says_so():
    assert misfit('{"x":1}', NoBody).say("en") == "There is no field `x` here. None is needed."
