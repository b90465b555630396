"""Whose inbox is asked for, and what it says."""

import unicodedata
from collections.abc import Sequence

import msgspec

from api.answering.turns import names_at
from services.bootstrap.parts import Application
from services.projections.inbox import Finished, Inbox, InboxTable, Parts, parts_of
from services.projections.list_positions import ListPosition
from services.words.names import game_name

LONGEST_SEARCH = 100
"""Characters of a search; what is longer is cut."""


async def inbox_of(application: Application, person: str) -> tuple[Parts, Inbox]:
    """Return who a person is at their tables, and their inbox.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    parts = parts_of(await application.memberships.of(person))
    return parts, await application.inbox.inbox(parts, await application.looks.of(person))


class FinishedWanted(msgspec.Struct, frozen=True):
    """Which finished tables are wanted.

    Attributes:
        after: The position after which the page begins; None for the first.
        count: The most tables on the page.
        find: Words that must all occur in the game's name, the players' names or the match's id; empty for all tables.
    """

    after: ListPosition | None
    count: int
    find: str = ""


async def finished_of(
    application: Application, mine: tuple[Parts, Inbox], asked: FinishedWanted, language: str
) -> Finished:
    """Return a page of a person's finished tables.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    sought = [plain(word) for word in asked.find[:LONGEST_SEARCH].split()]

    async def wanted(tables: Sequence[InboxTable]) -> Sequence[InboxTable]:
        names = await names_at(application, tables, language)
        return [
            table
            for table in tables
            if fits(
                sought,
                (table.row.game, game_name(table.row.game, language), table.match, *names[table.match]),
            )
        ]

    return await application.inbox.finished(*mine, asked.after, asked.count, wanted if sought else None)


def fits(sought: Sequence[str], texts: Sequence[str]) -> bool:
    """Tell whether plain words all occur in some texts."""
    written = [plain(text) for text in texts]
    return all(any(word in text for text in written) for word in sought)


def plain(text: str) -> str:
    """Return a text without accents and case: who looks for Zoe finds Zoë."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
