"""What was said at a table, for one of its people; and who they are there."""

import msgspec

from api.permissions.admission import Access
from api.permissions.refusals import KeyOfOtherScope
from domain.instants import Instant
from services.bootstrap.parts import Application
from services.people.memberships import Held
from services.words.phrases import phrase, words_in
from services.words.talk import reaction_text


class Said(msgspec.Struct, frozen=True):
    """A message as one of the people at the table reads it.

    Attributes:
        id: Its id.
        at: When it was said.
        name: Who said it.
        text: What; a reaction in your language.
        reaction: The reaction's name; empty for words.
        mine: Whether you said it.
        deletable: Whether you may delete it.
    """

    id: str
    at: Instant
    name: str
    text: str
    reaction: str
    mine: bool
    deletable: bool


class TalkShown(msgspec.Struct, frozen=True):
    """The talk of a table.

    Attributes:
        open: Whether people may talk: the host decides.
        messages: The oldest first; without those of people whom you muted.
        muted: By name, somebody's last message whom you muted: with its id you read them again.
    """

    open: bool
    messages: tuple[Said, ...]
    muted: dict[str, str]


def speaker(access: Access) -> Held:
    """Return who somebody is who reads, or says something: people at the table, never a program.

    Raises:
        KeyOfOtherScope: It is a bot that somebody brought.
    """
    held = access.held or Held()
    if held.is_program:
        raise KeyOfOtherScope
    return Held(held.seat if access.seat is not None else "", held.host, held.person)


def player_in(held: Held) -> str:
    """Return as which player somebody speaks."""
    return held.seat or held.host


async def talk_at(application: Application, match: str, held: Held, language: str) -> TalkShown:
    """Return the talk of a table as one of its people reads it.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    talk = application.talk
    found, muted = await talk.of(match), await talk.muted(held.person)
    players = list(dict.fromkeys(one.player for one in found))
    authors = dict(zip(players, await application.memberships.persons_of(players), strict=True))
    names = dict(zip(players, await application.names.of(players), strict=True))
    persons = [authors[player] for player in players if authors[player] and not names[player]]
    known = {one.id: one.name for one in await application.persons.of_many(persons) if one is not None}
    host, somebody = (words_in(language).say(said) for said in (phrase("the host"), phrase("somebody")))

    def name(player: str) -> str:
        return names[player] or known.get(authors[player], "") or (host if player == held.host else somebody)

    mine = {held.seat, held.host} - {""}
    shown, hidden = [], {}
    for one in found:
        if {authors[one.player], one.player} & muted:
            hidden[name(one.player)] = one.id
            continue
        said = one.text or reaction_text(one.reaction, language)
        is_mine = one.player in mine
        shown.append(
            Said(one.id, one.at, name(one.player), said, one.reaction, is_mine, is_mine or bool(held.host))
        )
    return TalkShown(not await talk.is_off(match), tuple(shown), hidden)


async def mute_author(application: Application, match: str, person: str, message: str, *, on: bool) -> bool:
    """Mute whoever said something, or no longer; tell whether the message is there.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    found = next((one for one in await application.talk.of(match) if one.id == message), None)
    if found is None:
        return False
    author = (await application.memberships.persons_of([found.player]))[0] or found.player
    if author != person:
        await application.talk.mute(person, author, on=on)
    return True
