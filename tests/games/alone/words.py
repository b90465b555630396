"""The words of Alone at the Top, in English; the catalogues in ``locale`` have the other languages."""

from collections.abc import Sequence

from services.words.contract import Arguments, GameWords, RefusalWords
from services.words.phrases import Words, counted, phrase
from services.words.telling import Data, Teller, is_sealed


def card(words: Words, name: int) -> str:
    """Return a card's bare name."""
    del words
    return str(name)


# --- history lines ---


def _hands_dealt(teller: Teller, data: Data) -> str:
    said = teller.say(phrase("Round {round} begins."), round=data["round"])
    hand = data["hands"][teller.you] if teller.you is not None else {}
    if teller.you is None or is_sealed(hand):
        return said
    cards = ", ".join(map(str, sorted(hand)))
    return f"{said} {teller.say(phrase('You are dealt {cards}.'), cards=cards)}"


def _card_laid(teller: Teller, data: Data) -> str:
    if is_sealed(data["card"]):
        return teller.by_seat(data["seat"], phrase("You have chosen."), phrase("{name} has chosen."))
    return teller.by_seat(
        data["seat"],
        phrase("You have chosen {card}."),
        phrase("{name} has chosen {card}."),
        card=data["card"],
    )


def _cards_laid(teller: Teller, run: Sequence[Data]) -> str:
    """Say several choices in one line. Whoever chose again counts once, with the later choice."""
    choices = {data["seat"]: data for data in run}
    mine = choices.get(teller.you)
    parts = [] if mine is None else [_card_laid(teller, mine)]
    others = sorted(choices.keys() - {teller.you})
    if len(choices) == teller.seats:
        parts.append(teller.say(phrase("Everybody has chosen.")))
    elif len(others) == 1:
        parts.append(_card_laid(teller, choices[others[0]]))
    elif others:
        parts.append(teller.say(phrase("{names} have chosen."), names=teller.all_of(others)))
    return " ".join(parts)


def _cards_turned(teller: Teller, data: Data) -> str:
    parts = [teller.say(phrase("The cards are turned: {cards}."), cards=teller.totals(data["cards"]))]
    winner, worth = data.get("winner"), data["worth"]
    if winner is None:
        parts.append(teller.say(phrase("No card is alone, so nobody scores.")))
    else:
        you = counted("You take {worth} point.", "You take {worth} points.", "worth")
        other = counted("{name} takes {worth} point.", "{name} takes {worth} points.", "worth")
        parts.append(teller.by_seat(winner, you, other, worth=worth))
    return " ".join(parts)


def _tricks_counted(teller: Teller, data: Data) -> str:
    return teller.say(
        phrase("Round {round} is over. Points: {points}. Totals: {totals}."),
        round=data["round"],
        points=teller.totals(data["points"]),
        totals=teller.totals(data["totals"]),
    )


def _rounds_played(teller: Teller, data: Data) -> str:
    del data
    return teller.say(phrase("All rounds have been played."))


# --- moves and refusals ---


def _move(words: Words, move: Arguments) -> str:
    return words.say(phrase("Lay {card} face down"), card=move["card"])


def _refusal_arguments(words: Words, arguments: Arguments) -> Arguments:
    return {**arguments, "hand": words.any_of(arguments.get("hand", ()))}


WORDS = GameWords(
    name=phrase("Alone at the Top"),
    lines={
        "HandsDealt": _hands_dealt,
        "CardLaid": _card_laid,
        "CardsTurned": _cards_turned,
        "TricksCounted": _tricks_counted,
        "RoundsPlayed": _rounds_played,
    },
    joined={"CardLaid": _cards_laid},
    refusals={
        "alone.not_in_hand": RefusalWords(
            phrase("You do not have {card}."),
            phrase("You can lay only cards from your own hand."),
            phrase("Lay {hand}."),
        ),
    },
    refusal_arguments=_refusal_arguments,
    card=card,
    move=_move,
    options={"rounds": phrase("Rounds")},
    option_values={},
    phases={
        "waiting": phrase("before the first deal"),
        "choose": phrase("everybody chooses a card"),
        "over": phrase("the game is over"),
    },
    summary=(
        phrase("Lay the highest card that nobody else lays."),
        phrase("Everybody gets five cards. In secret, everybody lays one; then all are turned over."),
        phrase("The highest card that is alone wins the trick. Equal cards win nothing."),
        phrase("The first trick is worth 1 point, the second 2, the third 3 and the fourth 4."),
        phrase("The fifth card is not played. The most points after the last round win."),
    ),
)
