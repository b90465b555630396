"""An operator lets somebody back on a lost seat: with a reason that the log tells, and a link that works once."""

import re

import pytest

from tests.integration.api.ops.conftest import OperatorPages
from tests.integration.api.pages.test_ways_back import LINK


async def test_an_operator_gives_a_seat_back_in_a_running_match(ops: OperatorPages):
    anna, operator = ops.reader(), await ops.operator()
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    cookie = anna.client.cookies["tablee"]
    await operator.get(f"/ops/m/{match}")
    assert f"/ops/m/{match}/reissue?seat=0" in operator.page.text
    page = await operator.get(f"/ops/m/{match}/reissue?seat=0")
    assert "the seat of Anna" in page.text
    page = await operator.submit("/reissue")
    assert page.status_code == 422  # no reason
    page = await operator.submit("/reissue", reason="a lost phone")
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    found = LINK.search(page.text)
    assert found is not None
    phone = ops.reader()
    await phone.get(found[1])
    await phone.submit(found[1])
    assert phone.page.url.path == f"/m/{match}"
    assert "(you)" in phone.page.text
    assert "a lost phone" in phone.page.text  # everybody at the table reads it
    anna.client.cookies.set("tablee", cookie)
    assert "(you)" not in (await anna.get(f"/m/{match}")).text
    head = await operator.get(f"/ops/m/{match}")
    assert re.search("Links made to lost seats.*by an operator", head.text, re.DOTALL)


async def test_nobody_else_may(ops: OperatorPages):
    anna = ops.reader()
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    assert (await anna.get(f"/ops/m/{match}/reissue?seat=0")).status_code == 401
    operator = await ops.operator()
    for seat in ("x", "-1", "1000"):
        assert (await operator.get(f"/ops/m/{match}/reissue?seat={seat}")).status_code == 400


@pytest.mark.parametrize("seat", ["1", "7"])
async def test_only_a_persons_seat(ops: OperatorPages, seat: str):
    anna, operator = ops.reader(), await ops.operator()
    match = await anna.make_table("lama", "me", "bot", name="Anna")
    await operator.get(f"/ops/m/{match}/reissue?seat={seat}")
    assert (await operator.submit("/reissue", reason="why not")).status_code == 422
