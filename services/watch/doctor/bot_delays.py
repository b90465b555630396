"""Did bots move late? What was mended by itself leaves no other trace than the instants in the log."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from services.watch.doctor.findings import Finding, Severity

LATE_MS: Final = 9_000
"""A job that is lost is sent again ten seconds after the bot was asked; no job takes nearly as long."""

LOOKED_BACK_MS: Final = 3_600_000

RECENT_MS: Final = 600_000
"""What is longer ago is told, but calls nobody: it has mended itself and has not come again."""

WAS_LATE: Final = "match.bot_was_late"

_ASKED_AT: Final = re.compile(r"bot-.+-(\d+)-\d+").fullmatch
"""A bot's command bears the version at which its seat was asked."""


class Delay(msgspec.Struct, frozen=True):
    """A move that came late.

    Attributes:
        version: The move's event.
        seat: The bot's seat.
        asked_at: The event with which the seat was asked.
        milliseconds: How long it took.
        note: What the log says of it: ``hurried``, ``fallback`` or nothing.
        at: When it was made.
    """

    version: int
    seat: int
    asked_at: int
    milliseconds: int
    note: str
    at: Instant


def delays(entries: Sequence[StoredEntry], since: Instant) -> list[Delay]:
    """Return the moves of bots, after an instant, that came late.

    Args:
        entries: A complete log.
        since: What is older is not looked at.
    """
    found = []
    for entry in reversed(entries):
        envelope = decode_envelope(entry.e)
        if envelope.at < since:
            break
        read = _ASKED_AT(envelope.command.id)
        if (
            envelope.door != "bot"
            or envelope.v != envelope.command.first
            or read is None
            or envelope.seat is None
        ):
            continue
        asked_at = int(read[1])
        if not 1 <= asked_at < envelope.v:
            continue
        lasted = milliseconds_of(envelope.at) - milliseconds_of(decode_envelope(entries[asked_at - 1].e).at)
        if lasted >= LATE_MS:
            found.append(Delay(envelope.v, envelope.seat, asked_at, lasted, envelope.note, envelope.at))
    return found


def judge_delays(match: str, entries: Sequence[StoredEntry], now: int) -> list[Finding]:
    """Name the latest of the late moves of the last hour; somebody should look if it was a moment ago."""
    found = delays(entries, instant_from_milliseconds(now - LOOKED_BACK_MS))
    if not found:
        return []
    last = found[0]
    others = f" ({len(found)} such moves within the last hour)" if len(found) > 1 else ""
    noted = f", and was made by the clock ({last.note})" if last.note else ""
    return [
        Finding(
            WAS_LATE,
            Severity.LOOK if now - milliseconds_of(last.at) <= RECENT_MS else Severity.OK,
            f"Event {last.version} of {match}: the bot on seat {last.seat} moved {last.milliseconds / 1000:.1f} s "
            f"after it was asked by event {last.asked_at}{noted}{others}.",
            "The table waited; nothing is lost. The bot's job was lost, or its worker was dead, frozen or busy, or the "
            "service did not run.",
            f"If it goes on: are there workers (`worker.…`)? The service log around that instant says `bot_is_late` or "
            f"`jobs_sent_again`; its lines about {match} have the event's trace.",
            match,
            last.version,
        )
    ]
