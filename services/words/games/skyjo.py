"""The words of Skyjo."""

from collections.abc import Iterable
from itertools import groupby

from domain.games.skyjo.cards import ROWS, SLOTS
from services.words.contract import Arguments, GameWords, MomentWords, RefusalWords
from services.words.phrases import Words, counted, phrase, whole
from services.words.telling import Data, Teller, is_sealed

_A_NUMBER = phrase("a {value}")
_AN_EIGHT = phrase("an {value}")
_SPOKEN_WITH_A_VOWEL = ("8", "11")
_ROW_AND_COLUMN = phrase("row {row}, column {column}")
_COLUMNS_OF_ROW = counted("row {row}: column {columns}", "row {row}: columns {columns}", "count")


def card(words: Words, value: object) -> str:  # noqa: ARG001 - a number is a number in all languages
    """Return a card's bare name: its number."""
    return whole(value)


def a_card(words: Words, value: object) -> str:
    """Return a card with its article: ``an 8``."""
    name = whole(value)
    return words.say(_AN_EIGHT if name in _SPOKEN_WITH_A_VOWEL else _A_NUMBER, value=name)


def slot_name(words: Words, slot: int) -> str:
    """Return where a slot is: its row and its column, counted from 1."""
    return words.say(_ROW_AND_COLUMN, row=slot % ROWS + 1, column=slot // ROWS + 1)


def _slots(words: Words, slots: Iterable[int]) -> str:
    """Return where slots are, row by row."""
    ordered = sorted(slots, key=lambda slot: (slot % ROWS, slot))
    rows = [(row, list(found)) for row, found in groupby(ordered, key=lambda slot: slot % ROWS)]
    return "; ".join(
        words.say(
            _COLUMNS_OF_ROW,
            row=row + 1,
            columns=words.all_of(slot // ROWS + 1 for slot in found),
            count=len(found),
        )
        for row, found in rows
    )


# --- history lines ---


def _round_started(teller: Teller, data: Data) -> str:
    opened = teller.say(
        phrase("Round {round}: twelve hidden cards each, and {card} opens the discard pile."),
        round=data["round"],
        card=a_card(teller.words, data["discard"]),
    )
    starter = data.get("starter")
    if starter is None:
        return opened
    you, other = phrase("You will have the first turn."), phrase("{name} will have the first turn.")
    return f"{opened} {teller.by_seat(starter, you, other)}"


def _cards_revealed(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You turn up {cards}."),
        phrase("{name} turns up {cards}."),
        cards=teller.words.all_of(
            teller.say(
                phrase("{card} in {slot}"),
                card=a_card(teller.words, value),
                slot=slot_name(teller.words, slot),
            )
            for slot, value in zip(data["slots"], data["cards"], strict=False)
        ),
    )


def _play_began(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You have the first turn. Open cards: {sums}."),
        phrase("{name} has the first turn. Open cards: {sums}."),
        sums=teller.totals(data["sums"]),
    )


def _discard_taken(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You take {card} from the discard pile for {slot} and discard {replaced}."),
        phrase("{name} takes {card} from the discard pile for {slot} and discards {replaced}."),
        card=a_card(teller.words, data["card"]),
        slot=slot_name(teller.words, data["slot"]),
        replaced=a_card(teller.words, data["replaced"]),
    )


def _pile_reshuffled(teller: Teller, _: Data) -> str:
    return teller.say(phrase("The draw pile was empty: the discard pile is shuffled into a new one."))


def _card_drawn(teller: Teller, data: Data) -> str:
    if is_sealed(data["card"]):
        return teller.by_seat(data["seat"], phrase("You draw a card."), phrase("{name} draws a card."))
    drawn = a_card(teller.words, data["card"])
    return teller.by_seat(
        data["seat"], phrase("You draw {card}."), phrase("{name} draws {card}."), card=drawn
    )


def _card_swapped(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You put {card} in {slot} and discard {replaced}."),
        phrase("{name} puts {card} in {slot} and discards {replaced}."),
        card=a_card(teller.words, data["card"]),
        slot=slot_name(teller.words, data["slot"]),
        replaced=a_card(teller.words, data["replaced"]),
    )


def _card_flipped(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You discard {discarded} and turn up {card} in {slot}."),
        phrase("{name} discards {discarded} and turns up {card} in {slot}."),
        discarded=a_card(teller.words, data["discarded"]),
        card=a_card(teller.words, data["card"]),
        slot=slot_name(teller.words, data["slot"]),
    )


def _column_discarded(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You clear column {column}: three times {card}."),
        phrase("{name} clears column {column}: three times {card}."),
        column=data["column"] + 1,
        card=card(teller.words, data["card"]),
    )


def _round_closed(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You have no hidden card left: everybody else has one more turn."),
        phrase("{name} has no hidden card left: everybody else has one more turn."),
    )


def _round_stalled(teller: Teller, data: Data) -> str:
    return teller.say(
        counted(
            "No hidden card was turned up for {turns} turn: the round ends.",
            "No hidden card was turned up for {turns} turns: the round ends.",
            "turns",
        ),
        turns=data["turns"],
    )


def _boards_revealed(teller: Teller, _: Data) -> str:
    return teller.say(phrase("All cards are turned up."))


def _round_scored(teller: Teller, data: Data) -> str:
    parts = []
    doubled = data.get("doubled")
    if doubled is not None:
        parts.append(
            teller.by_seat(
                doubled,
                phrase("You closed the round without the sole lowest score: your {raw} counts double."),
                phrase("{name} closed the round without the sole lowest score: the {raw} counts double."),
                raw=data["raw"][doubled],
            )
        )
    shown = ", ".join(
        f"{teller.who(seat)} {whole(f'{points:+d}')}" for seat, points in enumerate(data["points"])
    )
    parts.append(
        teller.say(
            phrase("Round {round} is over: {shown}. Totals: {totals}."),
            round=data["round"],
            shown=shown,
            totals=teller.totals(data["totals"]),
        )
    )
    return " ".join(parts)


# --- moves and refusals ---


def _move(words: Words, move: Arguments) -> str:
    match move:
        case {"type": "reveal", "slots": slots}:
            return words.say(phrase("Turn up these cards: {slots}"), slots=_slots(words, slots))
        case {"type": "take", "slot": slot}:
            return words.say(phrase("Take the discarded card for {slot}"), slot=slot_name(words, slot))
        case {"type": "draw"}:
            return words.say(phrase("Draw a card"))
        case {"type": "swap", "slot": slot}:
            return words.say(phrase("Put the drawn card in {slot}"), slot=slot_name(words, slot))
        case {"type": "flip", "slot": slot}:
            return words.say(phrase("Discard the drawn card and turn up {slot}"), slot=slot_name(words, slot))
        case _:
            return ""


def _refusal_arguments(words: Words, arguments: Arguments) -> Arguments:
    ready = dict(arguments)
    for name in ("hidden", "remaining"):
        if name in arguments:
            ready[name] = _slots(words, arguments[name])
    slot = arguments.get("slot")
    if isinstance(slot, int) and 0 <= slot < SLOTS:
        # A number that no slot has stays a number: it is the sender's own.
        ready["slot"] = slot_name(words, slot)
    return ready


_FIRST_CARDS_RULE = phrase("Before the first turn, everybody turns up two hidden cards.")
_HIDDEN_SLOTS = phrase("Choose one of these slots: {hidden}.")
_REMAINING_SLOTS = phrase("Choose one of these slots: {remaining}.")
_DRAWN_RULE = phrase("A drawn card replaces one of your cards, or you discard it and turn up a hidden card.")

_REFUSALS = {
    "skyjo.drawn_card_first": RefusalWords(
        phrase("You are holding a card that you have drawn."),
        _DRAWN_RULE,
        phrase("Swap it in, or discard it by flipping a hidden card."),
    ),
    "skyjo.nothing_drawn": RefusalWords(
        phrase("You have not drawn a card."),
        _DRAWN_RULE,
        phrase("Draw first, or take the top of the discard pile."),
    ),
    "skyjo.flip_needs_hidden": RefusalWords(
        phrase("The card in {slot} is already face up."),
        phrase("Whoever discards the drawn card turns up a hidden one."),
        _HIDDEN_SLOTS,
    ),
    "skyjo.no_such_slot": RefusalWords(
        phrase("There is no slot {slot}."),
        phrase("A card can only replace one of your cards."),
        _REMAINING_SLOTS,
    ),
    "skyjo.slot_gone": RefusalWords(
        phrase("There is no card in {slot} any more: its column has left the board."),
        phrase("A card can only replace one of your cards."),
        _REMAINING_SLOTS,
    ),
    "skyjo.reveal_count": RefusalWords(
        counted("You named {count} slot.", "You named {count} slots.", "count"),
        _FIRST_CARDS_RULE,
        phrase("Cards you still have to turn up: {left}."),
    ),
    "skyjo.reveal_first": RefusalWords(
        phrase("You have not turned up all your first cards."),
        _FIRST_CARDS_RULE,
        phrase("Cards you still have to turn up: {left}."),
    ),
    "skyjo.reveal_needs_hidden": RefusalWords(
        phrase("The card in {slot} is already face up."),
        _FIRST_CARDS_RULE,
        _HIDDEN_SLOTS,
    ),
    "skyjo.reveal_over": RefusalWords(
        phrase("You have already turned up your first cards."),
        _FIRST_CARDS_RULE,
        phrase("Draw a card, or take the top of the discard pile."),
    ),
    "skyjo.reveal_same_slot": RefusalWords(
        phrase("You named the same slot twice: {slot}."),
        _FIRST_CARDS_RULE,
        phrase("Name different slots."),
    ),
    "skyjo.seats_out_of_range": RefusalWords(
        counted("You asked for {seats} seat.", "You asked for {seats} seats.", "seats"),
        phrase("Skyjo is for {fewest} to {most} players."),
        phrase("Choose {fewest} to {most} seats."),
    ),
}

_MOMENTS = {
    "doubled": MomentWords(
        phrase("Rounds whose closer was doubled"),
        phrase("You closed the round, and it counted double: {value} points."),
        phrase("{name} closed the round, and it counted double: {value} points."),
    ),
    "column": MomentWords(
        phrase("Columns that left"),
        phrase("You cleared a column: three times {value}."),
        phrase("{name} cleared a column: three times {value}."),
    ),
    "stall": MomentWords(
        phrase("The longest time without a new card"),
        phrase("For {value} turns in a row nobody turned up a hidden card."),
        phrase("For {value} turns in a row nobody turned up a hidden card."),
    ),
    "lowest_round": MomentWords(
        phrase("The lowest round"),
        counted(
            "Your lowest round of all: {value} point.", "Your lowest round of all: {value} points.", "value"
        ),
        counted(
            "{name} has the lowest round of all: {value} point.",
            "{name} has the lowest round of all: {value} points.",
            "value",
        ),
    ),
    "highest_round": MomentWords(
        phrase("The dearest round"),
        counted(
            "The round cost you {value} point: the dearest of all.",
            "The round cost you {value} points: the dearest of all.",
            "value",
        ),
        counted(
            "The round cost {name} {value} point: the dearest of all.",
            "The round cost {name} {value} points: the dearest of all.",
            "value",
        ),
    ),
}

WORDS = GameWords(
    name=phrase("Skyjo"),
    lines={
        "RoundStarted": _round_started,
        "CardsRevealed": _cards_revealed,
        "PlayBegan": _play_began,
        "DiscardTaken": _discard_taken,
        "PileReshuffled": _pile_reshuffled,
        "CardDrawn": _card_drawn,
        "CardSwapped": _card_swapped,
        "CardFlipped": _card_flipped,
        "ColumnDiscarded": _column_discarded,
        "RoundClosed": _round_closed,
        "RoundStalled": _round_stalled,
        "BoardsRevealed": _boards_revealed,
        "RoundScored": _round_scored,
    },
    plans={
        "take_if_low": phrase(
            "At my next turn, take the top of the discard pile for a slot if it is low enough"
        )
    },
    plan_values={"slot": slot_name},
    plan_fields={"most": phrase("The highest card that I take"), "slot": phrase("Slot")},
    refusals=_REFUSALS,
    refusal_arguments=_refusal_arguments,
    card=card,
    move=_move,
    options={"limit": phrase("Limit")},
    option_values={("limit", "single"): phrase("one round")},
    phases={
        "waiting": phrase("before the first deal"),
        "reveal": phrase("the first cards are turned up"),
        "play": phrase("a round is being played"),
        "over": phrase("the game is over"),
    },
    moments=_MOMENTS,
    summary=(
        phrase("You have twelve hidden cards in four columns of three; the fewest points win."),
        phrase("Before the first turn, everybody turns up two hidden cards. The highest sum starts."),
        phrase("On your turn, swap one of your cards for the top of the discard pile, or draw a card."),
        phrase("A drawn card replaces one of your cards, or you discard it and turn up a hidden card."),
        phrase("Three equal open cards in a column leave the board, whether you like it or not."),
        phrase("When somebody has no hidden card left, everybody else has one more turn."),
        phrase("Then all cards are turned up and added up; equal columns still leave."),
        phrase(
            "Whoever closed the round without the sole lowest score counts it double, if it is above zero."
        ),
        phrase("The game ends after the round in which somebody reaches 100."),
    ),
)
