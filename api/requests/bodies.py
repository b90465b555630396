"""Bodies of requests, and how they are read."""

import asyncio
import json
import re
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar.exceptions import HTTPException

from api.parts import Http
from api.requests.headers import header
from domain.errors import Malformed
from domain.games.contract import AnyGame
from domain.match.commands import Fork
from domain.match.levels import DEFAULT_LEVEL
from services.words.misfits import KEY_REPEATED, NOT_UTF8, TOO_DEEP, Misfit, misfit_of
from services.words.phrases import phrase

LARGEST_BODY: Final = 64 * 1024
"""Bytes. The longest move of any game takes a few hundred."""

BODY_PATIENCE: Final = 20.0
"""Seconds within which a body must arrive."""

_JSON: Final = re.compile(
    r"application/(?:[a-z0-9.-]+\+)?json *(?:; *charset=\"?utf-?8\"? *)?", re.IGNORECASE
).fullmatch

END: Final = r"$(?!\n)"
"""The end of a text in a pattern. ``$`` alone would let a line break pass after the last character."""

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
AnyNumber = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
MatchId = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9_-]{1,64}" + END,
        extra={"takes": phrase("the id of a match: 1 to 64 letters, digits, - and _")},
    ),
]

S = TypeVar("S")
B = TypeVar("B", bound="Body")


class Body(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of all bodies.

    Digests leave defaults out, so that a field added by a later release does not turn a retried command into a new one.
    """


class SeatBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat of a new table: for a bot, or for a person who comes and sits down.

    Attributes:
        bot: The level of the bot; left out for a person's seat. ``GET /games`` names the levels.
    """

    bot: Annotated[str, msgspec.Meta(max_length=32)] = ""


class ClockBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How much time people have, and what happens to somebody who has none left: a bot plays that turn.

    Attributes:
        per_turn: Seconds for each turn, from 10 to 2,592,000 (30 days); 0 for no clock.
        bank: Seconds for the whole match besides, which run when those of a turn are used up; at most 30 days.
        absent: What happens after some turns in a row for which somebody had no time: ``stand_in`` (a bot plays until
            they return), ``forfeit`` (they resign) or ``turn`` (nothing more).
        misses: How many turns in a row those are, from 1 to 9.
        rests: Whether clocks rest in the nights, on the weekdays and in the holidays that people have chosen; at tables
            with at least an hour for each turn.
    """

    per_turn: Number = 0
    bank: Number = 0
    absent: Annotated[str, msgspec.Meta(max_length=32)] = "stand_in"
    misses: Number = 2
    rests: bool = False


class ForkBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position of another match, with which a table begins.

    Attributes:
        match: The other match.
        version: The version of the position.
        same_cards: Whether the cards to come are the other match's; otherwise those that `seat` did not know are dealt
            anew.
        seat: The seat in the other match whose knowledge counts.
    """

    match: MatchId
    version: Number
    same_cards: bool = True
    seat: Number = 0


class CreateMatchBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A new table.

    Attributes:
        game: The game's key.
        seats: One for each seat, in their order around the table.
        options: The game's options; those left out take their defaults. Refused with ``fork``.
        clock: How much time people have; without limit when it is left out.
        undo: What may be taken back: ``off``, ``free``, ``consent`` or ``practice``; left out, ``practice`` at a table
            with one person and ``free`` at others.
        visibility: ``public`` lets spectators see what lies open on the table, ``private`` only those who sit at it.
        rematch_of: The id of the match that this one repeats.
        fork: The position with which the table begins, with the other match's options and rules number; at the
            beginning if left out.
        rules: The rules number; 0 for the one that new tables take. Refused with ``fork``.
        start: What begins the match: ``ready`` (everybody is ready) or ``host`` (the host says so).
        friendly: Whether its result shall not count in any standings.
    """

    game: Annotated[str, msgspec.Meta(max_length=32)]
    seats: Annotated[tuple[SeatBody, ...], msgspec.Meta(max_length=64)]
    options: dict[str, str | AnyNumber] = {}
    clock: ClockBody = ClockBody()
    undo: Annotated[str, msgspec.Meta(max_length=32)] = ""
    visibility: Annotated[str, msgspec.Meta(max_length=32)] = "public"
    rematch_of: MatchId | None = None
    fork: ForkBody | None = None
    rules: Number = 0
    start: Annotated[str, msgspec.Meta(max_length=32)] = "ready"
    friendly: bool = False


def fork_body(fork: Fork, seats: int) -> CreateMatchBody:
    """Return the table at which a person plays on from a position, with bots on the other seats."""
    plans = tuple(SeatBody("" if number == fork.seat else DEFAULT_LEVEL) for number in range(seats))
    return CreateMatchBody(
        fork.key, plans, fork=ForkBody(fork.parent, fork.version, fork.same_cards, fork.seat)
    )


NonceHash = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9a-f]{64}" + END,
        extra={"takes": phrase("a SHA-256: 64 digits and letters from a to f")},
    ),
]
"""The SHA-256 of a nonce."""


class SitBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Taking a seat.

    Attributes:
        seat: The seat's number; left out, the first free one.
        nonce_hash: SHA-256, in hexadecimal, of a text that you will add to the match's chance when all sit.
        ready: Whether you are ready at once, whoever else comes.
    """

    seat: Number | None = None
    nonce_hash: NonceHash | None = None
    ready: bool = False


class ReadyBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Being ready.

    Attributes:
        nonce: The text whose hash you announced, once every seat is taken. Left out, you are ready and can still show
            it later.
    """

    nonce: (
        Annotated[
            str,
            msgspec.Meta(
                pattern=r"^[A-Za-z0-9_-]{1,128}" + END,
                extra={"takes": phrase("1 to 128 letters, digits, - and _")},
            ),
        ]
        | None
    ) = None


class OpenSeatBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Letting anybody take a seat.

    Attributes:
        seat: The seat's number.
    """

    seat: Number


class AskForSeatBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Asking to take over a seat.

    Attributes:
        seat: The seat's number.
    """

    seat: Number


class AnnounceBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Announcing a nonce again.

    Attributes:
        nonce_hash: SHA-256, in hexadecimal, of a new text that you will add to the match's chance when you are ready.
    """

    nonce_hash: NonceHash


class HandToBotBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Letting a bot play.

    Attributes:
        level: The bot's level; left out, the default level.
    """

    level: Annotated[str, msgspec.Meta(max_length=32)] = ""


class AbandonBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Ending a match without a result.

    Attributes:
        reason: A word for the log, which everybody can read, so no names. Small letters, digits and underscores.
    """

    reason: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^[a-z0-9_]{1,64}" + END,
            extra={"takes": phrase("1 to 64 small letters, digits and _")},
        ),
    ] = "host"


class UndoBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Taking a turn back.

    Attributes:
        to: The version to go back to, at which it was your turn; left out, your last turn.
    """

    to: Number | None = None


class PauseBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Asking for a pause.

    Attributes:
        seconds: How long, from 60 to 2,592,000 (30 days).
    """

    seconds: Number


class GiveTimeBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Giving somebody more time for their present turn.

    Attributes:
        to: The seat that gets it.
        seconds: How much; with all that others gave, no more than the turn had at first.
    """

    to: Number
    seconds: Number


class AnswerBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Answering a request.

    Attributes:
        agree: Whether you agree.
    """

    agree: bool


class NoBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of a command whose address says everything."""


def without_defaults(body: B) -> B:
    """Return a body without the fields that equal their defaults.

    msgspec leaves out fields that were not given, but not fields that were given as their default.
    """
    defaults = {field.name: field.default for field in msgspec.structs.fields(body)}
    return msgspec.structs.replace(
        body, **{name: default for name, default in defaults.items() if getattr(body, name) == default}
    )


async def read_body(request: Http) -> bytes:
    """Return the bytes of a request's body.

    Raises:
        HTTPException: 413 if there are too many, 415 if they are not declared as JSON in UTF-8.
        Malformed: The connection broke in the middle.
    """
    kind = header(request, b"content-type")
    if (kind and not _JSON(kind)) or header(request, b"content-encoding") not in (None, "identity"):
        raise HTTPException("Send JSON in UTF-8 as application/json, not compressed.", status_code=415)
    return await read_bytes(request)


async def read_bytes(request: Http, most: int = LARGEST_BODY, patience: float = BODY_PATIENCE) -> bytes:
    """Return the bytes of a request's body, of any content type, at most so many and within so many seconds.

    Raises:
        HTTPException: 413 if there are too many.
        Malformed: The connection broke in the middle, or took too long.
    """
    try:
        async with asyncio.timeout(patience):
            return await _all_bytes(request, most)
    except TimeoutError:
        raise Malformed("body.cut_off", "The body did not arrive in time.") from None


async def _all_bytes(request: Http, most: int) -> bytes:
    chunks, size, more = [], 0, True
    while more:
        message: Any = await request.receive()
        if message["type"] == "http.disconnect":
            raise Malformed("body.cut_off", "The connection broke before the whole body had arrived.")
        chunk = message.get("body", b"")
        chunks.append(chunk)
        size += len(chunk)
        if size > most:
            raise HTTPException(f"A body has at most {most} bytes.", status_code=413)
        more = message.get("more_body", False)
    return b"".join(chunks)


def decoded(
    content: bytes,
    decoder: "msgspec.json.Decoder[S]",
    code: str = "body.malformed",
    game: AnyGame | None = None,
) -> S:
    """Decode a body; the code is for one that cannot be read.

    Raises:
        Misfit: It does not fit.
    """
    try:
        body = decoder.decode(content)
    except msgspec.MsgspecError as error:
        cards = game.cards if game is not None else ()
        raise misfit_of(error, content, decoder.type, code, cards) from None
    except UnicodeDecodeError:
        raise Misfit(code, NOT_UTF8) from None
    except RecursionError:
        raise Misfit(code, TOO_DEEP) from None
    if content.count(b":") > 1:
        # If a key occurs twice, some readers take the first value and some the last.
        _KEYED(content.decode())
    return body


def _keyed(pairs: list[tuple[str, object]]) -> None:
    """Refuse an object with a key that occurs twice."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise Misfit("body.key_repeated", KEY_REPEATED)


_KEYED: Final = json.JSONDecoder(object_pairs_hook=_keyed).decode
"""Takes 3 µs for a body of a few keys."""


async def read(request: Http, decoder: "msgspec.json.Decoder[S]") -> S:
    """Read and decode a body; no body counts as an empty object.

    Raises:
        HTTPException: See :func:`read_body`.
        Malformed: It does not fit.
    """
    return decoded(await read_body(request) or b"{}", decoder)
