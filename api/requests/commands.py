"""Carrying out submissions, and explaining refusals."""

from typing import Any

from litestar.response.base import ASGIResponse

from api.answering.answers import CommandDone, answer, view_for
from api.answering.problems import Explained
from api.parts import Http, Parts
from api.requests.bodies import ForkBody
from api.requests.submissions import Caller, metadata_of
from domain.entries import decode_envelope
from domain.errors import Malformed, Refused
from domain.match.commands import Fork
from domain.match.evolve import game_of, seats_to_act
from domain.match.state import OVER, Match
from services.errors import MatchClosed, OutcomeUnknown, SeatNotHeld, StaleVersion
from services.log.event_store.checks import is_match_id
from services.log.event_store.contract import Status
from services.matches.forks import fork_of
from services.matches.service import Outcome, Submission, seat_of

MOST_TYPES_TOLD = 200
"""The most events that a 412 lists; a client that missed more reads the match again anyway."""


def match_of(request: Http) -> str:
    """Return the id of the match in a request's path.

    Raises:
        Malformed: It cannot be an id, and so goes no further: not into an address, not to the store.
    """
    match: str = request.path_params["match"]
    if not is_match_id(match):
        raise Malformed("match.id_malformed", "A match's id has 1 to 64 letters, digits, - and _.")
    return match


def require_seat_held(state: Match, player: str) -> int:
    """Return the seat that a player holds now; refuse what only the present holder of a seat may do.

    Raises:
        SeatNotHeld: The player holds none, or no longer.
        MatchClosed: Neither do they, and the match is over.
    """
    seat = seat_of(state, player)
    if seat is not None:
        return seat
    if state.lifecycle.phase in OVER:
        raise MatchClosed(Status.CLOSED)
    raise SeatNotHeld(player)


async def position_of(parts: Parts, fork: ForkBody, caller: Caller) -> Fork:
    """Return the position with which a fork begins. See :func:`fork_of`."""
    return await fork_of(
        parts.application.reader,
        parts.application.service,
        fork.match,
        fork.version,
        caller=metadata_of(caller),
        same_cards=fork.same_cards,
        seat=fork.seat,
    )


async def carry_out(parts: Parts, submission: Submission, person: str = "", *, made_key: str = "") -> Outcome:
    """Carry out a submission, for a person if one is known; a key made here is told, to send the command again.

    Raises:
        Explained: It was refused or its outcome is unknown, with what the asker needs to go on.
        TableeError: It was refused, and the error says enough.
    """
    try:
        outcome = await parts.application.service.execute(submission)
    except StaleVersion as stale:
        raise Explained(stale, **await _since(parts, submission.match, stale)) from stale
    except Refused as refusal:
        raise Explained(refusal, _game(parts, submission.match), **_legal(parts, submission)) from refusal
    except OutcomeUnknown as unknown:
        raise Explained(unknown, idempotency_key=made_key) from unknown
    await parts.application.persons.keep(person)
    return outcome


def done(outcome: Outcome, player: str) -> ASGIResponse:
    """Answer a command that was carried out, with its sender's view."""
    position = outcome.position
    view = view_for(position, seat_of(position.state, player))
    return answer(CommandDone(outcome.last, outcome.first, outcome.last, outcome.duplicate, view))


async def _since(parts: Parts, match: str, stale: StaleVersion) -> dict[str, Any]:
    after = max(stale.version - MOST_TYPES_TOLD, min(stale.given, stale.version))
    entries = await parts.application.store.read(match, after=after, last=stale.version)
    types = tuple(decode_envelope(entry.e).type for entry in entries)
    return {"version": stale.version, "events_since": types}


def _game(parts: Parts, match: str) -> str:
    position = parts.application.reader.remembered(match)
    return position.state.terms.game if position is not None and position.state.terms is not None else ""


def _legal(parts: Parts, submission: Submission) -> dict[str, Any]:
    """Return the sender's own legal moves, nobody else's."""
    position = parts.application.reader.remembered(submission.match)
    if position is None or position.state.terms is None or submission.kind != "PlayMove":
        return {}
    state, told = position.state, {"version": position.version}
    seat = seat_of(state, submission.metadata.actor)
    if seat is None or state.game is None or seat not in seats_to_act(state):
        return {**told}
    return {**told, "legal": game_of(position.state.terms).legal_moves(state.game, seat)}
