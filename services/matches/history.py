"""History lines of a log, for one reader."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

import msgspec

from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.games.registry import CURRENT
from domain.instants import Instant
from domain.sealing import redact, unseal
from domain.viewers import Viewer
from services.matches.changes import JsonValue
from services.matches.former_holders import FormerHolder, names_then, seat_then
from services.words.history import history_line, is_joined, joined_line
from services.words.phrases import phrase, words_in
from services.words.telling import Teller


class Line(NamedTuple):
    """What one event says.

    Attributes:
        seat: For which seat it was made, if for one.
        at: When it was accepted.
        text: What it says; empty if nothing.
        data: Its public data, with the reader's openings put back.
        scores_round: Whether it scores a round; its data then has ``round``, ``points`` and ``totals``.
        note: What the log notes beside it.
        settles_score: Whether it still changes a total of the round scored last; its data then has ``seat`` and
            ``total``.
    """

    version: int
    type: str
    seat: int | None
    at: Instant
    text: str
    data: dict[str, JsonValue]
    ends: bool
    starts_round: bool
    scores_round: bool
    note: str = ""
    settles_score: bool = False

    @property
    def about(self) -> int | None:
        """Whom the line tells of; nobody for what happens to the whole table, whoever's move led to it."""
        seat = self.data.get("seat")
        return seat if isinstance(seat, int) else None


def lines_of(
    entries: Iterable[StoredEntry],
    viewer: Viewer,
    game: str,
    names: Sequence[str],
    language: str,
    former: Sequence[FormerHolder] = (),
) -> Iterator[Line]:
    """Yield the lines of entries, oldest first; each tells of those who sat there then."""
    starts, scores, settles = _rounds(game)
    for entry in entries:
        envelope = decode_envelope(entry.e)
        data: dict[str, JsonValue] = msgspec.json.decode(envelope.data)
        unseal(data, redact(decode_openings(entry.s), viewer))
        then, you = names_then(names, former, envelope.v), seat_then(viewer.seat, former, envelope.v)
        text = _text(game, envelope.type, data, then, language, you, envelope.note)
        yield Line(
            envelope.v,
            envelope.type,
            envelope.seat,
            envelope.at,
            text or "",
            data,
            envelope.v == envelope.command.last,
            envelope.type in starts,
            envelope.type in scores,
            envelope.note,
            envelope.type in settles,
        )


def unsaid(entries: Iterable[StoredEntry], game: str) -> Iterator[Line]:
    """Yield lines without texts and data, oldest first: what there is to stop at, the same for every reader.

    Of a long log this takes a fraction of the time.
    """
    starts, scores, settles = _rounds(game)
    for entry in entries:
        envelope = decode_envelope(entry.e)
        yield Line(
            envelope.v,
            envelope.type,
            envelope.seat,
            envelope.at,
            "",
            {},
            envelope.v == envelope.command.last,
            envelope.type in starts,
            envelope.type in scores,
            envelope.note,
            envelope.type in settles,
        )


def joined(
    lines: Iterable[Line],
    game: str,
    names: Sequence[str],
    language: str,
    you: int | None,
    former: Sequence[FormerHolder] = (),
) -> Iterator[Line]:
    """Yield lines that say something, those of choices made at the same time as one."""
    said = (line for line in lines if line.text)
    for (kind, note), group in groupby(said, key=lambda line: (line.type, line.note)):
        run = list(group)
        if len(run) > 1 and not note and is_joined(game, kind):
            data, last = [line.data for line in run], run[-1]
            then, mine = names_then(names, former, last.version), seat_then(you, former, last.version)
            text = joined_line(game, kind, data, then, language, you=mine)
            # It tells of all of them.
            yield last._replace(text=text, data={**last.data, "seat": None})
        else:
            yield from run


@cache
def _rounds(game: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return which types of events begin a round, score it, and settle its score; the same in all releases."""
    current = CURRENT.get(game)
    if current is None:
        return frozenset(), frozenset(), frozenset()
    return current.round_starts(), current.round_scores(), current.score_settlings()


def _text(
    game: str,
    kind: str,
    data: dict[str, JsonValue],
    names: Sequence[str],
    language: str,
    you: int | None,
    note: str,
) -> str | None:
    if kind == "SeatTaken":
        # Pages call seats by names, not by the numbers that they have on the wire.
        seat, teller = data["seat"], Teller(words_in(language), names, you)
        if isinstance(seat, int):
            return teller.by_seat(seat, phrase("You sit down."), phrase("{name} sits down."))
    return history_line(game, kind, data, names, language, you=you, note=note)
