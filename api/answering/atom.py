"""Atom feeds (RFC 4287)."""

from collections.abc import Iterable
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from domain.instants import Instant

ATOM: Final = "application/atom+xml"
_NEVER: Final = "1970-01-01T00:00:00.000Z"


class AtomEntry(NamedTuple):
    """One entry of a feed.

    Attributes:
        id: Names it for ever, a URN.
        link: Where to read on.
        media: What is there.
        content: The whole of it as text, if it is told here.
    """

    id: str
    title: str
    updated: Instant
    link: str
    summary: str
    media: str = "text/html"
    content: str = ""


def atom_feed(
    feed_id: str, title: str, address: str, entries: Iterable[AtomEntry], language: str = ""
) -> bytes:
    """Return a feed, its newest entry first.

    Args:
        feed_id: Names it for ever.
        title: Its title.
        address: Where it is itself; empty to keep that to those who know it.
        entries: Its entries.
        language: The language of its texts; empty to say nothing.
    """
    listed = list(entries)
    updated = listed[0].updated if listed else _NEVER
    spoken = f" xml:lang={quoteattr(language)}" if language else ""
    itself = f'<link rel="self" type="{ATOM}" href={quoteattr(address)}/>' if address else ""
    return (
        f'<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"{spoken}>'
        f"<id>{escape(feed_id)}</id><title>{escape(title)}</title><updated>{updated}</updated>"
        f"<author><name>Tablée</name></author>{itself}{''.join(map(_entry, listed))}</feed>"
    ).encode()


def _entry(entry: AtomEntry) -> str:
    # Text, and escaped: feed readers show it as it is, line by line.
    content = f'<content type="text">{escape(entry.content)}</content>' if entry.content else ""
    return (
        f"<entry><id>{escape(entry.id)}</id><title>{escape(entry.title)}</title>"
        f"<updated>{entry.updated}</updated>"
        f'<link rel="alternate" type={quoteattr(entry.media)} href={quoteattr(entry.link)}/>'
        f"<summary>{escape(entry.summary)}</summary>{content}</entry>"
    )
