"""Deciding by a rule: who somebody is at a match, and whether the rule admits them there."""

from typing import Any, Final, NoReturn, cast

import msgspec
from litestar.connection import ASGIConnection

from api.permissions.refusals import MatchPrivate, TokenMissing
from api.permissions.rules import LOOK, Phase, Role, Rule, Shown
from domain.match.fold import Position
from domain.match.state import Match
from services.errors import ClubMembersOnly, NotAllowed, SeatNotHeld
from services.matches.service import seat_of
from services.people.memberships import Held
from services.people.program_keys import ProgramKey

_NAME: Final = "access"


class Access(msgspec.Struct, frozen=True):
    """Who was let in to a route, and what was looked up for it.

    Attributes:
        person: The person; empty for whoever proved something else, or nothing.
        held: Who they are at the match; None for somebody without a token.
        position: The match at its head, where the rule needed it.
        seat: The seat that they hold; None for a spectator.
        host: Whether they made the table.
        player: As whom they command.
        key: The key with which a program of the person's acts.
    """

    person: str = ""
    held: Held | None = None
    position: Position | None = None
    seat: int | None = None
    host: bool = False
    player: str = ""
    key: ProgramKey | None = None

    @property
    def at(self) -> Position:
        """The match that is looked at."""
        if self.position is None:
            raise LookupError("the rule of this route is about no match")
        return self.position


def admitted(rule: Rule, position: Position, held: Held | None) -> Access:
    """Let somebody in to a match by a rule; None stands for somebody without a token.

    Raises:
        SeatNotHeld: Their token is a seat's that they no longer hold.
        TokenMissing: They gave none, and need one.
        NotAllowed: The rule does not admit them.
    """
    state = position.state
    seat = seat_of(state, held.seat) if held is not None and held.seat else None
    if held is not None and held.seat and seat is None and not held.person:
        raise SeatNotHeld(held.seat)
    for one in (LOOK, rule):
        if not _admits(one, state, held or Held(), seat):
            _refuse(rule if held is None and rule.needs_proof else one, held)
    is_host = held is not None and bool(held.host)
    return Access("" if held is None else held.person, held, position, seat, is_host)


def admits(rule: Rule, state: Match, held: Held, phase: str = "") -> bool:
    """Tell whether a rule admits somebody to a match, now or in another phase."""
    return _admits(rule, state, held, seat_of(state, held.seat) if held.seat else None, phase)


def acting(rule: Rule, held: Held | None) -> Access:
    """Let somebody in who gives a command as the seat or the host that a rule names.

    Whether they still sit there is looked up with the command: between two looks they could stand up.

    Raises:
        TokenMissing: They gave no token.
        NotAllowed: They have no such part in the match.
    """
    if held is None or rule.acts_as is None or not held.player(rule.acts_as):
        _refuse(rule, held)
    return Access(held.person, held, player=held.player(rule.acts_as))


def _refuse(rule: Rule, held: Held | None) -> NoReturn:
    if held is None and rule.needs_proof:
        raise TokenMissing
    if held is not None and held.club and rule.refusal is MatchPrivate:
        raise ClubMembersOnly
    raise rule.refusal or NotAllowed


def _admits(rule: Rule, state: Match, held: Held, seat: int | None, phase: str = "") -> bool:
    if rule.cells is None or state.terms is None:
        return True
    at = cast("Phase", phase or state.lifecycle.phase)
    shown = cast("Shown", "club" if held.club else state.terms.visibility)
    return not _roles(state, held, seat).isdisjoint(rule.cells[shown, at])


def _roles(state: Match, held: Held, seat: int | None) -> frozenset[Role]:
    roles: set[Role] = {"nobody"}
    if held.host:
        roles.add("host")
    if held.club == "theirs":
        roles.add("club")
    if held.has_imported:
        roles.add("importer")
    if seat is not None:
        roles.add("seat")
        people = sum(other.kind == "person" for other in state.seats)
        if people == 1 and state.terms is not None and state.terms.undo == "practice":
            roles.add("alone")
    return frozenset(roles)


def let_in(connection: "ASGIConnection[Any, Any, Any, Any]", access: Access) -> None:
    """Note who was let in, for the handler."""
    connection.scope.setdefault("state", {})[_NAME] = access


def access_of(connection: "ASGIConnection[Any, Any, Any, Any]") -> Access:
    """Return who was let in to the route of a request."""
    access: Access = connection.scope.get("state", {}).get(_NAME) or Access()
    return access
