"""The table of permissions as a page of the documents."""

from collections.abc import Iterator
from typing import Final

from api.permissions.rules import PHASES, RULES_IN_ORDER, Role, Rule, Who
from api.permissions.table import RULES

_BEGINNING: Final = """\
# Who may do what

Every route of the service, and who may use it. This page is written from `api/permissions/table.py`, which the guard
before every handler obeys, and from which the API's document takes what it says of tokens and refusals.

A program proves who it is by `Authorization: Bearer …` with a seat's, a host's or a person's token, or with a key that
a person made for it; a browser by its session. A false token is refused with 401 `token.unknown` wherever tokens are
looked at, and the token of another match is a false one. Who stood up gets 403 `seat.not_held` for the token of that
seat; their person is then like everybody. A refused request changes nothing, and tells nothing that an unrefused one
would not. `HEAD` goes with `GET`. A form must come from a page that the same browser got from here, else 403
`form.foreign`.

A seat's view shows what its holder may see, until the match is over: then nothing is hidden from whoever may look. Only
the holder looks through a seat's eyes before (403 `seat.other`). Matches that were archived keep the permissions with
which they ended; one whose events are not at hand is answered with 410 `match.closed`, an unknown or erased one with
404 `match.unknown`.
"""

_WHO: Final[dict[Role, str]] = {
    "nobody": "everybody",
    "seat": "seats",
    "host": "the host",
    "club": "the club",
    "importer": "who brought it from elsewhere",
    "alone": "who plays alone at a practice table",
}


def permissions_page() -> str:
    """Return the page, Markdown."""
    return "\n".join([_BEGINNING, *_rules(), "", *_routes(), ""])


def _rules() -> Iterator[str]:
    yield "## The rules\n"
    yield "| rule | who may | all others are told |"
    yield "|---|---|---|"
    for rule in RULES_IN_ORDER:
        yield f'| <a id="{_anchor(rule)}"></a>{rule.name} | {rule.says} | {_refusals(rule)} |'
    yield "\nAt a match it depends on visibility and phase:\n"
    yield f"| rule | table | {' | '.join(PHASES)} |"
    yield "|---|---|" + "---|" * len(PHASES)
    for rule in RULES_IN_ORDER:
        if rule.cells is not None:
            for visibility in dict.fromkeys(visibility for visibility, _ in rule.cells):
                cells = (_who(rule.cells[visibility, phase]) for phase in PHASES)
                yield f"| {rule.name} | {visibility} | {' | '.join(cells)} |"


def _routes() -> Iterator[str]:
    yield "## The routes\n"
    yield "| route | rule |"
    yield "|---|---|"
    for row, rule in RULES.items():
        yield f"| `{row}` | [{rule.name}](#{_anchor(rule)}) |"


def _refusals(rule: Rule) -> str:
    told = ["401 `token.missing`"] if rule.needs_proof else []
    told += ["401 `token.unknown`"] if rule.proofs else []
    told += ["403 `key.other_scope`"] if rule.cells is not None and "keyToken" in rule.proofs else []
    told += [f"403 `{rule.refusal.code}`"] if rule.refusal is not None else []
    return ", ".join([*told, *rule.also])


def _who(who: Who) -> str:
    return ", ".join(said for role, said in _WHO.items() if role in who) or "nobody"


def _anchor(rule: Rule) -> str:
    return rule.name.replace(" ", "-")
