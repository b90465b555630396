"""Deciding how a table is made, and what other deciders ask of it first."""

from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.chance import GENERATOR, Chance
from domain.entries import FORMAT
from domain.errors import Refused
from domain.games.contract import AnyGame
from domain.games.recorded_chance import digest_of
from domain.games.registry import CURRENT, GAMES
from domain.match.clock_terms import check_clock
from domain.match.commands import Context, CreateMatch, Fork
from domain.match.events import MatchCreated, MatchForked, SeatKept, SeatTaken
from domain.match.levels import KNOWN, LEVELS
from domain.match.state import TABLE_RULES, Entropy, Match, Terms, bot_player
from domain.sealing import Event

UNDO_POLICIES = ("off", "free", "consent", "practice")
VISIBILITIES = ("public", "private")
STARTS = ("ready", "host")
"""What begins a match: that everybody is ready, or the host."""

_LONGEST_TOLD = 64
"""Characters of an option's name that a refusal repeats."""


def create(state: Match, command: CreateMatch, _: Context) -> tuple[Event, ...]:
    """Make the table, and seat its bots."""
    if state.terms is not None:
        raise Refused("match.exists", "an id names one match for ever")
    game = _game(command)
    _check_seats(game, command)
    fork = command.fork
    forked = () if fork is None else (_forked(game, fork, command),)
    options = checked_options(game, fork.options if fork else command.options, len(command.seats))
    _check_terms(command)
    people = sum(not plan.bot for plan in command.seats)
    terms = Terms(
        game=command.game,
        rules=game.rules_number,
        options=options,
        seats=len(command.seats),
        host=command.host,
        clock=command.clock,
        undo=command.undo or ("practice" if people == 1 else "free"),
        visibility=command.visibility,
        rematch_of=command.rematch_of,
        format=FORMAT,
        generator=GENERATOR,
        table=TABLE_RULES,
        start=command.start,
        friendly=command.friendly,
    )
    bots = (
        SeatTaken(seat, bot_player(seat), "bot", plan.bot)
        for seat, plan in enumerate(command.seats)
        if plan.bot
    )
    kept = (
        SeatKept(seat, plan.kept) for seat, plan in enumerate(command.seats) if plan.kept and not plan.bot
    )
    return MatchCreated(terms, command.seed, digest_of(game.chance())), *forked, *bots, *kept


def _game(command: CreateMatch) -> AnyGame:
    current = CURRENT.get(command.game)
    if current is None:
        raise Refused("game.unknown", "games", game=command.game, known=tuple(sorted(CURRENT)))
    number = command.fork.rules if command.fork is not None else command.rules or current.rules_number
    game = GAMES.get((command.game, number))
    if game is None:
        known = tuple(rules for key, rules in GAMES if key == command.game)
        raise Refused("rules.unknown", "rules numbers", game=command.game, rules=number, known=known)
    return game


def _forked(game: AnyGame, fork: Fork, command: CreateMatch) -> MatchForked:
    if fork.key != command.game:
        raise Refused("fork.other_game", "forks", game=command.game, expected=fork.key)
    if game.is_over(fork.game) or not game.to_act(fork.game):
        raise Refused("fork.nothing_to_play", "forks", version=fork.version)
    if len(game.standing(fork.game).totals) != len(command.seats):
        seats = len(game.standing(fork.game).totals)
        raise Refused("fork.other_seats", "forks", seats=len(command.seats), expected=seats)
    present, redealt_for = fork.game, None
    if not fork.same_cards:
        redealt_for = fork.seat
        if not 0 <= fork.seat < len(command.seats):
            raise Refused("seat.unknown", "seats", seat=fork.seat, seats=len(command.seats))
        present = game.redeal(present, fork.seat, Chance(command.seed))
    # Through JSON, so that the event equals what is later read from the log, lists for tuples included.
    position = msgspec.json.decode(msgspec.json.encode(present), type=dict[str, object])
    entropy = fork.entropy if fork.same_cards else Entropy()
    return MatchForked(fork.parent, fork.version, fork.head, position, entropy, redealt_for)


def checked_options(game: AnyGame, options: dict[str, str | int], seats: int) -> dict[str, str | int]:
    """Return the options, without those that equal their defaults.

    Raises:
        Refused: An option is unknown, has an impossible value, or does not fit the number of seats.
    """
    try:
        chosen = msgspec.convert(options, game.options_type)
    except msgspec.ValidationError:
        option, known = _wrong_option(game, options, seats)
        raise Refused("options.invalid", "options", game=game.key, option=option, known=known) from None
    game.initial(chosen, seats)
    plain: dict[str, str | int] = msgspec.to_builtins(chosen)
    return plain


def _wrong_option(game: AnyGame, options: dict[str, str | int], seats: int) -> tuple[str, tuple[str, ...]]:
    """Return the option that cannot be used, and what can, as ``name=value``: of that option, else of all."""
    fields = get_type_hints(game.options_type, include_extras=True)
    known = {name: tuple(_values(hint, seats)) for name, hint in fields.items()}
    wrong = next((name for name, value in options.items() if value not in known.get(name, ())), "")
    right = {wrong: known[wrong]} if wrong in known else known
    return wrong[:_LONGEST_TOLD], tuple(f"{name}={value}" for name in right for value in right[name])


def _values(hint: Any, seats: int) -> Iterator[str | int]:
    """Return the values of an option by its type; a number that is not one of a few is a seat's."""
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif get_origin(hint) in {Union, UnionType}:
        for part in get_args(hint):
            yield from _values(part, seats)
    else:
        yield from range(seats)


def _check_seats(game: AnyGame, command: CreateMatch) -> None:
    fewest, most = game.seats
    if not fewest <= len(command.seats) <= most:
        raise Refused(
            "seats.number", "players", game=game.key, seats=len(command.seats), fewest=fewest, most=most
        )
    for plan in command.seats:
        if plan.bot and plan.bot not in KNOWN:
            raise Refused("bot.unknown_level", "bots", level=plan.bot, known=LEVELS)


def _check_terms(command: CreateMatch) -> None:
    if command.undo and command.undo not in UNDO_POLICIES:
        raise Refused("undo.unknown_policy", "undo", undo=command.undo, known=UNDO_POLICIES)
    if command.visibility not in VISIBILITIES:
        raise Refused("visibility.unknown", "visibility", visibility=command.visibility, known=VISIBILITIES)
    if command.start not in STARTS:
        raise Refused("start.unknown", "start", start=command.start, known=STARTS)
    check_clock(command.clock)


def require_created(state: Match) -> Terms:
    """Refuse what needs a match; return what it was created with.

    Raises:
        Refused: The match does not exist.
    """
    if state.terms is None:
        raise Refused("match.unknown", "a match is created first")
    return state.terms


def require_gathering(state: Match) -> Terms:
    """Refuse what is possible only before the start; return what the match was created with.

    Raises:
        Refused: The match has begun, or does not exist.
    """
    terms = require_created(state)
    if state.lifecycle.phase != "gathering":
        raise Refused("match.already_started", "seats are arranged before the start")
    return terms


def require_seat(state: Match, seat: int) -> None:
    """Refuse a seat number that the table does not have.

    Raises:
        Refused: There is no such seat.
    """
    if not 0 <= seat < len(state.seats):
        raise Refused("seat.unknown", "seats", seat=seat, seats=len(state.seats))


def require_person(state: Match, number: int) -> None:
    """Refuse a seat that no person holds, or from which they have resigned.

    Raises:
        Refused: There is no such seat, nobody holds it, or they have resigned.
    """
    require_seat(state, number)
    if state.seats[number].kind != "person":
        raise Refused("seat.empty", "only people do this", seat=number)
    if state.seats[number].resigned:
        raise Refused("seat.resigned", "a resignation is final", seat=number)
