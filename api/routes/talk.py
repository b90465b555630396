"""``/matches/{match}/talk``: what the people at a table say to each other."""

from typing import Annotated, Final, Literal

import msgspec
from litestar import delete, get, patch, post
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import COMMAND_ID, Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.permissions.refusals import HostTokenNeeded, PersonTokenNeeded
from api.requests.bodies import Body, read
from api.requests.commands import match_of
from api.requests.headers import command_id, wanted_language
from api.requests.talk import TalkShown, mute_author, player_in, speaker, talk_at
from services.errors import NoSuchMessage
from services.people.talk import LONGEST, MOST_KEPT

_HEADERS: Final = {"Cache-Control": "no-store"}
_UNAVAILABLE: Final = ("store.unavailable",)

Reaction = Literal["", "well-played", "thanks", "sorry", "wow", "good-luck"]


class SayBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something to say: words, or a reaction.

    Attributes:
        text: Words, on one line.
        reaction: One of the reactions, which everybody reads in their own language.
    """

    text: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    reaction: Reaction = ""


class TalkChangeBody(Body, frozen=True, forbid_unknown_fields=True):
    """Whether people may talk at the table.

    Attributes:
        open: Whether they may.
    """

    open: bool


class MuteBody(Body, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Whom you do not want to read, at any table.

    Attributes:
        message: A message of theirs at this table.
        muted: False to read them again.
    """

    message: Annotated[str, msgspec.Meta(max_length=64)]
    muted: bool = True


_SAY: Final = msgspec.json.Decoder(SayBody)
_CHANGE: Final = msgspec.json.Decoder(TalkChangeBody)
_MUTE: Final = msgspec.json.Decoder(MuteBody)
_SHOWN: Final = {200: Answer("The talk as you read it.", TalkShown)}

_READ_OPERATION: Final = Operation(
    id="readTalk",
    tag="playing",
    description=(
        f"The last {MOST_KEPT} messages. Only the people who sit at the table, and its host, read them and speak: "
        "neither spectators nor bots, even at a public table. Nothing of it stands in the log or in an export."
    ),
    answers=_SHOWN,
    problems={403: ("key.other_scope",), 503: _UNAVAILABLE},
)
_SAY_OPERATION: Final = Operation(
    id="say",
    tag="playing",
    description=f"A message has {LONGEST} characters at most. The oldest goes when there are more than {MOST_KEPT}.",
    parameters=(COMMAND_ID,),
    body=SayBody,
    examples={"words": {"text": "Nice one!"}, "a reaction": {"reaction": "well-played"}},
    answers=_SHOWN,
    problems={
        400: ("talk.malformed", "talk.too_long"),
        403: ("talk.off", "key.other_scope"),
        503: _UNAVAILABLE,
    },
)
_DELETE_OPERATION: Final = Operation(
    id="deleteMessage",
    tag="playing",
    description="You may delete what you said; the host may delete everything.",
    answers={204: Answer("It is gone.")},
    problems={403: ("talk.not_yours", "key.other_scope"), 404: ("talk.unknown",), 503: _UNAVAILABLE},
)
_CHANGE_OPERATION: Final = Operation(
    id="switchTalk",
    tag="playing",
    description="The host lets people talk, or not. What was said stays until it is deleted.",
    body=TalkChangeBody,
    examples={"no talk": {"open": False}},
    answers=_SHOWN,
    problems={403: ("token.host_needed", "key.other_scope"), 503: _UNAVAILABLE},
)
_MUTE_OPERATION: Final = Operation(
    id="mute",
    tag="playing",
    description="You no longer read what somebody says, at any table. They are not told.",
    body=MuteBody,
    examples={"mute": {"message": "1764445583123-0"}},
    answers=_SHOWN,
    problems={
        403: ("token.person_needed", "key.other_scope"),
        404: ("talk.unknown",),
        503: _UNAVAILABLE,
    },
)


@get("/matches/{match:str}/talk", operation=_READ_OPERATION)
async def read_talk(request: Http) -> ASGIResponse:
    """Read what was said at a table."""
    return await _shown(request)


@post("/matches/{match:str}/talk", operation=_SAY_OPERATION, status_code=200)
async def say(request: Http) -> ASGIResponse:
    """Say something at a table."""
    body, held = await read(request, _SAY), speaker(access_of(request))
    talk = parts_of(request).application.talk
    key = command_id(request, required=False)
    await talk.say(
        match_of(request), player_in(held), held.person, text=body.text, reaction=body.reaction, key=key
    )
    return await _shown(request)


@delete("/matches/{match:str}/talk/{message:str}", operation=_DELETE_OPERATION, status_code=200)
async def delete_message(request: Http) -> ASGIResponse:
    """Delete a message."""
    held, talk = speaker(access_of(request)), parts_of(request).application.talk
    message = request.path_params["message"]
    if not await talk.delete(match_of(request), message, player_in(held), is_host=bool(held.host)):
        raise NoSuchMessage
    return ASGIResponse(status_code=204, headers=_HEADERS)


@patch("/matches/{match:str}/talk", operation=_CHANGE_OPERATION)
async def switch_talk(request: Http) -> ASGIResponse:
    """Let people talk at a table, or not."""
    body, held = await read(request, _CHANGE), speaker(access_of(request))
    if not held.host:
        raise HostTokenNeeded
    await parts_of(request).application.talk.switch(match_of(request), on=body.open)
    return await _shown(request)


@post("/matches/{match:str}/talk/mute", operation=_MUTE_OPERATION, status_code=200)
async def mute(request: Http) -> ASGIResponse:
    """Stop reading somebody, or read them again."""
    body, held = await read(request, _MUTE), speaker(access_of(request))
    if not held.person:
        raise PersonTokenNeeded
    application = parts_of(request).application
    if not await mute_author(application, match_of(request), held.person, body.message, on=body.muted):
        raise NoSuchMessage
    return await _shown(request)


async def _shown(request: Http) -> ASGIResponse:
    held, application = speaker(access_of(request)), parts_of(request).application
    shown = await talk_at(application, match_of(request), held, wanted_language(request))
    return answer(shown, headers=_HEADERS)
