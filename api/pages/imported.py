"""Saying of a match that somebody brought it from elsewhere: what that means, and since when it is here."""

from api.pages.visits import Visit
from domain.match.fold import Position
from domain.match.state import OVER
from services.words.times import local_day


async def imported_since(visit: Visit, position: Position) -> str:
    """Return since when a match from elsewhere is here, in words; empty for one that was played here."""
    # Only matches that are over are brought: all others cost nothing here.
    if position.state.lifecycle.phase not in OVER:
        return ""
    since = (await visit.parts.application.imported.since([position.match]))[0]
    return local_day(since, await visit.zone(), visit.language) if since else ""
