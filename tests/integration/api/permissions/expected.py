"""What the table of permissions says about somebody at a match, worked out without the code that decides it."""

from typing import Final

from api.permissions.rules import IN_CLUB, LOOK, SIT, Rule
from domain.match.state import OVER
from services.people.program_keys import SCOPES
from tests.integration.api.permissions.house import Asker, Place

STATUS: Final = {
    "token.missing": 401,
    "token.unknown": 401,
    "match.unknown": 404,
    "match.closed": 410,
    "club.unknown": 404,
}
"""Of refusals; all others are 403."""


def refusal(rule: Rule, asker: Asker, place: Place, *, page: bool = False) -> str:
    """Return the code with which a rule refuses somebody at a match; empty if it lets them in."""
    if not page and (told := _of_token(rule, asker)):
        return told
    if rule.cells is None:
        return _of_person(rule, asker, page=page)
    # Who commands over the API is looked up before the match.
    if (page or rule.acts_as is None) and not place.is_at_hand:
        return "match.closed" if place.is_known else "match.unknown"
    if rule.acts_as is not None:
        return _of_command(rule, asker, place)
    return _of_match(rule, asker, place)


def _of_token(rule: Rule, asker: Asker) -> str:
    if not rule.proofs:
        return ""
    if asker.proves in SCOPES:
        return _of_key(rule, asker)
    if asker.proves == "false" or (rule.cells is not None and rule != SIT and asker.proves == "elsewhere"):
        return "token.unknown"
    return "token.missing" if rule.needs_proof and asker.proves == "nothing" else ""


def _of_key(rule: Rule, asker: Asker) -> str:
    if rule.cells is not None:
        return "key.other_scope" if asker.proves == "inbox" else ""
    if "keyToken" in rule.proofs:
        return ""
    return "token.person_needed" if rule.needs_proof else "token.unknown"


def _of_person(rule: Rule, asker: Asker, *, page: bool) -> str:
    if not rule.needs_proof:
        return ""
    if "keyToken" in rule.proofs and asker.proves in SCOPES:
        return ""
    if asker.proves != "person":
        return "club.unknown" if page and rule == IN_CLUB else "token.person_needed"
    return "club.unknown" if rule == IN_CLUB and asker.name != "a person in the club" else ""


def _of_command(rule: Rule, asker: Asker, place: Place) -> str:
    if rule.acts_as in asker.roles:
        return ""
    if asker.was_there and rule.acts_as == "seat":
        # Whether they still sit there is looked up with the command.
        return "match.closed" if place.phase in OVER else "seat.not_held"
    return _code(rule)


def _of_match(rule: Rule, asker: Asker, place: Place) -> str:
    if asker.was_there and asker.proves == "match" and rule != SIT:
        return "seat.not_held"
    for one in (LOOK, rule):
        assert one.cells is not None
        if (asker.roles | {"nobody"}).isdisjoint(one.cells[place.shown, place.phase]):
            told = _code(one)
            return "club.members_only" if (place.shown, told) == ("club", "match.private") else told
    return ""


def _code(rule: Rule) -> str:
    assert rule.refusal is not None
    return rule.refusal.code
