"""Loading what a table's page needs, for who asks."""

import hashlib
import secrets
from asyncio import gather
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from api.pages.offers import offers_of, open_requests
from api.pages.outcomes import outcome_of
from api.pages.plan_offers import PlanOffer, plan_offers
from api.pages.scene import Notice, Scene, last_move_of
from api.pages.visits import Visit
from api.permissions.admission import access_of, admitted
from api.permissions.clubs import with_club
from api.permissions.rules import LOOK
from api.requests.addresses import public_address
from api.requests.inboxes import inbox_of
from api.requests.rematches import rematch_of
from domain.errors import Refused
from domain.instants import Instant, milliseconds_of
from domain.match.evolve import game_of
from domain.match.fold import Position
from domain.match.state import OVER, Match
from domain.match.view import MatchView, match_view, viewer_of
from services.bootstrap import present_instant
from services.bootstrap.notices import nudging
from services.matches.former_holders import former_holders
from services.matches.history import lines_of
from services.matches.plans import KeptPlan
from services.matches.seat_names import seat_names
from services.notices.nudging import Nudged
from services.people.memberships import Held
from services.words.notices import deadline_words
from services.words.times import duration, lapse, time_left

LINES_SHOWN = 90
"""From how many events a table's page tells; all of them are one link away. More than eight seats make in two turns."""

_DIGITS: Final = 10

READ_COOKIE: Final = "tablee_read"
"""Up to which version this browser's reader has read the sheets that lay over a match."""


_COUNTED = 3600 * 1000


class Table(msgspec.Struct, frozen=True):
    """A match with the reader's part in it.

    Attributes:
        position: The match at its head.
        held: As whom the reader's session acts.
        seat: The seat that they hold now.
        names: How the seats are called.
    """

    position: Position
    held: Held
    seat: int | None
    names: tuple[str, ...]


async def table_of(visit: Visit, match: str, position: Position | None = None) -> Table:
    """Return a match as a visitor may see it: as it stood when they were let in, unless a position is given.

    Raises:
        NoSuchMatch: There is none with this id.
        MatchPrivate: It shows itself only to those who sit at it.
    """
    asker = access_of(visit.request)
    if position is not None or asker.position is None or asker.position.match != match:
        held = await visit.held(match)
        if position is None:
            position = await visit.parts.application.reader.head(match)
        asker = admitted(LOOK, position, await with_club(visit.parts, match, position.state, held))
    return Table(asker.at, asker.held or Held(), asker.seat, await names_at(visit, asker.at.state))


async def names_at(visit: Visit, state: Match) -> tuple[str, ...]:
    """Return how the seats of a match are called on a visitor's pages."""
    return await seat_names(visit.parts.application.names, state, visit.language)


async def scene_of(
    visit: Visit,
    table: Table,
    *,
    choice: str = "",
    notice: Notice | None = None,
    lines: int = LINES_SHOWN,
    until: int | None = None,
    read: int | None = None,
) -> Scene:
    """Return what a table shows now, with the history lines of some events up to a version; up to now if left out."""
    position = table.position
    state, viewer = position.state, viewer_of(position.state, table.seat)
    view = match_view(position, viewer)
    store = visit.parts.application.store
    now = present_instant()
    last = position.version if until is None else until
    is_over = state.lifecycle.phase in OVER
    over = is_over and table.seat is not None
    await visit.person()  # once for all that is asked side by side
    about_reader = gather(
        visit.zone(),
        _plans(visit, table),
        _kept_for(visit, position.match, state),
        waiting_elsewhere(visit, position.match),
        _nudges(visit, table, live=until is None),
        _note_look(visit, table, live=until is None),
    )
    (zone, (kept, plans), kept_for_me, elsewhere, nudges, _), entries, newcomers, has_rematch = await gather(
        about_reader,
        store.read(position.match, after=max(0, last - lines), last=last),
        _newcomers(visit, state),
        _has_rematch(visit, position.match, over=over),
    )
    seat = next(iter(view.to_act), None) if view.viewer not in view.to_act else view.viewer
    application = visit.parts.application
    former = await former_holders(application.reader, application.names, position, entries, visit.language)
    told = tuple(lines_of(entries, viewer, view.terms.game, table.names, visit.language, former))
    scene = Scene(
        view=view,
        names=table.names,
        language=visit.language,
        rematch_key=secrets.token_hex(16) if over else "",
        asking_key=_asking_key(visit, position.match, state) if _may_ask(state, table.seat) else "",
        newcomers=newcomers,
        has_rematch=has_rematch,
        lines=told,
        former=former,
        kept_for_me=kept_for_me,
        form_token=visit.form_token,
        is_host=bool(table.held.host),
        offers=offers_of(state, table.seat, now),
        requests=open_requests(state, table.seat, table.held.seat),
        choice=choice,
        notice=notice,
        address=address_of_match(visit, position.match),
        waiting_elsewhere=elsewhere,
        time_left=time_shown(view, seat, zone, now, visit.language),
        briefly_left=_briefly_left(view, seat, now, visit.language),
        counted=_counted(view, seat, now),
        bank=_bank(view, seat, visit.language),
        plans=plans,
        nudges=nudges,
        plan_waits=kept is not None and kept.suspended,
        now=now,
        zone=zone,
        read=_read(visit) if read is None else read,
        preferences=visit.preferences,
        outcome=await outcome_of(visit, position, table.seat, table.names)
        if is_over and until is None
        else None,
    )
    return scene if until is not None else await _looking_back(visit, table, scene)


async def _looking_back(visit: Visit, table: Table, scene: Scene) -> Scene:
    """Return a scene with the positions that it is compared with: after the reader's last move, at the round's end."""

    async def at(version: int) -> MatchView:
        position = await visit.parts.application.reader.at(scene.view.match, version)
        return match_view(position, viewer_of(table.position.state, table.seat))

    before = last_move_of(scene.lines, scene.seat) if scene.is_live and scene.seat is not None else 0
    ended = scene.scored
    return replace(
        scene,
        before=await at(before) if 0 < before < scene.view.version else None,
        ended=await at(ended.version) if ended is not None and (scene.is_over or scene.sheet) else None,
    )


def _read(visit: Visit) -> int:
    given = visit.request.cookies.get(READ_COOKIE, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < _DIGITS else 0


async def _kept_for(visit: Visit, match: str, state: Match) -> tuple[int, ...]:
    """Return the seats that a table keeps for the reader."""
    person = await visit.person()
    invitation = visit.parts.application.identity.kept_for(match, person) if person else ""
    return tuple(number for number, seat in enumerate(state.seats) if seat.kept and seat.kept == invitation)


def _asking_key(visit: Visit, match: str, state: Match) -> str:
    """Return the key of the form that asks for a seat: the same until somebody asks, so that no typing is lost."""
    said = f"ask {visit.form_token} {match} {state.asked_for}"
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _may_ask(state: Match, seat: int | None) -> bool:
    return state.lifecycle.phase == "playing" and seat is None


async def _newcomers(visit: Visit, state: Match) -> dict[str, str]:
    """Return how those are called who ask for a seat, by request."""
    asking = [request for request in state.requests if request.player]
    names = await visit.parts.application.names.of([request.player for request in asking])
    return {request.id: name for request, name in zip(asking, names, strict=True) if name}


async def _has_rematch(visit: Visit, match: str, *, over: bool) -> bool:
    if not over:
        return False
    try:
        return (await rematch_of(visit.parts, match)).position is not None
    except Refused:
        return False


async def waiting_elsewhere(visit: Visit, match: str) -> int:
    """Return how many other tables wait for the reader."""
    person = await visit.person()
    if not person:
        return 0
    _, inbox = await inbox_of(visit.parts.application, person)
    return sum(table.match != match for table in inbox.turns)


async def _note_look(visit: Visit, table: Table, *, live: bool) -> None:
    """Take note that the reader has seen their table as it stands now."""
    if live and table.held.person and (table.seat is not None or table.held.host):
        position = table.position
        over = position.state.lifecycle.phase in OVER
        await visit.parts.application.looks.note(
            table.held.person, position.match, position.version, over=over
        )


async def _plans(visit: Visit, table: Table) -> tuple[KeptPlan | None, tuple[PlanOffer, ...]]:
    """Return the reader's plan, and what they may plan."""
    state = table.position.state
    if table.seat is None or state.terms is None or state.lifecycle.phase != "playing":
        return None, ()
    game = game_of(state.terms)
    if not game.plan_types or state.seats[table.seat].kind != "person" or state.seats[table.seat].resigned:
        return None, ()
    kept = await visit.parts.application.plans.of(table.position.match, state.seats[table.seat].player)
    return kept, plan_offers(game, kept, visit.language)


async def _nudges(visit: Visit, table: Table, *, live: bool) -> tuple[Nudged, ...]:
    """Return whom the reader may nudge."""
    if not live or table.seat is None or table.position.state.lifecycle.phase in OVER:
        return ()
    return await nudging(visit.parts.application).offered(table.position, table.seat)


def time_shown(view: MatchView, seat: int | None, zone: ZoneInfo, now: Instant, language: str) -> str:
    """Return until when a seat has time, where the reader lives, and how long that is; empty for no limit."""
    if view.expires:
        return time_left(view.expires, now, language)
    deadline = view.deadlines.get(str(seat))
    return deadline_words(deadline, zone, now, language) if deadline else ""


def _counted(view: MatchView, seat: int | None, now: Instant) -> int | None:
    """Return how many milliseconds a seat has left, if that is less than an hour: only then seconds matter."""
    left = _left(view, seat, now)
    return left if left is not None and 0 < left < _COUNTED else None


def _briefly_left(view: MatchView, seat: int | None, now: Instant, language: str) -> str:
    left = _left(view, seat, now)
    return "" if left is None or left <= 0 else lapse(left - left % 1000, language)


def _left(view: MatchView, seat: int | None, now: Instant) -> int | None:
    """Return how many milliseconds a seat has left; below zero when that is over, None without a limit."""
    deadline = view.deadlines.get(str(seat))
    return milliseconds_of(deadline) - milliseconds_of(now) if deadline else None


def _bank(view: MatchView, seat: int | None, language: str) -> str:
    seconds = view.bank.get(str(seat), 0)
    return duration(seconds, language) if seconds else ""


def address_of_match(visit: Visit, match: str) -> str:
    """Return the address of a match as others can be told."""
    return public_address(visit.request, f"/m/{match}")
