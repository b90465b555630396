"""The words of L.A.M.A."""

from collections.abc import Iterable

from services.words.contract import Arguments, GameWords, MomentWords, RefusalWords
from services.words.phrases import Words, counted, phrase
from services.words.telling import Data, Teller, is_sealed

_A_NUMBER = phrase("a {value}")
_A_LLAMA = phrase("a llama")
_LLAMA = phrase("llama")
_CHIPS = {
    "black": phrase("a black chip (10 points)"),
    "white": phrase("a white chip (1 point)"),
    "none": phrase("no chip"),
}


def card(words: Words, name: str) -> str:
    """Return a card's bare name: ``3``, ``llama``."""
    return words.say(_LLAMA) if name == "L" else str(name)


def _a_card(words: Words, name: str) -> str:
    return words.say(_A_LLAMA) if name == "L" else words.say(_A_NUMBER, value=name)


def _cards(words: Words, names: Iterable[str]) -> str:
    return ", ".join(card(words, name) for name in names)


def _chip(words: Words, chip: str) -> str:
    return words.say(_CHIPS[chip]) if chip in _CHIPS else chip


# --- history lines ---


def _first_player_drawn(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You were drawn to start."),
        phrase("{name} was drawn to start."),
    )


def _round_started(teller: Teller, data: Data) -> str:
    number, top = data["round"], _a_card(teller.words, data["top"])
    return teller.by_seat(
        data["starter"],
        phrase("Round {round} begins with {top} on the table. You start."),
        phrase("Round {round} begins with {top} on the table. {name} starts."),
        round=number,
        top=top,
    )


def _card_played(teller: Teller, data: Data) -> str:
    if data.get("next_seat") is None:
        you = phrase("You play {card}, your last card.")
        other = phrase("{name} plays {card}, the last card.")
    else:
        you, other = phrase("You play {card}."), phrase("{name} plays {card}.")
    return teller.by_seat(data["seat"], you, other, card=_a_card(teller.words, data["card"]))


def _card_drawn(teller: Teller, data: Data) -> str:
    if is_sealed(data["card"]):
        return teller.by_seat(data["seat"], phrase("You draw a card."), phrase("{name} draws a card."))
    drawn = _a_card(teller.words, data["card"])
    return teller.by_seat(
        data["seat"], phrase("You draw {card}."), phrase("{name} draws {card}."), card=drawn
    )


def _round_quit(teller: Teller, data: Data) -> str:
    return teller.by_seat(data["seat"], phrase("You quit the round."), phrase("{name} quits the round."))


def _round_ended(teller: Teller, data: Data) -> str:
    shown = ", ".join(
        f"{teller.who(seat)} +{points}" + (f" ({_cards(teller.words, hand)})" if hand else "")
        for seat, (points, hand) in enumerate(zip(data["points"], data["hands"], strict=False))
    )
    return teller.say(
        phrase("Round {round} is over: {shown}. Totals: {totals}."),
        round=data["round"],
        shown=shown,
        totals=teller.totals(data["totals"]),
    )


def _chip_returned(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You return {chip}. Your new total: {total}."),
        phrase("{name} returns {chip}. New total: {total}."),
        chip=_chip(teller.words, data["chip"]),
        total=data["total"],
    )


def _chip_kept(teller: Teller, data: Data) -> str:
    return teller.by_seat(data["seat"], phrase("You keep all your chips."), phrase("{name} keeps all chips."))


def _game_ended(teller: Teller, data: Data) -> str:
    reached = data.get("reached", ())
    if not reached:
        return teller.say(phrase("It was the only round: the game is over."))
    return teller.say(phrase("Limit reached ({names}): the game is over."), names=teller.all_of(reached))


# --- moves and refusals ---


def _move(words: Words, move: Arguments) -> str:
    match move:
        case {"type": "play", "card": name, "chip": chip}:
            return words.say(
                phrase("Play {card} and return {chip}"), card=_a_card(words, name), chip=_chip(words, chip)
            )
        case {"type": "play", "card": name}:
            return words.say(phrase("Play {card}"), card=_a_card(words, name))
        case {"type": "draw"}:
            return words.say(phrase("Draw a card"))
        case {"type": "quit"}:
            return words.say(phrase("Quit the round"))
        case {"type": "return", "chip": chip}:
            return words.say(phrase("Return {chip}"), chip=_chip(words, chip))
        case _:
            return ""


def _refusal_arguments(words: Words, arguments: Arguments) -> Arguments:
    ready = dict(arguments)
    for name in ("card", "top"):
        if name in arguments:
            ready[name] = _a_card(words, arguments[name])
    if "playable" in arguments:
        ready["playable"] = words.any_of(_a_card(words, name) for name in arguments["playable"])
    if "chip" in arguments:
        ready["chip"] = _chip(words, arguments["chip"])
    if "chips" in arguments:
        ready["chips"] = words.any_of(_chip(words, chip) for chip in arguments["chips"])
    return ready


_RETURN_RULE = phrase("Whoever gets rid of all their cards may return one chip.")

_REFUSALS = {
    "card_not_in_hand": RefusalWords(
        phrase("You do not have {card}."),
        phrase("You can play only cards from your own hand."),
        phrase("Play a card that you hold, draw, or quit the round."),
    ),
    "lama.card_not_playable": RefusalWords(
        phrase("You played {card} on {top}."),
        {
            "M1": phrase("A card goes on one of the same value, or on one that is exactly one lower."),
            "M2": phrase("On a 6 you can play another 6 or a llama."),
            "M3": phrase("On a llama you can play another llama or a 1."),
        },
        phrase("You can play {playable}, draw, or quit the round."),
    ),
    "lama.cannot_draw_alone": RefusalWords(
        phrase("You tried to draw, but everybody else has quit."),
        phrase("The last player in a round plays on without drawing."),
        phrase("Play a card or quit the round."),
    ),
    "lama.pile_empty": RefusalWords(
        phrase("There is nothing left to draw."),
        phrase("The draw pile is not rebuilt during a round."),
        phrase("Play a card or quit the round."),
    ),
    "lama.chip_before_last_card": RefusalWords(
        counted(
            "You named {chip} to return, but {cards_left} card would stay in your hand.",
            "You named {chip} to return, but {cards_left} cards would stay in your hand.",
            "cards_left",
        ),
        _RETURN_RULE,
        phrase("Play the card without naming a chip."),
    ),
    "lama.chip_not_held": RefusalWords(
        counted(
            "You cannot return {chip} with {total} point.",
            "You cannot return {chip} with {total} points.",
            "total",
        ),
        phrase("A black chip is worth 10 points and a white one 1 point, and no total falls below 0."),
        phrase("You can return {chips}."),
    ),
    "lama.return_asked": RefusalWords(
        phrase("You have not said which chip to return."),
        phrase("The chip goes back before the next round begins."),
        phrase("Return {chips}."),
    ),
    "lama.no_return_asked": RefusalWords(
        phrase("You were not asked to return a chip."),
        _RETURN_RULE,
        phrase("Play a card, draw, or quit the round."),
    ),
    "lama.seats_out_of_range": RefusalWords(
        counted("You asked for {seats} seat.", "You asked for {seats} seats.", "seats"),
        phrase("L.A.M.A. is for {fewest} to {most} players."),
        phrase("Choose {fewest} to {most} seats."),
    ),
    "lama.first_not_a_seat": RefusalWords(
        phrase("Seat {first} was named to start, but the table has no such seat."),
        phrase("The table may name the seat that starts, or have it drawn by lot."),
        phrase('Name a seat below {seats}, or "random".'),
    ),
}

_MOMENTS = {
    "last_standing": MomentWords(
        phrase("The last one standing"),
        counted(
            "All others had quit, and you played {value} card more.",
            "All others had quit, and you played {value} cards more.",
            "value",
        ),
        counted(
            "All others had quit, and {name} played {value} card more.",
            "All others had quit, and {name} played {value} cards more.",
            "value",
        ),
    ),
    "went_out": MomentWords(
        phrase("Rounds left with nothing"),
        counted(
            "You got rid of all your cards, with {value} point in chips.",
            "You got rid of all your cards, with {value} points in chips.",
            "value",
        ),
        counted(
            "{name} got rid of all cards, with {value} point in chips.",
            "{name} got rid of all cards, with {value} points in chips.",
            "value",
        ),
    ),
    "all_quit": MomentWords(
        phrase("Rounds that everybody quit"),
        phrase("Everybody quit round {value}."),
        phrase("Everybody quit round {value}."),
    ),
    "black_returned": MomentWords(
        phrase("Black chips given back"),
        phrase("You gave a black chip back and were left with {value}."),
        phrase("{name} gave a black chip back and was left with {value}."),
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
    name=phrase("L.A.M.A."),
    lines={
        "FirstPlayerDrawn": _first_player_drawn,
        "RoundStarted": _round_started,
        "CardPlayed": _card_played,
        "CardDrawn": _card_drawn,
        "RoundQuit": _round_quit,
        "RoundEnded": _round_ended,
        "ChipReturned": _chip_returned,
        "ChipKept": _chip_kept,
        "GameEnded": _game_ended,
    },
    plans={"quit_when_stuck": phrase("Quit the round when I can neither play nor draw")},
    refusals=_REFUSALS,
    refusal_arguments=_refusal_arguments,
    card=card,
    move=_move,
    options={
        "limit": phrase("Limit"),
        "next_starter": phrase("Starter of the next round"),
        "first": phrase("Starter of the first round"),
    },
    option_values={
        ("limit", "single"): phrase("one round"),
        ("next_starter", "last_played"): phrase("who played the last card"),
        ("next_starter", "last_acted"): phrase("who acted last"),
        ("first", "random"): phrase("drawn by lot"),
    },
    phases={
        "waiting": phrase("before the first deal"),
        "play": phrase("a round is being played"),
        "return": phrase("a chip may be returned"),
        "over": phrase("the game is over"),
    },
    seat_options=frozenset({"first"}),
    moments=_MOMENTS,
    summary=(
        phrase("Get rid of your cards: what you still hold at the end of a round costs points."),
        phrase("On your turn, do one thing: play a card, draw one, or quit the round."),
        phrase(
            "A card goes on the same value or on the one before it: 1, 2, 3, 4, 5, 6, llama, and 1 again."
        ),
        phrase("Whoever quits puts their cards face down and waits until the round is scored."),
        phrase("The last player left may not draw. An empty draw pile is not rebuilt."),
        phrase("A round ends when somebody has no card left, or when all have quit."),
        phrase("Each value you hold counts once, however many copies you have; llamas count 10 in all."),
        phrase("Whoever got rid of all their cards may return a chip: 10 points or 1 point."),
        phrase("The game ends after the round in which somebody reaches 40. The fewest points win."),
    ),
)
