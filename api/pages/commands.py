"""The forms of a table: what a press of a button there commands."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple, Union

import msgspec
from litestar import post
from litestar.response.base import ASGIResponse

from api.entrance.refused_commands import note_code, note_command
from api.pages.forms import Form, asks_for_fragment, read_form
from api.pages.games import page_of
from api.pages.refusals import notice_of
from api.pages.rendering import see_other
from api.pages.scene import Notice
from api.pages.table_pages import fragment, table_page
from api.pages.tables import Table, scene_of, table_of
from api.pages.visits import Visit
from api.parts import Http
from api.requests.authentication import HostTokenNeeded, SeatTokenNeeded
from api.requests.bodies import fingerprint
from api.requests.commands import NO_SEAT_YET, match_of
from domain.errors import Malformed, TableeError
from domain.games.contract import Move
from domain.games.registry import GAMES
from domain.match.command_handler import CommandMetadata
from domain.match.commands import (
    AbandonMatch,
    AnswerRequest,
    AskToEnd,
    BeReady,
    Command,
    HandSeatToBot,
    LeaveSeat,
    PlayMove,
    ReclaimSeat,
    RedoMove,
    ResignSeat,
    StartMatch,
    UndoMove,
    WithdrawRequest,
)
from domain.match.fold import Position
from domain.match.state import Terms
from services.errors import NoSuchMatch
from services.matches.service import Submission
from services.people.identity import Role
from services.process.service_log import current_correlation
from services.words.misfits import misfit_of

DOOR: Final = "page"

_NONCE: Final = re.compile(r"[A-Za-z0-9_-]{1,128}").fullmatch


class Button(NamedTuple):
    """What a form commands.

    Attributes:
        role: As whom.
        command: Makes the command of the form.
    """

    role: Role
    command: Callable[[Form], Command]


def _request_id(form: Form) -> str:
    return form.text("request")


def _nonce(form: Form) -> str:
    # It goes into the log, as the one that comes in by the API.
    nonce = form.text("nonce")
    if nonce and not _NONCE(nonce):
        raise Malformed("form.malformed", "nonce is not of 1 to 128 letters, digits, - and _.")
    return nonce


_BUTTONS: Final[Mapping[str, Button]] = {
    "ready": Button("seat", lambda form: BeReady(NO_SEAT_YET, _nonce(form))),
    "leave": Button("seat", lambda _: LeaveSeat(NO_SEAT_YET)),
    "start": Button("host", lambda _: StartMatch()),
    "abandon": Button("host", lambda _: AbandonMatch("host")),
    "resign": Button("seat", lambda _: ResignSeat(NO_SEAT_YET)),
    "hand-to-bot": Button("seat", lambda _: HandSeatToBot(NO_SEAT_YET)),
    "reclaim": Button("seat", lambda _: ReclaimSeat(NO_SEAT_YET)),
    # The turn that the page showed, not the last one of the moment at which the form arrives.
    "undo": Button(
        "seat", lambda form: UndoMove(NO_SEAT_YET, form.command_id(), form.number("to", 0) or None)
    ),
    "redo": Button("seat", lambda _: RedoMove(NO_SEAT_YET)),
    "ask-to-end": Button("seat", lambda form: AskToEnd(NO_SEAT_YET, form.command_id())),
    "answer": Button(
        "seat", lambda form: AnswerRequest(NO_SEAT_YET, _request_id(form), form.text("agree") == "yes")
    ),
    "withdraw": Button("seat", lambda form: WithdrawRequest(NO_SEAT_YET, _request_id(form))),
}


@post("/m/{match:str}/move")
async def make_move(request: Http) -> ASGIResponse:
    """Make a move."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    terms = await _terms_of(visit, match)

    def commanded() -> tuple[Command, Role, int]:
        said = _move(terms, page_of(terms.game).read_move(form))
        return PlayMove(NO_SEAT_YET, said), "seat", form.number("version")

    return await _carried_out(visit, match, form, commanded)


@post("/m/{match:str}/{action:str}")
async def press(request: Http) -> ASGIResponse:
    """Do what a button of the table says."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    button = _BUTTONS.get(request.path_params["action"])
    if button is None:
        raise NoSuchMatch(match)
    return await _carried_out(visit, match, form, lambda: (button.command(form), button.role, None))


async def _carried_out(
    visit: Visit, match: str, form: Form, commanded: Callable[[], tuple[Command, Role, int | None]]
) -> ASGIResponse:
    """Carry out a command and show the table after it; what is refused is explained on the table."""
    notice, position, status = None, None, 200
    note_command(visit.request, form.text("key"))
    try:
        command, role, if_match = commanded()
        position = await _execute(visit, match, form.command_id(), command, role, if_match)
    except TableeError as error:
        note_code(visit.request, error.code)
        notice, status = notice_of(error, visit.language, await _game_of(visit, match))
    return await answer_with_table(visit, match, position, notice, status)


async def _execute(
    visit: Visit, match: str, key: str, command: Command, role: Role, if_match: int | None
) -> Position:
    held = await visit.held(match)
    player = held.player(role)
    if not player:
        raise HostTokenNeeded if role == "host" else SeatTokenNeeded
    submission = Submission(
        match=match,
        command=command,
        metadata=CommandMetadata(player, DOOR, key, None, current_correlation() or ""),
        fingerprint=fingerprint(type(command).__name__, match, command),
        if_match=if_match,
        player=player if role == "seat" else "",
    )
    outcome = await visit.parts.application.service.execute(submission)
    if outcome.duplicate:
        # Sent twice: what the table shows is not how it stood then, but how it stands.
        return await visit.parts.application.reader.head(match)
    return outcome.position


async def answer_with_table(
    visit: Visit, match: str, position: Position | None, notice: Notice | None, status: int
) -> ASGIResponse:
    """Answer a form of a table: the live module gets the parts, a browser without it is sent to the page."""
    is_live = asks_for_fragment(visit.request)
    if not is_live and notice is None:
        return see_other(f"/m/{match}")
    table: Table = await table_of(visit, match, position)
    scene = await scene_of(visit, table, notice=notice)
    return fragment(scene, status) if is_live else table_page(visit, scene, status)


async def _terms_of(visit: Visit, match: str) -> Terms:
    reader = visit.parts.application.reader
    # Terms never change: what is remembered of them is true however old it is.
    position = reader.remembered(match) or await reader.head(match)
    if position.state.terms is None:
        raise NoSuchMatch(match)
    return position.state.terms


async def _game_of(visit: Visit, match: str) -> str:
    return (await _terms_of(visit, match)).game


def _move(terms: Terms, said: Mapping[str, Any]) -> Move:
    try:
        move: Move = msgspec.convert(said, _moves_of(terms.game, terms.rules))
    except msgspec.ValidationError as error:
        cards = GAMES[terms.game, terms.rules].cards
        raise misfit_of(error, said, _moves_of(terms.game, terms.rules), "move.malformed", cards) from None
    return move


@cache
def _moves_of(game: str, rules: int) -> Any:
    return Union[GAMES[game, rules].move_types]  # noqa: UP007 - put together at run time
