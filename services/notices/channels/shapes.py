"""The shapes in which other programs take a message."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import msgspec

from domain.instants import Instant
from services.notices.messages import Item, Message
from services.words import letters as words
from services.words.letters import said

_LONGEST: Final = 1900
"""Characters. Discord takes 2000."""

_MARKS: Final = re.compile(r"([\\`*_\[\]()<>~|#])")


class Posted(NamedTuple):
    """What is posted where."""

    address: str
    body: Mapping[str, Any]


class PlainItem(msgspec.Struct, frozen=True):
    """What a message in plain JSON says about one table.

    Attributes:
        match: The match; empty for none.
        kind: What it is about, such as ``turn``.
        title: The one line that says it.
        people: Who else plays.
        round: The round, in words.
        lines: What happened last.
        until: Until when the receiver may act; null for no limit.
        address: Where to go.
    """

    match: str
    kind: str
    title: str
    people: str
    round: str
    lines: tuple[str, ...]
    until: Instant | None
    address: str


def _plain(message: Message, address: str) -> Posted:
    items = [
        PlainItem(
            item.match,
            item.kind,
            item.title,
            item.people,
            item.round,
            item.lines,
            item.until,
            item.address,
        )
        for item in message.items
    ]
    body = {
        "id": message.id,
        "at": message.at,
        "language": message.language,
        "subject": message.subject,
        "items": msgspec.to_builtins(items),
        "stop": message.stop,
    }
    return Posted(address, body)


def _discord(message: Message, address: str) -> Posted:
    # No name of a player calls everybody in the channel.
    return Posted(address, {"content": _markdown(message), "allowed_mentions": {"parse": []}})


def _mattermost(message: Message, address: str) -> Posted:
    return Posted(address, {"text": _markdown(message)})


def _slack(message: Message, address: str) -> Posted:
    paragraphs = []
    for item in message.items:
        link = f"<{item.address}|{_go(item, message.language)}>"
        text = "\n".join((f"*{_slacked(item.title)}*", *map(_slacked, _facts(item, message.language)), link))
        paragraphs.append(text)
    return Posted(address, {"text": _cut("\n\n".join(paragraphs))})


def _ntfy(message: Message, address: str) -> Posted:
    parts = urlsplit(address)
    folder, _, topic = parts.path.rstrip("/").rpartition("/")
    # In JSON, as headers take no accents; the topic then goes into the body.
    base = urlunsplit(parts._replace(path=folder + "/"))
    body = {
        "topic": topic,
        "title": message.subject,
        "message": text_of_message(message),
        "click": message.items[0].address,
        "tags": ["black_joker"],
    }
    return Posted(base, body)


def _gotify(message: Message, address: str) -> Posted:
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    where = urlunsplit(parts._replace(path=path if path.endswith("/message") else f"{path}/message"))
    click = {"client::notification": {"click": {"url": message.items[0].address}}}
    return Posted(
        where, {"title": message.subject, "message": text_of_message(message), "priority": 5, "extras": click}
    )


SHAPES: Final[Mapping[str, Callable[[Message, str], Posted]]] = {
    "discord": _discord,
    "slack": _slack,
    "mattermost": _mattermost,
    "ntfy": _ntfy,
    "gotify": _gotify,
    "json": _plain,
}
"""By name: what is posted of a message for an address."""


def text_of_message(message: Message, *, with_address: bool = True) -> str:
    """Return what a message says under its subject, as plain text."""
    tables = []
    for item in message.items:
        title = (item.title,) if len(message.items) > 1 else ()
        where = (item.address,) if with_address else ()
        tables.append("\n".join((*title, *_facts(item, message.language), *where)))
    return _cut("\n\n".join(tables))


def _markdown(message: Message) -> str:
    paragraphs = []
    for item in message.items:
        facts = (_marked(fact) for fact in _facts(item, message.language))
        paragraphs.append("\n".join((f"**{_marked(item.title)}**", *facts, item.address)))
    return _cut("\n\n".join(paragraphs))


def _facts(item: Item, language: str) -> Iterator[str]:
    if item.round or item.people:
        who = said(words.WITH, language, people=item.people) if item.people else ""
        yield " · ".join(filter(None, (item.round, who)))
    if item.deadline:
        yield said(words.UNTIL, language, deadline=item.deadline)
    if item.note:
        yield item.note
    yield from (f"• {line}" for line in item.lines)


def _go(item: Item, language: str) -> str:
    return said(words.go_words(match=item.match, published=item.published), language)


def _marked(text: str) -> str:
    """Return a text in which a name is neither a link nor bold, and calls nobody."""
    return _MARKS.sub(r"\\\1", text).replace("@", "@\u200b")


def _slacked(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
