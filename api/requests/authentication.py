"""Who asks: a bearer token's holder or person."""

from api.parts import Http, parts_of
from api.permissions.refusals import KeyOfOtherScope, PersonTokenNeeded, TokenMissing
from api.requests.headers import bearer
from services.bootstrap import present_instant
from services.errors import Unauthenticated
from services.people.memberships import Held
from services.people.program_keys import PREFIX, ProgramKey


async def asker_of(request: Http, match: str) -> Held | None:
    """Return who the request's sender is at a match, by a token of the match or a person's own.

    Returns:
        None for a request without a token.

    Raises:
        Unauthenticated: The token opens nothing at this match.
        StoreUnavailable: The store did not answer.
    """
    token = _token(request)
    if token is None:
        return None
    application = parts_of(request).application
    if token.startswith(PREFIX):
        key = await _key(request, token)
        if key.scope != "bot":
            raise KeyOfOtherScope
        seat = (await application.memberships.held(key.id, match)).seat
        return Held(seat, person=key.person, is_program=True)
    holder = await application.identity.find(token)
    if holder is not None:
        if holder.match != match:
            raise Unauthenticated
        return Held(holder.player) if holder.role == "seat" else Held(host=holder.player)
    person = await application.sessions.person(token, present_instant())
    if not person:
        raise Unauthenticated
    return await application.memberships.held(person, match)


async def person_of(request: Http) -> str:
    """Return the person whose own token the request carries; empty without one, or with a token of a match.

    Raises:
        Unauthenticated: The token opens nothing.
        StoreUnavailable: The store did not answer.
    """
    token = _token(request)
    if token is None:
        return ""
    application = parts_of(request).application
    person = await application.sessions.person(token, present_instant())
    if not person and await application.identity.find(token) is None:
        raise Unauthenticated
    return person


async def key_of(request: Http) -> ProgramKey | None:
    """Return the key with which a program of a person's sends the request; None if it comes with something else.

    Raises:
        Unauthenticated: The key was revoked, or never made.
        StoreUnavailable: The store did not answer.
    """
    token = _token(request)
    return await _key(request, token) if token is not None and token.startswith(PREFIX) else None


async def required_person(request: Http) -> str:
    """Return the person whose own token the request carries.

    Raises:
        Unauthenticated: It carries none, or one that opens nothing.
        PersonTokenNeeded: It is the token of a seat or a host.
        StoreUnavailable: The store did not answer.
    """
    if bearer(request) is None:
        raise TokenMissing
    if await key_of(request) is not None:
        raise PersonTokenNeeded
    person = await person_of(request)
    if not person:
        raise PersonTokenNeeded
    return person


async def _key(request: Http, token: str) -> ProgramKey:
    key = await parts_of(request).application.keys.of_secret(token, present_instant())
    if key is None:
        raise Unauthenticated
    return key


def _token(request: Http) -> str | None:
    token = bearer(request)
    if token == "":
        raise Unauthenticated
    return token
