"""The rules of who may do what. Each route of the table has one of them."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from api.permissions.refusals import (
    CoachNotAllowed,
    ForkNotAllowed,
    HostTokenNeeded,
    MatchPrivate,
    OtherSeat,
    PartakersOnly,
    PersonTokenNeeded,
    SeatTokenNeeded,
)
from services.errors import ClubRoleNeeded, NotAllowed
from services.people import identity

Role = Literal["nobody", "seat", "host", "club", "importer", "alone"]
"""What somebody is at a match: everybody is ``nobody``; a ``seat`` holds one; the ``host`` made the table; the ``club``
is everybody in the club whose table it is; the ``importer`` brought it from elsewhere; who is ``alone`` holds the only
person's seat of a practice table."""

Proof = Literal["seatToken", "hostToken", "personToken", "keyToken"]
"""A way in which programs prove who they are."""

Phase = Literal["gathering", "playing", "finished", "abandoned"]

PHASES: Final[tuple[Phase, ...]] = ("gathering", "playing", "finished", "abandoned")

Who = frozenset[Role]

Shown = Literal["public", "private", "club"]
"""To whom a table shows itself: its visibility; ``club`` is a private table of a club."""

Cells = Mapping[tuple[Shown, Phase], Who]
"""Who is admitted, by whom a table shows itself to, and phase. Archived matches have the phase in which they ended."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """Who may do something.

    Attributes:
        name: Its name in the table of permissions.
        says: Who may, in a sentence.
        proofs: What programs may prove themselves with; a false proof is refused. Without any, none is looked at.
        needs_proof: Whether a program without a proof is told that one is missing.
        cells: Who is admitted at which matches; None for what is not about one match.
        refusal: What everybody else is told; None if nobody else is there.
        acts_as: As whom a command is given.
        also: Refusals of other kinds, as the documents write them.
        only_our_forms: Whether a form must come from a page that the same browser got from here.
    """

    name: str
    says: str
    proofs: tuple[Proof, ...] = ()
    needs_proof: bool = False
    cells: Cells | None = None
    refusal: type[NotAllowed] | None = None
    acts_as: identity.Role | None = None
    also: tuple[str, ...] = ()
    only_our_forms: bool = True


_ANYBODY: Final[Who] = frozenset({"nobody"})
_PARTAKERS: Final[Who] = frozenset({"seat", "host"})
_READERS: Final[Who] = frozenset({"seat", "host", "importer"})
"""Who reads a private match that is over."""
_CLUB: Final[Who] = frozenset({"seat", "host", "club"})
_ALONE: Final[Who] = frozenset({"alone"})
_EVERY_TOKEN: Final[tuple[Proof, ...]] = ("seatToken", "hostToken", "personToken")
_EVERY_PROOF: Final[tuple[Proof, ...]] = (*_EVERY_TOKEN, "keyToken")


_SEAT: Final[Who] = frozenset({"seat"})
_HOST: Final[Who] = frozenset({"host"})

_Row = tuple[Who, ...]


def _cells(public: _Row, private: _Row, club: _Row) -> Cells:
    """Return who is admitted, from a row for each kind of table: one group for all phases, or one for each of them."""
    rows: dict[Shown, _Row] = {"public": public, "private": private, "club": club}
    return {
        (shown, phase): who
        for shown, row in rows.items()
        for phase, who in zip(PHASES, row * len(PHASES) if len(row) == 1 else row, strict=True)
    }


EVERYBODY: Final = Rule(name="everybody", says="Everybody. Nobody is asked who they are.")

LINK: Final = Rule(name="link", says="Whoever has the secret that is in the address or in the form.")

ADDRESS: Final = Rule(
    name="address",
    says="Whoever has the secret address. Feed readers, calendars and mail programs send nothing else.",
    also=("404 `address.unknown`",),
    only_our_forms=False,
)

OWN: Final = Rule(
    name="own",
    says="Everybody, and each sees what is theirs beside what is public.",
    proofs=_EVERY_TOKEN,
)

NEWCOMER: Final = Rule(
    name="newcomer",
    says="Everybody: who is not known yet becomes known by it.",
    proofs=("personToken",),
)

INBOX: Final = Rule(
    name="inbox",
    says="A person, a program with a key of theirs for that, or one of their bots, which sees its own tables.",
    proofs=("personToken", "keyToken"),
    needs_proof=True,
    refusal=PersonTokenNeeded,
)

PERSON: Final = Rule(
    name="person",
    says="A person, about themselves. The token of one seat or of a host does not prove a person.",
    proofs=("personToken",),
    needs_proof=True,
    refusal=PersonTokenNeeded,
)

INVITED: Final = Rule(
    name="invited",
    says="Whoever has the code in the address. A person also learns whether they are in the club.",
    proofs=("personToken",),
)

IN_CLUB: Final = Rule(
    name="in the club",
    says=(
        "A person who is in the club, as far as their role there allows ([who may do what there](../learn/clubs.md)). "
        "For all others there is no such club."
    ),
    proofs=("personToken",),
    needs_proof=True,
    refusal=ClubRoleNeeded,
    also=("403 `token.person_needed`", "404 `club.unknown`"),
)

LOOK: Final = Rule(
    name="look",
    says=(
        "Everybody who has the address of a public table, or of a private one that still gathers; later a private "
        "table shows itself only to those who sit there and to its host, and one that was brought from elsewhere to "
        "those who brought it. A private table of a club shows itself to the "
        "club, and to nobody else even while it gathers. Each sees what their seat may see."
    ),
    proofs=_EVERY_PROOF,
    cells=_cells(public=(_ANYBODY,), private=(_ANYBODY, _PARTAKERS, _READERS, _READERS), club=(_CLUB,)),
    refusal=MatchPrivate,
    also=("at a club's table 403 `club.members_only`",),
)

SIT: Final = Rule(
    name="sit",
    says=(
        "Whoever may look. The same request sent again gets its first answer from whoever knows the secret in its "
        "`Idempotency-Key`."
    ),
    proofs=("personToken", "keyToken"),
    cells=LOOK.cells,
    refusal=MatchPrivate,
    also=LOOK.also,
)

TALK: Final = Rule(
    name="talk",
    says="Who sits at the table, and its host. Neither spectators nor programs, even at a public table.",
    proofs=_EVERY_TOKEN,
    needs_proof=True,
    cells=_cells((_PARTAKERS,), (_PARTAKERS,), (_PARTAKERS,)),
    refusal=PartakersOnly,
    also=("403 `key.other_scope`",),
)

SEAT: Final = Rule(
    name="seat",
    says="Who holds a seat now, for that seat.",
    proofs=("seatToken", "personToken", "keyToken"),
    needs_proof=True,
    cells=_cells((_SEAT,), (_SEAT,), (_SEAT,)),
    refusal=SeatTokenNeeded,
    acts_as="seat",
)

HOST: Final = Rule(
    name="host",
    says="Who made the table.",
    proofs=("hostToken", "personToken"),
    needs_proof=True,
    cells=_cells((_HOST,), (_HOST,), (_HOST,)),
    refusal=HostTokenNeeded,
    acts_as="host",
)

FORK: Final = Rule(
    name="fork",
    says=(
        "Whoever may look, once the match is over. Before that only who plays alone at a practice table: a fork "
        "would show others what is hidden from them."
    ),
    proofs=_EVERY_TOKEN,
    cells=_cells(
        public=(_ALONE, _ALONE, _ANYBODY, _ANYBODY),
        private=(_ALONE, _ALONE, _READERS, _READERS),
        club=(_ALONE, _ALONE, _CLUB, _CLUB),
    ),
    refusal=ForkNotAllowed,
)

COACH: Final = replace(
    FORK,
    name="coach",
    says=(
        "Whoever may look, once the match is over. Before that only who plays alone at a practice table, about their "
        "own turns: at a table with others it would be help from outside."
    ),
    refusal=CoachNotAllowed,
)

_NOBODY: Final[Who] = frozenset()

ENDED: Final = Rule(
    name="ended",
    says="Whoever may look, once the match is over: before that it would tell what is hidden from everybody.",
    proofs=_EVERY_TOKEN,
    cells=_cells(
        public=(_NOBODY, _NOBODY, _ANYBODY, _ANYBODY),
        private=(_NOBODY, _NOBODY, _READERS, _READERS),
        club=(_NOBODY, _NOBODY, _CLUB, _CLUB),
    ),
    refusal=OtherSeat,
)

COMMAND: Final = Rule(
    name="command",
    says="Whoever may give the command of the same name through the API.",
    also=("the same",),
)

READER: Final = Rule(
    name="reader of metrics",
    says="Programs on the same machine, or who has the metrics' token: the setting `TABLEE_METRICS` decides.",
    also=("401 `token.unknown`", "404 `path.unknown`"),
)

OPERATOR: Final = Rule(
    name="operator",
    says="An operator, in a browser that a link of `tablee operator-link` let in.",
    also=("401, one page for all addresses",),
)

RULES_IN_ORDER: Final = (
    EVERYBODY,
    LINK,
    ADDRESS,
    OWN,
    NEWCOMER,
    INBOX,
    PERSON,
    INVITED,
    IN_CLUB,
    LOOK,
    SIT,
    TALK,
    SEAT,
    HOST,
    FORK,
    COACH,
    ENDED,
    COMMAND,
    READER,
    OPERATOR,
)
"""All rules."""
