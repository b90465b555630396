"""``/ops``: the matches that need attention, and the list of all of them."""

from collections.abc import Mapping, Sequence
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
from domain.instants import Instant, seconds_between
from services.bootstrap import present_instant
from services.log.event_store.checks import check_match
from services.people.player_names import PlayerNames
from services.projections.listing import MatchFilter
from services.projections.matches import STATES, MatchRow, State
from services.projections.standing import dead_letters
from services.watch.attention import attention
from services.watch.inspection.search import instant_said
from services.words.names import game_name, phase_name
from services.words.phrases import phrase, words_in

ROWS_SHOWN: Final = 50
"""How many matches a page lists."""

_FIELDS: Final = ("player", "game", "state", "since", "until")
_LONGEST: Final = 64
_SHOWN_OF_ID: Final = 8


class Seat(msgspec.Struct, frozen=True):
    """A seat in the list.

    Attributes:
        player: The opaque id that finds the person's matches; empty for bots and free seats.
        owes: Whether a move is owed there.
    """

    name: str
    player: str
    owes: bool


class Row(msgspec.Struct, frozen=True):
    """A match in the list.

    Attributes:
        seconds: How long ago its last event was accepted.
    """

    row: MatchRow
    game: str
    state: str
    seats: tuple[Seat, ...]
    seconds: float


@get("/")
async def show_matches(request: Http) -> ASGIResponse:
    """List the matches; or lead to the one that is asked for by its id."""
    visit = Visit(request)
    asked = {name: request.query_params.get(name, "").strip()[:_LONGEST] for name in ("match", *_FIELDS)}
    if asked["match"]:
        return see_other(f"/ops/m/{_checked(asked['match'])}")
    parts, now = visit.parts.application, present_instant()
    page = await parts.listing.page(_filter(asked), request.query_params.get("after") or None, ROWS_SHOWN)
    letters = await dead_letters(parts.log_client, parts.store.shards)
    needed = await attention(parts.store, parts.listing, letters, now)
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
        since=instant_said(asked["since"]) or None,
        until=instant_said(asked["until"]) or None,
    )


def _checked(match: str) -> str:
    check_match(match)
    return match


async def _rows(rows: Sequence[MatchRow], names: PlayerNames, language: str, now: Instant) -> list[Row]:
    people = list(dict.fromkeys(held.player for row in rows for held in row.players if held.kind == "person"))
    called = dict(zip(people, await names.of(people), strict=True))
    return [
        Row(
            row,
            game_name(row.game, language),
            phase_name(row.state, language),
            _seats(row, called, language),
            seconds_between(row.changed_at, now),
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
