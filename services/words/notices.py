"""What notices say: titles, rounds, deadlines."""

from collections.abc import Mapping
from typing import Final
from zoneinfo import ZoneInfo

from domain.instants import Instant
from domain.match.state import Match
from services.words.phrases import Phrase, counted, phrase, words_in
from services.words.times import local_moment, time_left

_TITLES: Final[Mapping[str, Phrase]] = {
    "turn": phrase("Your turn: {game}"),
    "answer": phrase("{game}: a question for you"),
    "ready": phrase("{game}: everybody is there. Are you ready?"),
    "invited": phrase("{game}: a seat is kept for you"),
    "ended": phrase("{game}: the match has ended"),
    "reminder": phrase("Still your turn: {game}"),
    "played": phrase("{game}: your time ran out, and a bot moved for you"),
    "happened": phrase("{game}: something was done to your seat"),
    "nudge": phrase("{name} waits for you: {game}"),
    "digest": phrase("{game}: what happened"),
    "opened": phrase("{game}: a table waits for players"),
    "result": phrase("{game}: the match has ended"),
    "awaited": phrase("{game}: {name} to move"),
    "test": phrase("A test: notices reach you here"),
}
_KINDS: Final[Mapping[str, Phrase]] = {
    "turn": phrase("It is your turn"),
    "answer": phrase("Somebody asks for your agreement"),
    "ready": phrase("A table is full and waits until you are ready"),
    "invited": phrase("A seat is kept for you at a new table"),
    "ended": phrase("A match has ended"),
    "reminder": phrase("Your time is running out"),
    "played": phrase("Your time ran out, and a bot moved for you"),
    "happened": phrase("Somebody did something to your seat"),
    "nudge": phrase("Somebody at the table nudges you"),
    "digest": phrase("Once a day, what waits for you and what happened"),
    "opened": phrase("A table of the club waits for players"),
    "result": phrase("A match of the club has ended"),
    "awaited": phrase("Somebody at a table of the club is to move, for a minute already"),
    "heads": phrase("Once a day, a published list that protects your matches' past"),
    "test": phrase("A test"),
}
_CHANNELS: Final[Mapping[str, Phrase]] = {
    "feed": phrase("Feed"),
    "mail": phrase("Mail"),
    "webhook": phrase("Webhook"),
    "push": phrase("Push"),
}
_RESULTS: Final[Mapping[str, Phrase]] = {
    "sent": phrase("sent"),
    "again": phrase("failed, tried again"),
    "dead": phrase("given up"),
}
_SUBJECT: Final = counted("{tables} table waits for you", "{tables} tables wait for you", "tables")
_NEWS: Final = counted("Your day at {tables} table", "Your day at {tables} tables", "tables")
_SEVERAL: Final = counted(
    "{notices} notice about your tables", "{notices} notices about your tables", "notices"
)
_HEADS: Final = phrase("Published list {number}: how far the matches have come")
_HEADS_NOTE: Final = counted(
    "It holds the fingerprint of {matches} match, yours. Just keep it: as long as you have it, nobody can change "
    "unnoticed what happened there. To compare, look back at a match, follow “What proves it”, and put the list in.",
    "It holds the fingerprints of {matches} matches, at least one of them yours. Just keep it: as long as you have it, "
    "nobody can change unnoticed what happened there. To compare, look back at a match, follow “What proves it”, and "
    "put the list in.",
    "matches",
)
_ROUND: Final = phrase("Round {round}")
_DEADLINE: Final = phrase("{moment}, {left} left")


def kind_name(kind: str, language: str) -> str:
    """Return what a kind of notice tells."""
    return words_in(language).say(_KINDS[kind])


def channel_name(channel: str, language: str) -> str:
    """Return a channel's name."""
    return words_in(language).say(_CHANNELS[channel])


def result_name(result: str, language: str) -> str:
    """Return how an attempt to deliver ended."""
    return words_in(language).say(_RESULTS[result])


def title_words(kind: str, game: str, language: str, name: str = "") -> str:
    """Return the one line that a notice is about; the name is that of whoever nudges."""
    return words_in(language).say(_TITLES[kind], game=game, name=name)


def subject_words(tables: int, language: str) -> str:
    """Return the subject of a message about several tables."""
    return words_in(language).say(_SUBJECT, tables=tables)


def news_words(tables: int, language: str) -> str:
    """Return the subject of a person's daily digest."""
    return words_in(language).say(_NEWS, tables=tables)


def several_words(notices: int, language: str) -> str:
    """Return the subject of a message about several things."""
    return words_in(language).say(_SEVERAL, notices=notices)


def heads_title(number: int, language: str) -> str:
    """Return what a published list of heads is called."""
    return words_in(language).say(_HEADS, number=number)


def heads_note(matches: int, language: str) -> str:
    """Return what a published list of heads is good for."""
    return words_in(language).say(_HEADS_NOTE, matches=matches)


def round_words(state: Match, language: str) -> str:
    """Return which round a match is in; empty before the first."""
    number = getattr(state.game, "round", 0)
    return words_in(language).say(_ROUND, round=number) if isinstance(number, int) and number else ""


def deadline_words(deadline: Instant, zone: ZoneInfo, now: Instant, language: str) -> str:
    """Return a deadline in the reader's time zone, with what is left: ``Tuesday 18:00, 23 hours left``."""
    moment, left = local_moment(deadline, zone, now, language), time_left(deadline, now, language)
    return words_in(language).say(_DEADLINE, moment=moment, left=left)
