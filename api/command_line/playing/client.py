"""The HTTP API as a player's program uses it."""

import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import Any, Self

import httpx
import msgspec

from api.command_line.group import CommandFailed
from domain.sealing import Opening

PATIENCE_SECONDS = 20.0
"""How long a request is sent again while the service does not answer, or says that it cannot now."""

_PAUSE = 0.2
_LATER = (httpx.codes.SERVICE_UNAVAILABLE, httpx.codes.TOO_MANY_REQUESTS)
_BASE = "/api/v1"


class Answered(Exception):
    """The service answered with a problem.

    Attributes:
        rule: The broken rule, if one was.
        arguments: What the problem says of itself.
    """

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(document.get("code", ""))
        self.rule = str(document.get("rule", ""))
        self.arguments: Mapping[str, Any] = document.get("arguments") or {}
        self.detail = str(document.get("detail") or self.code or status)
        super().__init__(self.detail)


class EventLine(msgspec.Struct, frozen=True):
    """An event as the API gives it: its public envelope, the openings that one may have, the hash after it."""

    version: int
    e: str
    openings: tuple[Opening, ...] = ()
    h: str = ""


class EventList(msgspec.Struct, frozen=True):
    """A piece of a match's log, as the API gives it."""

    events: tuple[EventLine, ...]


class Client:
    """One service. Use it as a context manager, or call ``close``.

    A command is sent again, with the same key, until an answer comes: it has one effect all the same.

    Attributes:
        token: The token with which questions are asked that have none of their own.
    """

    def __init__(
        self, address: str, *, token: str = "", patience: float = PATIENCE_SECONDS, here: bool = True
    ) -> None:
        """Take what to ask; nothing is sent yet.

        Args:
            address: Where the service answers.
            token: The token with which all questions are asked that have none of their own.
            patience: How long a request is sent again.
            here: Whether the service is on this machine: then the environment's proxies are not for it.
        """
        self._patience, self.token = patience, token
        self._words: dict[str, str] = {}
        self.http = httpx.Client(base_url=address.rstrip("/") + _BASE, timeout=10.0, trust_env=not here)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    def create(
        self,
        game: str,
        options: Mapping[str, str | int],
        bots: tuple[str, ...],
        fork: Mapping[str, Any] | None = None,
    ) -> str:
        """Make a table with a bot of a level on each seat, or nobody; return the match's id.

        It begins by itself when everybody is ready; with a position of another match, if one is named.
        """
        seats = [{"bot": level} if level else {} for level in bots]
        body: dict[str, Any] = {"game": game, "options": options, "seats": seats}
        made: dict[str, str] = self._command("/matches", body if fork is None else {**body, "fork": fork})
        return made["match"]

    def fork_file(self, content: bytes, version: int | None, seat: int) -> str:
        """Make a table that begins with a position of a match in a file; return its id.

        Only somebody who is known may send a file, so this makes one known.
        """
        token: str = self._command("/me", {})["token"]
        at = "" if version is None else f"&at={version}"
        headers = {"Idempotency-Key": secrets.token_hex(16), **bearer(token)}
        answer = self._ask("POST", f"/me/imports/fork?seat={seat}{at}", headers, content)
        made: dict[str, str] = msgspec.json.decode(answer)
        return made["match"]

    def rematch(self, match: str, token: str) -> str:
        """Make the same table again, or find the one that somebody has made; return the match's id."""
        made: dict[str, str] = self._command(f"/matches/{match}/rematch", {}, token)
        return made["match"]

    def sit(self, match: str, seat: int) -> str:
        """Take a seat, and promise a random word for the deals; return the seat's token."""
        word = secrets.token_hex(16)
        body = {"seat": seat, "nonce_hash": hashlib.sha256(word.encode()).hexdigest()}
        token: str = self._command(f"/matches/{match}/seats", body)["seat_token"]
        self._words[token] = word
        return token

    def ready(self, match: str, token: str) -> None:
        """Say that one is ready, and show the random word that was promised with the seat."""
        word = self._words.pop(token, "")
        self._command(f"/matches/{match}/ready", {"nonce": word} if word else {}, token)

    def move(self, match: str, token: str, move: Mapping[str, Any], version: int) -> None:
        """Make a move."""
        self._command(f"/matches/{match}/moves", move, token, {"If-Match": f'"{version}"'})

    def undo(self, match: str, token: str) -> None:
        """Take back one's last turn."""
        self._command(f"/matches/{match}/undo", {}, token)

    def redo(self, match: str, token: str) -> None:
        """Step forward into what one took back."""
        self._command(f"/matches/{match}/redo", {}, token)

    def view(self, match: str, token: str = "") -> dict[str, Any]:
        """Return the match as the token's seat sees it."""
        found: dict[str, Any] = msgspec.json.decode(self.get(f"/matches/{match}", token))
        return found

    def events(self, match: str, token: str = "", after: int = 0) -> tuple[EventLine, ...]:
        """Return the events behind a version."""
        answer = self.get(f"/matches/{match}/events?after={after}&format=json", token)
        return msgspec.json.decode(answer, type=EventList).events

    def get(self, path: str, token: str = "") -> bytes:
        """Return what stands at a path of the API; without a token of its own it is asked with the client's."""
        return self._ask("GET", path, bearer(token or self.token), None)

    def _command(
        self,
        path: str,
        body: Mapping[str, Any],
        token: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        keyed = {"Idempotency-Key": secrets.token_hex(16), **bearer(token), **(headers or {})}
        content = msgspec.json.encode(body)
        keyed["Content-Type"] = "application/json"
        return msgspec.json.decode(self._ask("POST", path, keyed, content))

    def _ask(self, method: str, path: str, headers: Mapping[str, str], content: bytes | None) -> bytes:
        end = time.monotonic() + self._patience
        while True:
            answer = self.sent(method, path, headers, content, end)
            if answer.status_code not in _LATER or time.monotonic() > end:
                return content_of(answer)
            time.sleep(_PAUSE)

    def sent(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        content: bytes | None,
        end: float | None = None,
    ) -> httpx.Response:
        """Send a request until somebody answers, whatever it is.

        Raises:
            CommandFailed: Nobody does.
        """
        end = time.monotonic() + self._patience if end is None else end
        while True:
            try:
                return self.http.request(method, path, headers=headers, content=content)
            except UnicodeError:
                # The host has an empty label, or one that is too long.
                raise CommandFailed(
                    f"{self.address} is not an address such as https://cards.example.org."
                ) from None
            except httpx.TransportError as error:
                if time.monotonic() > end:
                    raise self.silent(error) from error
            time.sleep(_PAUSE)

    def silent(self, error: Exception) -> CommandFailed:
        """Return what to tell when nobody answers."""
        return CommandFailed(f"{self.address} does not answer: {error}")

    @property
    def address(self) -> str:
        """The service's address, as it was given."""
        return str(self.http.base_url).removesuffix("/").removesuffix(_BASE)


def bearer(token: str) -> dict[str, str]:
    """Return the header that shows a token."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def content_of(answer: httpx.Response) -> bytes:
    """Return what was answered.

    Raises:
        Answered: It is a problem.
        CommandFailed: The service is at another address.
    """
    if answer.is_success:
        return answer.content
    if answer.has_redirect_location:
        raise CommandFailed(
            f"The service is elsewhere: {answer.headers['location']}. Name that address instead."
        )
    try:
        document = msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.DecodeError:
        document = {}
    raise Answered(answer.status_code, document)
