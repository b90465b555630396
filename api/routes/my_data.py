"""``/me/devices`` and ``/me/file``: where one is known, what is kept about one; and being erased."""

from typing import Final

import msgspec
import structlog
from litestar import delete, get
from litestar.response.base import ASGIResponse

from api.answering.answers import answer
from api.document.operations import Answer, Operation
from api.parts import Http, parts_of
from api.permissions.admission import access_of
from api.requests.headers import bearer
from api.routes.me import HEADERS
from domain.instants import Instant
from services.bootstrap import present_instant
from services.errors import NoSuchDevice
from services.people.hashed_secrets import hash_of
from services.people.sessions import CameBy

_log = structlog.get_logger(__name__)

_UNAVAILABLE: Final = {503: ("store.unavailable",)}


class Device(msgspec.Struct, frozen=True):
    """A device, or a program, on which you are known.

    Attributes:
        id: Its id; it opens nothing.
        device: What it says that it is; empty if it does not say.
        since: When you came in there.
        seen: When you were there last, to a day.
        here: Whether it is the one that asks.
        by: How you came in there: `link`, `mail`, `code` or `passkey`; empty where you were first known, or for a
            device that came in before this was kept.
    """

    id: str
    device: str
    since: Instant
    seen: Instant
    here: bool
    by: CameBy


class DeviceList(msgspec.Struct, frozen=True):
    """Where you are known.

    Attributes:
        devices: The one that was used last first.
    """

    devices: tuple[Device, ...]


class DevicesEnded(msgspec.Struct, frozen=True):
    """Devices that know you no longer.

    Attributes:
        ended: How many.
    """

    ended: int


_LIST: Final = Operation(
    id="listDevices",
    tag="people",
    description="Browsers and programs, each with a secret of its own.",
    answers={200: Answer("Your devices.", DeviceList)},
    problems=_UNAVAILABLE,
)
_END: Final = Operation(
    id="endDevice",
    tag="people",
    description="The token that you ask with may be the one that ends.",
    answers={204: Answer("It knows you no longer.")},
    problems={404: ("device.unknown",), **_UNAVAILABLE},
)
_END_OTHERS: Final = Operation(
    id="endOtherDevices",
    tag="people",
    description="The one that asks stays in. A link that was not used ends, too.",
    answers={200: Answer("All others know you no longer.", DevicesEnded)},
    problems=_UNAVAILABLE,
)
_FILE: Final = Operation(
    id="showEverything",
    tag="people",
    description="One member for each kind of thing, without secrets. `/privacy` tells for how long each is kept.",
    answers={
        200: Answer(
            "All of it.",
            media={"application/json": {"type": "object", "description": "Everything, by kind."}},
        )
    },
    problems=_UNAVAILABLE,
)
_ERASE: Final = Operation(
    id="erasePerson",
    tag="people",
    description=(
        "Before the cards are dealt your seats become free, later they are resigned. Then your names, devices, "
        "contacts and all that leads from your seats to you are gone. Logs stay as they are. It cannot be undone."
    ),
    answers={204: Answer("Nobody here knows you any more.")},
    problems={503: ("store.unavailable", "outcome.unknown", "match.contended")},
)


@get("/me/devices", operation=_LIST)
async def list_devices(request: Http) -> ASGIResponse:
    """List the devices on which you are known."""
    found = await parts_of(request).application.sessions.of(access_of(request).person)
    here = hash_of(bearer(request) or "")
    devices = tuple(Device(one.id, one.device, one.since, one.seen, one.id == here, one.by) for one in found)
    return answer(DeviceList(devices), headers=HEADERS)


@delete("/me/devices/{device:str}", operation=_END, status_code=200)
async def end_device(request: Http) -> ASGIResponse:
    """Sign a device out."""
    sessions = parts_of(request).application.sessions
    if not await sessions.end(access_of(request).person, request.path_params["device"]):
        raise NoSuchDevice
    return ASGIResponse(status_code=204, headers=HEADERS)


@delete("/me/devices", operation=_END_OTHERS, status_code=200)
async def end_other_devices(request: Http) -> ASGIResponse:
    """Sign out everywhere else."""
    application, person = parts_of(request).application, access_of(request).person
    ended = await application.sessions.end_all(person, but=hash_of(bearer(request) or ""))
    await application.links.revoke(person)
    return answer(DevicesEnded(ended), headers=HEADERS)


@get("/me/file", operation=_FILE)
async def show_everything(request: Http) -> ASGIResponse:
    """Get everything that is kept about you."""
    kept = await parts_of(request).application.dossiers.of(access_of(request).person)
    return ASGIResponse(body=msgspec.json.encode(kept), headers=HEADERS, media_type="application/json")


@delete("/me", operation=_ERASE, status_code=200)
async def erase_person(request: Http) -> ASGIResponse:
    """Have yourself erased."""
    await parts_of(request).application.dossiers.erase(access_of(request).person, present_instant())
    _log.info("person_erased", by="person")
    return ASGIResponse(status_code=204, headers=HEADERS)


ROUTES: Final = (list_devices, end_device, end_other_devices, show_everything, erase_person)
