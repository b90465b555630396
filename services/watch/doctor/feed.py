"""Do all consumers of the feed keep up with it, and does the clock visit what is due?"""

from collections.abc import Iterable
from typing import Final

from domain.instants import instant_from_milliseconds, milliseconds_of
from services.log.high_water_mark import WentBack
from services.projections.followers import ConsumerProgress, Unread, patience_with
from services.projections.standing import ConsumerLag
from services.watch.doctor.diagnosis import Diagnosis, act, fine, look
from services.watch.findings import is_clock_late

_MEANS: Final = {
    "bots": "Bots play only when the clock makes them, some ten seconds late.",
    "archive": "Finished matches stay in memory, and no digest is made.",
}


def judge_feed(consumers: Iterable[ConsumerProgress], now: int, *, running: bool) -> list[Diagnosis]:
    """Judge how far the consumers are.

    Args:
        consumers: How far each of them is in each shard.
        now: Milliseconds since the epoch.
        running: Whether the service runs: without it nobody reads, and it reads on when it starts.
    """
    consumers = tuple(consumers)
    found = [finding for one in consumers if (finding := _behind(*one, now, running=running)) is not None]
    if found or not consumers:
        return found
    names = ", ".join(sorted({one.lag.consumer for one in consumers}))
    return [fine("feed.read", f"The feed is read to its end, or was a moment ago, by: {names}.")]


def _behind(one: ConsumerLag, unread: Unread, now: int, *, running: bool) -> Diagnosis | None:
    where = f"The consumer `{one.consumer}` stands at position {one.checkpoint} of shard {one.shard}"
    if one.checkpoint > one.head:
        return act(
            "store.went_back",
            f"{where}, but the feed ends at {one.head}.",
            "The store has lost events that were acknowledged: it is an older copy of itself.",
            "Stop the service. Look for a newer copy of `log` in the data folder or a backup, and restore that; hold "
            "it against the last digest: `tablee verify --against FILE`.",
        )
    if unread.gap:
        return look(
            "feed.gap",
            f"{where}; behind it pointers are missing: {unread.gap}.",
            "The events are all there, only the hints at them are not: this consumer has to look through all matches.",
            "`tablee archive --scan` does that for the archive, `tablee rebuild` for the projections; the bots are "
            "looked after by the clock.",
        )
    if not running or unread.since is None:
        return None
    if now - milliseconds_of(unread.since) <= patience_with(one.consumer) * 1000:
        return None
    return act(
        "feed.stuck",
        f"{where} of {one.head}: since {unread.since} it has not read on "
        f"({one.head - one.checkpoint} pointer(s), the first to {unread.match}).",
        _MEANS.get(one.consumer, "What people look up, such as lists of matches, is not up to date."),
        "Does the process `loops` run (`process.…` above)? If so, its lines in the service log tell what holds it up; "
        "ending it (`kill PID`) makes the service start it anew.",
        match=unread.match,
    )


def judge_high_water_mark(went_back: WentBack | None, file: str) -> list[Diagnosis]:
    """Judge whether the feeds are as long as they were when the service noted it beside the store."""
    if went_back is None:
        return []
    return [
        act(
            "store.went_back",
            f"At {went_back.since} the feed of shard {went_back.shard} stood at position {went_back.was}; at "
            f"{went_back.at} it was seen to end at {went_back.now}.",
            "The store has lost events that were acknowledged: it is an older copy of itself. Every further move makes "
            "the two histories differ more.",
            "Stop the service. Look for a newer copy of `log` or a backup, restore that, hold it "
            "against the last digest: `tablee verify --against FILE`. When it is settled, and if need be the players "
            f"were told, remove {file} and acknowledged.bin beside it: until then this is said again.",
        )
    ]


def judge_clock(earliest: tuple[str, int] | None, now: int, *, running: bool) -> list[Diagnosis]:
    """Judge whether the clock visits what is due.

    Args:
        earliest: The match that has been due for longest, and since when; None if nothing is to come.
        now: Milliseconds since the epoch.
        running: Whether the service runs.
    """
    if earliest is None or not is_clock_late(earliest[1], now):
        return [fine("clock.visits", "No match is due that the clock has not visited.")]
    match, due = earliest
    if not running:
        return [
            look(
                "clock.waits",
                f"{match} has been due since {instant_from_milliseconds(due)}; the service does not run.",
                "Deadlines that have passed end as soon as the service runs.",
                "Start it: `tablee up`.",
                match=match,
            )
        ]
    return [
        act(
            "clock.stuck",
            f"{match} has been due since {instant_from_milliseconds(due)}, for {(now - due) / 1000:,.0f} s: the "
            "clock does not visit what is due.",
            "No deadline ends, and bots whose jobs were lost never move.",
            "Does the process `loops` run (`process.…` above)? If so, its lines in the service log tell what holds it "
            "up; ending it (`kill PID`) makes the service start it anew.",
            match=match,
        )
    ]
