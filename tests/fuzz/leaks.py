"""Looking for what an answer must not hold: tokens, seeds, what opens a seal, faces of hidden cards."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec

from tests.fuzz.log_watch import Hidden

_HEX: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_HANDS: Final = re.compile(r'data-place="hand-(\d+)">((?:<svg.*?</svg>)*)</span>', re.DOTALL)
_SLOTS: Final = re.compile(r'class="card back opened"')
_CARD: Final = re.compile(r'<svg class="card (\w+)')
_POINTER: Final = re.compile(r"/game/(?:hands/(\d+)|faces|pile)(?:/|$)").match


def openings_told(body: bytes, hidden: Mapping[bytes, Hidden], seats: Mapping[str, Collection[int]]) -> Iterator[str]:
    """Yield what a body opens that its reader may not see.

    Args:
        body: The body.
        hidden: What is sealed in open matches.
        seats: By match, the seats that the reader holds.
    """
    for text in set(_HEX.findall(body)):
        found = hidden.get(text)
        if found is not None and not set(seats.get(found.match, ())) & set(found.seats):
            yield f"an opening of match {found.match} for seats {found.seats} is told"


def secrets_told(body: bytes, secrets: Collection[str], own: Collection[str]) -> Iterator[str]:
    """Yield the secrets that a body holds, but for the reader's own."""
    text = body.decode("latin-1")
    for secret in secrets:
        if secret in text and secret not in own:
            yield "a secret is told"


def cards_told(body: bytes, seats: Collection[int]) -> Iterator[str]:
    """Yield the hidden cards that a view of an open match shows, in JSON or on a page."""
    if body.startswith(b"{"):
        try:
            yield from _in_json(msgspec.json.decode(body), seats)
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
        if len(value) == 2 and isinstance(value[0], str) and (found := _POINTER(value[0])):
            is_own = found[1] is not None and int(found[1]) in seats
            if value[1] is not None and not is_own:
                yield f"a change tells {value[0]}"
        for inner in value:
            yield from _in_json(inner, seats)
        return
    if not isinstance(value, dict):
        return
    hands = value.get("hands")
    if isinstance(hands, list):
        shown = [seat for seat, hand in enumerate(hands) if hand is not None and seat not in seats]
        if shown and not all(isinstance(hands[seat], dict) and "sealed" in hands[seat] for seat in shown):
            yield f"the hands of seats {shown} are shown"
    for name in ("faces", "pile", "seed"):
        if value.get(name) and not (isinstance(value[name], dict) and "sealed" in value[name]):
            yield f"{name} is shown"
    for inner in value.values():
        yield from _in_json(inner, seats)
