"""An HTTP client that follows the API's advice: after a lost answer or a 503 it resends under the same key."""

import http.client
import json
import secrets
import time
from typing import Any, Self

from tests.faults.ledger import Acknowledged, Denied, Ledger, Read, Trouble, Unknown, Wait

LONGEST_RETRY = 90.0
"""After this long without an answer a client gives up, and the test fails."""

_ASK_AGAIN = {http.client.SERVICE_UNAVAILABLE, http.client.TOO_MANY_REQUESTS}
_NOTHING_CHANGED = {"store.unavailable", "store.full", "store.read_only", "store.went_back"}
"""Codes of answers after which the command must never be found in the log."""

_REQUEST_PATIENCE = 15.0
_PAUSE_AFTER_BREAK = 0.1


class Refused(Exception):
    """An answer that is neither 2xx nor 503."""

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        self.status = status
        self.code = str(document.get("code", ""))
        super().__init__(f"{status} {document}")


class NoAnswer(Exception):
    """The service did not come back."""


class GaveUp(Exception):
    """An impatient client does not send again what was not answered, or answered with a 503 of this code."""

    def __init__(self, code: str = "") -> None:
        self.code = code
        super().__init__(code)


class Door:
    """One client's kept-open connection."""

    def __init__(self, port: int, ledger: Ledger) -> None:
        self._port = port
        self._ledger = ledger
        self._connection: http.client.HTTPConnection | None = None
        self._sent = 0.0

    def get(self, path: str, token: str = "") -> dict[str, Any]:
        return self._asked("GET", path, _bearer(token), None)

    def look(self, match: str, token: str) -> dict[str, Any]:
        """Return the match's view, and note what was seen."""
        view = self.get(f"/matches/{match}", token)
        seen = Read(match, view["version"], view["head"], self._sent, time.monotonic())
        self._ledger.reads.append(seen)
        return view

    def make(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a command whose key is a secret: making a table, taking a seat."""
        key, sent = secrets.token_hex(16), time.monotonic()
        answer = self._asked("POST", path, {"Idempotency-Key": key}, body)
        match, version = answer["view"]["match"], answer["version"]
        told = Acknowledged(match, "", version, version, time.monotonic(), sent)
        self._ledger.acknowledged.append(told)
        return answer

    def command(
        self,
        match: str,
        verb: str,
        token: str,
        body: dict[str, Any],
        version: int | None = None,
        *,
        patient: bool = True,
    ) -> dict[str, Any]:
        """Send a command, again and again until it is answered.

        Args:
            match: The match's id.
            verb: The end of its address.
            token: Whose command it is.
            body: What they want.
            version: The version that they have seen.
            patient: Whether to send it again; whoever is not raises ``GaveUp``, and never learns what became of it.
        """
        key, sent = secrets.token_hex(8), time.monotonic()
        headers = {"Idempotency-Key": key, **_bearer(token)}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        self._ledger.commands_under_way.add(key)
        try:
            answer = self._asked("POST", f"/matches/{match}/{verb}", headers, body, patient)
        except (Refused, GaveUp) as refusal:
            if isinstance(refusal, Refused) or refusal.code in _NOTHING_CHANGED:
                self._ledger.denied.append(Denied(match, key, refusal.code))
            else:
                self._ledger.unknown.append(Unknown(match, key, sent))
            raise
        finally:
            self._ledger.commands_under_way.discard(key)
        told = Acknowledged(match, key, answer["first"], answer["last"], time.monotonic(), sent)
        self._ledger.acknowledged.append(told)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._ledger.last_answers.pop(id(self), None)
        self._hang_up()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _asked(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: dict[str, Any] | None,
        patient: bool = True,
    ) -> dict[str, Any]:
        began = time.monotonic()
        while time.monotonic() < began + LONGEST_RETRY:
            self._sent = time.monotonic()
            try:
                status, told, document = self._once(method, f"/api/v1{path}", headers, body)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self._hang_up()
                self._ledger.troubles.append(Trouble(time.monotonic(), 0, reason=repr(error)))
                if not patient:
                    raise GaveUp from error
                time.sleep(_PAUSE_AFTER_BREAK)
                continue
            if status in _ASK_AGAIN:
                self._ledger.troubles.append(Trouble(time.monotonic(), status, told, document))
                if not patient:
                    raise GaveUp(document["code"])
                time.sleep(float(told.get("retry-after", "1")))
                continue
            now = time.monotonic()
            self._ledger.waits.append(Wait(began, now))
            self._ledger.last_answers[id(self)] = now
            self._ledger.durability[told.get("tablee-durability", "")] += 1
            if status >= http.client.MULTIPLE_CHOICES:
                raise Refused(status, document)
            return document
        raise NoAnswer(f"{method} {path}")

    def _once(
        self, method: str, path: str, headers: dict[str, str], body: dict[str, Any] | None
    ) -> tuple[int, dict[str, str], dict[str, Any]]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_REQUEST_PATIENCE)
        content = None if body is None else json.dumps(body)
        given = headers if body is None else {**headers, "Content-Type": "application/json"}
        self._connection.request(method, path, content, given)
        answer = self._connection.getresponse()
        told = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, told, json.loads(answer.read())


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
