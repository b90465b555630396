"""Before an upgrade: every stored match, live or archived, folds to what it folded to before."""

import asyncio
import json
from pathlib import Path

import pytest

from api.command_line.opening import opened_log
from domain.match.fold import beginning, fold
from services.bootstrap.log_parts import log_parts
from services.log.event_store.contract import Status
from tests.golden.corpus import files, read
from tests.integration.services.log.archive.test_commands import (
    Installation,
    Tablee,
    here,
    installations,
    lines,
    tablee,
    there,
)
from tests.perf.logs import adoption

__all__ = ["here", "installations", "tablee", "there"]


async def adopt_golden(installation: Installation) -> tuple[str, ...]:
    """Store golden matches, archive those that are over; return one of these first, then all others."""
    archived, running = [], []
    archive = str(installation.folder / "archive")
    async with (
        opened_log(installation.url, make=True) as store,
        log_parts(store, installation.url, archive) as parts,
    ):
        for path in files():
            if "skyjo" not in path.parts or not path.name.startswith("2-"):
                continue
            recorded = read(path)
            match = f"golden-{path.name.removesuffix('.ndjson.gz')}"
            position = fold(beginning(recorded.header.match), recorded.entries)
            taken = adoption(match, position, list(recorded.entries))
            assert await parts.store.adopt(taken)
            if taken.status is Status.CLOSED:
                await parts.archivist.archive(match)
                archived.append(match)
            else:
                running.append(match)
    return archived[0], *archived[1:], *running


@pytest.fixture
def golden(there: Installation) -> tuple[str, ...]:
    return asyncio.run(adopt_golden(there))


def test_all_golden_matches_fold_as_they_did_when_the_release_before_wrote_it_down(
    tablee: Tablee, there, golden, tmp_path
):
    file = tmp_path / "baseline"
    written = tablee("replay-all", "--write", file, at=there)
    assert f"{len(golden)} matches written" in written.stdout
    compared = tablee("replay-all", "--against", file, at=there)
    assert f"{len(golden)} good, 0 bad" in compared.stdout


def test_the_first_event_that_differs_is_named_also_in_the_archive(tablee: Tablee, there, golden, tmp_path):
    file = tmp_path / "baseline"
    tablee("replay-all", "--write", file, at=there)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    (row,) = (row for row in rows if row["match"] == golden[0])
    row["hashes"][20:] = ["0" * len(row["hashes"][0])] * (len(row["hashes"]) - 20)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = tablee("replay-all", "--against", file, "--json", at=there, code=1)
    (bad,) = (line for line in lines(found) if line.get("code"))
    assert (bad["match"], bad["code"], bad["bad_version"]) == (golden[0], "fold.differs", 21)


def test_a_match_that_cannot_be_read_is_named_and_the_others_are_folded(tablee: Tablee, there, golden):
    damaged(there.folder / "archive", golden[0])
    found = tablee("replay-all", "--json", at=there, code=1)
    bad = [line for line in lines(found) if line.get("code")]
    assert golden[0] in {line["match"] for line in bad}
    assert len(lines(found)) == len(golden)


def damaged(archive: Path, match: str) -> None:
    (file,) = archive.rglob(f"{match}*.gz")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
