"""``/matches/{match}/plan``: what the holder of a seat wants to be played for them."""

from typing import Any, Final

import msgspec
from litestar import delete, get, put
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import Body, read
from api.requests.commands import match_of, require_seat_held
from domain.errors import Refused
from domain.match.evolve import game_of
from services.matches.plans import KeptPlan, plan_decoder

_HEADERS: Final = {"Cache-Control": "no-store"}


class PlanBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A plan.

    Attributes:
        plan: The plan, told apart by its `type`; `GET /games/{key}` says which plans a game has (`plans`).
    """

    plan: dict[str, str | int]


class PlanShown(msgspec.Struct, frozen=True):
    """A plan as its owner sees it.

    Attributes:
        plan: The plan; null if there is none.
        suspended: Whether it waits for you, because something was taken back: make it again.
    """

    plan: dict[str, Any] | None
    suspended: bool


_BODY: Final = msgspec.json.Decoder(PlanBody)

_SHOW: Final = Operation(
    id="showPlan",
    tag="playing",
    description="Nobody else sees it.",
    answers={200: Answer("Your plan.", PlanShown)},
    problems={503: ("store.unavailable",)},
)
_MAKE: Final = Operation(
    id="makePlan",
    tag="playing",
    description=(
        "When it is your turn the service looks at the table with your eyes and moves for you, if the plan says so. "
        "No log names the plan, but others may infer it from how quickly you answer. It replaces the one before."
    ),
    body=PlanBody,
    examples={"pass whenever I cannot beat it": {"plan": {"type": "pass_when_beaten"}}},
    answers={200: Answer("Your plan.", PlanShown)},
    problems={409: ("match.not_started",), 410: ("match.closed",), 422: ("plan.unknown",)},
)
_CANCEL: Final = Operation(
    id="cancelPlan",
    tag="playing",
    description="Cancelling what is not there does nothing.",
    answers={200: Answer("You have no plan.", PlanShown)},
    problems={503: ("store.unavailable",)},
)


@get("/matches/{match:str}/plan", operation=_SHOW)
async def show_plan(request: Http) -> ASGIResponse:
    """Show your plan."""
    application, player = parts_of(request).application, access_of(request).player
    require_seat_held((await application.reader.head(match_of(request))).state, player)
    return _shown(await application.plans.of(match_of(request), player))


@put("/matches/{match:str}/plan", operation=_MAKE)
async def make_plan(request: Http) -> ASGIResponse:
    """Plan what is played for you."""
    application, match = parts_of(request).application, match_of(request)
    body = await read(request, _BODY)
    require_seat_held((await application.reader.head(match)).state, access_of(request).player)
    game = game_of(await application.reader.terms(match))
    decoder = plan_decoder(game)
    try:
        plan = None if decoder is None else decoder.decode(msgspec.json.encode(body.plan))
    except msgspec.ValidationError:
        plan = None
    if plan is None:
        raise Refused("plan.unknown", "plans", game=game.key)
    await application.plans.make(match, access_of(request).player, "api", plan)
    return _shown(await application.plans.of(match, access_of(request).player))


@delete("/matches/{match:str}/plan", operation=_CANCEL, status_code=200)
async def cancel_plan(request: Http) -> ASGIResponse:
    """Forget your plan."""
    application, player = parts_of(request).application, access_of(request).player
    require_seat_held((await application.reader.head(match_of(request))).state, player)
    await application.plans.cancel(match_of(request), player)
    return _shown(None)


def _shown(kept: KeptPlan | None) -> ASGIResponse:
    shown = PlanShown(None, suspended=False) if kept is None else PlanShown(kept.plan, kept.suspended)
    return answer(shown, headers=_HEADERS)
