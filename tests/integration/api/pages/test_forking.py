"""Playing on from a position of another match."""

from domain.entries import decode_envelope
from tests.integration.api.pages.conftest import Pages


async def test_one_plays_on_from_one_s_own_practice_match(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    head = await pages.application.reader.head(match)
    await anna.get(f"/m/{match}/replay?at={head.version}")
    assert f'formaction="/m/{match}/fork"' in anna.page.text

    await anna.get(f"/m/{match}/fork?at={head.version}")
    await anna.submit(f"/m/{match}/fork", ("cards", "anew"))

    fork = str(anna.page.url).rsplit("/", 1)[-1]
    assert fork != match
    begun = await pages.application.reader.head(fork)
    assert begun.state.lifecycle.phase == "playing"
    assert begun.state.origin is not None
    assert (begun.state.origin.parent, begun.state.origin.version) == (match, head.version)
    assert begun.state.terms is not None
    assert begun.state.terms.undo == "practice"


async def test_a_fork_with_the_same_cards_is_told_in_the_log_of_a_parent_that_still_runs(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    await pages.play_bots(match)
    head = await pages.application.reader.head(match)
    for _ in range(2):
        await anna.get(f"/m/{match}/fork?at={head.version}")
        await anna.submit(f"/m/{match}/fork", ("cards", "anew"))
    assert (await pages.application.reader.head(match)).version == head.version

    await anna.get(f"/m/{match}/fork?at={head.version}")
    await anna.submit(f"/m/{match}/fork", ("cards", "same"))
    assert str(anna.page.url).rsplit("/", 1)[-1] != match
    (told,) = await pages.application.store.read(match, after=head.version)
    assert decode_envelope(told.e).type == "LogUnsealed"
    await anna.get(f"/m/{match}")
    assert "with the same cards" in anna.page.text


async def test_a_running_match_of_others_offers_nothing_and_refuses(pages: Pages):
    anna, ben = pages.reader(), pages.reader()
    match = await anna.make_table("lama", "me", "bot")
    head = await pages.application.reader.head(match)

    await ben.get(f"/m/{match}/replay?at={head.version}")
    assert "/fork" not in ben.page.text
    await ben.get(f"/m/{match}/fork?at={head.version}")
    assert ben.page.status_code == 403
    assert not ben.has_form("/fork")

    await anna.get(f"/m/{match}/fork?at={head.version}")
    fields = dict(anna.form("/fork")["fields"])
    await ben.get("/new?game=lama")
    fields["form"] = dict(ben.form("/new")["fields"])["form"]
    await ben.post(f"/m/{match}/fork", fields.items())
    assert ben.page.status_code == 403
    assert not ben.has_form("/fork")


async def test_a_version_at_which_nobody_plays_is_refused_with_a_sentence(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("skyjo", "me", "bot")

    await anna.get(f"/m/{match}/fork?at=1")
    await anna.submit(f"/m/{match}/fork")

    assert anna.page.status_code == 422
    assert 'role="alert"' in anna.page.text
    assert "after the first deal and before the end" in anna.page.text


async def test_a_version_that_does_not_exist_is_refused(pages: Pages):
    anna = pages.reader()
    match = await anna.make_table("odin", "me", "bot")

    await anna.get(f"/m/{match}/fork?at=99999")
    await anna.submit(f"/m/{match}/fork")

    assert anna.page.status_code == 404
