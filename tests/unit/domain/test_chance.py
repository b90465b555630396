"""The generator, against a second one that was written from the words that describe it."""

import hashlib
import hmac
import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from domain.chance import GENERATOR, Chance
from tests.kit.games import every_game

SEED = "0123456789abcdef" * 4


def words_of(seed: str, nonces: tuple[str, ...], purpose: str) -> Iterator[int]:
    text = "tablee/chance/1\n"
    for nonce in nonces:
        text += nonce + "\n"
    key = hmac.new(bytes.fromhex(seed), (text + purpose).encode("utf-8"), hashlib.sha256).digest()
    for block in itertools.count():
        stream = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        while stream:
            yield int.from_bytes(stream[:4], "big")
            stream = stream[4:]


def number_below(words: Iterator[int], n: int) -> int:
    while True:
        word = next(words)
        if word < 2**32 - (2**32 % n):
            return word % n


def shuffled(
    cards: list[int], seed: str, nonces: tuple[str, ...], round_number: int, number: int
) -> list[int]:
    words = words_of(seed, nonces, f"shuffle/{round_number}/{number}")
    cards = list(cards)
    i = len(cards) - 1
    while i >= 1:
        j = number_below(words, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
        i -= 1
    return cards


def seed_of(index: int) -> str:
    return hashlib.sha256(str(index).encode()).hexdigest()


def test_there_is_one_generator_and_it_has_a_number():
    assert GENERATOR == 1


def test_a_thousand_shuffles_come_out_as_a_second_implementation_has_them():
    for index in range(1000):
        size = (1, 2, 7, 54, 56, 150)[index % 6]
        nonces = ("", "é 🂡", "my own luck")[: index % 4]
        round_number, number = index % 13 + 1, index % 3
        cards = list(range(size))
        expected = shuffled(cards, seed_of(index), nonces, round_number, number)
        assert list(Chance(seed_of(index), nonces).shuffle(cards, round_number, number)) == expected


def test_a_thousand_draws_come_out_as_a_second_implementation_has_them():
    for index in range(1000):
        below = index % 9 + 1
        expected = number_below(words_of(seed_of(index), ("n",), "pick/first"), below)
        assert Chance(seed_of(index), ("n",)).pick(below, "first") == expected


@every_game
def test_the_whole_pack_of_a_game_is_shuffled_and_nothing_else(game):
    cards = Chance(SEED).shuffle(game.cards, 1, 0)
    assert Counter(cards) == Counter(game.cards)
    assert cards != tuple(game.cards)


def test_words_that_would_favour_small_numbers_are_skipped():
    # With n just above half of the words' range almost every second word is of no use.
    n = 2**31 + 1
    words = words_of(SEED, (), "pick/high")
    taken = next(word for word in words if word < n)
    assert Chance(SEED).pick(n, "high") == taken
    assert any(next(words_of(seed_of(index), (), "pick/high")) >= n for index in range(20)), (
        "none of the seeds tried needs the rule"
    )
    for index in range(20):
        expected = next(word for word in words_of(seed_of(index), (), "pick/high") if word < n)
        assert Chance(seed_of(index)).pick(n, "high") == expected


def test_seed_nonces_round_and_number_all_matter():
    cards = range(54)
    orders = {
        Chance(SEED).shuffle(cards, 1, 0),
        Chance(seed_of(1)).shuffle(cards, 1, 0),
        Chance(SEED, ("",)).shuffle(cards, 1, 0),
        Chance(SEED, ("a", "b")).shuffle(cards, 1, 0),
        Chance(SEED, ("b", "a")).shuffle(cards, 1, 0),
        Chance(SEED).shuffle(cards, 2, 0),
        Chance(SEED).shuffle(cards, 1, 1),
    }
    assert len(orders) == 7


def test_the_same_question_has_the_same_answer_however_often_it_is_asked():
    chance = Chance(SEED, ("a", ""))
    assert chance.shuffle(range(20), 3, 1) == chance.shuffle(range(20), 3, 1)
    assert chance.pick(6, "first") == chance.pick(6, "first")


def test_shuffling_nothing_or_one_card_needs_no_chance():
    assert Chance(SEED).shuffle((), 1, 0) == ()
    assert Chance(SEED).shuffle(("7",), 1, 0) == ("7",)


def test_every_card_comes_to_every_place_equally_often():
    # Chi-square over 6 x 6 with fixed seeds: far below the 0.1 % bound for 25 degrees of freedom (52.6).
    rounds = 3000
    counts = Counter(
        (place, card)
        for index in range(rounds)
        for place, card in enumerate(Chance(seed_of(index)).shuffle(range(6), 1, 0))
    )
    expected = rounds / 6
    cells = [(place, card) for place in range(6) for card in range(6)]
    assert sum((counts[cell] - expected) ** 2 / expected for cell in cells) < 52.6


def test_every_seat_is_drawn_equally_often():
    # 0.1 % bound for 5 degrees of freedom: 20.5.
    counts = Counter(Chance(seed_of(index)).pick(6, "first") for index in range(6000))
    assert sum((counts[seat] - 1000) ** 2 / 1000 for seat in range(6)) < 20.5


@pytest.mark.parametrize("below", [0, -1, 2**32 + 1, 2**70])
def test_where_there_is_no_number_to_draw_it_says_so_and_does_not_look_for_ever(below):
    with pytest.raises(ValueError, match="can be drawn"):
        Chance(SEED).pick(below, "first")


def test_the_widest_range_is_that_of_the_words():
    assert Chance(SEED).pick(2**32, "wide") == next(words_of(SEED, (), "pick/wide"))
