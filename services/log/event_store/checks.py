"""Checks of an append that come before any store sees it.

Both the memory model and the Redis adapter call them, so that neither accepts what the other refuses. Ids and names
are restricted text, so that none can reach into another key, field or record.
"""

import re
from typing import Final

from domain.chain import genesis, link
from domain.entries import StoredEntry
from domain.envelopes import is_actor, is_command_id
from domain.errors import Malformed
from services.log.event_store.contract import Adoption, Append, Healing, Status

_MATCH: Final = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
_FINGERPRINT: Final = re.compile(r"[A-Za-z0-9_+/=-]{1,64}").fullmatch
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}").fullmatch

GREATEST_NUMBER: Final = 2**53 - 1
"""Scripts count in doubles, which above this cannot tell one number from the next."""

MOST_ENTRIES: Final = 512
"""Entries of one append. Bounds the time for which its script blocks everybody else."""

MOST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of one append's entries, for the same reason."""

MOST_ADOPTED_ENTRIES: Final = 20_000
"""Entries of a log taken in from elsewhere: as many as a match may have."""

MOST_REFUSAL_BYTES: Final = 16 * 1024


def is_match_id(text: str) -> bool:
    """Tell whether a text is a valid match id."""
    return _MATCH(text) is not None


def check_match(match: str) -> None:
    """Check a match id.

    Raises:
        Malformed: It is not valid.
    """
    if not is_match_id(match):
        raise Malformed("match.id_malformed", "a match id has 1 to 64 letters, digits, _ and -")


def check_command(actor: str, command_id: str) -> None:
    """Check an actor and a command id.

    Raises:
        Malformed: One of them is not valid.
    """
    if not is_actor(actor):
        raise Malformed("actor.id_malformed", "an actor has 1 to 64 letters, digits and _ . : @ -")
    if not is_command_id(command_id):
        raise Malformed(
            "command.id_malformed", "a command id has 1 to 160 letters, digits and _ . : ~ @ + / = -"
        )


def check_consumer(consumer: str) -> None:
    """Check the name of a consumer of the feed.

    Raises:
        Malformed: It is not valid.
    """
    if not _NAME(consumer):
        raise Malformed("consumer.name_malformed", "a consumer's name has 1 to 64 letters, digits and _ . -")


def check_number(number: int) -> None:
    """Check a version, a position or an instant.

    Raises:
        ValueError: A script could not tell it from its neighbours.
    """
    if not 0 <= number <= GREATEST_NUMBER:
        raise ValueError(f"{number} is not between 0 and {GREATEST_NUMBER}")


def check_refusal(refusal: bytes) -> None:
    """Check a refused command that is to be kept.

    Raises:
        ValueError: It is too long.
    """
    if len(refusal) > MOST_REFUSAL_BYTES:
        raise ValueError(f"a refusal has at most {MOST_REFUSAL_BYTES} bytes")


def check_append(append: Append) -> None:
    """Check that an append can be carried out, whatever the store holds.

    Raises:
        Malformed: An id is not valid; ids come from outside.
        ValueError: The rest contradicts itself; that comes from our own code.
    """
    check_match(append.match)
    check_command(append.actor, append.command_id)
    if not _FINGERPRINT(append.fingerprint):
        raise ValueError("a fingerprint has 1 to 64 letters, digits and _ + / = -")
    if append.status is Status.ARCHIVED:
        raise ValueError("no event archives a match; see write_tombstone")
    if not (
        _NAME(append.game) and all(map(_NAME, append.types)) and len(append.types) == len(append.entries)
    ):
        raise ValueError("a game's key and every entry's type are names")
    if not all(map(is_actor, append.holders)):
        raise ValueError("holders are actors")
    for number in (append.expected_version, append.rules, append.limit, append.due or 0):
        check_number(number)
    _check_entries(append)


def _check_entries(append: Append) -> None:
    if not 0 < len(append.entries) <= MOST_ENTRIES:
        raise ValueError(f"a command has 1 to {MOST_ENTRIES} events, not {len(append.entries)}")
    if sum(len(entry.e) + len(entry.s) for entry in append.entries) > MOST_BYTES:
        raise ValueError(f"the events of a command have at most {MOST_BYTES} bytes")
    _check_chain(append.entries, append.expected_version, append.expected_head)


def _check_chain(entries: tuple[StoredEntry, ...], version: int, head: bytes) -> bytes:
    for number, entry in enumerate(entries, version + 1):
        head = link(head, entry.e)
        if entry.version != number or entry.h != head:
            raise ValueError(f"entry {entry.version} does not follow on version {number - 1}")
    return head


def check_healing(healing: Healing) -> None:
    """Check that a log can be put in the place of a damaged one; see :func:`check_adoption`.

    Raises:
        Malformed: The match's id is not valid.
        ValueError: The rest contradicts itself.
    """
    check_adoption(healing)
    if not (healing.stamp and 0 < healing.first <= healing.version):
        raise ValueError("what is healed has a stamp, and a first version within the log")
    check_refusal(healing.act)


def check_adoption(adoption: Adoption) -> None:
    """Check that a log from elsewhere can be taken in, whatever the store holds.

    Raises:
        Malformed: The match's id is not valid.
        ValueError: The rest contradicts itself.
    """
    check_match(adoption.match)
    if not (_NAME(adoption.game) and adoption.types and all(map(_NAME, adoption.types))):
        raise ValueError("a game's key and the events' types are names")
    for number in (adoption.version, adoption.rules, adoption.due or 0):
        check_number(number)
    if adoption.status is Status.ARCHIVED:
        if adoption.entries or not adoption.version:
            raise ValueError("an archived match has events, and they are in the archive")
        return
    if not 0 < len(adoption.entries) == adoption.version <= MOST_ADOPTED_ENTRIES:
        raise ValueError(f"a log has 1 to {MOST_ADOPTED_ENTRIES} events, and all of them")
    if _check_chain(adoption.entries, 0, genesis(adoption.match)) != adoption.head:
        raise ValueError("the head is not that of the last entry")


def due_after(append: Append | Adoption) -> int | None:
    """Return when the match next needs somebody after this; None once it is closed."""
    return append.due if append.status is Status.OPEN else None
