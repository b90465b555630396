"""Messages: what is sent to one person through one channel, about one table or several."""

from typing import Literal

import msgspec

from domain.instants import Instant
from services.notices.choices import Channel
from services.notices.occasions import Kind


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a message says about one table. Nothing in it was ever hidden from anybody.

    Attributes:
        match: The match.
        kind: What it is about.
        turn: What it is about within match and kind.
        title: The one line that says it.
        people: Who else plays.
        round: The round, in words; empty before the first.
        lines: What happened last.
        deadline: Until when, in the reader's time zone and words; empty for no limit.
        until: The same as an instant, for programs.
        address: Where to go.
        note: What else is to be said, in words.
        published: The number of a published list of heads that goes with it; 0 for none.
    """

    match: str
    kind: Kind
    turn: str
    title: str
    people: str = ""
    round: str = ""
    lines: tuple[str, ...] = ()
    deadline: str = ""
    until: Instant | None = None
    address: str = ""
    note: str = ""
    published: int = 0


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message to one person through one channel.

    Attributes:
        id: Stable: a message that is delivered twice has the same, so that its receiver can tell.
        language: The receiver's.
        subject: One line for all of it.
        items: By table.
        at: When it was written.
        stop: The address at which one click stops such messages.
    """

    id: str
    person: str
    channel: Channel
    language: str
    subject: str
    items: tuple[Item, ...]
    at: Instant
    stop: str = ""


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one attempt to deliver a message ended.

    Attributes:
        message: The message's id.
        attempt: Which attempt it was, from 1; from the second on the receiver may have it twice.
        result: ``sent``, ``again`` (it failed and is tried again) or ``dead`` (given up).
        reason: Why it failed.
    """

    message: str
    person: str
    channel: Channel
    kinds: tuple[Kind, ...]
    matches: tuple[str, ...]
    at: Instant
    attempt: int
    result: Literal["sent", "again", "dead"]
    reason: str = ""
