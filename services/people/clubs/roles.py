"""What everybody may do in a club: one table, of which refusals, pages and documents are made."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

Role = Literal["guest", "member", "host"]
"""What somebody is in a club."""

Standing = Literal["guest", "member", "host", "operator"]
"""The same, or the operator of the installation, who belongs to no club."""

Action = Literal[
    "see",
    "watch",
    "sit",
    "leave",
    "make_tables",
    "make_leagues",
    "run_leagues",
    "invite",
    "set_terms",
    "give_roles",
    "remove",
    "pass_on",
    "close",
    "list_clubs",
]

ROLES: Final[tuple[Role, ...]] = get_args(Role)
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)

_INSIDE: Final[frozenset[Standing]] = frozenset({"guest", "member", "host"})

RIGHTS: Final[Mapping[Action, frozenset[Standing]]] = {
    "see": _INSIDE | {"operator"},
    "watch": _INSIDE,
    "sit": _INSIDE,
    "leave": _INSIDE,
    "make_tables": frozenset({"member", "host"}),
    "make_leagues": frozenset({"member", "host"}),
    "run_leagues": frozenset({"host"}),
    "invite": frozenset({"host", "operator"}),
    "set_terms": frozenset({"host"}),
    "give_roles": frozenset({"host", "operator"}),
    "remove": frozenset({"host"}),
    "pass_on": frozenset({"host"}),
    "close": frozenset({"host", "operator"}),
    "list_clubs": frozenset({"operator"}),
}
"""By action, who may do it. ``services/words/clubs.py`` says what each means."""


def may(standing: Standing | None, action: Action) -> bool:
    """Tell whether somebody may do something; None stands for somebody who is not in the club."""
    return standing in RIGHTS[action]


def rights_of(standing: Standing | None) -> tuple[Action, ...]:
    """Return what somebody may do."""
    return tuple(action for action in RIGHTS if may(standing, action))
