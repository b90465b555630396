"""The answers of handlers, and how they are encoded."""

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar.response.base import ASGIResponse

from domain.match.fold import Position
from domain.match.view import MatchView, match_view, viewer_of

JSON: Final = "application/json"
_ENCODER: Final = msgspec.json.Encoder()


class MatchCreated(msgspec.Struct, frozen=True):
    """A table was made.

    Attributes:
        match: Its id.
        version: Its version.
        host_token: The secret that starts and ends it. The same request sent again gets the same. Empty for a person,
            whose own token does so.
        view: The table as a spectator sees it.
    """

    match: str
    version: int
    host_token: str
    view: MatchView


class SeatAsked(msgspec.Struct, frozen=True):
    """The people at the table were asked for a seat.

    Attributes:
        request: The request that they answer.
        seat_token: The secret that plays on the seat once they have agreed. Empty for a person, whose own token does
            so.
        version: The match's version.
        view: The table as you see it now.
    """

    request: str
    seat_token: str
    version: int
    view: MatchView


class SeatTaken(msgspec.Struct, frozen=True):
    """A seat was taken.

    Attributes:
        seat: Its number, from 0.
        seat_token: The secret that plays on it. The same request sent again gets the same. Empty for a
            person, whose own token does so.
        version: The match's version.
        view: The table as this seat sees it.
    """

    seat: int
    seat_token: str
    version: int
    view: MatchView


class CommandDone(msgspec.Struct, frozen=True):
    """A command was carried out.

    Attributes:
        version: The match's version after it, the same as ``last``.
        first: Version of its first event.
        last: Version of its last event.
        duplicate: Whether it had been carried out before. This is then its first answer, and the match may have moved
            on since.
        view: The table at ``last``, as the asker sees it.
    """

    version: int
    first: int
    last: int
    duplicate: bool
    view: MatchView


def view_for(position: Position, seat: int | None) -> MatchView:
    """Return what a seat (None: a spectator) sees of a match at its head."""
    return match_view(position, viewer_of(position.state, seat))


def answer(
    body: msgspec.Struct, status: int = 200, headers: Mapping[str, str] | None = None, media_type: str = JSON
) -> ASGIResponse:
    """Return a struct as a JSON answer."""
    return ASGIResponse(
        body=_ENCODER.encode(body), status_code=status, headers=dict(headers or {}), media_type=media_type
    )
