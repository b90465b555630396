"""``GET /matches``: the matches that the asker may see."""

import hashlib
import re
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import IF_NONE_MATCH, Answer, Operation, query_parameter
from api.pages.visits import Visit
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.headers import bearer, holds_none_match
from api.requests.instants import given_instant
from api.requests.queries import number, query
from api.routes.view import not_modified
from domain.errors import Malformed
from domain.games.registry import CURRENT, EXAMPLE
from domain.instants import Instant
from services.people.identity import Holder
from services.projections.listing import MatchFilter, Parts
from services.projections.matches import STATES, MatchRow

USUAL: Final = 50
MOST: Final = 200

_PLAYER: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}").fullmatch

_BOT: Final = re.compile(r"bot-[0-9]{1,3}").fullmatch


class MatchList(msgspec.Struct, frozen=True):
    """A page of matches.

    Attributes:
        matches: The matches, newest change first.
        next: The value of `after` for the next page; null if there is none. A page with fewer matches than were asked
            for may still have a next one.
        imported: Which of them somebody brought from elsewhere: their claims, not matches that were played here.
    """

    matches: tuple[MatchRow, ...]
    next: str | None
    imported: tuple[str, ...] = ()


_OPERATION: Final = Operation(
    id="listMatches",
    tag="tables",
    description=(
        "You see the matches that are open to spectators, and the private ones in which you have a part: with a "
        "seat's or the host's token its match, with a browser's session all of its tables. Rows hold nothing that is "
        "sealed. The list is a second behind at most."
    ),
    parameters=(
        query_parameter(
            "player",
            "Only matches in which this person has a seat, by the opaque id that views show.",
            {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
            "pk7m2vx5sqe4ngj6t3abd",
        ),
        query_parameter("game", "Only this game.", {"type": "string", "enum": sorted(CURRENT)}, EXAMPLE),
        query_parameter(
            "state", "Only matches in this state.", {"type": "string", "enum": STATES}, "playing"
        ),
        query_parameter(
            "since",
            "Only matches whose last event was accepted at this instant or later: RFC 3339 with a zone, or a "
            "day in UTC; from the year 1970 on.",
            {"type": "string"},
            "2026-11-29",
        ),
        query_parameter(
            "until",
            "Only matches whose last event was accepted before this instant.",
            {"type": "string"},
            "2026-11-30T00:00:00Z",
        ),
        query_parameter(
            "after",
            "The `next` of the previous page.",
            {"type": "string"},
            "1764445583123.vb56ltup7amwxyc4ab3n",
        ),
        query_parameter(
            "limit",
            f"The most matches to return, up to {MOST}.",
            {"type": "integer", "minimum": 1, "maximum": 999_999_999, "default": USUAL},
            "20",
        ),
        IF_NONE_MATCH,
    ),
    answers={
        200: Answer("The matches.", MatchList, ("ETag", "Cache-Control", "Vary")),
        304: Answer("The page that you have is still the right one.", headers=("ETag",)),
    },
    problems={400: ("query.malformed", "query.repeated", "list.after_malformed")},
)


@get("/matches", operation=_OPERATION)
async def list_matches(request: Http) -> ASGIResponse:
    """List matches, those that changed last first."""
    wanted, after, limit = _filter(request), query(request, "after"), number(request, "limit", USUAL, least=1)
    wanted = msgspec.structs.replace(wanted, seen_by=await _parts(request))
    page = await parts_of(request).application.listing.page(wanted, after, min(limit, MOST))
    body = MatchList(page.rows, page.next, await _imported(request, page.rows))
    tag = f'"{hashlib.sha256(msgspec.json.encode(body)).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}
    if holds_none_match(request, tag):
        return not_modified(headers)
    return answer(body, headers=headers)


async def _imported(request: Http, rows: Sequence[MatchRow]) -> tuple[str, ...]:
    matches = [row.match for row in rows]
    since = await parts_of(request).application.imported.since(matches)
    return tuple(match for match, instant in zip(matches, since, strict=True) if instant)


def _filter(request: Http) -> MatchFilter:
    player, game, state = (query(request, name) for name in ("player", "game", "state"))
    if player is not None and not _PLAYER(player):
        raise Malformed("query.malformed", "`player` is a player's id: 1 to 64 letters, digits, - _ and .")
    if player is not None and _BOT(player):
        raise Malformed(
            "query.malformed", f"`player` is a person: {player} is the name of a bot at every table."
        )
    if game is not None and game not in CURRENT:
        raise Malformed("query.malformed", f"`game` is one of: {', '.join(sorted(CURRENT))}.")
    known = next((one for one in STATES if one == state), None)
    if known != state:
        raise Malformed("query.malformed", f"`state` is one of: {', '.join(STATES)}.")
    return MatchFilter(player, game, known, _instant(request, "since"), _instant(request, "until"))


def _instant(request: Http, name: str) -> Instant | None:
    given = query(request, name)
    if given is None:
        return None
    instant = given_instant(given)
    if instant is None:
        raise Malformed(
            "query.malformed",
            f"`{name}` is an instant with its zone, such as 2026-11-29T18:00:00Z (write a + as %2B), or a day, "
            "from the year 1970 on.",
        )
    return instant


async def _parts(request: Http) -> Parts:
    """Return the private matches that the asker has a part in."""
    holders: list[Holder] = [membership.holder for membership in await Visit(request).memberships()]
    application, token = parts_of(request).application, bearer(request)
    person = access_of(request).person
    if person:
        holders += [membership.holder for membership in await application.memberships.of(person)]
    elif token is not None:
        holders.append(await application.identity.holder_anywhere(token))
    return Parts(
        frozenset(holder.match for holder in holders if holder.role == "host"),
        frozenset(holder.player for holder in holders if holder.role == "seat"),
    )
