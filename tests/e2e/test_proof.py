"""The page of proof: a match is checked in the browser, by a verifier that judges as the one in Python does."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from domain.games.registry import CURRENT
from services.log.archive.documents import document_of, file_end
from tests.golden import corpus
from tests.unit.services.log.archive import test_verifier as forgeries

pytestmark = pytest.mark.asyncio(loop_scope="session")

JUDGE = """async ([module, text]) => {
  const { check } = await import(module)
  try { return (await check(text)).map((one) => [one.events, one.right, one.sealed]) }
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
