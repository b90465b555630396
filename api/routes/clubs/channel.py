"""``/clubs/{club}/channel``: the chat to which a club's tables are told."""

from typing import Annotated, Final, Literal

import msgspec
from litestar import delete, get, patch, put
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http, address_of, parts_of
from api.permissions.admission import access_of
from api.requests.bodies import Body, read
from api.requests.clubs import club_of
from api.requests.headers import wanted_language
from api.routes.clubs.club import HEADERS
from api.routes.contacts import Shape, reaching_of
from domain.instants import Instant
from services.errors import Unauthenticated
from services.notices.channels.webhook import SECRET
from services.notices.club_channels import ClubChannels, kinds_of, shape_of
from services.notices.occasions import Kind
from services.people.clubs.changes import require
from services.people.contacts import Contact

Told = Literal["opened", "result", "awaited"]
_Address = Annotated[str, msgspec.Meta(max_length=2000)]


class ChannelBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a club's tables are told, and what of them.

    Attributes:
        address: The address to post to.
        shape: What the program there takes.
        tells: `opened`: a table waits for players; `result`: a match has ended; `awaited`: somebody is to move, for a
            minute already.
    """

    address: _Address
    shape: Shape = "json"
    tells: tuple[Told, ...] = ("opened", "result")


class KindsBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is told.

    Attributes:
        tells: See there. Nothing stands for what is usual: `opened` and `result`.
    """

    tells: tuple[Told, ...] = ("opened", "result")


class ChannelShown(msgspec.Struct, frozen=True):
    """A club's channel, as its hosts see it.

    Attributes:
        address: The address to post to; empty if the club has no channel.
        shape: What the program there takes.
        tells: What is told.
        since: When it was given; null if the club has none.
        off: Why nothing is sent there any more; empty if it works.
        secret: What posts are signed with.
    """

    address: str = ""
    shape: str = ""
    tells: tuple[Kind, ...] = ()
    since: Instant | None = None
    off: str = ""
    secret: str = ""


_BODY: Final = msgspec.json.Decoder(ChannelBody)
_KINDS: Final = msgspec.json.Decoder(KindsBody)
_AWAY: Final = ("store.unavailable",)

_SHOW: Final = Operation(
    id="showClubChannel",
    tag="clubs",
    description="For hosts.",
    answers={200: Answer("The channel; its address is empty if there is none.", ChannelShown)},
    problems={503: _AWAY},
)
_GIVE: Final = Operation(
    id="giveClubChannel",
    tag="clubs",
    description=(
        "For hosts. A club has one channel: what happens at its tables is posted there, in your language, as webhooks "
        "of people are, and never with a hidden card. The address gets a test, and is kept if it takes it."
    ),
    body=ChannelBody,
    examples={"a chat": {"address": "https://discord.com/api/webhooks/1/x", "shape": "discord"}},
    answers={200: Answer("It is kept.", ChannelShown)},
    problems={422: ("contact.not_reached",), 503: _AWAY},
)
_CHOOSE: Final = Operation(
    id="chooseClubChannel",
    tag="clubs",
    description="For hosts.",
    body=KindsBody,
    examples={"also whose turn it is": {"tells": ["opened", "result", "awaited"]}},
    answers={200: Answer("The channel.", ChannelShown)},
    problems={404: ("contact.unknown",), 503: _AWAY},
)
_TAKE_AWAY: Final = Operation(
    id="takeClubChannelAway",
    tag="clubs",
    description="For hosts. Nothing is told there any more, and the address is forgotten.",
    answers={204: Answer("There is none any more.")},
    problems={503: _AWAY},
)


@get("/clubs/{club:str}/channel", operation=_SHOW)
async def show_channel(request: Http) -> ASGIResponse:
    """Show a club's channel."""
    channels, club = await _channels(request)
    return _answer(await channels.of(club))


@put("/clubs/{club:str}/channel", operation=_GIVE)
async def give_channel(request: Http) -> ASGIResponse:
    """Say where a club's tables are told."""
    body = await read(request, _BODY)
    channels, club = await _channels(request)
    host = await parts_of(request).application.persons.of(access_of(request).person)
    if host is None:  # erased a moment ago
        raise Unauthenticated
    contact = await channels.give(
        reaching_of(request),
        club,
        body.address,
        body.shape,
        body.tells,
        host=msgspec.structs.replace(host, language=host.language or wanted_language(request)),
        asked_from=address_of(request),
    )
    return _answer(contact)


@patch("/clubs/{club:str}/channel", operation=_CHOOSE)
async def choose_kinds(request: Http) -> ASGIResponse:
    """Choose what a club's channel tells."""
    body = await read(request, _KINDS)
    channels, club = await _channels(request)
    return _answer(await channels.choose(club, body.tells))


@delete("/clubs/{club:str}/channel", operation=_TAKE_AWAY, status_code=200)
async def take_channel_away(request: Http) -> ASGIResponse:
    """Take a club's channel away."""
    channels, club = await _channels(request)
    await channels.take_away(club)
    return ASGIResponse(status_code=204, headers=HEADERS)


async def _channels(request: Http) -> tuple[ClubChannels, str]:
    """Return the channels, and the club of the address, to one of its hosts."""
    person = access_of(request).person
    club = await club_of(request, person)
    require(club, person, "set_terms")
    return ClubChannels(parts_of(request).application.contacts), club.id


def _answer(contact: Contact | None) -> ASGIResponse:
    if contact is None:
        return answer(ChannelShown(), headers=HEADERS)
    secret = contact.details.get(SECRET, "")
    shown = ChannelShown(
        contact.address, shape_of(contact), kinds_of(contact), contact.since, contact.off, secret
    )
    return answer(shown, headers=HEADERS)
