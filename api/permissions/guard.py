"""The guard before every handler: it lets in whom the row of the route admits, and refuses all others."""

import re
from typing import Any, Final, cast

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from api.ops.access import NotAnOperator
from api.ops.rendering import is_marked
from api.pages.forms import WITH_FILE, read_form, require_from_here
from api.pages.visits import Visit
from api.parts import Http, parts_of
from api.permissions.admission import Access, acting, admitted, let_in
from api.permissions.clubs import require_in_club, with_club
from api.permissions.refusals import KeyOfOtherScope, PersonTokenNeeded, TokenMissing
from api.permissions.rules import IN_CLUB, OPERATOR, READER, SIT, Rule
from api.permissions.table import API, rule_of
from api.requests.authentication import asker_of, key_of, person_of, required_person
from api.requests.commands import match_of
from api.routes.metrics import require_reader
from domain.errors import BrokenLog
from domain.match.fold import Position
from services.errors import NoSuchClub
from services.people.memberships import Held

_VERSION: Final = re.compile(r"[0-9]{1,15}").fullmatch


async def permit(connection: "ASGIConnection[Any, Any, Any, Any]", _: BaseRouteHandler) -> None:
    """Let a request in, or raise what it is to be told: a guard of Litestar's."""
    request = cast("Http", connection)
    path = request.scope["path_template"]
    if request.method == "OPTIONS":
        return
    rule = rule_of(request.method, path)
    if rule == OPERATOR and not is_marked(request):
        raise NotAnOperator
    if rule == READER:
        require_reader(request, parts_of(request).settings)
    if path.startswith(f"{API}/"):
        let_in(request, await _by_token(request, rule))
        return
    if request.method == "POST" and rule.only_our_forms:
        await (require_from_here if path in WITH_FILE else read_form)(Visit(request))
    await Visit(request).look_up_preferences()
    let_in(request, await _by_session(request, rule))


async def _by_token(request: Http, rule: Rule) -> Access:
    if (rule == SIT or rule.cells is None) and "keyToken" in rule.proofs:
        key = await key_of(request)
        if key is not None and rule == SIT and key.scope != "bot":
            raise KeyOfOtherScope
        if key is not None:
            return Access(key.person, key=key)
    if rule.cells is None and rule.needs_proof:
        person = await required_person(request)
        if rule == IN_CLUB:
            await require_in_club(request, person)
        return Access(person)
    # Who sits down may be sending again what was carried out already: whom the match refuses is refused there.
    if rule.cells is None or rule == SIT:
        return Access(await person_of(request)) if rule.proofs else Access()
    match = match_of(request)
    held = await asker_of(request, match)
    if rule.acts_as is not None:
        return acting(rule, held)
    if held is None and rule.needs_proof:
        raise TokenMissing
    return await _admitted(request, rule, match, held)


async def _by_session(request: Http, rule: Rule) -> Access:
    visit = Visit(request)
    if rule.cells is None and rule.needs_proof:
        person = await visit.person()
        if not person:
            raise NoSuchClub if rule == IN_CLUB else PersonTokenNeeded
        if rule == IN_CLUB:
            await require_in_club(request, person)
        return Access(person)
    # What a button of a table commands is refused on the table, by the same rule.
    if rule.cells is None or rule.acts_as is not None:
        return Access()
    match = match_of(request)
    return await _admitted(request, rule, match, await visit.held(match))


async def _admitted(request: Http, rule: Rule, match: str, held: Held | None) -> Access:
    position = await _position(request, match)
    return admitted(rule, position, await with_club(parts_of(request), match, position.state, held))


async def _position(request: Http, match: str) -> Position:
    """Return the match at its head, or at a broken log's last good event if the wanted version is no later.

    That position decides who may see what, as if nothing had happened since.
    """
    reader = parts_of(request).application.reader
    try:
        return await reader.head(match)
    except BrokenLog as broken:
        wanted = request.path_params.get("version", "")
        if not (_VERSION(wanted) and 1 <= int(wanted) < broken.version):
            raise
        return await reader.at(match, broken.version - 1)
