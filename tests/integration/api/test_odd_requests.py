"""What the fuzzer has found, and must never find again."""

import hashlib
import logging

import pytest

from tests.integration.api.conftest import running_api
from tests.integration.api.tables import Api, Table, fresh_key
from tests.integration.api.test_problems import check_problem


async def form_of(api: Api) -> str:
    """Return what the forms of a fresh browser carry."""
    await api.client.get("/new?game=lama")
    return api.parts.application.form_tokens.of(api.client.cookies["tablee"])


NO_HOSTS = [
    "https://evil.example",
    "http://[",
    "//",
    "a b",
    "a/b",
    "a@b",
    "[::1",
    "a:99999",
    "a:b",
    "\xff",
    "a" * 300,
    "[" + ":" * 60 + "]",
]


@pytest.mark.parametrize("host", NO_HOSTS)
async def test_a_host_that_is_none_is_refused_at_both_doors(api: Api, host):
    written = {b"Host": host.encode("latin-1")}
    table = await Table.make(api)
    for path in ("/games", table.path, "/nothing"):
        check_problem(await api.get(path, headers=written), 400, "host.malformed")
    page = await api.client.get("/rules", headers=written)
    assert page.status_code == 400
    assert "<h1>" in page.text
    assert page.headers["Content-Type"].startswith("text/html")
    assert (await api.client.get("/health/live", headers=written)).status_code == 400


async def test_two_hosts_are_none(api: Api):
    answer = await api.client.get("/api/v1/games", headers=[("Host", "a.example"), ("Host", "b.example")])
    check_problem(answer, 400, "host.malformed")


@pytest.mark.parametrize(
    "host", ["cards.example.org", "cards.example.org:8000", "127.0.0.1:80", "[::1]:8000", "api_1", ""]
)
async def test_a_host_is_let_in(api: Api, host):
    assert (await api.get("/games", headers={"Host": host})).status_code == 200


async def test_when_even_the_answer_to_an_error_fails_there_is_a_problem_document(capsys, monkeypatch):
    async def broken(*_: object) -> None:
        raise RuntimeError("even this")

    async with running_api() as api:
        monkeypatch.setattr(api.app.asgi_handler, "_app", broken)
        answer = await api.get("/games")
    check_problem(answer, 500, "internal")
    assert "even this" not in answer.text
    assert "even this" in "".join(capsys.readouterr())


@pytest.mark.parametrize("origin", ["http://[", "null", "//", "", "http://tablee.test.evil.example", "\xff"])
async def test_a_form_from_a_place_that_cannot_be_read_is_foreign(api: Api, origin, caplog):
    caplog.set_level(logging.ERROR)
    token = await form_of(api)
    answer = await api.client.post(
        "/language",
        data={"form": token, "language": "fr"},
        headers={b"Origin": origin.encode("latin-1")},
    )
    assert answer.status_code == 403
    assert "<h1>" in answer.text
    assert not caplog.records


@pytest.mark.parametrize("part", ["%0a", "%0d%0aX-Injected:%201", "%ff", "%00", "a%20b", "%C3%A9", "a" * 65])
async def test_a_match_id_that_is_none_goes_no_further(api: Api, part):
    for path in (f"/m/{part}", f"/m/{part}/move", f"/m/{part}/sit", f"/m/{part}/replay"):
        answer = await api.client.get(path)
        assert answer.status_code == 400
        assert "<h1>" in answer.text
    for path in ("", "/at/1", "/events", "/stream", "/replay", "/difference"):
        check_problem(await api.get(f"/matches/{part}{path}"), 400, "match.id_malformed")


@pytest.mark.parametrize(
    ("back", "sent_to"),
    [
        ("/rules?a=b#c", "/rules?a=b#c"),
        ("/\t/evil.example", "/%09/evil.example"),
        ("/\r\nX-Injected: 1", "/%0D%0AX-Injected:%201"),
        ("/\x00é", "/%00%C3%A9"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
    ],
)
async def test_nobody_is_sent_elsewhere(api: Api, back, sent_to):
    token = await form_of(api)
    answer = await api.client.post("/language", data={"form": token, "language": "fr", "back": back})
    assert (answer.status_code, answer.headers["Location"]) == (303, sent_to)
    assert "X-Injected" not in answer.headers


@pytest.mark.parametrize("text", ["a" * 65, "a b", "<b>", "é", "a\n", "x" * 50_000])
async def test_nothing_but_an_id_goes_into_the_log_by_the_form_of_a_table(api: Api, text):
    fields = {"form": await form_of(api), "key": fresh_key(), "game": "lama", "seat": ["me", "bot"]}
    answer = await api.client.post("/new", data={**fields, "rematch_of": text})
    assert answer.status_code == 400
    assert "<h1>" in answer.text
    assert [match async for match in api.application.store.matches()] == []


async def test_nothing_but_a_nonce_goes_into_the_log_by_the_form_of_a_table(api: Api):
    nonce = "<b>" * 10_000
    hashed = hashlib.sha256(nonce.encode()).hexdigest()
    table = await Table.make(api)
    form = await form_of(api)
    fields = {"form": form, "key": fresh_key(), "name": "Anne", "nonce_hash": hashed}
    assert (await api.client.post(f"/m/{table.id}/sit", data=fields)).status_code == 303
    before = (await table.view())["version"]
    answer = await api.client.post(f"/m/{table.id}/ready", data={"form": form, "key": "k", "nonce": nonce})
    assert answer.status_code == 400
    assert (await table.view())["version"] == before
