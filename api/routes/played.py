"""``GET /me/matches``: what a person has played."""

from typing import Final

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.answering.played import PlayedMatch, played_matches
from api.document.operations import Answer, Operation, Parameter, query_parameter
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.headers import wanted_language
from api.requests.played import MOST_LOGS, played_asked, played_by
from api.requests.queries import number
from domain.games.registry import CURRENT, EXAMPLE
from services.projections.list_positions import mark_of
from services.projections.played import MOST_LOOKED_AT, OUTCOMES

USUAL: Final = 20
MOST: Final = 100


class PlayedMatches(msgspec.Struct, frozen=True):
    """A page of your matches that are over.

    Attributes:
        matches: Those that ended last first.
        next: The value of `after` for the next page; null if there is none. A page with fewer matches than were asked
            for may still have a next one.
    """

    matches: tuple[PlayedMatch, ...]
    next: str | None


def _count(name: str, meaning: str) -> Parameter:
    return query_parameter(name, meaning, {"type": "integer", "minimum": 0, "maximum": 999_999_999}, "3")


_OPERATION: Final = Operation(
    id="listPlayedMatches",
    tag="people",
    description=(
        "All your matches that are over, found by what you remember of them. A page costs the same however many you "
        f"have played: it looks at {MOST_LOOKED_AT} of them at most, or at {MOST_LOGS} when it looks for moments."
    ),
    parameters=(
        query_parameter("game", "Only this game.", {"type": "string", "enum": sorted(CURRENT)}, EXAMPLE),
        query_parameter(
            "with",
            "Only matches in which people played whose names have all these words, whatever their accents and case.",
            {"type": "string"},
            "zoe",
        ),
        query_parameter("club", "Only tables of this club, by its id.", {"type": "string"}, "c4ab3nvb56"),
        query_parameter(
            "result", "Only matches that ended so for you.", {"type": "string", "enum": list(OUTCOMES)}, "won"
        ),
        query_parameter(
            "since",
            "Only matches that ended at this instant or day, or later.",
            {"type": "string"},
            "2026-11-01",
        ),
        query_parameter(
            "until", "Only matches that ended before this instant or day.", {"type": "string"}, "2026-12-01"
        ),
        _count("least_rounds", "Only matches of so many rounds or more."),
        _count("most_rounds", "Only matches of so many rounds or fewer."),
        _count("least_minutes", "Only matches that lasted so many minutes or more."),
        _count("most_minutes", "Only matches that lasted so many minutes or fewer."),
        query_parameter(
            "moment",
            "Only matches with such a moment, and these moments: a game and one of its questions.",
            {"type": "string"},
            f"{EXAMPLE}.{CURRENT[EXAMPLE].questions[0].name}",
        ),
        query_parameter(
            "after",
            "The `next` of the previous page.",
            {"type": "string"},
            "1764445583123.vb56ltup7amwxyc4ab3n",
        ),
        query_parameter(
            "limit",
            f"The most matches to return, up to {MOST}.",
            {"type": "integer", "minimum": 1, "maximum": 999_999_999, "default": USUAL},
            "20",
        ),
    ),
    answers={200: Answer("Your matches.", PlayedMatches, ("Cache-Control", "Vary"))},
    problems={
        400: ("query.malformed", "query.repeated", "list.after_malformed"),
        503: ("store.unavailable",),
    },
)


@get("/me/matches", operation=_OPERATION)
async def list_played(request: Http) -> ASGIResponse:
    """List the matches that you have played, those that ended last first."""
    language, application = wanted_language(request), parts_of(request).application
    limit = min(number(request, "limit", USUAL, least=1), MOST)
    found = await played_by(request, access_of(request).person, played_asked(request), limit, language)
    matches = await played_matches(application, found.page.tables, found.moments, language)
    body = PlayedMatches(tuple(matches), mark_of(found.page.next) if found.page.next else None)
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language"}
    return answer(body, headers=headers)
