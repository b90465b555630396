"""Every number in a table or an example of the rules that people read is what the game makes of it."""

import re
from collections import Counter

from domain.games.lama.cards import COPIES, NEXT, POINTS, playable_on
from domain.games.lama.cards import VALUES as LAMA_VALUES
from domain.games.lama.events import GameEnded
from domain.games.lama.events import RoundEnded as LamaRoundEnded
from domain.games.lama.rulings import RULINGS as LAMA_RULINGS
from domain.games.lama.scoring import returnable_chips
from domain.games.odin.cards import CARDS as ODIN_CARDS
from domain.games.odin.cards import value_of
from domain.games.odin.events import RoundEnded, TrickEnded
from domain.games.odin.state import centre_of
from domain.games.registry import CURRENT
from domain.games.skyjo.cards import CARDS as SKYJO_CARDS
from domain.games.skyjo.cards import COLUMNS, slots_of
from domain.games.skyjo.events import RoundScored
from domain.games.skyjo.moves import Swap
from domain.games.skyjo.rulings import RULINGS as SKYJO_RULINGS
from domain.games.skyjo.scoring import end_round, is_doubled
from domain.viewers import SPECTATOR
from services.words.names import card_name
from tests.unit.domain.games.lama import arrangement as lama
from tests.unit.domain.games.odin import arrange as odin
from tests.unit.domain.games.skyjo import arrange as skyjo
from tests.unit.rules_texts import block, every_language, numbers, rules, section, table

NOTHING = "\u2013"


def seat_counts(game: str) -> range:
    fewest, most = CURRENT[game].seats
    return range(fewest, most + 1)


# --- L.A.M.A. ---


def lama_cards(cell: str, language: str) -> str:
    names = {card_name("lama", card, language): card for card in LAMA_VALUES}
    return "" if cell == NOTHING else "".join(names[name] for name in cell.split(", "))


@every_language
def test_lama_cards_piles_and_what_fits(language):
    text = rules("lama", language)
    cards = [
        (lama_cards(name, language), int(copies), int(cost)) for name, copies, cost in table(text, "cards")
    ]
    fits = {lama_cards(top, language): tuple(lama_cards(cell, language)) for top, cell in table(text, "fits")}
    piles = {int(seats): int(size) for seats, size in table(text, "players")}

    assert cards == [(value, COPIES, POINTS[value]) for value in LAMA_VALUES]
    assert fits == {value: playable_on(value) for value in NEXT}
    assert piles == {seats: lama.started(seats).state.pile_size for seats in seat_counts("lama")}


@every_language
def test_lama_chips(language):
    worth = {"black": 10, "white": 1}
    for points, chips in table(rules("lama", language), "m24"):
        for total in {numbers(points)[0], numbers(points)[-1]}:
            assert numbers(chips) == [worth[chip] for chip in returnable_chips(total) if chip != "none"]
    assert [numbers(points) for points, _ in table(rules("lama", language), "m24")] == [[0], [1, 9], [10]]


@every_language
def test_lama_example_of_being_alone(language):
    ((top, held, played, left, cost),) = table(rules("lama", language), "alone")
    position = lama.given(f"6 6 {lama_cards(held, language)}", top=top, turn=lama.C, quit=(lama.A, lama.B))

    for card in lama_cards(played, language):
        position.play(lama.C, card)

    assert (position.hand(lama.C), position.playable(lama.C)) == (lama_cards(left, language), "")
    position.quit(lama.C)
    assert position.state.last_round is not None
    assert position.state.last_round.points[lama.C] == int(cost)


@every_language
def test_lama_example_of_a_scoring(language):
    rows = table(rules("lama", language), "example")
    before, costs, charged, final = (tuple(int(row[column]) for row in rows) for column in (1, 3, 4, 5))
    left = [lama_cards(row[2], language) for row in rows]
    hands = " ".join(hand or "1" for hand in left)
    assert (left[0], before[0] - final[0]) == ("", 10)

    position = lama.given(hands, top="1", totals=before).play(lama.A, "1", "black")

    ended = next(event for event in position.events if isinstance(event, LamaRoundEnded))
    assert (ended.points, ended.totals, position.state.totals) == (costs, charged, final)
    assert position.ended(GameEnded)
    assert lama.GAME.standing(position.state).ranking[0] == (lama.A,)
    kept = lama.given(hands, top="1", totals=before).play(lama.A, "1", "none")
    assert lama.GAME.standing(kept.state).ranking[0] == (lama.C,)


@every_language
def test_lama_numbers_in_sentences(language):
    text = rules("lama", language)

    assert sum(POINTS.values()) in numbers(block(text, "m18"))
    held, returned, then, added, last = numbers(block(text, "m30"))[-6:-1]
    assert (held - returned, then + added) == (then, last)
    assert last == 39
    assert [LAMA_RULINGS[number].stuck_alone for number in numbers(block(text, "m12"))] == ["asked", "quits"]


# --- Odin ---


def odin_cards(cell: str, language: str) -> list[str]:
    names = {card_name("odin", card, language): card for card in ODIN_CARDS}
    told = re.sub(r" \(\d+\)$", "", cell)
    return [names[name] for name in told.split(", ") if name in names]


@every_language
def test_odin_cards_that_are_not_dealt(language):
    told = {int(seats): int(cards) for seats, cards in table(rules("odin", language), "players")}

    assert told == {
        seats: odin.GAME.view(odin.started(seats), SPECTATOR).undealt for seats in seat_counts("odin")
    }


@every_language
def test_odin_examples_of_what_beats_what(language):
    verdicts = []
    for centre_cell, cell, verdict, why in table(rules("odin", language), "examples"):
        centre, cards = odin_cards(centre_cell, language), odin_cards(cell, language)
        for told, named in ((centre_cell, centre), (cell, cards)):
            assert re.findall(r"\((\d+)\)", told) == ([str(value_of(named))] if len(named) > 1 else [])
        spare, other = [card for card in ODIN_CARDS if card not in {*centre, *cards}][:2]
        position = odin.given(" ".join([*cards, spare]), other, centre=" ".join(centre))
        allowed = odin.refusal(position, odin.play(" ".join(cards), centre[0])) is None
        assert verdict == {"en": ("no", "yes"), "fr": ("non", "oui")}[language][allowed], cell
        assert set(numbers(why)) <= {value_of(cards), value_of(centre)}
        verdicts.append(allowed)
    assert {True, False} == set(verdicts)
    *digits, value = numbers(block(rules("odin", language), "o5"))[:4]
    assert value == value_of([f"R{digit}" for digit in digits])


@every_language
def test_odin_example_of_a_trick(language):
    rows = table(rules("odin", language), "trick")
    seats = list(dict.fromkeys(row[0] for row in rows))
    hands: list[list[str]] = [[card] for card in ("Y1", "Y2", "Y3")]
    for name, cell, _, _ in rows:
        hands[seats.index(name)] += odin_cards(cell, language)
    position, ended = odin.given(*(" ".join(hand) for hand in hands)), None

    for name, cell, taken, centre in rows:
        assert odin.GAME.to_act(position) == (seats.index(name),)
        cards, take = odin_cards(cell, language), odin_cards(taken, language)
        move = odin.play(" ".join(cards), take[0] if take else None) if cards else odin.PASS
        done = odin.when(position, move)
        ended, position = done.events[-1], done.state
        assert list(centre_of(position)) == odin_cards(centre, language)

    assert isinstance(ended, TrickEnded)
    assert odin.GAME.to_act(position) == (seats.index("Basile"),)


@every_language
def test_odin_example_of_a_scoring(language):
    rows = table(rules("odin", language), "example")
    before, left, points, after = (tuple(int(row[column]) for row in rows) for column in (1, 2, 3, 4))
    deck = iter(ODIN_CARDS)
    position = odin.given(*(" ".join(next(deck) for _ in range(size or 1)) for size in left), totals=before)
    assert left[0] == 0

    done = odin.when(position, odin.play("R1"))

    ended = next(event for event in done.events if isinstance(event, RoundEnded))
    assert (ended.points, ended.totals, ended.last) == (points, after, True)
    assert odin.GAME.standing(done.state).ranking[0] == (0,)


# --- Skyjo ---


@every_language
def test_skyjo_cards_piles_and_slots(language):
    text = rules("skyjo", language)
    copies: Counter[int] = Counter()
    for name, count in table(text, "cards"):
        first, last = numbers(name)[0], numbers(name)[-1]
        copies.update(dict.fromkeys(range(first, last + 1), numbers(count)[0]))
    piles = {int(seats): int(size) for seats, size in table(text, "players")}
    rows = table(text, "slots")

    assert copies == Counter(SKYJO_CARDS)
    assert piles == {seats: skyjo.new_round(seats).pile_size for seats in seat_counts("skyjo")}
    assert [tuple(map(int, column)) for column in zip(*rows, strict=True)] == [
        tuple(slots_of(column)) for column in range(COLUMNS)
    ]
    assert numbers(section(text, "stalled"))[0] == SKYJO_RULINGS[1].laps_to_stall


@every_language
def test_skyjo_examples_of_doubling(language):
    for row in table(rules("skyjo", language), "doubling"):
        closer, other, points = map(int, row)
        assert points == closer * (2 if is_doubled((closer, other), 0) else 1)


@every_language
def test_skyjo_example_of_a_scoring(language):
    rows = table(rules("skyjo", language), "example")
    before, raw, points, after = (tuple(int(row[column]) for row in rows) for column in (1, 3, 4, 5))
    boards = [row[2].replace("/", "|") for row in rows]

    events = end_round(skyjo.given(*boards, closer=0, totals=before), skyjo.CHANCE)

    scored = next(event for event in events if isinstance(event, RoundScored))
    assert (scored.raw, scored.points, scored.totals, scored.over) == (raw, points, after, True)
    assert (points, scored.doubled, min(after)) == ((20, 24, 10), 0, after[1])
    with_column = sum(map(int, re.findall(r"-?\d+", boards[1])))
    assert {raw[1], with_column, after[1]} <= set(numbers(section(rules("skyjo", language), "example")))


@every_language
def test_skyjo_numbers_in_sentences(language):
    text = rules("skyjo", language)

    limit, before, single, total = numbers(block(text, "k24"))
    assert (before + 2 * single, total >= limit) == (total, True)
    pile = numbers(block(text, "k9"))[-4:]
    done = skyjo.when(skyjo.given("9 9 -1", "", discard="0", drawn=9), 0, Swap(2))
    assert skyjo.discard_pile(done.state)[-4:] == pile
