"""``/ops``: the matches that need attention, and the list of all of them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, get_args
from urllib.parse import urlencode

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.ops.concerns import told
from api.ops.installation import installation_of, loops_of
from api.ops.rendering import ops_page
from api.pages.rendering import see_other
from api.pages.visits import Visit
from api.parts import Http
from domain.errors import Malformed
from domain.games.registry import CURRENT
from domain.instants import Instant, instant_of, seconds_between
from services.bootstrap import present_instant
from services.log.event_store.checks import check_match
from services.people.player_names import PlayerNames
from services.projections.listing import MatchFilter
from services.projections.matches import STATES, MatchRow, State
from services.projections.standing import parked
from services.watch.attention import attention
from services.words.names import game_name, phase_name
from services.words.phrases import phrase, words_in

ROWS_SHOWN: Final = 50
"""How many matches a page lists."""

_FIELDS: Final = ("player", "game", "state", "since", "until")
_LONGEST: Final = 64
_SHOWN_OF_ID: Final = 8
_YEARS: Final = range(1970, 9999)
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class Seat(msgspec.Struct, frozen=True):
    """A seat in the list.

    Attributes:
        name: Who sits there.
        player: The opaque id by which his matches are found; empty for bots and free seats.
        owes: Whether a move is owed there.
    """

    name: str
    player: str
    owes: bool


class Row(msgspec.Struct, frozen=True):
    """A match in the list.

    Attributes:
        match: Its id.
        game: The game's name.
        state: How far it is.
        round: The round; 0 before the first.
        seats: Who plays.
        version: The number of its events.
        changed_at: When the last of them was accepted.
        seconds: How long ago that was.
        archived: Whether it is in the archive.
        due: When it next needs somebody, in milliseconds since the epoch; None for never.
    """

    match: str
    game: str
    state: str
    round: int
    seats: tuple[Seat, ...]
    version: int
    changed_at: Instant
    seconds: float
    archived: bool
    due: int | None


@get("/")
async def show_matches(request: Http) -> ASGIResponse:
    """List the matches; or lead to the one that is asked for by its id."""
    visit = Visit(request)
    asked = {name: request.query_params.get(name, "").strip()[:_LONGEST] for name in ("match", *_FIELDS)}
    if asked["match"]:
        return see_other(f"/ops/m/{_checked(asked['match'])}")
    parts, now = visit.parts.application, present_instant()
    page = await parts.listing.page(_filter(asked), request.query_params.get("after") or None, ROWS_SHOWN)
    dead_letters = await parked(parts.log_client, parts.store.shards)
    needed = await attention(parts.store, parts.listing, dead_letters, now)
    given = {name: asked[name] for name in _FIELDS if asked[name]}
    return ops_page(
        request,
        "matches.html",
        loops=await loops_of(parts, now),
        durability=visit.parts.durability.verdict,
        installation=await installation_of(visit.parts),
        concerns=[told(one, visit.language, now) for one in needed.concerns],
        is_complete=needed.is_complete,
        rows=await _rows(page.rows, parts.names, visit.language, now),
        asked=asked,
        is_filtered=bool(given),
        is_first="after" not in request.query_params,
        first="/ops?" + urlencode(given) if given else "/ops",
        more="/ops?" + urlencode(given | {"after": page.next}) if page.next else "",
        games=sorted((key, game_name(key, visit.language)) for key in CURRENT),
        states=[(state, phase_name(state, visit.language)) for state in STATES],
    )


def _filter(asked: Mapping[str, str]) -> MatchFilter:
    game, state = asked["game"], asked["state"]
    if state and state not in get_args(State):
        raise Malformed("list.state_unknown", "The state is one of gathering, playing, finished, abandoned.")
    return MatchFilter(
        player=asked["player"] or None,
        game=game or None,
        state=next((known for known in STATES if known == state), None),
        since=_instant(asked["since"]),
        until=_instant(asked["until"]),
    )


def _instant(given: str) -> Instant | None:
    if not given:
        return None
    try:
        moment = datetime.fromisoformat(given)
    except ValueError:
        moment = _NEVER
    if moment.year not in _YEARS:
        raise Malformed("list.time_malformed", "A time is written as in 2026-11-29T18:30, in UTC.")
    return instant_of(moment.replace(tzinfo=moment.tzinfo or UTC))


def _checked(match: str) -> str:
    check_match(match)
    return match


async def _rows(rows: Sequence[MatchRow], names: PlayerNames, language: str, now: Instant) -> list[Row]:
    people = list(dict.fromkeys(held.player for row in rows for held in row.players if held.kind == "person"))
    called = dict(zip(people, await names.of(people), strict=True))
    return [
        Row(
            match=row.match,
            game=game_name(row.game, language),
            state=phase_name(row.state, language),
            round=row.round or 0,
            seats=_seats(row, called, language),
            version=row.version,
            changed_at=row.changed_at,
            seconds=seconds_between(row.changed_at, now),
            archived=row.archived,
            due=row.due,
        )
        for row in rows
    ]


def _seats(row: MatchRow, called: Mapping[str, str], language: str) -> tuple[Seat, ...]:
    words = words_in(language)
    return tuple(
        Seat(
            name=called.get(held.player)
            or words.say(_NAMELESS[held.kind], number=held.seat + 1, player=held.player[:_SHOWN_OF_ID]),
            player=held.player if held.kind == "person" else "",
            owes=held.seat in row.asked,
        )
        for held in row.players
    )


_NAMELESS: Final = {
    "empty": phrase("Seat {number} (free)"),
    "person": phrase("Player {number} ({player})"),
    "bot": phrase("Bot {number}"),
}
