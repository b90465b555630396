"""Whether the lists agree with the logs, read with a plain Redis client, like the log itself."""

import base64
import json
from typing import Any

from services.projections.matches import LAYOUT
from tests.faults.log_check import plain_client

_STATE = f"tb:{{s00}}:p:matches:{LAYOUT}"


def lists_that_differ(url: str) -> list[str]:
    """Return the matches whose row has another version, or another history, than their record."""
    with plain_client(url) as client:
        generation = client.hget(_STATE, "current")
        if generation is None:
            return ["there is no list yet"]
        return [
            match
            for key in client.scan_iter(match="tb:{s*}:m:*:meta", count=1000)
            if not _agrees(client, key.decode(), generation.decode(), match := key.decode().split(":")[3])
        ]


def _agrees(client: Any, meta: str, generation: str, match: str) -> bool:
    shard = meta.split(":")[1]
    version, head = client.hmget(meta, "version", "head")
    row = client.hget(f"tb:{shard}:p:matches:{LAYOUT}-{generation}:rows", match)
    if row is None:
        return False
    kept_version, kept_head = json.loads(row)[:2]
    told: bool = (kept_version, kept_head) == (int(version), base64.urlsafe_b64encode(head[:6]).decode())
    return told
