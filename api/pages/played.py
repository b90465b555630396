"""``/me/matches``: all the matches that I have played, found by what I remember of them."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from api.answering.played import PlayedMatch, played_matches
from api.pages.rendering import page
from api.pages.visits import Visit
from api.parts import Http
from api.requests.played import PlayedAsked, PlayedFound, played_asked, played_by
from api.requests.queries import query
from domain.games.registry import CURRENT
from services.bootstrap import present_instant
from services.projections.list_positions import mark_of
from services.projections.played import OUTCOMES, PlayedPage
from services.words.moments import question_name
from services.words.names import game_name
from services.words.phrases import Phrase, phrase, whole, words_in
from services.words.times import duration, local_moment

ON_A_PAGE: Final = 20

FIELDS: Final = ("game", "with", "club", "result", "since", "until", "least_rounds", "most_minutes", "moment")
"""What the form asks, by the names that the API has for it, too."""

_OUTCOMES: Final[Mapping[str, Phrase]] = {
    "won": phrase("I won"),
    "shared": phrase("I shared the first place"),
    "lost": phrase("I did not win"),
    "unfinished": phrase("without a result"),
    "hosted": phrase("I was only the host"),
}


class PlayedRow(msgspec.Struct, frozen=True):
    """A match in the list."""

    shown: PlayedMatch
    game: str
    names: str
    outcome: str
    score: str
    day: str
    lasted: str


@get("/me/matches")
async def show_played(request: Http) -> ASGIResponse:
    """List the matches that I have played."""
    visit = Visit(request)
    person, language = await visit.person(), visit.language
    asked = played_asked(request)
    empty = PlayedFound(PlayedPage((), None), {})
    found = await played_by(request, person, asked, ON_A_PAGE, language) if person else empty
    matches = await played_matches(visit.parts.application, found.page.tables, found.moments, language)
    given = {name: query(request, name) or "" for name in FIELDS}
    words, following = words_in(language), found.page.next
    clubs = await visit.parts.application.clubs.of_person(person) if person else []
    return page(
        visit,
        "played.html",
        rows=[await _row(visit, match) for match in matches],
        given=given,
        is_asked=any(given.values()),
        is_first=asked.after is None,
        games=[(key, game_name(key, language)) for key in sorted(CURRENT)],
        outcomes=[(outcome, words.say(_OUTCOMES[outcome])) for outcome in OUTCOMES],
        clubs=[(club.id, club.name) for club in clubs],
        questions=_questions(language),
        asked_moment=_title(asked, language),
        more=_address(given, mark_of(following)) if following else "",
        here=_address(given),
    )


def _questions(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the questions of all games, by the game's name."""
    return [
        (
            game_name(key, language),
            [(f"{key}.{one.name}", question_name(key, one.name, language)) for one in CURRENT[key].questions],
        )
        for key in sorted(CURRENT)
        if CURRENT[key].questions
    ]


def _title(asked: PlayedAsked, language: str) -> str:
    return question_name(*asked.moment, language) if asked.moment else ""


def _address(given: Mapping[str, str], after: str = "") -> str:
    said = {name: value for name, value in {**given, "after": after}.items() if value}
    return f"/me/matches?{urlencode(said)}" if said else "/me/matches"


async def _row(visit: Visit, match: PlayedMatch) -> PlayedRow:
    language = visit.language
    words = words_in(language)
    score = ", ".join(
        f"{player.name} ({whole(total)})" for player, total in zip(match.players, match.totals, strict=False)
    )
    return PlayedRow(
        match,
        game_name(match.game, language),
        words.all_of(player.name for player in match.players if player.seat != match.seat),
        words.say(_OUTCOMES[match.result]),
        score,
        local_moment(match.ended, await visit.zone(), present_instant(), language),
        duration(match.seconds, language),
    )
