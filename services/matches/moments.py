"""Moments of one log: the answers to its game's questions, for a reader."""

from collections.abc import Iterator, Sequence

import msgspec

from domain.entries import CommandMark, StoredEntry, decode_envelope, decode_openings
from domain.games.moments import Moment, Seen
from domain.match.branches import BACK_AND_FORTH, Course, left_branches
from domain.match.codec import Codec, codec_of
from domain.match.events import MATCH_EVENTS, MoveRedone, MoveUndone
from domain.match.evolve import game_of
from domain.match.fold import beginning, fold
from domain.match.state import Terms
from domain.sealing import redact
from domain.viewers import Viewer

_OF_THE_MATCH = frozenset(kind.__name__ for kind in MATCH_EVENTS)


def moments_of(entries: Sequence[StoredEntry], viewer: Viewer) -> tuple[Moment, ...]:
    """Return the moments of a complete log by question and in their order, made of what a viewer may know. Pure."""
    terms = _terms_of(entries)
    if terms is None or not game_of(terms).questions:
        return ()
    game, codec = game_of(terms), codec_of(terms.game, terms.rules, terms.format)
    course = list(_course(entries, codec))
    left = left_branches(course)
    # What was taken back is read no further: in the longest matches that is most of them.
    counting = (entries[one.version - 1] for one in course if one.is_game and one.version not in left)
    seen = [
        Seen(entry.version, codec.event(decode_envelope(entry.e), openings))
        for entry in counting
        for openings in [decode_openings(entry.s)]
        if len(redact(openings, viewer)) == len(openings)
    ]
    order = {question.name: number for number, question in enumerate(game.questions)}
    found = (moment for moment in game.moments(seen) if moment.question in order)
    return tuple(sorted(found, key=lambda moment: (order[moment.question], moment.version)))


def left_in(entries: Sequence[StoredEntry]) -> frozenset[int]:
    """Return the versions of the game's events that were taken back and do not count."""
    terms = _terms_of(entries)
    if terms is None or not any(b"MoveUndone" in entry.e for entry in entries):
        return frozenset()
    return left_branches(_course(entries, codec_of(terms.game, terms.rules, terms.format)))


def _terms_of(entries: Sequence[StoredEntry]) -> Terms | None:
    return fold(beginning(""), entries[:1]).state.terms


class _Outline(msgspec.Struct, frozen=True):
    """As much of an envelope as branches ask for: the rest is not even read."""

    v: int
    type: str
    command: CommandMark


_OUTLINES = msgspec.json.Decoder(_Outline)


def _course(entries: Sequence[StoredEntry], codec: Codec) -> Iterator[Course]:
    """Yield what branches ask of each event."""
    for entry in entries:
        outline = _OUTLINES.decode(entry.e)
        kind = outline.type
        if kind in BACK_AND_FORTH:
            event = codec.event(decode_envelope(entry.e), decode_openings(entry.s))
            undone_to = event.to if isinstance(event, MoveUndone) else None
            redone_to = event.to if isinstance(event, MoveRedone) else None
            yield Course(
                outline.v, outline.command.last, is_game=False, undone_to=undone_to, redone_to=redone_to
            )
        else:
            yield Course(outline.v, outline.command.last, kind not in _OF_THE_MATCH)
