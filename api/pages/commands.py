"""The forms of a table: what a press of a button there commands."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

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
from api.permissions.admission import acting, admits
from api.permissions.clubs import with_club
from api.permissions.rules import LOOK, SEAT, Rule
from api.permissions.table import API, rule_of
from api.requests.bodies import Body
from api.requests.commands import match_of
from api.requests.submissions import Caller, moving
from api.requests.table_commands import TABLE_COMMANDS
from domain.errors import TableeError
from domain.games.contract import Move
from domain.games.registry import GAMES, move_type
from domain.match.fold import Position
from services.errors import NoSuchMatch
from services.matches.service import Submission
from services.words.misfits import misfit_of

B = TypeVar("B", bound=Body)

_FIELDS: Final[Mapping[str, Callable[[Form], object]]] = {
    "agree": lambda form: form.text("agree") == "yes",
    # The turn that the page showed, not the last one of the moment at which the form arrives.
    "seat": lambda form: form.number("seat"),
    "to": lambda form: form.number("to") if form.text("to") else None,
    "seconds": lambda form: form.number("seconds", 0),
}
"""Fields of bodies that are no texts. What is None is left out."""


@post("/m/{match:str}/move")
async def make_move(request: Http) -> ASGIResponse:
    """Make a move."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    terms = await visit.parts.application.reader.terms(match)

    async def submitted() -> Submission:
        player = await _player(visit, match, SEAT)
        said = page_of(terms.game).read_move(form)
        game = GAMES[terms.game, terms.rules]
        move: Move = _converted(said, move_type(game), "move.malformed", game.cards)
        version, key = form.number("version"), form.command_id()
        return moving(Caller("page", player, key), match, move, version)

    return await _carried_out(visit, match, form, submitted)


@post("/m/{match:str}/{action:str}")
async def press(request: Http) -> ASGIResponse:
    """Do what a button of the table says."""
    visit, match = Visit(request), match_of(request)
    form = await read_form(visit)
    command = TABLE_COMMANDS.get(request.path_params["action"])
    if command is None:
        raise NoSuchMatch(match)
    rule = rule_of("POST", f"{API}/matches/{{match}}/{command.path}")

    async def submitted() -> Submission:
        player = await _player(visit, match, rule)
        body, key = _body(form, command.body), form.command_id()
        return command.submission(Caller("page", player, key), match, body, form.text("request"))

    return await _carried_out(visit, match, form, submitted)


async def _carried_out(
    visit: Visit, match: str, form: Form, submitted: Callable[[], Awaitable[Submission]]
) -> ASGIResponse:
    """Carry out a command and show the table after it; what is refused is explained on the table."""
    note_command(visit.request, form.text("key"))
    parts = visit.parts.application
    try:
        outcome = await parts.service.execute(await submitted())
        await parts.persons.keep(await visit.person())
        # Sent twice: what the table shows is not how it stood then, but how it stands.
        position = await parts.reader.head(match) if outcome.duplicate else outcome.position
    except TableeError as error:
        return await refused_on_table(visit, match, error)
    return await answer_with_table(visit, match, position, None, 200)


async def refused_on_table(visit: Visit, match: str, error: TableeError) -> ASGIResponse:
    """Explain on a table what was refused there.

    Raises:
        TableeError: The visitor may not see the table; they are told the same on a page of its own.
    """
    note_code(visit.request, error.code)
    position = await visit.parts.application.reader.head(match)
    state = position.state
    if not admits(LOOK, state, await with_club(visit.parts, match, state, await visit.held(match))):
        raise error
    game = "" if state.terms is None else state.terms.game
    return await answer_with_table(visit, match, position, *notice_of(error, visit.language, game))


async def _player(visit: Visit, match: str, rule: Rule) -> str:
    return acting(rule, await visit.held(match)).player


async def answer_with_table(
    visit: Visit, match: str, position: Position | None, notice: Notice | None, status: int
) -> ASGIResponse:
    """Answer a form of a table: the live module gets the parts, a browser without it is sent to the page."""
    is_live = asks_for_fragment(visit.request)
    if not is_live and notice is None:
        return see_other(f"/m/{match}")
    table: Table = await table_of(visit, match, position)
    scene = await scene_of(visit, table, notice=notice)
    return fragment(scene, status) if is_live else await table_page(visit, scene, status)


def _body(form: Form, kind: type[B]) -> B:
    """Return what a request to the API would say in its body."""
    said = {
        name: _FIELDS[name](form) if name in _FIELDS else form.text(name) or None
        for name in kind.__struct_fields__
    }
    told = {name: value for name, value in said.items() if value is not None}
    body: B = _converted(told, kind, "form.malformed")
    return body


def _converted(said: Mapping[str, Any], kind: Any, code: str, cards: Sequence[str | int] = ()) -> Any:
    try:
        return msgspec.convert(said, kind)
    except msgspec.ValidationError as error:
        raise misfit_of(error, said, kind, code, cards) from None
