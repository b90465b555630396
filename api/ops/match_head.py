"""``/ops/m/{match}``: a match as a whole; and giving the reason for which its cards are looked at."""

from typing import Final

import structlog
from litestar import get, post
from litestar.response.base import ASGIResponse

from api.ops.job_queue import jobs_of
from api.ops.match_looking import Look, aside, look_of
from api.ops.rendering import ops_page
from api.pages.forms import read_form
from api.pages.rendering import see_other
from api.parts import Http
from domain.errors import BrokenLog, Refused
from domain.match.due import bots_to_act
from domain.match.state import Match
from services.audit.operators import unseal
from services.bootstrap import present_instant
from services.jobs.servers import job_servers
from services.watch.inspection.advice import advice_text
from services.watch.inspection.disclosure import unsealing_id
from services.watch.inspection.overview import overview, place_in_index, refused_of
from services.watch.inspection.rows import milliseconds_between
from services.words.names import option_name, option_value, phase_name
from services.words.phrases import phrase, words_in
from services.words.refusals import Refusal, refusal_text

_BROKEN: Final = phrase(
    "Nothing can be written after a log that cannot be folded: its cards stay sealed until it is restored."
)

_log = structlog.get_logger(__name__)


@get("/m/{match:str}")
async def show_match(request: Http) -> ASGIResponse:
    """Show what there is to say of a match, and what can be done if it is stuck."""
    return await _match_page(request, await look_of(request))


@post("/m/{match:str}/unseal")
async def unseal_match(request: Http) -> ASGIResponse:
    """Write into the match's log that its sealed cards are looked at, and why; then show them."""
    look = await look_of(request)
    form = await read_form(look.visit)
    # All of the form is read before anything is done.
    command_id, back = unsealing_id(look.mark, form.command_id()), max(0, form.number("back", 0))
    language = look.visit.language
    if look.position is None:
        return await _match_page(request, look, Refusal(words_in(language).say(_BROKEN)))
    try:
        await unseal(look.visit.parts.application.service, look.match, form.text("reason"), command_id)
    except BrokenLog:
        # This process had the match in memory from before somebody altered its log.
        return await _match_page(request, look, Refusal(words_in(language).say(_BROKEN)))
    except Refused as refusal:
        said = refusal_text(refusal.code, refusal.rule, refusal.arguments, language)
        return await _match_page(request, look, said)
    _log.info("operator_acted", act="unseal", match=look.match, command=command_id)
    return see_other(f"/ops/m/{look.match}/e/{back}" if back else f"/ops/m/{look.match}")


async def _match_page(request: Http, look: Look, refusal: Refusal | None = None) -> ASGIResponse:
    now, language = present_instant(), look.visit.language
    store = look.visit.parts.application.store
    refused, place = await refused_of(store, look.match), await place_in_index(store, look.looked)
    told = await aside(lambda: overview(look.looked, refused, now, place))
    state = told.position.state if told.position is not None else None
    more: dict[str, object] = {
        "told": told,
        "state": state,
        "phase": phase_name(state.lifecycle.phase, language) if state is not None else "",
        "now": now,
        "since": milliseconds_between,
        "advice": [(one, advice_text(one, look.names, language)) for one in told.advice],
        "options": _options(state, language),
        "reissues": await look.visit.parts.application.reissues.of(look.match),
        "owed_by_bots": state is not None and bool(bots_to_act(state)),
        "jobs": ()
        if look.disclosure.over
        else await jobs_of(look.match, job_servers(look.visit.parts.settings)),
        "here": f"/ops/m/{look.match}",
    }
    if refusal is not None:
        more["refusal"] = refusal
    status = 200 if refusal is None else 422
    return ops_page(request, "match_head.html", status=status, **(look.shown | more))


def _options(state: Match | None, language: str) -> list[tuple[str, str]]:
    if state is None or state.terms is None:
        return []
    game, options = state.terms.game, state.terms.options
    return [
        (option_name(game, option, language), option_value(game, option, value, language))
        for option, value in options.items()
    ]
