"""What is made of whole logs: once for all who ask, one at a time, kept, and in shares."""

import asyncio

import pytest

from services.errors import MatchesBusy
from services.matches.whole_matches import MOST_OF_ONE, MOST_WAITING, WholeMatches


class Bench:
    """Makes texts when told to, and counts."""

    def __init__(self, kept: int = 1000) -> None:
        self.whole = WholeMatches(kept)
        self.made: list[str] = []
        self.at_once = self.most_at_once = 0
        self.go_on = asyncio.Event()

    async def ask(self, key: str, asker: str = "ann") -> str:
        async def make() -> str:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            await self.go_on.wait()
            self.at_once -= 1
            self.made.append(key)
            return key * 10

        return await self.whole.made(key, asker, make, len)

    def asking(self, keys: str, askers: str = "") -> list["asyncio.Task[str]"]:
        return [
            asyncio.create_task(self.ask(key, asker)) for key, asker in zip(keys, askers or keys, strict=True)
        ]


async def test_who_asks_for_the_same_waits_for_the_same():
    bench = Bench()
    asked = bench.asking("aaa", "xyz")
    await asyncio.sleep(0)
    bench.go_on.set()
    assert await asyncio.gather(*asked) == ["a" * 10] * 3
    assert await bench.ask("a") == "a" * 10
    assert bench.made == ["a"]


async def test_one_is_made_at_a_time():
    bench = Bench()
    asked = bench.asking("abcd")
    await asyncio.sleep(0)
    bench.go_on.set()
    await asyncio.gather(*asked)
    assert bench.most_at_once == 1


async def test_more_than_a_share_is_refused_and_others_are_let_in():
    bench = Bench()
    asked = [asyncio.create_task(bench.ask(f"a{number}")) for number in range(MOST_OF_ONE)]
    await asyncio.sleep(0)
    with pytest.raises(MatchesBusy):
        await bench.ask("one more")
    asked.append(asyncio.create_task(bench.ask("b", "bob")))
    asked.append(asyncio.create_task(bench.ask("a0")))
    await asyncio.sleep(0)
    bench.go_on.set()
    await asyncio.gather(*asked)
    assert await bench.ask("one more") == "one more" * 10


async def test_more_than_can_wait_are_refused_whoever_asks():
    bench = Bench()
    asked = [asyncio.create_task(bench.ask(f"m{number}", f"p{number}")) for number in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(MatchesBusy):
        await bench.ask("another", "somebody else")
    bench.go_on.set()
    await asyncio.gather(*asked)


async def test_the_latest_are_kept_and_no_more_bytes_than_said():
    bench = Bench(kept=30)
    bench.go_on.set()
    for key in "abcadab":
        await bench.ask(key)
    assert "".join(bench.made) == "abcdb"


async def test_it_is_made_although_who_asked_has_gone():
    bench = Bench()
    gone, waits = bench.asking("aa", "xy")
    await asyncio.sleep(0)
    gone.cancel()
    bench.go_on.set()
    assert await waits == "a" * 10
    assert bench.made == ["a"]


async def test_what_cannot_be_made_is_told_and_tried_again():
    bench = Bench()

    async def fail() -> str:
        raise LookupError

    for _ in range(2 * MOST_WAITING):
        with pytest.raises(LookupError):
            await bench.whole.made("a", "ann", fail, len)
    bench.go_on.set()
    assert await bench.ask("a") == "a" * 10
