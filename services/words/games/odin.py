"""The words of Odin."""

from collections.abc import Iterable, Sequence

from services.words.contract import Arguments, GameWords, MomentWords, RefusalWords
from services.words.phrases import Words, counted, phrase
from services.words.telling import Data, Teller

_BARE = {
    "R": phrase("red {value}"),
    "O": phrase("orange {value}"),
    "Y": phrase("yellow {value}"),
    "G": phrase("green {value}"),
    "B": phrase("blue {value}"),
    "V": phrase("violet {value}"),
}
_WITH_ARTICLE = {
    "R": phrase("the red {value}"),
    "O": phrase("the orange {value}"),
    "Y": phrase("the yellow {value}"),
    "G": phrase("the green {value}"),
    "B": phrase("the blue {value}"),
    "V": phrase("the violet {value}"),
}


def card(words: Words, name: str) -> str:
    """Return a card's bare name: ``red 8``."""
    return words.say(_BARE[name[0]], value=name[1:]) if name[:1] in _BARE else name


def _the_card(words: Words, name: str) -> str:
    return words.say(_WITH_ARTICLE[name[0]], value=name[1:]) if name[:1] in _WITH_ARTICLE else name


def _the_cards(words: Words, names: Iterable[str]) -> str:
    return words.all_of(_the_card(words, name) for name in names)


def _combination(words: Words, names: Sequence[str]) -> str:
    """Return cards with their value together; a single card shows its own."""
    value = "".join(sorted((name[1:] for name in names), reverse=True))
    return _the_cards(words, names) + (f" ({value})" if len(names) > 1 else "")


# --- history lines ---


def _first_player_drawn(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You were drawn to start."),
        phrase("{name} was drawn to start."),
    )


def _round_started(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["starter"],
        phrase("Round {round}: nine cards each. You lead the first trick."),
        phrase("Round {round}: nine cards each. {name} leads the first trick."),
        round=data["round"],
    )


def _cards_played(teller: Teller, data: Data) -> str:
    words, taken = teller.words, data.get("taken")
    cards = _combination(words, data["cards"])
    if taken:
        you = phrase("You play {cards} and take {taken}.")
        other = phrase("{name} plays {cards} and takes {taken}.")
        return teller.by_seat(data["seat"], you, other, cards=cards, taken=_the_card(words, taken))
    if data.get("next_seat") is None:
        you = phrase("You play {cards} and have no card left.")
        other = phrase("{name} plays {cards} and has no card left.")
    else:
        you, other = phrase("You lead with {cards}."), phrase("{name} leads with {cards}.")
    return teller.by_seat(data["seat"], you, other, cards=cards)


def _passed(teller: Teller, data: Data) -> str:
    return teller.by_seat(data["seat"], phrase("You pass."), phrase("{name} passes."))


def _trick_ended(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["leader"],
        phrase("Nobody goes higher: you lead the next trick."),
        phrase("Nobody goes higher: {name} leads the next trick."),
    )


def _round_ended(teller: Teller, data: Data) -> str:
    shown = ", ".join(f"{teller.who(seat)} +{points}" for seat, points in enumerate(data["points"]))
    return teller.say(
        phrase("Round {round} is over: {shown}. Totals: {totals}."),
        round=data["round"],
        shown=shown,
        totals=teller.totals(data["totals"]),
    )


# --- moves and refusals ---


def _move(words: Words, move: Arguments) -> str:
    match move:
        case {"type": "play", "cards": names, "take": taken} if taken:
            return words.say(
                phrase("Play {cards} and take {taken}"),
                cards=_combination(words, names),
                taken=_the_card(words, taken),
            )
        case {"type": "play", "cards": names}:
            return words.say(phrase("Play {cards}"), cards=_combination(words, names))
        case {"type": "pass"}:
            return words.say(phrase("Pass"))
        case _:
            return ""


def _refusal_arguments(words: Words, arguments: Arguments) -> Arguments:
    ready = dict(arguments)
    if "card" in arguments:
        ready["card"] = _the_card(words, arguments["card"])
    for name in ("cards", "centre"):
        if name in arguments:
            ready[name] = _the_cards(words, arguments[name])
    if "choices" in arguments:
        ready["choices"] = words.any_of(_the_card(words, name) for name in arguments["choices"])
    return ready


_LEAD_RULE = phrase(
    "You lead a trick with one card, or with your whole hand if it is all one colour or one value."
)
_SET_RULE = phrase("Cards played together all have the same colour or all the same value.")
_TAKE_RULE = phrase("Whoever beats a combination takes one of its cards, and the others are discarded.")

_REFUSALS = {
    "card_not_in_hand": RefusalWords(
        phrase("You do not have {card}."),
        phrase("You can play only cards from your own hand."),
        phrase("Play cards that you hold."),
    ),
    "odin.no_cards": RefusalWords(
        phrase("You named no card to play."),
        phrase("You must play at least one card."),
        phrase("Name the cards that you play, or pass."),
    ),
    "odin.repeated_card": RefusalWords(
        phrase("You named {card} twice."),
        phrase("Each card exists only once."),
        phrase("Name each card once."),
    ),
    "odin.lead_one_card": RefusalWords(
        phrase("You led with {played} of your {hand} cards."),
        _LEAD_RULE,
        phrase("Lead with one card."),
    ),
    "odin.wrong_count": RefusalWords(
        counted("You played {played} card.", "You played {played} cards.", "played"),
        phrase("You beat a combination with as many cards, or with one more."),
        phrase("Play {fewest} or {most} cards, or pass."),
    ),
    "odin.mixed_set": RefusalWords(
        phrase("You played {cards}, which share neither colour nor value."),
        _SET_RULE,
        phrase("Play cards of one colour or of one value."),
    ),
    "odin.value_not_higher": RefusalWords(
        phrase("You played {cards}, which are worth {value}."),
        phrase(
            "With the same number of cards, the value must be strictly higher; digits are read from high to low."
        ),
        phrase("Play a value above {to_beat}, play one card more, or pass."),
    ),
    "odin.take_required": RefusalWords(
        phrase("You did not say which card to take."),
        _TAKE_RULE,
        phrase("Take {choices}."),
    ),
    "odin.take_not_in_centre": RefusalWords(
        phrase("You cannot take {card}."),
        _TAKE_RULE,
        phrase("Take {choices}."),
    ),
    "odin.take_when_leading": RefusalWords(
        phrase("You named {card} to take, but there is no combination to beat."),
        phrase("Whoever leads a trick takes nothing."),
        phrase("Play without taking a card."),
    ),
    "odin.take_when_going_out": RefusalWords(
        phrase("You named {card} to take, but this play empties your hand."),
        phrase("Whoever plays their last cards takes nothing, and the round is over."),
        phrase("Play without taking a card."),
    ),
    "odin.cannot_pass_when_leading": RefusalWords(
        phrase("You passed, but it is your turn to lead."),
        phrase("Whoever leads a trick must play a card."),
        phrase("Lead with one card."),
    ),
    "odin.first_is_no_seat": RefusalWords(
        phrase("Seat {first} was named to start, but the table has no such seat."),
        phrase("The table may name the seat that starts, or have it drawn by lot."),
        phrase('Name a seat below {seats}, or "random".'),
    ),
    "odin.wrong_number_of_seats": RefusalWords(
        counted("You asked for {seats} seat.", "You asked for {seats} seats.", "seats"),
        phrase("Odin is for {fewest} to {most} players."),
        phrase("Choose {fewest} to {most} seats."),
    ),
}

_MOMENTS = {
    "out_at_once": MomentWords(
        phrase("Hands that went out in one turn"),
        phrase("You went out with {value} cards at once."),
        phrase("{name} went out with {value} cards at once."),
    ),
    "largest_set": MomentWords(
        phrase("The largest set"),
        phrase("You played {value} cards together."),
        phrase("{name} played {value} cards together."),
    ),
    "longest_trick": MomentWords(
        phrase("The longest trick"),
        phrase("After {value} plays on top of each other, you had the last word."),
        phrase("After {value} plays on top of each other, {name} had the last word."),
    ),
    "never_played": MomentWords(
        phrase("Rounds without a card played"),
        phrase("You were caught with {value} cards and had not played one."),
        phrase("{name} was caught with {value} cards and had not played one."),
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
    name=phrase("Odin"),
    lines={
        "FirstPlayerDrawn": _first_player_drawn,
        "RoundStarted": _round_started,
        "CardsPlayed": _cards_played,
        "Passed": _passed,
        "TrickEnded": _trick_ended,
        "RoundEnded": _round_ended,
    },
    plans={
        "pass_when_beaten": phrase("Pass whenever I cannot beat the centre"),
        "pass_this_trick": phrase("Pass until this trick ends"),
    },
    refusals=_REFUSALS,
    refusal_arguments=_refusal_arguments,
    card=card,
    move=_move,
    options={
        "limit": phrase("Limit"),
        "first": phrase("Starter of the first round"),
    },
    option_values={
        ("limit", "single"): phrase("one round"),
        ("first", "random"): phrase("drawn by lot"),
    },
    # Odin's view has no phases: it is always somebody's turn until the game is over.
    phases={},
    seat_options=frozenset({"first"}),
    moments=_MOMENTS,
    summary=(
        phrase("Get rid of your cards: each one that you hold at the end of a round costs a point."),
        phrase(
            "Whoever leads a trick plays one card, or their whole hand if it is all one colour or one value."
        ),
        phrase("Beat the cards in the centre with as many cards, or one more, worth strictly more; or pass."),
        phrase("Cards played together all have the same colour or all the same value."),
        phrase("Their value is read from the highest digit to the lowest: 2 and 8 make 82."),
        phrase("Whoever beats a combination takes one of its cards, and the others are discarded."),
        phrase(
            "A pass counts for this turn only. When all others have passed, the last player to play leads again."
        ),
        phrase("Whoever plays their last cards takes nothing, and the round is over at once."),
        phrase("The game ends after the round in which somebody reaches the limit. The fewest points win."),
    ),
)
