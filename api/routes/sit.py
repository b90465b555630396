"""``POST /matches/{match}/seats``: taking a seat."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import SeatTaken, answer, view_for
from api.answering.problems import Explained
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, Parts, parts_of
from api.permissions.admission import Access, access_of, admitted
from api.permissions.clubs import with_club
from api.permissions.rules import SIT
from api.requests.authentication import asker_of
from api.requests.bodies import SitBody, read
from api.requests.commands import carry_out, match_of
from api.requests.headers import secret_key
from api.requests.submissions import is_acceptable, issued_caller, sitting
from domain.errors import Refused
from domain.match.state import Match
from services.bootstrap import present_instant
from services.errors import MatchClosed, SeatNotHeld
from services.matches.seat_names import seat_names
from services.matches.service import seat_of
from services.people.identity import Holder, Issued
from services.people.memberships import Held
from services.people.names_at_table import free_name
from services.words.languages import SOURCE

_BODY: Final = msgspec.json.Decoder(SitBody)


_OPERATION: Final = Operation(
    id="takeSeat",
    tag="tables",
    description=(
        "Take the seat that you name, or the first free one. The answer holds the seat's token, with "
        "which you see what your seat sees, and play. You may add to the chance of the match: send the "
        "SHA-256 of a text now, and the text itself once every seat is taken. With `ready` you are ready at once."
    ),
    parameters=(SECRET_KEY,),
    body=SitBody,
    examples={"the first free seat": {}, "a certain seat": {"seat": 2}},
    answers={201: Answer("The seat is yours.", SeatTaken, ("Location",))},
    problems={
        400: ("idempotency_key.missing", "idempotency_key.malformed"),
        403: ("club.members_only",),
        409: (
            "seat.taken",
            "seat.kept",
            "seat.none_free",
            "seats.closed",
            "player.already_seated",
            "match.already_started",
            "ready.not_ahead",
        ),
        410: ("match.closed",),
        422: ("seat.unknown", "command.id_reused"),
    },
)


@post("/matches/{match:str}/seats", operation=_OPERATION)
async def sit(request: Http) -> ASGIResponse:
    """Take a seat and get its token."""
    parts, match, key = parts_of(request), match_of(request), secret_key(request)
    body = await read(request, _BODY)
    identity, access = parts.application.identity, access_of(request)
    bot, person = access.key, access.person
    holder = bot.id if bot is not None else person
    issued = identity.for_person(match, holder, key) if holder else identity.for_seat(match, key)
    invitation = identity.kept_for(match, person) if person and bot is None else ""
    submission = sitting(
        issued_caller("api", issued), match, body, program=bot is not None, invitation=invitation
    )
    head = await parts.application.reader.head(match)
    # A bot is not let in by its person's seat: a key never opens what its person sees.
    held = await with_club(parts, match, head.state, await asker_of(request, match) if person else None)
    if held.club:
        # Somebody outside takes no seat at a club's table, nor learns whether there is one.
        admitted(SIT, head, held)
    if bot is None:
        _require_no_other_seat(head.state, held, issued)
    remembered = is_acceptable(submission, head)
    if remembered:
        # Before the event: a token without its seat opens nothing, but a seat without its token blocks the table. A
        # refused request leaves no trace.
        await remember_seat(parts, issued, access)
    try:
        outcome = await carry_out(parts, submission)
    except (Explained, MatchClosed):
        # A private table tells strangers nothing once it plays, not even why they cannot sit there.
        admitted(SIT, head, held)
        raise
    if not remembered:  # the seat was freed just now, or this is a retry
        await remember_seat(parts, issued, access)
    position = outcome.position
    seat = seat_of(position.state, issued.player)
    if seat is None:
        raise SeatNotHeld(issued.player)
    return answer(
        SeatTaken(seat, "" if person else issued.token, outcome.last, view_for(position, seat)),
        201,
        {"Location": f"/api/v1/matches/{match}"},
    )


def _require_no_other_seat(state: Match, held: Held, issued: Issued) -> None:
    """Refuse a second seat to a person who got their first one by its token or a link, under another player's id.

    Raises:
        Refused: They have one.
    """
    seat = seat_of(state, held.seat) if held.seat and held.seat != issued.player else None
    if seat is not None:
        raise Refused("player.already_seated", "one seat for each player", seat=seat)


async def remember_seat(parts: Parts, issued: Issued, access: Access) -> None:
    """Let whoever got a seat, or asks for one, be recognised as its player."""
    application = parts.application
    if not access.person:
        await application.identity.remember(issued, "seat")
        return
    holder, bot = Holder(issued.match, issued.player, "seat"), access.key
    await application.memberships.collect(
        bot.id if bot is not None else access.person, holder, present_instant()
    )
    known = await application.persons.of(access.person)
    name = known.name if known is not None else ""
    if bot is not None:
        await application.names.give_bot(issued.player, bot.name, name)
    elif name:
        state = (await application.reader.head(issued.match)).state
        called = await seat_names(application.names, state, SOURCE)
        others = [one for one, seat in zip(called, state.seats, strict=True) if seat.player != issued.player]
        # Programs are not asked: at one table a name means one person.
        await application.names.give(issued.player, free_name(name, others))
