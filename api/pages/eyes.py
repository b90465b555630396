"""Whose eyes a replay is seen with: one's own while it is played; those of any seat, or all cards, after the end."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from api.permissions.refusals import OtherSeat
from domain.errors import Malformed
from domain.match.state import OVER, Match
from domain.match.view import viewer_of
from domain.viewers import Viewer
from services.words.phrases import phrase, words_in

ALL, SPECTATOR = "all", "spectator"
_SEAT: Final = re.compile(r"seat([0-9]{1,3})").fullmatch

_ALL_CARDS: Final = phrase("all cards")
_OF_SPECTATORS: Final = phrase("as a spectator")
_OF_SEAT: Final = phrase("as {name}")


class Eyes(NamedTuple):
    """Whose eyes.

    Attributes:
        name: As the address says it; empty for the reader's own.
    """

    name: str
    viewer: Viewer


def eyes_of(given: str, state: Match, seat: int | None) -> Eyes:
    """Return whose eyes the reader at a seat asks for.

    Raises:
        Malformed: There is no such viewer.
        OtherSeat: The match is not over, and they are not the reader's.
    """
    own = viewer_of(state, seat)
    if given in {"", ALL} and (own.everything or not given):
        return Eyes("", own)
    if given == SPECTATOR:
        return Eyes(given, Viewer(None))
    named = _SEAT(given)
    if given != ALL and (named is None or int(named[1]) >= len(state.seats)):
        raise Malformed("as.malformed", "`as` is all, spectator, or a seat such as seat0.")
    if named is None or (state.lifecycle.phase not in OVER and int(named[1]) != seat):
        raise OtherSeat
    return Eyes(given, Viewer(int(named[1])))


def choices_of(state: Match, seat: int | None, names: Sequence[str], language: str) -> list[tuple[str, str]]:
    """Return whose eyes a reader may choose, each by its name in the address and in words; one is no choice."""
    words = words_in(language)
    spectator = (SPECTATOR, words.say(_OF_SPECTATORS))
    if state.lifecycle.phase in OVER:
        seats = [(f"seat{one}", words.say(_OF_SEAT, name=name)) for one, name in enumerate(names)]
        return [("", words.say(_ALL_CARDS)), *seats, spectator]
    return [] if seat is None else [("", words.say(_OF_SEAT, name=names[seat])), spectator]
