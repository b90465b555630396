"""Digests: heads that leave the house, and what they find when history was rewritten, cut or lost."""

import hashlib
import json

import msgspec
import pytest

from domain.chain import genesis
from services.audit.digest_format import PublishedHead, read_digest
from services.audit.digests import DigestMaker, Digests
from services.audit.errors import DigestUnreadable
from services.audit.published import Finding, compare, row_of
from services.log.event_store.contract import Status
from tests.kit.instants import NOON
from tests.kit.log import rechained
from tests.kit.logs import adoption, ends_command, finished, named, put, running
from tests.kit.tampering import changed

DAY = 86_400


def maker(house) -> DigestMaker:
    return DigestMaker(house.log, Digests(house.archive.storage), house.closed, house.clock)


async def moved(house, *matches: str) -> None:
    metas = {match: await house.store.meta(match) for match in matches}
    await house.closed.note_moved({match: meta.version for match, meta in metas.items() if meta})


@pytest.fixture
async def published(house):
    """Two digests: one while `m1` ran, one after it and `m2` had ended."""
    log = named("m1", finished("odin", 2))
    half = next(size for size in range(len(log) // 2, len(log)) if ends_command(log[size - 1]))
    await house.store.adopt(adoption("m1", log[:half], Status.OPEN, "odin"))
    await put(house.store, "m3", running(), Status.OPEN)
    await moved(house, "m1", "m3")
    first = await maker(house).make()
    house.store._matches.pop("m1")
    await house.store.adopt(adoption("m1", log, Status.CLOSED, "odin"))
    await put(house.store, "m2", finished())
    await moved(house, "m1", "m2")
    house.clock.advance(DAY)
    second = await maker(house).make()
    assert first is not None
    assert second is not None
    return first, second


async def findings(house, *given) -> list[tuple[str, str, int]]:
    house = house.again()
    row, wrong = await row_of(Digests(house.archive.storage), given)
    found: list[Finding] = list(wrong)
    async for compared in compare(house.log, row):
        found += compared.findings
    return [(finding.code, finding.subject, finding.version) for finding in found]


async def test_a_digest_names_what_has_moved_and_the_one_before_it(house, published):
    first, second = published
    assert [head.match for head in first.heads] == ["m1", "m3"]
    assert [head.match for head in second.heads] == ["m1", "m2"]
    assert (first.line.digest, first.line.previous, second.line.digest) == (1, "", 2)
    content = await Digests(house.archive.storage).content(1)
    assert second.line.previous == first.sha256 == hashlib.sha256(content or b"").hexdigest()
    meta = await house.store.meta("m1")
    assert second.heads[0] == PublishedHead("m1", meta.version, meta.head.hex())
    assert [json.loads(line).get("kind") for line in (content or b"").splitlines()] == ["digest", None, None]


async def test_a_good_installation_keeps_its_word(house, published):
    assert await findings(house, *published) == []
    await house.archivist.archive("m1")
    await house.archivist.archive("m2")
    assert await findings(house, published[0]) == []
    row, _ = await row_of(Digests(house.archive.storage), ())
    heads = {compared.match: compared.heads async for compared in compare(house.log, row)}
    assert heads == {"m1": 2, "m2": 1, "m3": 1}


async def test_a_day_has_one_digest_and_a_day_on_which_nothing_moved_has_none(house):
    one = maker(house)
    assert await one.make_if_due() is None
    await put(house.store, "m1", running(), Status.OPEN)
    await moved(house, "m1")
    assert await one.make_if_due() is not None
    await moved(house, "m1")
    assert await one.make_if_due() is None
    assert await maker(house).make_if_due() is None
    house.clock.advance(DAY)
    assert await one.make_if_due() is not None
    house.clock.advance(DAY)
    assert await one.make_if_due() is None
    assert await Digests(house.archive.storage).latest() == 2


async def test_a_move_that_comes_while_a_digest_is_made_is_in_the_next(house):
    await put(house.store, "m1", running(), Status.OPEN)
    version = (await house.store.meta("m1")).version
    await house.closed.note_moved({"m1": version + 5})
    await maker(house).make()
    assert [match async for match in house.closed.moved()] == ["m1"]


async def test_two_that_make_a_digest_at_once_make_two_in_one_row(house):
    import asyncio

    await put(house.store, "m1", running(), Status.OPEN)
    await moved(house, "m1")
    await asyncio.gather(maker(house).make(), maker(house.again()).make())
    assert await findings(house) == []


async def test_a_private_table_is_not_named(house):
    log = named("m1", running(visibility="private"))
    await house.store.adopt(adoption("m1", log, Status.OPEN))
    await put(house.store, "m2", running(), Status.OPEN)
    await moved(house, "m1", "m2")
    digest = await maker(house).make()
    assert digest is not None
    assert [head.match for head in digest.heads] == ["m2", f"sha256:{genesis('m1').hex()}"]
    assert await findings(house, digest) == []
    house.store._matches.pop("m1")
    assert await findings(house) == [("head.lost", f"sha256:{genesis('m1').hex()}", 1)]


async def test_a_history_rewritten_with_valid_hashes_is_found(house, published):
    known = house.store._matches["m1"]
    at = published[0].heads[0].version + 3
    log = list(known.entries)
    log[at - 1] = changed(log[at - 1], lambda plain: plain.update(trace="forged"))
    known.entries[:] = rechained("m1", log)
    known.meta = msgspec.structs.replace(known.meta, head=known.entries[-1].h)
    # The head of the first digest still holds: the forgery came after it.
    assert await findings(house) == [("head.rewritten", "m1", published[0].heads[0].version + 1)]


@pytest.mark.usefixtures("published")
async def test_a_history_rewritten_in_the_archive_is_found(house):
    import gzip

    from services.log.archive.documents import document_of, file_end
    from services.log.archive.shelf import name_of

    log = list(house.store._matches["m2"].entries)
    await house.archivist.archive("m2")
    log[6] = changed(log[6], lambda plain: plain.update(trace="forged"))
    forged = rechained("m2", log)
    file = house.folder / name_of("m2")
    file.write_bytes(gzip.compress(document_of("m2", "lama", 1, forged) + file_end(1)))
    assert [code for code, _, _ in await findings(house)] == ["archive.other_head", "head.cut"]
    known = house.store._matches["m2"]
    known.meta = msgspec.structs.replace(known.meta, head=forged[-1].h)
    assert await findings(house) == [("head.rewritten", "m2", 1)]


async def test_a_history_that_was_cut_is_found(house, published):
    known = house.store._matches["m1"]
    size = published[0].heads[0].version
    del known.entries[size:]
    known.meta = msgspec.structs.replace(
        known.meta, version=size, head=known.entries[-1].h, status=Status.OPEN
    )
    assert await findings(house) == [("head.cut", "m1", size + 1)]


@pytest.mark.usefixtures("published")
async def test_a_match_that_was_lost_is_found(house):
    house.store._matches.pop("m2")
    assert await findings(house) == [("head.lost", "m2", 1)]


async def test_a_digest_rewritten_altered_or_lost_is_found_by_who_kept_it(house, published):
    first, second = published
    file = house.folder / "digests" / "000001.ndjson"
    good = file.read_bytes()
    file.write_bytes(good.replace(NOON[:10].encode(), b"2026-01-01", 1))
    assert await findings(house, first) == [
        ("digest.rewritten", "digest 1", 0),
        ("digest.row_broken", "digest 2", 0),
    ]
    assert await findings(house, second) == [("digest.row_broken", "digest 2", 0)]
    file.write_bytes(good[:-30])
    assert ("digest.rewritten", "digest 1", 0) in await findings(house)
    file.unlink()
    assert ("digest.lost", "digest 1", 0) in await findings(house, first)
    file.write_bytes(good)
    (house.folder / "digests" / "000002.ndjson").unlink()
    assert ("digest.lost", "digest 2", 0) in await findings(house, second)


async def test_a_row_rewritten_as_a_whole_is_found_by_who_kept_one_of_it(house, published):
    _, second = published
    for number in (1, 2):
        (house.folder / "digests" / f"{number:06}.ndjson").unlink()
    for match in ("m1", "m2", "m3"):
        await moved(house, match)
        await maker(house).make()
    assert await findings(house) == []
    assert ("digest.rewritten", "digest 2", 0) in await findings(house, second)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b'{"kind":"digest","format":1,"digest":1,"at":"x","previous":"","heads":3}\n',
        b"\xff",
    ],
)
def test_something_else_is_no_digest(content):
    with pytest.raises(DigestUnreadable):
        read_digest(content)


@pytest.mark.parametrize("form", [b'"format":3', b'"format":2', b'"format":1,"pieces":1'])
def test_a_digest_of_another_format_is_refused(form):
    with pytest.raises(DigestUnreadable, match="known are 1 and 2"):
        read_digest(b'{"kind":"digest","digest":1,"at":"x","previous":"","heads":0,' + form + b"}\n")


async def test_a_spoilt_match_does_not_keep_the_others_heads_at_home(house):
    from domain.errors import BrokenLog

    await put(house.store, "m1", running(), Status.OPEN)
    await put(house.store, "m2", running(), Status.OPEN)
    await moved(house, "m1", "m2")
    real = house.log.meta

    async def meta(match):
        if match == "m1":
            raise BrokenLog("log.meta_malformed", 1, "spoilt")
        return await real(match)

    house.log.meta = meta
    digest = await maker(house).make()
    assert digest is not None
    assert [head.match for head in digest.heads] == ["m2"]


async def test_two_processes_at_midnight_make_one_digest(house, monkeypatch):
    await put(house.store, "m1", running(), Status.OPEN)
    await moved(house, "m1")
    one, other = maker(house), maker(house.again())
    made, moving = [], house.closed.moved

    async def meanwhile():
        made.append(await other.make_if_due())
        async for match in moving():
            yield match
        # What the other has published is struck off by now.
        yield "m1"

    monkeypatch.setattr(house.closed, "moved", meanwhile)
    made.append(await one.make_if_due())
    assert [digest is not None for digest in made] == [True, False]
    assert await Digests(house.archive.storage).latest() == 1


class TestPieces:
    """A day on which very many matches have moved."""

    COUNT = 30

    @pytest.fixture
    async def digest(self, house, monkeypatch):
        monkeypatch.setattr("services.audit.digest_format.IN_ONE", 3)
        monkeypatch.setattr("services.audit.digest_format._IN_A_PIECE", 4)
        matches = [f"m{number}" for number in range(self.COUNT)]
        for match in matches:
            await put(house.store, match, running(), Status.OPEN)
        await moved(house, *matches)
        made = await maker(house).make()
        assert made is not None
        return made

    async def test_its_own_file_vouches_for_all_of_them(self, house, digest):
        row = Digests(house.archive.storage)
        content = await row.content(1) or b""
        assert hashlib.sha256(content).hexdigest() == digest.sha256
        assert b"m17" not in content
        assert (digest.line.format, digest.line.heads, len(digest.heads)) == (2, self.COUNT, self.COUNT)
        assert {len(piece.piece) for piece in digest.pieces} == {1}
        assert await row.latest() == 1
        assert await row.read(1) == digest
        assert await findings(house, read_digest(content)) == []
        house.store._matches.pop("m17")
        assert await findings(house, read_digest(content)) == [("head.lost", "m17", 1)]

    async def test_one_piece_is_enough_for_one_match(self, house, digest):
        excerpt = await Digests(house.archive.storage).excerpt(1, genesis("m17").hex()) or b""
        read = read_digest(excerpt)
        assert (read.sha256, read.line) == (digest.sha256, digest.line)
        assert "m17" in {head.match for head in read.heads}
        assert {genesis(head.match).hex()[0] for head in read.heads} == {genesis("m17").hex()[0]}
        for altered in (excerpt.replace(b'"version":', b'"version":1', 1), excerpt.replace(b"m17", b"m18")):
            with pytest.raises(DigestUnreadable, match="is not what the digest says"):
                read_digest(altered)
        with pytest.raises(DigestUnreadable):
            read_digest(excerpt[: excerpt.rindex(b'{"match"')])

    @pytest.mark.usefixtures("digest")
    async def test_a_piece_that_is_altered_or_lost_is_found(self, house):
        piece = next(iter((house.folder / "pieces" / "000001").iterdir()))
        good = piece.read_bytes()
        piece.write_bytes(good.replace(b'"version":', b'"version":1', 1))
        assert await findings(house) == [("digest.rewritten", "digest 1", 0)]
        piece.unlink()
        assert await findings(house) == [("digest.rewritten", "digest 1", 0)]
        piece.write_bytes(good)
        assert await findings(house) == []

    async def test_the_next_one_costs_what_has_moved(self, house, digest, monkeypatch):
        read = []
        reading = house.log.read

        async def noted(match, *arguments, **named):
            read.append(match)
            return await reading(match, *arguments, **named)

        await moved(house, "m3")
        house.clock.advance(DAY)
        monkeypatch.setattr(house.log, "read", noted)
        second = await maker(house).make()
        assert second is not None
        assert (second.line.format, [head.match for head in second.heads]) == (1, ["m3"])
        assert second.line.previous == digest.sha256
        assert read == ["m3"]
