"""The page of proof: a match is checked in the browser, by a verifier that judges as the one in Python does."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.async_api import expect

from domain.games.registry import CURRENT
from services.audit.digest_format import PublishedHead, read_digest, written_digest
from services.audit.errors import DigestUnreadable
from services.log.archive.documents import document_of, file_end
from tests.e2e.people import PATIENCE
from tests.golden import corpus
from tests.kit.instants import NOON
from tests.unit.services.log.archive import test_verifier as forgeries

pytestmark = pytest.mark.asyncio(loop_scope="session")

JUDGE = """async ([module, text]) => {
  const { check } = await import(module)
  try { return (await check(text)).map((one) => [one.events, one.right, one.sealed]) }
  catch (wrong) { return wrong.code ?? String(wrong) }
}"""


READ = """async ([module, text]) => {
  const { readDigest } = await import(module)
  try { const { sha256, heads } = await readDigest(text); return [sha256, heads.length] }
  catch (wrong) { return wrong.code ?? String(wrong) }
}"""


def files() -> Iterator[tuple[str, bytes]]:
    content, count = b"", 0
    for path in corpus.files():
        recorded = corpus.read(path)
        header = recorded.header
        content += document_of(header.match, header.game, header.rules, recorded.entries)
        count += 1
    yield "recorded matches", content + file_end(count)
    yield from forgeries.WRONG.items()
    for game in CURRENT.values():
        log = forgeries.went_on(game)
        whole = forgeries.file_of(log)
        yield f"{game.key}, a fork", whole
        swapped = forgeries.with_two_cards_swapped(log, *game.round_starts())
        yield f"{game.key}, two cards swapped", forgeries.file_of(swapped)
        yield (
            f"{game.key}, an opening changed",
            forgeries.resealed(whole.replace(b'"salt":"', b'"salt":"0', 1)),
        )
        yield f"{game.key}, an event left out", b"".join(whole.splitlines(keepends=True)[:3:2])
        yield f"{game.key}, undescribed", forgeries.with_head(whole, lambda head: head.pop("chance"))


def python_judges(file: Path, content: bytes) -> subprocess.CompletedProcess[str]:
    file.write_bytes(content)
    return forgeries.asked(file)


async def test_both_verifiers_judge_alike(visitors, tmp_path):
    anna = await visitors.new()
    await anna.page.goto(f"/m/{await anna.make_table('lama')}/proof")
    module = await anna.page.get_attribute("a[href$='verify.js']", "href")
    judged = 0
    for name, content in files():
        told = python_judges(tmp_path / "file.ndjson", content)
        found = await anna.page.evaluate(JUDGE, [module, content.decode(errors="replace")])
        assert isinstance(found, list) == (told.returncode == 0), (name, found, told.stdout)
        if isinstance(found, list):
            said = [
                f"events: {events}, deals and draws: {right} right, {sealed} still sealed"
                for events, right, sealed in found
            ]
            rows = told.stdout.splitlines()
            assert [row for row, part in zip(rows, said, strict=True) if part not in row] == [], name
        judged += 1
    assert judged > 20


async def test_both_verifiers_judge_a_list_in_pieces_alike(visitors, monkeypatch):
    monkeypatch.setattr("services.audit.digest_format.IN_ONE", 1)
    monkeypatch.setattr("services.audit.digest_format._IN_A_PIECE", 4)
    heads = [PublishedHead(f"m{number}", 5, "ab" * 32) for number in range(30)]
    written = written_digest(7, NOON, "cd" * 32, heads)
    piece = next(iter(written.pieces.values()))
    excerpt, whole = written.content + piece, written.content + b"".join(written.pieces.values())
    forged = excerpt.replace(b'"version":5', b'"version":6')
    anna = await visitors.new()
    await anna.page.goto(f"/m/{await anna.make_table('lama')}/proof")
    module = await anna.page.get_attribute("a[href$='verify.js']", "href")
    for content in (written.content, excerpt, whole, forged, excerpt[:-60]):
        try:
            read = read_digest(content)
            judged: object = [read.sha256, len(read.heads)]
        except DigestUnreadable:
            judged = "digest"
        assert await anna.page.evaluate(READ, [module, content.decode()]) == judged


async def test_a_player_proves_their_match_and_compares_what_they_kept(visitors, tmp_path):
    anna = await visitors.new(name="Proof")
    match = await anna.make_table("lama")
    page = anna.page
    await page.goto(f"/m/{match}/proof")
    await expect(page.locator("#verdict")).to_have_text(
        "All that can be seen yet holds. What is still hidden can be checked when the match is over."
    )
    async with page.expect_download() as download:
        await page.get_by_role("link", name="The file of this match").click()
    kept = tmp_path / "kept.ndjson"
    await (await download.value).save_as(kept)
    await page.set_input_files("[name=match]", kept)
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator("#compared")).to_have_text("It agrees with this match as the service tells it.")
    forged = tmp_path / "forged.ndjson"
    forged.write_bytes(kept.read_bytes().replace(b"MatchCreated", b"MatchCreatad", 1))
    await page.set_input_files("[name=match]", forged)
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator("#compared")).to_have_text(
        "An event is not the one that was hashed: it was changed."
    )
    # What the service sends is not believed either.
    await page.route("**/file", lambda route: route.fulfill(body=forged.read_text()))
    await page.reload()
    await expect(page.locator("#verdict")).to_have_text("This does not hold.")
    await expect(page.locator("#wrong")).to_contain_text("it was changed. Event: 1")


async def test_a_published_list_from_the_feed_is_put_in_as_it_is(visitors, service):
    anna = await visitors.new(name="Copies")
    match = await anna.make_table("lama")
    command = [sys.executable, "-m", "api.command_line.main", "digest", "--make", "--data", str(service.data)]
    made = await asyncio.to_thread(subprocess.run, command, capture_output=True, check=True)
    assert made.stdout.startswith(b'{"kind":"digest"')
    page = anna.page
    await page.goto("/me/notices")
    feed = await page.get_by_label("For a feed reader").input_value()
    until = time.monotonic() + PATIENCE / 1000
    while (listed := list_in(await (await page.request.get(feed)).body())) != made.stdout.decode():
        assert time.monotonic() < until, listed
        await asyncio.sleep(0.2)
    await page.goto(f"/m/{match}/proof")
    await expect(page.locator("#verdict")).to_contain_text("All that can be seen yet holds.")
    text = page.get_by_label("The text of a published list")
    await text.fill(listed)
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator("#compared")).to_have_text("It agrees with this match as the service tells it.")
    first = listed.index('"head":"') + len('"head":"')
    await text.fill(listed[:first] + ("b" if listed[first] == "a" else "a") + listed[first + 1 :])
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator("#compared")).not_to_have_text(
        "It agrees with this match as the service tells it."
    )
    # A mail brings the same as a file; some programs end its lines in their own way.
    mailed = {
        "name": "tablee-list.txt",
        "mimeType": "text/plain",
        "buffer": listed.replace("\n", "\r\n").encode(),
    }
    await text.fill("")
    await page.set_input_files("[name=match]", mailed)
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator("#compared")).to_have_text("It agrees with this match as the service tells it.")


def list_in(feed: bytes) -> str:
    """Return the newest published list in a feed; empty for none."""
    found = ET.fromstring(feed).find("{*}entry/{*}content")
    return found.text or "" if found is not None else ""
