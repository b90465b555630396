"""The words of the table around a game: its events, its phases, its bots."""

from collections.abc import Iterator, Mapping

from services.words.clock_lines import CLOCK_LINES
from services.words.contract import Line
from services.words.names import game_name, level_name, option_name, option_value
from services.words.phrases import Phrase, counted, phrase
from services.words.telling import Data, Teller
from services.words.times import duration


def _match_created(teller: Teller, data: Data) -> str:
    terms, language = data["terms"], teller.words.language
    game, options = terms["game"], terms.get("options", {})
    made = teller.say(
        counted(
            "A table for {game} opens, with {seats} seat.",
            "A table for {game} opens, with {seats} seats.",
            "seats",
        ),
        game=game_name(game, language),
        seats=terms["seats"],
    )
    chosen = (
        teller.say(
            phrase("{option}: {value}."),
            option=option_name(game, option, language),
            value=option_value(game, option, value, language),
        )
        for option, value in options.items()
    )
    return " ".join((made, *chosen))


def _match_forked(teller: Teller, data: Data) -> str:
    begins = teller.say(
        phrase("It starts from version {version} of match {parent}."),
        parent=data["parent"],
        version=data["version"],
    )
    seat = data.get("redealt_for")
    if seat is None:
        return begins
    dealt = teller.by_seat(
        seat,
        phrase("The cards you could not know are redealt."),
        phrase("The cards {name} could not know are redealt."),
    )
    return f"{begins} {dealt}"


def _seat_taken(teller: Teller, data: Data) -> str:
    if data["kind"] == "bot":
        return teller.say(
            phrase("A bot takes seat {seat} (level: {level})."),
            seat=data["seat"] + 1,
            level=level_name(data.get("level", ""), teller.words.language),
        )
    return teller.by_seat(
        data["seat"],
        phrase("You take seat {number}."),
        phrase("{name} takes seat {number}."),
        number=data["seat"] + 1,
    )


def _seat_kept(teller: Teller, data: Data) -> str:
    return teller.say(phrase("Seat {number} is kept for somebody."), number=data["seat"] + 1)


def _seat_opened(teller: Teller, data: Data) -> str:
    return teller.say(phrase("Seat {number} is free for everybody."), number=data["seat"] + 1)


def _seat_ready(teller: Teller, data: Data) -> str:
    return teller.by_seat(data["seat"], phrase("You are ready."), phrase("{name} is ready."))


def _seat_left(teller: Teller, data: Data) -> str:
    return teller.by_seat(data["seat"], phrase("You leave the table."), phrase("{name} leaves the table."))


def _nonce_announced(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You announce a random word for the deals."),
        phrase("{name} announces a random word for the deals."),
    )


def _readiness_voided(teller: Teller, data: Data) -> str:
    names = teller.all_of(data["seats"])
    if data.get("still_ready", False):
        return teller.say(
            phrase("A seat has changed: the random words that were shown are void ({names})."), names=names
        )
    return teller.say(phrase("A seat has changed: {names} must say again that they are ready."), names=names)


def _nonce_shown(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You show the random word that you announced."),
        phrase("{name} shows the random word that they announced."),
    )


def _nonces_awaited(teller: Teller, _: Data) -> str:
    return teller.say(
        phrase("Everybody is ready. The table waits a minute for the random words that were announced.")
    )


def _match_started(teller: Teller, data: Data) -> str:
    return " ".join((_begins(teller, data), *_without(teller, data)))


def _without(teller: Teller, data: Data) -> Iterator[str]:
    if away := data.get("without", ()):
        yield teller.say(
            phrase("Random words that were announced and not shown in time: {names}."),
            names=teller.all_of(away),
        )


def _begins(teller: Teller, data: Data) -> str:
    begins = teller.say(phrase("The match begins."))
    given = data.get("entropy_of", ())
    if not given:
        return begins
    seats = len(given)
    from_whom = counted(
        "The deals have the random word of {seats} seat in them.",
        "The deals have the random words of {seats} seats in them.",
        "seats",
    )
    return f"{begins} {teller.say(from_whom, seats=seats)}"


def _expiry_announced(teller: Teller, data: Data) -> str:
    return teller.say(
        phrase(
            "Nothing has happened here for long: the table closes on {day} at {time} UTC unless something does."
        ),
        day=data["until"][:10],
        time=data["until"][11:16],
    )


def _table_kept(teller: Teller, _: Data) -> str:
    return teller.say(phrase("The host keeps the table open."))


def _seat_handed_to_bot(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("A bot plays for you from now on (level: {level})."),
        phrase("A bot plays for {name} from now on (level: {level})."),
        level=level_name(data.get("level", ""), teller.words.language),
    )


def _seat_reclaimed(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You are back and play for yourself again."),
        phrase("{name} is back and plays again."),
    )


def _seat_resigned(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You give up; a bot plays on in your place."),
        phrase("{name} gives up; a bot plays on."),
    )


ASKED: Mapping[str, tuple[Phrase, Phrase]] = {
    "undo": (
        phrase("You ask the others whether you may take back your turn."),
        phrase("{name} asks to take back a turn."),
    ),
    "end": (
        phrase("You ask the others to end the match without a result."),
        phrase("{name} asks to end the match without a result."),
    ),
    "pause": (
        phrase("You ask the others to pause ({time})."),
        phrase("{name} asks for a pause ({time})."),
    ),
    "resume": (
        phrase("You ask the others to go on now."),
        phrase("{name} asks to go on now, before the pause is over."),
    ),
    "replace": (
        phrase("Somebody from outside asks to take over your seat."),
        phrase("Somebody from outside asks to take over the seat of {name}."),
    ),
}
"""By kind of request: what is asked, said to who asks and to the others."""

GIFT = phrase("The others give time for it ({time}), as none is left.")


def _request_made(teller: Teller, data: Data) -> str:
    seconds = data.get("seconds", 0)
    time = duration(seconds, teller.words.language) if seconds else ""
    asked = teller.by_seat(data["seat"], *ASKED.get(data["kind"], ASKED["undo"]), time=time)
    if data["kind"] != "undo":
        return asked
    said = [asked, teller.say(GIFT, time=time)] if time else [asked]
    known = data.get("known", 0)
    if known:
        stays = counted(
            "{known} card seen since then stays known.", "{known} cards seen since then stay known.", "known"
        )
        said.append(teller.say(stays, known=known))
    return " ".join(said)


def _seat_given(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You take over seat {number}; you see what it has seen."),
        phrase("{name} takes over seat {number}."),
        number=data["seat"] + 1,
    )


def _request_answered(teller: Teller, data: Data) -> str:
    if data["agree"]:
        return teller.by_seat(data["seat"], phrase("You agree."), phrase("{name} agrees."))
    return teller.by_seat(data["seat"], phrase("You refuse."), phrase("{name} refuses."))


_LAPSES = {
    "agreed": phrase("Everybody has agreed."),
    "silent": phrase("Everybody has agreed; whoever is away has not objected in time."),
    "refused": phrase("The request is refused."),
    "withdrawn": phrase("The request is withdrawn."),
    "moved": phrase("The request lapses, because somebody played on."),
    "expired": phrase("The request lapses, because its time is up."),
    "ended": phrase("The request lapses, because the match is over."),
}


def _request_lapsed(teller: Teller, data: Data) -> str:
    return teller.say(_LAPSES.get(data["reason"], phrase("The request lapses.")))


def _move_undone(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"], phrase("You take back your turn."), phrase("{name} takes back a turn.")
    )


def _move_redone(teller: Teller, data: Data) -> str:
    return teller.by_seat(
        data["seat"],
        phrase("You replay what was taken back."),
        phrase("{name} replays what was taken back."),
    )


def _match_finished(teller: Teller, data: Data) -> str:
    winners = data["ranking"][0]
    others = [seat for seat in winners if seat != teller.you]
    if len(winners) == 1:
        result = teller.by_seat(winners[0], phrase("You win."), phrase("{name} wins."))
    elif len(others) < len(winners):
        result = teller.say(phrase("You share the victory with {names}."), names=teller.all_of(others))
    else:
        result = teller.say(phrase("{names} share the victory."), names=teller.all_of(others))
    parts = [teller.say(phrase("The match could not go on and is over."))] if data.get("stalled") else []
    totals = teller.say(phrase("Totals: {totals}."), totals=teller.totals(data["totals"]))
    return " ".join((*parts, result, totals))


_REASONS = {
    "host": phrase("The host ends the match without a result."),
    "agreed": phrase("The match ends without a result, as everybody agreed."),
    "operator": phrase("The operator ends the match without a result."),
    "expired": phrase("The table closes: it never began, and nothing has happened at it for long."),
    "nobody_came": phrase("The table closes: it had not begun when its league's round ended."),
    "left_league": phrase("The table closes: somebody has left the league. It is made anew without them."),
    "league_settled": phrase("The table ends without a result, as whoever runs the league wants it."),
    "log_full": phrase("The match has come to its limit of events, and ends without a winner."),
}


def _match_abandoned(teller: Teller, data: Data) -> str:
    reason = data["reason"]
    if reason in _REASONS:
        return teller.say(_REASONS[reason])
    return teller.say(phrase("The match ends without a result ({reason})."), reason=reason)


def _log_unsealed(teller: Teller, data: Data) -> str:
    if data.get("fork", False):
        return teller.say(
            phrase("Another match goes on from here with the same cards; they can be seen there.")
        )
    return teller.say(
        phrase("The operator has looked at the hidden cards of this match ({reason})."), reason=data["reason"]
    )


_OPERATOR_ACTS = {
    "end": phrase("The operator ends the match as it stands ({reason})."),
    "hand_over": phrase("The operator lets a bot play ({reason})."),
    "reissue_host": phrase("The operator lets the host back in by a new link ({reason})."),
    "void": phrase("The operator steps in ({reason})."),
}


def _operator_acted(teller: Teller, data: Data) -> str:
    if data["act"] == "reissue":
        return teller.by_seat(
            data["seat"],
            phrase("The operator lets you back on your seat by a new link ({reason})."),
            phrase("The operator lets {name} back on their seat by a new link ({reason})."),
            reason=data["reason"],
        )
    return teller.say(_OPERATOR_ACTS.get(data["act"], _OPERATOR_ACTS["void"]), reason=data["reason"])


LINES: Mapping[str, Line] = {
    "MatchCreated": _match_created,
    "MatchForked": _match_forked,
    "SeatTaken": _seat_taken,
    "SeatKept": _seat_kept,
    "SeatOpened": _seat_opened,
    "SeatReady": _seat_ready,
    "NonceShown": _nonce_shown,
    "NoncesAwaited": _nonces_awaited,
    "SeatLeft": _seat_left,
    "NonceAnnounced": _nonce_announced,
    "ReadinessVoided": _readiness_voided,
    "MatchStarted": _match_started,
    "ExpiryAnnounced": _expiry_announced,
    "TableKept": _table_kept,
    "SeatHandedToBot": _seat_handed_to_bot,
    "SeatReclaimed": _seat_reclaimed,
    "SeatResigned": _seat_resigned,
    "RequestMade": _request_made,
    "SeatGiven": _seat_given,
    "RequestAnswered": _request_answered,
    "RequestLapsed": _request_lapsed,
    "MoveUndone": _move_undone,
    "MoveRedone": _move_redone,
    "MatchFinished": _match_finished,
    "MatchAbandoned": _match_abandoned,
    "LogUnsealed": _log_unsealed,
    "OperatorActed": _operator_acted,
    **CLOCK_LINES,
}
"""By event type, the function that writes its history line."""
