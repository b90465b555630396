"""``docs/learn/write-a-client.md`` is true: its commands run in their order, against a service with bots."""

import asyncio
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.bootstrap.parts import application
from services.process.settings import Settings, installation_secret
from tests.integration.api.serving import serving
from tests.kit.checkout import ROOT

GUIDE = ROOT / "docs" / "learn" / "write-a-client.md"

pytestmark = [
    pytest.mark.skipif(shutil.which("curl") is None, reason="the guide needs curl"),
    pytest.mark.xdist_group("api server"),
]


def commands(port: int) -> str:
    blocks = re.findall(r"^```sh\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 10
    return "set -eu\n" + "\n".join(blocks).replace("127.0.0.1:8000", f"127.0.0.1:{port}")


async def test_the_guide_is_true_word_by_word(tmp_path: Path):
    folder, stop = tmp_path / "data", asyncio.Event()
    place = tmp_path / "place"
    place.mkdir()
    with serving(folder) as server:
        bots = asyncio.create_task(play_all_bots(server.stores.log_store_url, folder, stop))
        script = commands(server.port)
        run = await asyncio.to_thread(
            subprocess.run, ["bash", "-c", script], cwd=place, capture_output=True, text=True, check=False
        )
        stop.set()
        await bots
    assert run.returncode == 0, run.stdout + run.stderr

    def said(name: str) -> Any:
        return msgspec.json.decode((place / name).read_bytes())

    lines = run.stdout.splitlines()
    for expected in ("{'fewest': 2, 'most': 6}", "False", "True", "move.malformed"):
        assert expected in lines, run.stdout
    assert lines[-1].startswith("good, to ")
    assert said("view.json")["legal"]["draw"] is True
    assert said("again.json") == {**said("move.json"), "duplicate": True}
    assert said("then.json") == said("view.json")
    assert said("end.json")["view"]["lifecycle"] == {"phase": "abandoned", "reason": "only_a_trial"}
    assert said("bots-cards.json")["game"]["hands"][1]
    stream = (place / "stream.txt").read_text()
    assert stream.startswith("retry: 2000")
    assert "id: 1\n" in stream


async def play_all_bots(url: str, folder: Path, stop: asyncio.Event) -> None:
    settings = Settings(data=str(folder))
    async with application(url, 16, installation_secret(settings), settings.archive_address) as parts:
        while not stop.is_set():
            async for match in parts.store.matches():
                await parts.bots.play_turns(match, trace="bots", seconds=5)
            await asyncio.sleep(0.02)
