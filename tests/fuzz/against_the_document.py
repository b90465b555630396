"""schemathesis: requests derived from the OpenAPI document, and answers checked against it."""

import re
import secrets
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import httpx

from tests.fuzz.service import Running

_CHECKS: Final = (
    *(
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
    ),
    *(
        "response_schema_conformance",
        "negative_data_rejection",
        "missing_required_header",
        "unsupported_method",
    ),
    *("allow_header_conformance", "ignored_auth"),
)
"""All checks except those that count a 409 or 422 as a failure: no document can say how a table stands."""

_CONFIG: Final = """
headers = {{ Authorization = "Bearer {token}" }}
[parameters]
"path.match" = "{match}"
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 422, 428, 429]
[checks.missing_required_header]
expected-statuses = [400, 401, 403, 406, 415, 422, 428]
"""


class Held(NamedTuple):
    """The result of a run.

    Attributes:
        cases: How many requests were sent.
        failures: The failures as text; empty if there are none.
    """

    cases: int
    failures: str


def held_against_the_document(running: Running, examples: int, seed: int) -> Held:
    """Send requests to every operation, and check the answers against the document.

    Args:
        running: The service.
        examples: How many requests to generate per operation, besides the document's own and its schemas' edges.
        seed: The random seed.
    """
    base = f"http://127.0.0.1:{running.port}/api/v1"
    with TemporaryDirectory() as folder:
        Path(folder, "schemathesis.toml").write_text(_CONFIG.format(**_table(base)))
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                *(
                    "run",
                    f"{base}/openapi.json",
                    "--checks",
                    ",".join(_CHECKS),
                    "--phases",
                    _phases(examples),
                ),
                *("--max-examples", str(examples), "--seed", str(seed), "--request-timeout", "10"),
                # A stream has no end to wait for; the tests of streams cover it.
                *("--exclude-path", "/matches/{match}/stream", "--continue-on-failure", "--no-color"),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    counted = re.search(r"(\d+) generated", done.stdout)
    told = done.stdout.partition("FAILURES")[2] or done.stdout + done.stderr
    return Held(int(counted[1]) if counted else 0, "" if done.returncode == 0 else told)


def _phases(examples: int) -> str:
    return "examples,fuzzing" if examples < 10 else "examples,coverage,fuzzing"


def _table(base: str) -> dict[str, str]:
    """Return a running match, and the token of a seat."""
    with httpx.Client(base_url=base) as client:
        made = _posted(client, "/matches", {"game": "skyjo", "seats": [{}, {}], "start": "host"})
        path, token = f"/matches/{made['match']}", ""
        for _ in range(2):
            token = _posted(client, f"{path}/seats", {})["seat_token"]
            client.post(f"{path}/ready", headers={"Authorization": f"Bearer {token}"}).raise_for_status()
        client.post(
            f"{path}/start", headers={"Authorization": f"Bearer {made['host_token']}"}
        ).raise_for_status()
    return {"match": made["match"], "token": token}


def _posted(client: httpx.Client, path: str, body: Any) -> dict[str, Any]:
    answer = client.post(path, json=body, headers={"Idempotency-Key": secrets.token_hex(16)})
    done: dict[str, Any] = answer.raise_for_status().json()
    return done
