"""A rolling upgrade, walked: an old and a new process on one log, then the new one alone, then the old one refused.

The new release is this one with a level more. The old one lacks a kind of event that the new one has.
"""

import secrets
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.log.embedded.session import running_stores
from tests.integration.api.serving import Server

pytestmark = pytest.mark.xdist_group("api server")

NEW = """
from services.log import release_floor
release_floor.ReleaseFloor.__init__.__defaults__ = (2, {"MatchAbandoned": 2})
"""

OLD = """
from domain.match import events
events.MATCH_EVENTS = tuple(kind for kind in events.MATCH_EVENTS if kind.__name__ != "MatchAbandoned")
"""


def told(server: Server, method: str, path: str, token: str = "", **json: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    headers["Idempotency-Key"] = secrets.token_hex(16)
    body = None if method == "GET" else json
    return httpx.request(method, f"{server.url}{path}", headers=headers, timeout=20, json=body)


def table(server: Server) -> tuple[str, str]:
    made = told(server, "POST", "/api/v1/matches", game="lama", seats=[{}, {}])
    assert made.status_code == 201, made.text
    return f"/api/v1/matches/{made.json()['match']}", made.json()["host_token"]


def ready(server: Server) -> tuple[int, str]:
    answer = told(server, "GET", "/health/ready")
    return answer.status_code, answer.json()["writes"]


def test_old_and_new_serve_side_by_side_until_the_new_one_writes_something_new(tmp_path: Path):
    with running_stores(tmp_path, purpose="a rolling upgrade") as stores:
        old, new = Server(tmp_path, stores, OLD), Server(tmp_path, stores, NEW)
        try:
            # Side by side: what either writes, both read and go on with.
            (first, host), (second, _) = table(old), table(new)
            for match in (first, second):
                assert told(new, "POST", f"{match}/seats").status_code == 201
                assert told(old, "POST", f"{match}/seats").status_code == 201
                versions = {told(one, "GET", match).json()["version"] for one in (old, new)}
                assert len(versions) == 1
            assert ready(old) == ready(new) == (200, "ok")

            # Something new: the old one leaves that match to the new one, goes on with the other, and is not ready.
            assert told(new, "POST", f"{first}/abandon", host, reason="enough").status_code == 200
            refused = told(old, "GET", first)
            assert (refused.status_code, refused.json()["code"]) == (503, "release.too_old")
            assert refused.headers["Retry-After"] == "1"
            assert told(old, "GET", second).status_code == 200
            assert told(new, "GET", first).status_code == 200
            until = time.monotonic() + 10
            while ready(old) != (503, "release.too_old"):
                assert time.monotonic() < until
                time.sleep(0.1)
            assert ready(new) == (200, "ok")

            # Going back by mistake: the old one does not start, and says why and how it would.
            old.stop()
            with pytest.raises(AssertionError, match="TABLEE_ACCEPT_OTHER=release"):
                old.restart()
            old.variables["TABLEE_ACCEPT_OTHER"] = "release"
            old.restart()
            assert ready(old) == (200, "ok")
            assert told(old, "GET", first).json()["code"] == "release.too_old"
        finally:
            old.close()
            new.close()
