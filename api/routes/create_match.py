"""``POST /matches``: making a table."""

from typing import Final

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.answering.answers import MatchCreated, answer, view_for
from api.document.example import chosen_options
from api.document.operations import SECRET_KEY, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of, admitted
from api.permissions.clubs import with_club
from api.permissions.rules import FORK
from api.requests.authentication import asker_of
from api.requests.bodies import CreateMatchBody, ForkBody, read
from api.requests.commands import carry_out, position_of
from api.requests.headers import secret_key
from api.requests.submissions import Caller, creation, is_acceptable, issued_caller
from domain.errors import Malformed
from domain.games.registry import EXAMPLE
from domain.match.commands import Fork
from services.bootstrap import present_instant
from services.people.identity import Holder

_BODY: Final = msgspec.json.Decoder(CreateMatchBody)

REFUSED_TERMS: Final = (
    "game.unknown",
    "seats.number",
    "options.invalid",
    "bot.unknown_level",
    "undo.unknown_policy",
    "visibility.unknown",
    "start.unknown",
    "clock.out_of_range",
    "clock.bank_out_of_range",
    "clock.misses_out_of_range",
    "clock.absent_unknown",
    "clock.needs_turns",
    "clock.too_quick_for_rests",
)
"""Codes of what a new table cannot have."""


_OPERATION: Final = Operation(
    id="createMatch",
    tag="tables",
    description=(
        "Bots sit down at once; people's seats wait for them. The answer holds the host's token, which "
        "can end the match early. The match begins by itself when everybody is ready, or, if you choose so (`start`), "
        "when the host starts it. A host who wants to play sits down like everybody else. A table can begin with "
        "a position of another match (`fork`): one that is over, or your own practice match, whose seat token you "
        "then send as `Authorization`."
    ),
    parameters=(SECRET_KEY,),
    body=CreateMatchBody,
    examples={
        "you against two bots": {"game": EXAMPLE, "seats": [{}, {"bot": "normal"}, {"bot": "hard"}]},
        "a game of four with another option, a day for each turn and three in the bank": {
            "game": EXAMPLE,
            "seats": [{}, {}, {}, {}],
            "options": chosen_options(EXAMPLE),
            "clock": {"per_turn": 86_400, "bank": 3 * 86_400, "rests": True},
        },
        "another way to go on": {
            "game": EXAMPLE,
            "seats": [{}, {"bot": "normal"}],
            "fork": {"match": "vb56ltup7amwxyc4ab3n", "version": 40, "same_cards": False, "seat": 0},
        },
    },
    answers={201: Answer("The table is made.", MatchCreated, ("Location",))},
    problems={
        400: ("idempotency_key.missing", "idempotency_key.malformed"),
        403: ("fork.not_allowed", "match.private", "seat.not_held"),
        404: ("match.unknown", "version.unknown"),
        409: ("match.exists",),
        410: ("match.closed",),
        422: (
            "rules.unknown",
            "seat.unknown",
            "fork.nothing_to_play",
            "fork.other_seats",
            "fork.other_game",
            *REFUSED_TERMS,
            "command.id_reused",
        ),
    },
)


@post("/matches", operation=_OPERATION)
async def create_match(request: Http) -> ASGIResponse:
    """Make a table and become its host."""
    parts, key = parts_of(request), secret_key(request)
    body = await read(request, _BODY)
    _check_fork(body)
    identity, person = parts.application.identity, access_of(request).person
    issued = identity.for_new_match(key)
    fork = await _fork(request, body.fork, issued.command_id) if body.fork is not None else None
    submission = creation(issued_caller("api", issued), issued.match, body, fork)
    if is_acceptable(submission):
        # Before the event: a token without its match opens nothing, but a match without its token never starts. A
        # refused table leaves no trace.
        if person:
            holder = Holder(issued.match, issued.player, "host")
            await parts.application.memberships.collect(person, holder, present_instant())
        else:
            await identity.remember(issued, "host")
    outcome = await carry_out(parts, submission)
    view = view_for(outcome.position, None)
    return answer(
        MatchCreated(issued.match, outcome.last, "" if person else issued.token, view),
        201,
        {"Location": f"/api/v1/matches/{issued.match}"},
    )


def _check_fork(body: CreateMatchBody) -> None:
    if body.fork is not None and (body.options or body.rules):
        raise Malformed(
            "body.malformed", "With `fork`, `options` and `rules` are the other match's: leave them out."
        )


async def _fork(request: Http, body: ForkBody, key: str) -> Fork:
    parts, held = parts_of(request), await asker_of(request, body.match)
    position = await parts.application.reader.head(body.match)
    admitted(FORK, position, await with_club(parts, body.match, position.state, held))
    caller = Caller("api", held.seat or held.host if held is not None else "", key)
    return await position_of(parts, body, caller)
