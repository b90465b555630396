"""``/new``: choosing a game, then making a table for it, and sitting down there at once."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.pages.clubs.for_new_table import club_of_match, kept_seats, require_club, with_club
from api.pages.forms import Form, read_form
from api.pages.refusals import notice_of
from api.pages.rendering import page, see_other
from api.pages.scene import Notice
from api.pages.seat_counts import SeatCounts, counts_like, counts_of, usual_counts
from api.pages.sitting import chosen_value, new_secret_key, secret_key_of, take_seat
from api.pages.visits import Visit
from api.parts import Http
from api.requests.bodies import ClockBody, CreateMatchBody, without_defaults
from api.requests.queries import query
from api.requests.submissions import check, creation, issued_caller
from domain.errors import Malformed, Refused
from domain.games.registry import CURRENT
from domain.match.clock_terms import LIVE_BELOW
from domain.match.commands import Fork
from domain.match.decide_table import UNDO_POLICIES
from domain.match.levels import LEVELS
from services.bootstrap import present_instant
from services.errors import MatchClosed, NoSuchMatch
from services.log.event_store.checks import is_match_id
from services.matches.catalogue import GameDescription, OptionDescription, describe
from services.people.identity import Holder, Issued
from services.people.player_names import LONGEST_NAME
from services.words.names import game_name, level_line, level_name, option_name, rules_summary
from services.words.phrases import Phrase, phrase, words_in
from services.words.times import duration

_HOUR: Final = 3600
_DAY: Final = 86_400
_FRIENDS: Final = 2
"""How many people a form proposes to who wants to invite somebody, themselves among them."""

CLOCKS: Final = (
    *(0, 30, 60, 120, 300, 600, 1800),
    *(hours * _HOUR for hours in (1, 4, 8, 12)),
    *(days * _DAY for days in (1, 2, 3, 5, 7, 10, 14)),
)
"""Seconds for each turn that the form offers; 0 for no clock."""

BANKS: Final = (0, 60, 300, 1800, _HOUR, 12 * _HOUR, _DAY, 3 * _DAY, 7 * _DAY, 14 * _DAY)
"""Seconds in the bank that the form offers."""

ABSENCES: Final[Mapping[str, Phrase]] = {
    "stand_in-2": phrase("a bot plays this turn; after two in a row, until they return"),
    "stand_in-1": phrase("a bot plays until they return"),
    "stand_in-4": phrase("a bot plays this turn; after four in a row, until they return"),
    "turn-2": phrase("a bot plays each of these turns"),
    "forfeit-2": phrase("a bot plays this turn; after two in a row they give up"),
    "forfeit-4": phrase("a bot plays this turn; after four in a row they give up"),
}
"""What the form offers for people without time: what happens, and after how many turns in a row."""


@get("/new")
async def show_form(request: Http) -> ASGIResponse:
    """Show the games, or the form for a table of one of them."""
    visit = Visit(request)
    like = query(request, "like")
    chosen: dict[str, Any] = await _like(visit, like) if like else {"game": query(request, "game") or ""}
    club = await club_of_match(visit, like) if like else query(request, "club") or ""
    if query(request, "with") == "friends":
        chosen["counts"] = SeatCounts(_FRIENDS, dict.fromkeys(LEVELS, 0))
    return _form_page(visit, await with_club(visit, {"name": await visit.name(), **chosen}, club))


@post("/new")
async def make_table(request: Http) -> ASGIResponse:
    """Make a table; or show its form again with another number of people or bots."""
    visit = Visit(request)
    form = await read_form(visit)
    if step := form.text("step"):
        chosen = await with_club(visit, _chosen(form, step), form.text("club"))
        return _form_page(visit, chosen, stepped=step)
    try:
        return await _made(visit, form, _body(form), _counts(form))
    except Refused as refusal:
        return await _refused_page(visit, form, refusal)


@post("/play")
async def play_now(request: Http) -> ASGIResponse:
    """Make a private table against bots and begin, without a form."""
    visit = Visit(request)
    form = await read_form(visit)
    game = CURRENT.get(form.text("game"))
    if game is None:
        return _form_page(visit, await with_club(visit, {"game": ""}, ""))
    counts = usual_counts(describe(game).seats)
    body = CreateMatchBody(game.key, counts.seats, visibility="private")
    try:
        return await _made(visit, form, body, counts)
    except Refused as refusal:
        return await _refused_page(visit, form, refusal)


async def _made(visit: Visit, form: Form, body: CreateMatchBody, counts: SeatCounts) -> ASGIResponse:
    issued = visit.parts.application.identity.for_new_match(secret_key_of(form))
    club, first = form.text("club"), 0 if counts.my_seat is None else counts.my_seat + 1
    kept = await kept_seats(visit, club, form.texts("member"), issued.match, first)
    await create_table(visit, issued, body, club=club, kept=kept)
    if counts.my_seat is not None:
        await take_seat(visit, issued.match, form, counts.my_seat, ready=True)
    return see_other(f"/m/{issued.match}")


async def _refused_page(visit: Visit, form: Form, refusal: Refused) -> ASGIResponse:
    game = form.text("game")
    notice, status = notice_of(refusal, visit.language, game if game in CURRENT else "")
    chosen = await with_club(visit, _chosen(form), form.text("club"))
    return _form_page(visit, chosen, notice, status)


def _body(form: Form) -> CreateMatchBody:
    game = form.text("game")
    options: dict[str, str | int] = {}
    if game in CURRENT:
        for option in describe(CURRENT[game]).options:
            given = form.text(f"option-{option.name}")
            chosen = next((value for value in option.allowed if str(value) == given), option.default)
            if chosen != option.default:
                options[option.name] = chosen
    body = CreateMatchBody(
        game=game,
        options=options,
        seats=_counts(form).seats,
        clock=_clock(form),
        undo=form.text("undo"),
        visibility=form.text("visibility", "private"),
        rematch_of=_rematch_of(form) or None,
        start=form.text("start", "ready"),
        friendly=bool(form.text("friendly")),
    )
    return without_defaults(body)


def _counts(form: Form) -> SeatCounts:
    game = CURRENT.get(form.text("game"))
    counts = counts_of(form, 0 if game is None else game.seats[1])
    wanted = len(set(form.texts("member"))) if form.text("club") else 0
    # Whoever names more members than there are seats for people wants seats for them.
    return msgspec.structs.replace(counts, people=max(counts.people, wanted + counts.plays if wanted else 0))


def _clock(form: Form) -> ClockBody:
    per_turn = form.number("clock", 0)
    if not per_turn:
        return ClockBody()
    absent, _, misses = form.text("absent", "stand_in-2").partition("-")
    rests = bool(form.text("rests")) and per_turn >= LIVE_BELOW
    number = int(misses) if misses.isdecimal() and len(misses) == 1 else 0
    return without_defaults(ClockBody(per_turn, form.number("bank", 0), absent, number, rests))


def _rematch_of(form: Form) -> str:
    # It goes into the log, which everybody can read: an id, and nothing else.
    match = form.text("rematch_of")
    if match and not is_match_id(match):
        raise Malformed("form.malformed", "rematch_of is no match's id.")
    return match


async def create_table(
    visit: Visit,
    issued: Issued,
    body: CreateMatchBody,
    fork: Fork | None = None,
    club: str = "",
    kept: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Make a table whose host this browser's person is; for a club, if one is named.

    Raises:
        Refused: The table cannot be made so; nothing is kept of it.
        NoSuchClub: They are not in the club.
        ClubRoleNeeded: Their role there does not allow it.
    """
    parts = visit.parts.application
    submission = creation(issued_caller("page", issued), issued.match, body, fork, kept)
    check(submission)
    if club:
        await require_club(visit, club)
    host = Holder(issued.match, issued.player, "host")
    person = await visit.become_person("")
    await parts.memberships.collect(person, host, present_instant())
    if club:
        await parts.clubs.tables.record(club, issued.match, present_instant())
    await parts.service.execute(submission)


def _chosen(form: Form, step: str = "") -> dict[str, Any]:
    fields = {
        name: form.text(name)
        for name in (
            "game",
            "clock",
            "bank",
            "absent",
            "rests",
            "undo",
            "visibility",
            "start",
            "friendly",
            "name",
            "rematch_of",
        )
    }
    game = CURRENT.get(fields["game"])
    if game is None:
        return fields
    options = {option.name: form.text(f"option-{option.name}") for option in describe(game).options}
    counts = _counts(form)
    return {
        **fields,
        "counts": counts.stepped(step, game.seats[1]) if step else counts,
        "options": options,
        "picked": form.texts("member"),
    }


async def _like(visit: Visit, match: str) -> dict[str, Any]:
    """Return what to fill a form with, for another match like one that was played."""
    try:
        state = (await visit.parts.application.reader.head(match)).state
    except (NoSuchMatch, MatchClosed):
        return {"game": ""}
    terms = state.terms
    if terms is None:
        return {"game": ""}
    return {
        "game": terms.game,
        "counts": counts_like(state.seats),
        "options": {name: str(value) for name, value in terms.options.items()},
        "clock": str(terms.clock.per_turn),
        "bank": str(terms.clock.bank),
        "absent": f"{terms.clock.absent}-{terms.clock.misses}",
        "rests": "yes" if terms.clock.rests else "",
        "undo": terms.undo,
        "visibility": terms.visibility,
        "start": terms.start,
        "friendly": "yes" if terms.friendly else "",
        "rematch_of": match,
    }


def _form_page(
    visit: Visit,
    chosen: Mapping[str, Any],
    notice: Notice | None = None,
    status: int = 200,
    stepped: str = "",
) -> ASGIResponse:
    language, game = visit.language, CURRENT.get(chosen["game"])
    if game is None:
        games = [(key, game_name(key, language), rules_summary(key, language)[0]) for key in sorted(CURRENT)]
        return page(visit, "games.html", status=status, games=games, club=chosen["club"])
    described = describe(game)
    return page(
        visit,
        "new.html",
        status=status,
        game=described,
        game_name=game_name(game.key, language),
        counts=chosen.get("counts") or usual_counts(described.seats),
        stepped=stepped,
        levels=[(level, level_name(level, language), level_line(level, language)) for level in LEVELS],
        options=[_option(visit, described, option) for option in described.options],
        clocks=times_to_choose(CLOCKS, chosen.get("clock"), phrase("no limit"), language),
        banks=times_to_choose(BANKS, chosen.get("bank"), phrase("nothing"), language),
        absences=[(value, words_in(language).say(text)) for value, text in ABSENCES.items()],
        policies=UNDO_POLICIES,
        chosen={"options": {}, **chosen},
        notice=notice,
        key=new_secret_key(),
        longest_name=LONGEST_NAME,
        here=f"/new?game={game.key}",
    )


def times_to_choose(
    offered: Sequence[int], chosen: str | None, none: Phrase, language: str
) -> list[tuple[int, str]]:
    """Return times with their words; one that was chosen elsewhere is offered, too."""
    also = (int(chosen),) if chosen and chosen.isdecimal() and int(chosen) not in offered else ()
    return [
        (seconds, duration(seconds, language) if seconds else words_in(language).say(none))
        for seconds in sorted((*offered, *also))
    ]


def _option(visit: Visit, game: GameDescription, option: OptionDescription) -> dict[str, Any]:
    language = visit.language
    return {
        "name": option.name,
        "label": option_name(game.key, option.name, language),
        "default": str(option.default),
        "values": [
            (str(value), chosen_value(game.key, option.name, value, language)) for value in option.allowed
        ],
    }
