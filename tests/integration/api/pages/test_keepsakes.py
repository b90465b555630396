"""A match taken along as one page: all of it is there, nothing that its reader may not know, and its record."""

import io
import json
import re

from api.pages.keepsakes import send_keepsake
from services.log.archive.documents import documents
from services.log.archive.files import lines_of
from services.log.archive.importing import proven
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.reader import Reader
from tests.integration.api.pages.test_inbox import playing


async def taken(reader: Reader, match: str) -> str:
    page = await reader.get(f"/m/{match}/keepsake")
    assert page.status_code == 200, page.text
    assert page.headers["content-disposition"] == f'attachment; filename="{match}.html"'
    return page.text


def told(page: str) -> dict[str, list[object]]:
    found = re.search(r'<script type="application/json" id="told">(.*)</script>', page)
    assert found is not None
    answer: dict[str, list[object]] = json.loads(found[1])
    return answer


async def test_a_finished_match_is_whole_and_can_be_taken_in_elsewhere(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await playing(anna, bert)
    await anna.get(f"/m/{match}")
    await anna.submit("/resign")
    page = await taken(bert, match)
    (document,) = documents(lines_of(io.BytesIO(page.encode())))
    assert proven(document).match == match
    assert document.line.complete
    assert len(told(page)["lines"]) > 1
    assert "</script><b>" not in page, "a name is no markup"


async def test_a_live_match_shows_only_what_its_reader_may_know(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await playing(anna, bert)
    mine, theirs = await taken(anna, match), await taken(bert, match)
    (document,) = documents(lines_of(io.BytesIO(mine.encode())))
    assert not document.line.complete
    assert document.line.seat == 0
    assert [told(mine)[one] for one in ("start", "steps")] != [
        told(theirs)[one] for one in ("start", "steps")
    ]


async def test_the_page_asks_nobody_for_anything(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await playing(anna, bert)
    page = await taken(anna, match)
    assert not re.search(r'\s(src|action)="', page)
    assert not re.search(r"<(link|img|iframe|object)\b", page)
    assert "/static/" not in page
    assert "default-src 'none'" in page
    assert send_keepsake.paths == {"/m/{match:str}/keepsake"}
