"""The table of permissions: one row for each route. A route without a row is not served.

A row is the method, the address and the rule. ``HEAD`` goes with ``GET``. All forms of pages must also come from a page
of ours (see :mod:`api.pages.forms`).
"""

from collections.abc import Iterator, Mapping
from typing import Final

from litestar import Litestar
from litestar.routes import HTTPRoute

from api.permissions.rules import (
    ADDRESS,
    COACH,
    COMMAND,
    EVERYBODY,
    FORK,
    HOST,
    IN_CLUB,
    INBOX,
    INVITED,
    LINK,
    LOOK,
    NEWCOMER,
    OPERATOR,
    OWN,
    PERSON,
    READER,
    SEAT,
    SIT,
    TALK,
    Rule,
)

API: Final = "/api/v1"

_API_ROWS: Final[Mapping[str, Rule]] = {
    "GET /games": EVERYBODY,
    "GET /games/{key}": EVERYBODY,
    "GET /openapi.json": EVERYBODY,
    "GET /docs": EVERYBODY,
    "GET /digests": EVERYBODY,
    "GET /digests.atom": EVERYBODY,
    "GET /digests/{number}": EVERYBODY,
    "GET /health/live": EVERYBODY,
    "GET /health/ready": EVERYBODY,
    # People
    "POST /me": NEWCOMER,
    "GET /me": PERSON,
    "PATCH /me": PERSON,
    "DELETE /me": PERSON,
    "POST /me/sessions": NEWCOMER,
    "GET /me/links/{link}": LINK,
    "POST /me/links": PERSON,
    "DELETE /me/links": PERSON,
    "GET /me/recovery-code": PERSON,
    "POST /me/recovery-code": PERSON,
    "DELETE /me/recovery-code": PERSON,
    "GET /me/devices": PERSON,
    "DELETE /me/devices": PERSON,
    "DELETE /me/devices/{device}": PERSON,
    "POST /me/passkeys/options": PERSON,
    "GET /me/passkeys": PERSON,
    "POST /me/passkeys": PERSON,
    "PATCH /me/passkeys/{passkey}": PERSON,
    "DELETE /me/passkeys/{passkey}": PERSON,
    "POST /me/sessions/options": NEWCOMER,
    "GET /me/file": PERSON,
    "GET /me/rests": PERSON,
    "PUT /me/rests": PERSON,
    "GET /me/notices": PERSON,
    "PATCH /me/notices": PERSON,
    # Clubs
    "POST /clubs": PERSON,
    "GET /clubs": PERSON,
    "GET /clubs/{club}": IN_CLUB,
    "PATCH /clubs/{club}": IN_CLUB,
    "DELETE /clubs/{club}": IN_CLUB,
    "PATCH /clubs/{club}/members/{member}": IN_CLUB,
    "DELETE /clubs/{club}/members/{member}": IN_CLUB,
    "POST /clubs/{club}/invitations": IN_CLUB,
    "GET /clubs/{club}/invitations": IN_CLUB,
    "DELETE /clubs/{club}/invitations/{invitation}": IN_CLUB,
    "GET /clubs/{club}/channel": IN_CLUB,
    "PUT /clubs/{club}/channel": IN_CLUB,
    "PATCH /clubs/{club}/channel": IN_CLUB,
    "DELETE /clubs/{club}/channel": IN_CLUB,
    "GET /clubs/{club}/tables": IN_CLUB,
    "POST /clubs/{club}/tables": IN_CLUB,
    "GET /clubs/{club}/standings": IN_CLUB,
    "GET /clubs/{club}/leagues": IN_CLUB,
    "POST /clubs/{club}/leagues": IN_CLUB,
    "GET /clubs/{club}/leagues/{league}": IN_CLUB,
    "POST /clubs/{club}/leagues/{league}/entrants": IN_CLUB,
    "DELETE /clubs/{club}/leagues/{league}/entrants/{member}": IN_CLUB,
    "POST /clubs/{club}/leagues/{league}/asked": IN_CLUB,
    "POST /clubs/{club}/leagues/{league}/begin": IN_CLUB,
    "POST /clubs/{club}/leagues/{league}/call-off": IN_CLUB,
    "POST /clubs/{club}/leagues/{league}/tables/{table}/end": IN_CLUB,
    "POST /clubs/{club}/leagues/{league}/tables/{table}/again": IN_CLUB,
    "GET /clubs/{club}/records": IN_CLUB,
    "GET /invitations/{code}": INVITED,
    "POST /invitations/{code}": PERSON,
    "GET /me/contacts": PERSON,
    "POST /me/contacts": PERSON,
    "POST /me/contacts/{channel}/{contact}/confirm": PERSON,
    "DELETE /me/contacts/{channel}/{contact}": PERSON,
    "GET /me/turns": INBOX,
    "GET /me/matches": PERSON,
    "GET /me/bookmarks": PERSON,
    "PUT /me/bookmarks/{match}/{version}": LOOK,
    "DELETE /me/bookmarks/{match}/{version}": PERSON,
    "GET /me/keys": PERSON,
    "POST /me/keys": PERSON,
    "DELETE /me/keys/{key_id}": PERSON,
    # Tables
    "GET /matches": OWN,
    "POST /matches": NEWCOMER,
    "POST /matches/{match}/ask-for-seat": LOOK,
    "POST /matches/{match}/seats": SIT,
    "POST /matches/{match}/seats/{seat}/links": HOST,
    "POST /matches/{match}/ready": SEAT,
    "POST /matches/{match}/announce": SEAT,
    "POST /matches/{match}/leave": SEAT,
    "POST /matches/{match}/resign": SEAT,
    "POST /matches/{match}/hand-to-bot": SEAT,
    "POST /matches/{match}/reclaim": SEAT,
    "POST /matches/{match}/start": HOST,
    "POST /matches/{match}/keep": HOST,
    "POST /matches/{match}/open-seat": HOST,
    "POST /matches/{match}/rematch": SEAT,
    "POST /matches/{match}/abandon": HOST,
    "POST /matches/{match}/undo": SEAT,
    "POST /matches/{match}/redo": SEAT,
    "POST /matches/{match}/ask-to-end": SEAT,
    "POST /matches/{match}/ask-to-pause": SEAT,
    "POST /matches/{match}/ask-to-resume": SEAT,
    "POST /matches/{match}/give-time": SEAT,
    "POST /matches/{match}/requests/{request_id}/answer": SEAT,
    "POST /matches/{match}/requests/{request_id}/withdraw": SEAT,
    "POST /matches/{match}/moves": SEAT,
    "GET /matches/{match}/plan": SEAT,
    "PUT /matches/{match}/plan": SEAT,
    "DELETE /matches/{match}/plan": SEAT,
    "POST /matches/{match}/nudge": SEAT,
    "GET /matches/{match}/talk": TALK,
    "POST /matches/{match}/talk": TALK,
    "PATCH /matches/{match}/talk": TALK,
    "DELETE /matches/{match}/talk/{message}": TALK,
    "POST /matches/{match}/talk/mute": TALK,
    # Looking
    "GET /matches/{match}": LOOK,
    "GET /matches/{match}/at/{version}": LOOK,
    "GET /matches/{match}/events": LOOK,
    "GET /matches/{match}/moments": LOOK,
    "GET /matches/{match}/replay": LOOK,
    "GET /matches/{match}/difference": LOOK,
    "GET /matches/{match}/stream": LOOK,
}

_OTHER_ROWS: Final[Mapping[str, Rule]] = {
    "GET /health/live": EVERYBODY,
    "GET /health/ready": EVERYBODY,
    "GET /metrics": READER,
    # Pages
    "GET /": OWN,
    "GET /next": OWN,
    "GET /me/keys": OWN,
    "POST /me/keys": OWN,
    "POST /me/keys/revoke": OWN,
    "GET /next/count": OWN,
    "POST /language": EVERYBODY,
    "POST /guide": EVERYBODY,
    "POST /me/display": EVERYBODY,
    "GET /new": EVERYBODY,
    "POST /new": NEWCOMER,
    "POST /play": NEWCOMER,
    "GET /rules": EVERYBODY,
    "GET /rules/{game}": EVERYBODY,
    "GET /help/keys": EVERYBODY,
    "GET /static/{given}/{name}": EVERYBODY,
    "GET /sw.js": EVERYBODY,
    "GET /me/stream": OWN,
    "POST /me/tokens": LINK,
    "GET /me/matches": OWN,
    "GET /me/bookmarks": OWN,
    "POST /me/bookmarks/remove": PERSON,
    "GET /b/{share}": LINK,
    "GET /me/rests": OWN,
    "POST /me/rests": OWN,
    "GET /me/notices": OWN,
    "POST /me/notices": OWN,
    "GET /feeds/{secret}/atom.xml": ADDRESS,
    "GET /feeds/{secret}/calendar.ics": ADDRESS,
    "GET /stop/{channel}/{secret}": ADDRESS,
    "POST /stop/{channel}/{secret}": ADDRESS,
    "GET /me/contacts": PERSON,
    "POST /me/contacts/mail": PERSON,
    "POST /me/contacts/webhook": PERSON,
    "POST /me/contacts/push": PERSON,
    "POST /me/contacts/{channel}/{contact}/confirm": PERSON,
    "POST /me/contacts/{channel}/{contact}/remove": PERSON,
    "GET /confirm/{secret}": LINK,
    "POST /confirm/{secret}": LINK,
    "GET /s/{token}": LINK,
    "POST /s/{token}": LINK,
    "GET /back": EVERYBODY,
    "POST /back": LINK,
    "POST /back/mail": EVERYBODY,
    "POST /back/code": LINK,
    "POST /back/passkey/options": EVERYBODY,
    "POST /back/passkey": LINK,
    "GET /me": OWN,
    "POST /me": PERSON,
    "GET /me/link": PERSON,
    "POST /me/link": PERSON,
    "POST /me/link/revoke": PERSON,
    "GET /me/code": PERSON,
    "POST /me/code": PERSON,
    "POST /me/later": PERSON,
    "POST /me/leave": PERSON,
    "GET /me/file": PERSON,
    "GET /me/erase": PERSON,
    "POST /me/erase": PERSON,
    "GET /me/devices": PERSON,
    "POST /me/devices": PERSON,
    "POST /me/passkeys/options": PERSON,
    "POST /me/passkeys": PERSON,
    "POST /me/passkeys/{passkey}/name": PERSON,
    "POST /me/passkeys/{passkey}/remove": PERSON,
    "GET /privacy": EVERYBODY,
    # Clubs' pages
    "GET /c": OWN,
    "POST /c": NEWCOMER,
    "GET /c/{club}": IN_CLUB,
    "POST /c/{club}/leave": IN_CLUB,
    "GET /c/{club}/records": IN_CLUB,
    "GET /c/{club}/records.csv": IN_CLUB,
    "GET /c/{club}/standings": IN_CLUB,
    "GET /c/{club}/standings.csv": IN_CLUB,
    "GET /c/{club}/leave": EVERYBODY,
    "GET /c/{club}/close": EVERYBODY,
    "GET /c/{club}/invitations": EVERYBODY,
    "GET /c/{club}/settings": IN_CLUB,
    "POST /c/{club}/settings": IN_CLUB,
    "GET /c/{club}/channel": EVERYBODY,
    "POST /c/{club}/channel": IN_CLUB,
    "POST /c/{club}/invitations": IN_CLUB,
    "POST /c/{club}/invitations/{invitation}": IN_CLUB,
    "POST /c/{club}/members/{member}": IN_CLUB,
    "POST /c/{club}/close": IN_CLUB,
    "GET /i/{code}": INVITED,
    "POST /i/{code}": INVITED,
    # Tables' pages
    "GET /m/{match}": LOOK,
    "GET /m/{match}/fragment": LOOK,
    "GET /m/{match}/history": LOOK,
    "POST /m/{match}/nudge": SEAT,
    "GET /m/{match}/talk": TALK,
    "POST /m/{match}/talk": TALK,
    "GET /m/{match}/replay": LOOK,
    "POST /m/{match}/bookmark": LOOK,
    "GET /m/{match}/changes": LOOK,
    "GET /m/{match}/proof": LOOK,
    "GET /m/{match}/file": LOOK,
    "GET /m/{match}/sit": LOOK,
    "POST /m/{match}/sit": SIT,
    "POST /m/{match}/rematch": SEAT,
    "POST /m/{match}/ask-for-seat": LOOK,
    "GET /m/{match}/coach": COACH,
    "GET /m/{match}/fork": FORK,
    "POST /m/{match}/fork": FORK,
    "GET /m/{match}/link": LOOK,
    "POST /m/{match}/link": HOST,
    "POST /m/{match}/plan": SEAT,
    "POST /m/{match}/go-on": LOOK,
    "GET /m/{match}/move": EVERYBODY,
    "POST /m/{match}/move": SEAT,
    "GET /m/{match}/{action}": EVERYBODY,
    "POST /m/{match}/{action}": COMMAND,
    # The operator's pages
    "GET /ops/enter/{link}": LINK,
    "POST /ops/enter/{link}": LINK,
    "GET /ops": OPERATOR,
    "GET /ops/keys": OPERATOR,
    "POST /ops/leave": OPERATOR,
    "GET /ops/queues": OPERATOR,
    "POST /ops/queues/retry": OPERATOR,
    "POST /ops/queues/discard": OPERATOR,
    "POST /ops/queues/rebuild": OPERATOR,
    "POST /ops/queues/notices": OPERATOR,
    "GET /ops/m/{match}": OPERATOR,
    "POST /ops/m/{match}/unseal": OPERATOR,
    "GET /ops/m/{match}/reissue": OPERATOR,
    "POST /ops/m/{match}/reissue": OPERATOR,
    "GET /ops/m/{match}/events": OPERATOR,
    "GET /ops/m/{match}/e/{version}": OPERATOR,
    "GET /ops/m/{match}/e/{version}/raw": OPERATOR,
    "GET /ops/m/{match}/tail": OPERATOR,
    "GET /ops/m/{match}/tail/rows": OPERATOR,
    "GET /ops/m/{match}/tail/stream": OPERATOR,
}


RULES: Final[Mapping[str, Rule]] = {
    **{row.replace(" ", f" {API}", 1): rule for row, rule in _API_ROWS.items()},
    **_OTHER_ROWS,
}
"""By method and address, such as ``GET /m/{match}``."""


class RouteWithoutRow(Exception):
    """A route has no row in the table of permissions: nobody has said who may use it."""


def rule_of(method: str, path: str) -> Rule:
    """Return the rule of a route.

    Raises:
        RouteWithoutRow: It has none.
    """
    rule = RULES.get(f"{method} {path}")
    if rule is None:
        raise RouteWithoutRow(f"Say in api/permissions/table.py who may use {method} {path}.")
    return rule


def routes_of(app: Litestar) -> Iterator[tuple[str, str]]:
    """Yield method and address of every route of an application."""
    for route in app.routes:
        methods = route.methods if isinstance(route, HTTPRoute) else {"other"}
        yield from ((method, route.path_format) for method in sorted(methods) if method != "OPTIONS")


def require_rows(app: Litestar) -> None:
    """Make sure that every route of an application has its row.

    Raises:
        RouteWithoutRow: One has none.
    """
    for method, path in routes_of(app):
        rule_of(method, path)
