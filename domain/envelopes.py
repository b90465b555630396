"""What an envelope may hold: the bytes that its writer would write, and nothing that no release ever wrote."""

import re
from typing import Any, Final

import msgspec

from domain.entries import Envelope, decode_envelope, encode_envelope
from domain.errors import BrokenLog

DOORS: Final = frozenset({"page", "api", "bot", "clock", "operator"})
"""The ways to a match."""

FALLBACK: Final = "fallback"
"""The note on a bot's move that the rules chose, because its own judgement had failed."""

HURRIED: Final = "hurried"
"""The note on a bot's move that was made in a hurry: by the clock, because no worker had made it in time, or at a
quicker level, because its own took too long."""

NOTES: Final = frozenset({"", FALLBACK, HURRIED})

is_actor: Final = re.compile(r"[A-Za-z0-9_.:@-]{1,64}").fullmatch
is_command_id: Final = re.compile(r"[A-Za-z0-9_.:~@+/=-]{1,160}").fullmatch
is_trace: Final = re.compile(r"[A-Za-z0-9_-]{0,64}").fullmatch
_is_instant: Final = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII).fullmatch

_MOST_SEATS: Final = 64


def read_envelope(stored: bytes, version: int) -> tuple[Envelope, Any]:
    """Read an envelope of which every byte is accounted for; return it with its data, decoded.

    Raises:
        BrokenLog: It cannot be read, or holds something that its writer would not have written.
    """
    try:
        envelope = decode_envelope(stored)
        data = msgspec.json.decode(envelope.data)
        # If a key occurs twice, one reader sees one value and another reader the other.
        again = msgspec.json.encode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenLog("log.unreadable", version, str(error)) from None
    if again != bytes(envelope.data):
        raise BrokenLog(
            "log.not_canonical", version, "in its data a key occurs twice, or there is white space"
        )
    if encode_envelope(envelope) != stored:
        detail = (
            "it is not what its writer would write: an unknown key, a key twice, another order, white space"
        )
        raise BrokenLog("log.not_canonical", version, detail)
    return envelope, data


def check_words(envelope: Envelope, version: int) -> None:
    """Check that an envelope says only what a release may have written into it.

    Raises:
        BrokenLog: A door or note that there is not, or an id, a trace or an instant of another form.
    """
    if envelope.door not in DOORS:
        raise BrokenLog("log.unknown_door", version, f"there is no door {envelope.door!r}")
    if envelope.note not in NOTES:
        raise BrokenLog("log.unknown_note", version, f"there is no note {envelope.note!r}")
    if not is_actor(envelope.actor):
        raise BrokenLog("log.actor_malformed", version, f"{envelope.actor!r} is not the id of an actor")
    if not is_command_id(envelope.command.id):
        raise BrokenLog(
            "log.command_malformed", version, f"{envelope.command.id!r} is not the id of a command"
        )
    if not is_trace(envelope.trace):
        raise BrokenLog("log.trace_malformed", version, f"{envelope.trace!r} is not a correlation id")
    if not all(map(_is_instant, (envelope.at, *envelope.deadlines.values()))):
        raise BrokenLog("log.instant_malformed", version, f"an instant is not one, such as {envelope.at!r}")
    seats = envelope.deadlines if envelope.seat is None else (envelope.seat, *envelope.deadlines)
    if not all(0 <= seat < _MOST_SEATS for seat in seats):
        raise BrokenLog("log.seat_malformed", version, "it names a seat that no table has")
    if envelope.deadlines and version != envelope.command.last:
        raise BrokenLog("log.deadlines_misplaced", version, "only the last event of a command gives time")
