"""The pages of one match, as an operator uses them."""

import re
from html import unescape

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.entries import decode_envelope
from domain.match.commands import UnsealLog
from services.audit.operators import act_as_operator
from services.log.event_store.contract import Status
from tests.integration.api.ops.conftest import OperatorPages
from tests.integration.api.pages.conftest import running_pages
from tests.kit.logs import finished, named, put, running
from tests.kit.tampering import changed
from tests.unit.services.log.archive.conftest import House

RUNNING = running("lama", 3)
OVER = finished("skyjo", 2)
PAGES = ("", "/events", "/e/1", "/e/9", "/tail", "/tail/rows?after=0", "/e/1/raw")


@pytest.fixture(autouse=True)
def _failures_are_told_in_short():
    # Drawing a traceback with all its values, a whole log among them, takes a minute.
    with capture_logs():
        yield


@pytest.fixture
async def operator(ops):
    await put(ops.application.store, "m1", RUNNING, Status.OPEN)
    await put(ops.application.store, "m2", OVER, game="skyjo")
    return await ops.operator()


async def test_every_page_is_there_for_operators_and_for_nobody_else(ops, operator):
    stranger = ops.reader()
    for match in ("m1", "m2"):
        for page in PAGES:
            assert (await operator.get(f"/ops/m/{match}{page}")).status_code == 200, page
            assert (await stranger.get(f"/ops/m/{match}{page}")).status_code == 401, page


ODD = [
    ("/ops/m/none", 404),
    ("/ops/m/none/events", 404),
    ("/ops/m/none/e/1", 404),
    ("/ops/m/none/tail/stream", 404),
    ("/ops/m/.../events", 400),
    ("/ops/m/m1/e/0", 404),
    ("/ops/m/m1/e/-1", 404),
    ("/ops/m/m1/e/1.5", 404),
    ("/ops/m/m1/e/99999", 404),
    ("/ops/m/m1/e/99999999999999999999", 404),
    ("/ops/m/m1/e/one", 404),
    ("/ops/m/m1/e/%F0%9F%83%8F", 404),
    ("/ops/m/m1/e/0/raw", 404),
    ("/ops/m/m1/e/1?eyes=everything", 400),
    ("/ops/m/m1/e/1?eyes=seat9", 400),
    ("/ops/m/m1/e/1?eyes=seat-1", 400),
    ("/ops/m/m1/events?from=-1", 400),
    ("/ops/m/m1/events?from=x", 400),
    ("/ops/m/m1/events?from=999999999", 200),
    ("/ops/m/m1/events?before=0", 200),
    ("/ops/m/m1/events?from=", 200),
    ("/ops/m/m1/events?type=NoSuchType", 200),
    ("/ops/m/m1/events?actor=%3Cscript%3E", 200),
    ("/ops/m/m1/events?since=yesterday", 400),
    ("/ops/m/m1/events?until=2026-11-31", 400),
    ("/ops/m/m1/events?type=a&type=b", 400),
    ("/ops/m/m1/tail/rows?after=x", 400),
    ("/ops/m/m1/tail/rows?after=999999999", 204),
    ("/ops/m/m1/no-such-page", 404),
]


async def test_odd_addresses_are_answered_with_what_is_wrong(operator):
    for address, status in ODD:
        answer = await operator.get(address)
        assert answer.status_code == status, address
        assert "<script>" not in answer.text.casefold()


async def test_the_head_page_says_who_is_to_move_and_what_can_be_done(ops, operator):
    text = (await operator.get("/ops/m/m1")).text
    head = await ops.application.reader.head("m1")
    assert "tablee verify m1" in text
    assert "Whole and untouched" in text
    assert head.head.hex() in text
    assert (await operator.get("/ops/m/m2")).text.count("The match is over") >= 1


async def test_the_table_of_events_is_paged_and_each_event_has_an_address(operator):
    last = (await operator.get("/ops/m/m2/events")).text
    assert f'href="/ops/m/m2/e/{len(OVER)}"' in last
    first = (await operator.get("/ops/m/m2/events?from=1")).text
    shown = [int(version) for version in re.findall(r'data-version="(\d+)"', first)]
    assert shown == list(range(1, 51))
    assert 'href="/ops/m/m2/events?from=51"' in first
    head = named("m2", OVER)[0].h.hex()
    assert head[:8] in first
    assert head not in first
    assert head in (await operator.get("/ops/m/m2/events?from=1&hashes=1&json=1")).text


async def test_events_are_found_by_type_actor_command_and_time(operator):
    async def found(query):
        text = (await operator.get(f"/ops/m/m2/events?{query}")).text
        return [int(version) for version in re.findall(r'data-version="(\d+)"', text)]

    assert await found("type=MatchStarted") == [
        entry.version for entry in OVER if decode_envelope(entry.e).type == "MatchStarted"
    ]
    envelope = decode_envelope(OVER[9].e)
    assert 10 in await found(f"actor={envelope.actor}&command={envelope.command.id}")
    assert await found("until=2020-01-01") == []
    assert len(await found("since=2020-01-01&from=1")) == 50


async def test_an_event_is_told_with_its_bytes_its_proof_and_its_changes(operator):
    entry = RUNNING[8]
    page = (await operator.get("/ops/m/m1/e/9")).text
    assert "Its bytes and the hash before it give the stored hash" in page
    raw = await operator.get("/ops/m/m1/e/9/raw")
    stored = (await operator.get("/ops/m/m1/e/9/raw")).content
    assert (stored, raw.headers["content-type"]) == (entry.e, "application/json")
    assert msgspec.json.decode(stored)["v"] == 9
    # What the button copies is what is stored.
    shown = re.search(r'<pre id="stored" tabindex="0"><code>(.*?)</code>', page, re.DOTALL)
    assert shown is not None
    assert unescape(shown[1]).encode() == entry.e


async def test_a_reason_opens_the_cards_and_the_table_reads_it(ops, operator):
    await operator.get("/ops/m/m1/e/9?eyes=seat1")
    assert "give a reason first" in operator.page.text
    await operator.submit("/unseal", reason="a complaint about seat 1")
    assert operator.page.url.path == "/ops/m/m1/e/9"
    assert "With all cards open." in operator.page.text
    text = (await operator.get("/ops/m/m1/e/9?eyes=seat1")).text
    assert "give a reason first" not in text
    position = await ops.application.reader.head("m1")
    assert position.version == len(RUNNING) + 1
    visitor = ops.reader()
    assert "a complaint about seat 1" in (await visitor.get("/m/m1")).text
    assert "a complaint about seat 1" in (await visitor.get("/m/m1/history")).text


async def test_a_form_sent_twice_unseals_once(ops, operator):
    await operator.get("/ops/m/m1")
    form = operator.form("/unseal")
    fields = [(name, "why" if name == "reason" else value) for name, value in form["fields"]]
    for _ in range(3):
        assert (await operator.post(form["action"], fields)).status_code == 200
    assert (await ops.application.reader.head("m1")).version == len(RUNNING) + 1


async def test_a_reason_that_is_none_opens_nothing(ops, operator):
    for reason in ("", "   ", "two\nlines", "x" * 201):
        await operator.get("/ops/m/m1")
        answer = await operator.submit("/unseal", reason=reason)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
    assert (await ops.application.reader.head("m1")).version == len(RUNNING)


async def test_a_form_with_an_odd_field_changes_nothing(ops, operator):
    await operator.get("/ops/m/m1/e/9")
    for odd in ({"back": "x"}, {"back": "9" * 20}, {"key": ""}, {"key": "a b"}, {"key": "x" * 65}):
        answer = await operator.submit("/unseal", reason="why", **odd)
        assert answer.status_code == 400, odd
        await operator.get("/ops/m/m1/e/9")
    assert (await ops.application.reader.head("m1")).version == len(RUNNING)


async def test_nobody_unseals_from_elsewhere_or_without_being_an_operator(ops, operator):
    await operator.get("/ops/m/m1")
    form = operator.form("/unseal")
    fields = [(name, "why" if name == "reason" else value) for name, value in form["fields"]]
    foreign = await operator.post(form["action"], fields, headers={"Origin": "http://elsewhere.test"})
    without = await operator.post(form["action"], [pair for pair in fields if pair[0] != "form"])
    stranger = await ops.reader().post(form["action"], fields)
    assert (foreign.status_code, without.status_code, stranger.status_code) == (403, 403, 401)
    assert (await ops.application.reader.head("m1")).version == len(RUNNING)


async def test_an_unsealing_is_of_one_browser_and_up_to_one_event(ops, operator):
    await operator.get("/ops/m/m1")
    await operator.submit("/unseal", reason="a complaint")
    other = await ops.operator()
    assert "give a reason first" in (await other.get("/ops/m/m1/e/9?eyes=seat0")).text
    await act_as_operator(ops.application.service, "m1", UnsealLog("from the command line"))
    later = len(RUNNING) + 2
    assert "give a reason first" in (await operator.get(f"/ops/m/m1/e/{later}?eyes=seat0")).text
    assert "give a reason first" not in (await operator.get(f"/ops/m/m1/e/{later - 1}?eyes=seat0")).text


async def test_a_finished_match_needs_no_reason(operator):
    page = (await operator.get("/ops/m/m2/e/9?eyes=seat0")).text
    assert "With all cards open." in page
    assert not operator.has_form("/unseal")


async def test_an_altered_event_is_named_and_shown_on_every_page(ops, operator):
    store = ops.application.store
    entry = store._matches["m1"].entries[8]
    store._matches["m1"].entries[8] = changed(entry, lambda envelope: envelope.update(actor="somebody-else"))
    for address in ("", "/events", "/e/9", "/e/10", "/tail", "/e/9/raw"):
        assert (await operator.get(f"/ops/m/m1{address}")).status_code == 200
    assert "The log is not what it was" in (await operator.get("/ops/m/m1")).text
    assert "This event is not what was written" in (await operator.get("/ops/m/m1/e/9")).text
    after = (await operator.get("/ops/m/m1/e/10")).text
    assert "This event is not what was written" not in after
    assert 'href="/ops/m/m1/e/9"' in after


async def test_what_cannot_be_read_is_shown_all_the_same(ops, operator):
    entries = ops.application.store._matches["m1"].entries
    for stored in (b"", b"{}", b"\xff\xfe\x00", b'{"v":9,"type":"NoSuchEvent"}'):
        entries[8] = msgspec.structs.replace(entries[8], e=stored)
        for address in ("", "/events", "/e/8", "/e/9", "/e/10", "/tail"):
            assert (await operator.get(f"/ops/m/m1{address}")).status_code == 200, address
    await operator.get("/ops/m/m1")
    answer = await operator.submit("/unseal", reason="why")
    assert answer.status_code == 422
    assert "Nothing can be written after a log that cannot be folded" in answer.text


async def test_nothing_is_unsealed_on_top_of_an_event_that_was_altered_behind_our_back(ops, operator):
    await operator.get("/ops/m/m1")
    store = ops.application.store
    entries = store._matches["m1"].entries
    entries[8] = changed(entries[8], lambda envelope: envelope.update(actor="somebody-else"))
    answer = await operator.submit("/unseal", reason="why")
    assert answer.status_code == 422
    assert "Nothing can be written after a log" in answer.text
    assert len(await store.read("m1")) == len(RUNNING)


async def test_one_deal_is_counted_as_one_and_seats_have_the_name_that_the_log_gives_them(operator):
    counted = [
        re.findall(
            r"(\d+) (deal or draw was|deals and draws were)", (await operator.get(f"/ops/m/{match}")).text
        )
        for match in ("m1", "m2")
    ]
    assert all(len(found) == 1 for found in counted), counted
    assert all((number == "1") == ("was" in words) for ((number, words),) in counted)
    event = next(entry.version for entry in RUNNING if decode_envelope(entry.e).seat == 1)
    assert "<code>seat1</code>, Bot 2" in (await operator.get(f"/ops/m/m1/e/{event}")).text
    assert ">seat1</td>" in (await operator.get("/ops/m/m1/events")).text


@pytest.mark.usefixtures("operator")
async def test_the_pages_speak_french(ops):
    french = await ops.operator("fr")
    text = (await french.get("/ops/m/m1/events")).text
    assert '<html lang="fr">' in text
    assert "Événement" in text


async def test_whoever_follows_gets_what_is_new(ops, operator):
    page = (await operator.get("/ops/m/m1/tail")).text
    assert f'data-version="{len(RUNNING)}"' in page
    await act_as_operator(ops.application.service, "m1", UnsealLog("a look"))
    rows = await operator.get(f"/ops/m/m1/tail/rows?after={len(RUNNING)}")
    assert re.findall(r'<tr data-row id="v(\d+)"', rows.text) == [str(len(RUNNING) + 1)]


async def test_a_match_whose_events_are_lost_is_told_so(ops, operator):
    ops.application.store._matches["m1"].entries.clear()
    ops.application.reader.forget("m1")
    for address in ("", "/events", "/tail"):
        assert (await operator.get(f"/ops/m/m1{address}")).status_code == 200, address
    assert "The log is not what it was" in (await operator.get("/ops/m/m1")).text
    assert (await operator.get("/ops/m/m1/e/1")).status_code == 404


async def test_an_archived_match_is_read_through_the_archive(tmp_path):
    house = House(tmp_path)
    await put(house.store, "m2", OVER, game="skyjo")
    assert await house.archivist.archive("m2")
    async with running_pages(house.log) as running:
        operator = await OperatorPages(running.app, running.people).operator()
        for page in PAGES:
            assert (await operator.get(f"/ops/m/m2{page}")).status_code == 200, page
        text = (await operator.get("/ops/m/m2")).text
        assert "in the archive" in text
        assert "What was refused is not kept in the archive." in text
        assert "Whole and untouched" in text
    await house.client.aclose()
