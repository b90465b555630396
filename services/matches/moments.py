"""Moments of one log: the answers to its game's questions, for a reader."""

from collections.abc import Iterator, Sequence

from domain.entries import Envelope, StoredEntry, decode_envelope, decode_openings
from domain.games.moments import Moment, Seen
from domain.match.branches import BACK_AND_FORTH, Course, left_branches
from domain.match.codec import codec_of
from domain.match.events import MATCH_EVENTS, MoveRedone, MoveUndone
from domain.match.evolve import game_of
from domain.match.fold import beginning, fold
from domain.match.state import Terms
from domain.sealing import Event, redact
from domain.viewers import Viewer

_OF_THE_MATCH = frozenset(kind.__name__ for kind in MATCH_EVENTS)


def moments_of(entries: Sequence[StoredEntry], viewer: Viewer) -> tuple[Moment, ...]:
    """Return the moments of a complete log by question and in their order, made of what a viewer may know. Pure."""
    terms = _terms_of(entries)
    if terms is None or not game_of(terms).questions:
        return ()
    game = game_of(terms)
    told = list(_told(entries, terms, viewer))
    left = left_branches(course for course, _ in told)
    seen = [
        Seen(course.version, event)
        for course, event in told
        if event is not None and course.is_game and course.version not in left
    ]
    order = {question.name: number for number, question in enumerate(game.questions)}
    found = (moment for moment in game.moments(seen) if moment.question in order)
    return tuple(sorted(found, key=lambda moment: (order[moment.question], moment.version)))


def left_in(entries: Sequence[StoredEntry]) -> frozenset[int]:
    """Return the versions of the game's events that were taken back and do not count."""
    terms = _terms_of(entries)
    if terms is None or not any(b"MoveUndone" in entry.e for entry in entries):
        return frozenset()
    return left_branches(course for course, _ in _told(entries, terms, Viewer(None)))


def _terms_of(entries: Sequence[StoredEntry]) -> Terms | None:
    return fold(beginning(""), entries[:1]).state.terms


def _told(
    entries: Sequence[StoredEntry], terms: Terms, viewer: Viewer
) -> Iterator[tuple[Course, Event | None]]:
    """Yield each event with what branches ask of it; None for one that is sealed from the viewer."""
    codec = codec_of(terms.game, terms.rules, terms.format)
    for entry in entries:
        envelope, openings = decode_envelope(entry.e), decode_openings(entry.s)
        is_game = envelope.type not in _OF_THE_MATCH
        may_know = len(redact(openings, viewer)) == len(openings)
        wanted = may_know and (is_game or envelope.type in BACK_AND_FORTH)
        event = codec.event(envelope, openings) if wanted else None
        yield _course(envelope, event, is_game=is_game), event


def _course(envelope: Envelope, event: Event | None, *, is_game: bool) -> Course:
    return Course(
        envelope.v,
        envelope.command.last,
        is_game,
        event.to if isinstance(event, MoveUndone) else None,
        event.to if isinstance(event, MoveRedone) else None,
    )
