"""Where a replay stops, and what changes from one stop to the next: places of the table, never whole tables."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from api.pages.drawing import card_html
from api.pages.games import page_of
from api.pages.games.contract import BACK, Place, has_broken_off, without_marks
from domain.entries import StoredEntry
from domain.games.registry import CURRENT
from domain.match.branches import BACK_AND_FORTH
from domain.match.fold import beginning, positions
from domain.match.view import match_view
from domain.viewers import Viewer
from services.matches.history import Line

BEGINS = "MatchStarted"


class Stops(NamedTuple):
    """The versions at which it is worth looking.

    Attributes:
        versions: The ends of commands, and the ends of rounds before the next cards are dealt.
        rounds: Those among them that follow a deal.
    """

    versions: tuple[int, ...]
    rounds: tuple[int, ...]

    def nearest(self, version: int) -> int:
        """Return the stop at a version or the next one behind it."""
        index = bisect_left(self.versions, version)
        return self.versions[min(index, len(self.versions) - 1)]


class Changes(msgspec.Struct, frozen=True):
    """All of a match for the replay's module.

    Attributes:
        rounds: Those that follow a deal.
        lines: What is told at each stop.
        start: What lies in each of them at the first stop: a text, or names of cards.
        steps: For each later stop, the places that change, by number, with what lies there now.
        faces: The drawings of all cards of the game, by name.
    """

    versions: tuple[int, ...]
    rounds: tuple[int, ...]
    lines: list[str]
    places: list[str]
    start: list[Any]
    steps: list[list[tuple[int, Any]]]
    faces: dict[str, str]


def stops_of(lines: Iterable[Line]) -> Stops:
    """Return the stops of a match; none before it has begun."""
    versions: list[int] = []
    rounds: list[int] = []
    has_begun = has_dealt = False
    for line in lines:
        has_begun = has_begun or line.type == BEGINS
        has_dealt = has_dealt or line.starts_round
        # A round's end is part of the command that deals the next one, and of the one that ends the match.
        if has_begun and (line.ends or line.scores_round):
            versions.append(line.version)
            if has_dealt:
                rounds.append(line.version)
                has_dealt = False
    return Stops(tuple(versions), tuple(rounds))


def counting(lines: Iterable[Line], left: frozenset[int]) -> list[Line]:
    """Return lines without what was taken back, and without the ways there and back."""
    return [line for line in lines if line.version not in left and line.type not in BACK_AND_FORTH]


def changes_of(
    match: str,
    entries: Sequence[StoredEntry],
    lines: Sequence[Line],
    viewer: Viewer,
    names: Sequence[str],
    language: str,
) -> Changes:
    """Return what a replay shows to a viewer, from the complete log and the viewer's lines of it."""
    stops = stops_of(lines)
    wanted = set(stops.versions)
    places: list[str] = []
    start: list[Any] = []
    steps: list[list[tuple[int, Any]]] = []
    before: list[Place] = []
    game = ""
    for position in positions(beginning(match), entries):
        if position.version not in wanted:
            continue
        view = match_view(position, viewer)
        game = view.terms.game
        found = page_of(game).places(view.game, names, language)
        if has_broken_off(view):
            found = without_marks(found)
        if not places:
            places = list(found)
            before = list(found.values())
            start = [_plain(content) for content in before]
            continue
        after = list(found.values())
        steps.append(
            [(number, _plain(content)) for number, content in enumerate(after) if content != before[number]]
        )
        before = after
    return Changes(
        stops.versions, stops.rounds, _told(stops, lines), places, start, steps, _faces(game, language)
    )


def before(stops: Stops, version: int) -> int:
    """Return the stop before one; 0 for none."""
    index = bisect_left(stops.versions, version)
    return stops.versions[index - 1] if index else 0


def _told(stops: Stops, lines: Sequence[Line]) -> list[str]:
    told, index = [], 0
    for version in stops.versions:
        texts = []
        while index < len(lines) and lines[index].version <= version:
            texts.append(lines[index].text)
            index += 1
        told.append(" ".join(filter(None, texts)))
    return told


def _plain(content: Place) -> Any:
    return content if isinstance(content, str) else list(content)


def _faces(game: str, language: str) -> dict[str, str]:
    if not game:
        return {}
    names = (BACK, *page_of(game).more_faces, *dict.fromkeys(CURRENT[game].cards))
    return {str(card): str(card_html(game, card, language)) for card in names}
