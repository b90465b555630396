"""Looking for what an answer must not hold: tokens, seeds, openings, faces of hidden cards."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec

from tests.fuzz.log_watch import Hidden

_HEX: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_WORD: Final = re.compile(rb"[A-Za-z0-9_-]{32,}")
_HANDS: Final = re.compile(r'data-place="hand-(\d+)">((?:<svg.*?</svg>)*)</span>', re.DOTALL)
_SLOTS: Final = re.compile(r'class="card back opened"')
_CARD: Final = re.compile(r'<svg class="card (\w+)')
_POINTER: Final = re.compile(r"/game/(?:hands/(\d+)|faces|pile)(?:/|$)").match


def openings_told(
    body: bytes, hidden: Mapping[bytes, Hidden], seats: Mapping[str, Collection[int]]
) -> Iterator[str]:
    """Yield the openings in a body that its reader may not have.

    Args:
        body: The body.
        hidden: What is sealed in open matches.
        seats: By match, the seats that the reader holds.
    """
    for text in set(_HEX.findall(body)):
        found = hidden.get(text)
        if found is not None and not set(seats.get(found.match, ())) & set(found.seats):
            yield f"an opening of match {found.match} for seats {found.seats} is told"


def secrets_in(text: bytes, secrets: Collection[str]) -> set[str]:
    """Return the secrets in a text."""
    return {found for word in _WORD.findall(text) if (found := word.decode()) in secrets}


def cards_told(body: bytes, seats: Collection[int]) -> Iterator[str]:
    """Yield the hidden cards that a view of an open match shows, in JSON or on a page."""
    if body.startswith(b"{"):
        try:
            for line in body.splitlines():
                yield from _in_json(msgspec.json.decode(line), seats)
        except msgspec.DecodeError:
            yield "the answer is no JSON"
        return
    text = body.decode(errors="replace")
    for seat, cards in _HANDS.findall(text):
        if int(seat) not in seats and any(tone != "back" for tone in _CARD.findall(cards)):
            yield f"the page shows the hand of seat {seat}"
    if _SLOTS.search(text):
        yield "the page shows what lies hidden"


def _in_json(value: Any, seats: Collection[int]) -> Iterator[str]:
    if isinstance(value, list):
        yield from _in_change(value, seats)
    elif isinstance(value, dict):
        yield from _in_view(value, seats)
    else:
        return
    for inner in value.values() if isinstance(value, dict) else value:
        yield from _in_json(inner, seats)


def _in_change(value: list[Any], seats: Collection[int]) -> Iterator[str]:
    """Yield what a replay's change gives away: it holds a pointer, and the new value there."""
    found = _POINTER(value[0]) if len(value) == 2 and isinstance(value[0], str) else None
    if found is not None and value[1] is not None and (found[1] is None or int(found[1]) not in seats):
        yield f"a change tells {value[0]}"


def _in_view(value: dict[str, Any], seats: Collection[int]) -> Iterator[str]:
    hands = value.get("hands")
    if isinstance(hands, list):
        for seat, hand in enumerate(hands):
            if hand is not None and seat not in seats and not _is_sealed(hand):
                yield f"the hand of seat {seat} is shown"
    for name in ("faces", "pile", "seed"):
        # In a replay's module, ``faces`` are drawings by name; in a view they are hidden cards, by seat.
        shown = value.get(name)
        if shown and not _is_sealed(shown) and not (name == "faces" and isinstance(shown, dict)):
            yield f"{name} is shown"


def _is_sealed(value: Any) -> bool:
    return isinstance(value, dict) and "sealed" in value
