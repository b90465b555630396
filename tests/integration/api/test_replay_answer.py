"""A whole match in one answer: compressed for those who take it so."""

import pytest

from tests.integration.api.tables import Api, Table


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("deflate, GZIP;q=0.5", True),
        ("identity", False),
        ("", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
    ],
)
async def test_a_replay_is_compressed_where_that_is_accepted(api: Api, accepted, packed):
    table = await Table.started(api)
    answer = await api.get(f"{table.path}/replay", headers={"Accept-Encoding": accepted})
    assert answer.status_code == 200
    assert (answer.headers.get("Content-Encoding") == "gzip") == packed
    assert answer.headers["Vary"] == "Authorization, Accept-Encoding"
    assert answer.json()["version"] == len(answer.json()["steps"]) + 1


async def test_both_forms_say_the_same_under_tags_of_their_own(api: Api):
    table = await Table.started(api)
    plain, packed = [
        await api.get(f"{table.path}/replay", headers={"Accept-Encoding": accepted})
        for accepted in ("identity", "gzip")
    ]
    assert plain.content == packed.content
    assert plain.headers["ETag"] != packed.headers["ETag"]
    for answer, accepted in ((plain, "identity"), (packed, "gzip")):
        headers = {"If-None-Match": answer.headers["ETag"], "Accept-Encoding": accepted}
        assert (await api.get(f"{table.path}/replay", headers=headers)).status_code == 304
