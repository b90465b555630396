"""What somebody may alter who holds the store and the archive, and the codes under which it is named."""

import gzip
import json
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.entries import StoredEntry
from services.log.archive.documents import document_of, documents, file_end
from services.log.archive.shelf import name_of
from services.log.event_store.keys import shard_of
from tests.kit.forging import forged
from tests.kit.intruder import DIGEST, KEYSPACE, Installation
from tests.kit.log import rechained

DONE, OTHER, GONE, LIVE = "finished-skyjo", "finished-lama", "finished-odin", "live-lama"


def without_the_end(log: list[StoredEntry]) -> list[StoredEntry]:
    return log[: json.loads(log[-1].e)["command"]["from"] - 1]


def cut_the_end(one: Installation) -> None:
    one.write(LIVE, without_the_end(one.log(LIVE)))


def put_a_foreign_log(one: Installation) -> None:
    one.write(DONE, one.log(OTHER))


def put_a_foreign_log_chained_anew(one: Installation) -> None:
    one.write(DONE, rechained(DONE, one.log(OTHER)))
    one.store.hset(one.meta(DONE), "game", "lama")


def delete_a_match(one: Installation, match: str = DONE) -> None:
    one.store.delete(*KEYSPACE.of_match(match))
    one.store.zrem(KEYSPACE.of_shard_of(match).due, match)


def delete_with_its_row_and_pointers(one: Installation) -> None:
    delete_a_match(one)
    one.row(lambda _: None, DONE)
    shard = KEYSPACE.of_shard_of(DONE)
    for entry_id, fields in one.store.xrange(shard.feed):
        if fields[b"m"] == DONE.encode():
            one.store.xdel(shard.feed, entry_id)


def forge_the_totals(one: Installation) -> None:
    log = one.log(DONE)
    scored = next(entry.version for entry in log if b'"type":"RoundScored"' in entry.e)
    one.write(DONE, forged(log, scored, lambda event: replace(event, totals=event.totals[::-1]), DONE))


def forge_the_ranking(one: Installation) -> None:
    log = one.log(DONE)
    last = next(entry.version for entry in log if b'"type":"MatchFinished"' in entry.e)
    one.write(DONE, forged(log, last, lambda event: replace(event, ranking=event.ranking[::-1]), DONE))


def forge_the_file(one: Installation) -> None:
    file = one.archive / name_of(GONE)
    with gzip.open(file) as packed:
        (found,) = documents(packed)
    log = [replace(entry, e=entry.e.replace(b'"door":"bot"', b'"door":"api"')) for entry in found.entries]
    content = document_of(GONE, "odin", found.line.rules, rechained(GONE, log)) + file_end(1)
    file.chmod(0o600)
    file.write_bytes(gzip.compress(content))


def keep_another_file(one: Installation) -> None:
    """Put a file of a match beside its log that says something else."""
    log = [replace(entry, e=entry.e.replace(b'"door":"bot"', b'"door":"api"')) for entry in one.log(DONE)]
    file = one.archive / name_of(DONE)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(document_of(DONE, "skyjo", 1, rechained(DONE, log)) + file_end(1)))


def bring_back(one: Installation) -> None:
    """Write events under a tombstone, which fit it."""
    with gzip.open(one.archive / name_of(GONE)) as packed:
        (found,) = documents(packed)
    one.write(GONE, list(found.entries))


def add_a_head_that_nobody_published(lines: list[bytes]) -> list[bytes]:
    first = json.loads(lines[0])
    first["heads"] += 1
    new = {"match": "never-played", "version": 7, "head": "00" * 32}
    return [
        json.dumps(line, separators=(",", ":")).encode() for line in (first, *map(json.loads, lines[1:]), new)
    ]


def leave_out_a_head(lines: list[bytes]) -> list[bytes]:
    first = json.loads(lines[0])
    first["heads"] -= 1
    return [json.dumps(first, separators=(",", ":")).encode(), *lines[1:-1]]


def of_the_actor(one: Installation, change: Callable[[bytes], bytes]) -> None:
    field = next(name for name in one.store.hkeys(one.meta(DONE)) if name.startswith(b"by:bot"))
    one.store.hset(one.meta(DONE), field, change(one.store.hget(one.meta(DONE), field)))


def of_index(one: Installation, name: str) -> str:
    (key,) = one.store.keys(f"tb:{{s{shard_of(DONE, 16):02}}}:p:matches:*:rows")
    return str(key.decode()).removesuffix("rows") + name


def due(match: str) -> str:
    return KEYSPACE.of_shard_of(match).due


MISCHIEF: dict[str, tuple[Callable[[Installation], Any], set[str], str]] = {
    "an end cut off, the record adjusted": (cut_the_end, {"match.cut", "rows.ahead"}, LIVE),
    "a foreign match's log under this id": (put_a_foreign_log, {"log.chain_broken"}, DONE),
    "the same, chained anew, the record adjusted": (
        put_a_foreign_log_chained_anew,
        {"rows.ahead", "meta.commands_differ"},
        DONE,
    ),
    "a match deleted": (delete_a_match, {"match.lost", "head.lost"}, DONE),
    "a running match deleted": (lambda one: delete_a_match(one, LIVE), {"match.lost"}, LIVE),
    "a match deleted with its row and its pointers": (
        delete_with_its_row_and_pointers,
        {"match.lost", "head.lost", "feed.altered"},
        DONE,
    ),
    "a tombstone deleted": (lambda one: delete_a_match(one, GONE), {"match.lost", "head.lost"}, GONE),
    "a record deleted": (lambda one: one.store.delete(one.meta(DONE)), {"meta.missing", "match.lost"}, DONE),
    "events deleted": (lambda one: one.store.delete(one.events(DONE)), {"meta.version_differs"}, DONE),
    "the record's status": (
        lambda one: one.store.hset(one.meta(DONE), "status", "open"),
        {"meta.contradicts_log"},
        DONE,
    ),
    "a running match closed": (
        lambda one: one.store.hset(one.meta(LIVE), "status", "closed"),
        {"meta.contradicts_log"},
        LIVE,
    ),
    "a match archived that is not": (
        lambda one: one.store.hset(one.meta(DONE), "status", "archived"),
        {"tombstone.not_empty"},
        DONE,
    ),
    "the record's game": (
        lambda one: one.store.hset(one.meta(DONE), "game", "odin"),
        {"meta.contradicts_log"},
        DONE,
    ),
    "the record's rules": (
        lambda one: one.store.hset(one.meta(DONE), "rules", 9),
        {"meta.contradicts_log"},
        DONE,
    ),
    "the record's version": (
        lambda one: one.store.hset(one.meta(DONE), "version", 7),
        {"meta.version_differs"},
        DONE,
    ),
    "the record's head": (
        lambda one: one.store.hset(one.meta(DONE), "head", b"\0" * 32),
        {"meta.head_differs"},
        DONE,
    ),
    "the record's time": (lambda one: one.store.hset(one.meta(LIVE), "due", 5), {"due.missing"}, LIVE),
    "the time of a match that is over": (
        lambda one: one.store.hset(one.meta(DONE), "due", 5),
        {"meta.contradicts_log"},
        DONE,
    ),
    "the record's host": (
        lambda one: one.store.hset(one.meta(DONE), "host", "mallory"),
        {"meta.unknown_field"},
        DONE,
    ),
    "a tombstone's rules": (
        lambda one: one.store.hset(one.meta(GONE), "rules", 9),
        {"meta.contradicts_log"},
        GONE,
    ),
    "a tombstone's head": (
        lambda one: one.store.hset(one.meta(GONE), "head", b"\0" * 32),
        {"archive.other_head"},
        GONE,
    ),
    "a tombstone with more in it": (
        lambda one: one.store.hset(one.meta(GONE), "by:mallory", "\nk f 1 1"),
        {"meta.unknown_field"},
        GONE,
    ),
    "events under a tombstone": (bring_back, {"tombstone.not_empty"}, GONE),
    "an unknown key in an envelope": (
        lambda one: one.change(DONE, lambda plain: plain.update(hidden=1)),
        {"log.not_canonical"},
        DONE,
    ),
    "an unknown key in a command": (
        lambda one: one.change(DONE, lambda plain: plain["command"].update(by="me")),
        {"log.not_canonical"},
        DONE,
    ),
    "a door that there is not": (
        lambda one: one.change(DONE, lambda plain: plain.update(door="window")),
        {"log.unknown_door"},
        DONE,
    ),
    "another door, chained anew": (
        lambda one: one.change(DONE, lambda plain: plain.update(door="page")),
        {"rows.ahead", "head.rewritten"},
        DONE,
    ),
    "an actor renamed, chained anew": (
        lambda one: one.change(LIVE, lambda plain: plain.update(actor="mallory")),
        {"meta.commands_differ"},
        LIVE,
    ),
    "forged totals": (forge_the_totals, {"rules.differs"}, DONE),
    "a forged ranking": (forge_the_ranking, {"rules.differs"}, DONE),
    "an entry of the due index taken out": (
        lambda one: (one.store.hset(one.meta(LIVE), "due", 5), one.store.zrem(due(LIVE), LIVE)),
        {"due.missing"},
        LIVE,
    ),
    "a due instant where nothing is due": (
        lambda one: (one.store.hset(one.meta(LIVE), "due", 5), one.store.zadd(due(LIVE), {LIVE: 5})),
        {"due.differs"},
        LIVE,
    ),
    "a due entry of a match that is over": (
        lambda one: one.store.zadd(due(DONE), {DONE: 5}),
        {"due.orphaned"},
        DONE,
    ),
    "a due entry of no match": (
        lambda one: one.store.zadd(due("nobody"), {"nobody": 5}),
        {"due.orphaned"},
        "nobody",
    ),
    "a pointer to other events": (lambda one: one.pointer(DONE, f="1"), {"feed.altered"}, DONE),
    "a pointer with other types": (lambda one: one.pointer(DONE, y="CardDrawn"), {"feed.altered"}, DONE),
    "a pointer to events that there are not": (lambda one: one.pointer(LIVE, t="999"), {"match.cut"}, LIVE),
    "a pointer to no match": (lambda one: one.pointer(LIVE, m="ghost"), {"match.lost"}, "ghost"),
    "a pointer taken out": (lambda one: one.pointer(DONE), {"feed.altered"}, ""),
    "a pointer added": (
        lambda one: one.store.xadd(
            KEYSPACE.of_shard_of(DONE).feed, {"m": DONE, "f": "1", "t": "1", "y": "MatchCreated"}, id="999-0"
        ),
        {"feed.altered"},
        "",
    ),
    "a row": (lambda one: one.row(lambda row: row.replace(b"skyjo", b"odin"), DONE), {"rows.differ"}, DONE),
    "a row of an archived match": (
        lambda one: one.row(lambda row: row.replace(b"odin", b"lama"), GONE),
        {"rows.differ"},
        GONE,
    ),
    "a row taken out": (lambda one: one.row(lambda _: None, DONE), {"rows.missing"}, DONE),
    "a row of no match": (
        lambda one: one.store.hset(of_index(one, "rows"), "ghost", b'[1,"x"]'),
        {"match.lost"},
        "ghost",
    ),
    "a place in a list": (
        lambda one: one.store.zadd(of_index(one, "ended"), {DONE: 5}),
        {"rows.misplaced"},
        DONE,
    ),
    "a place among a player's matches": (
        lambda one: one.store.zadd(of_index(one, "by7"), {DONE: 0}),
        {"rows.misplaced"},
        DONE,
    ),
    "a place in a list taken out": (
        lambda one: one.store.zrem(of_index(one, "ended"), DONE),
        {"rows.misplaced"},
        DONE,
    ),
    "a command's record": (
        lambda one: of_the_actor(one, lambda records: records.replace(b" ", b"x ", 1)),
        {"meta.commands_differ"},
        DONE,
    ),
    "a command's record taken out of the middle": (
        lambda one: of_the_actor(one, lambda records: b"\n".join(records.split(b"\n")[:-1])),
        {"meta.commands_differ"},
        DONE,
    ),
    "commands of somebody who sent none": (
        lambda one: one.store.hset(one.meta(DONE), "by:mallory", "\nk f 1 1"),
        {"meta.commands_differ"},
        DONE,
    ),
    "a digest's head": (
        lambda one: one.digest(lambda lines: [line.replace(b'"head":"', b'"head":"00', 1) for line in lines]),
        {"digest.rewritten"},
        "",
    ),
    "a head left out of the digest": (lambda one: one.digest(leave_out_a_head), {"digest.rewritten"}, ""),
    "a head added to the digest": (
        lambda one: one.digest(add_a_head_that_nobody_published),
        {"digest.rewritten", "head.lost"},
        "never-played",
    ),
    "the digest's instant": (
        lambda one: one.digest(lambda lines: [lines[0].replace(b'"at":"2', b'"at":"3'), *lines[1:]]),
        {"digest.rewritten"},
        "",
    ),
    "the digest taken out": (lambda one: (one.archive / DIGEST).unlink(), {"digest.lost"}, ""),
    "an archived file taken out": (
        lambda one: (one.archive / name_of(GONE)).unlink(),
        {"archive.missing"},
        GONE,
    ),
    "an archived file forged": (forge_the_file, {"archive.other_head"}, GONE),
    "an archived file cut": (
        lambda one: (one.archive / name_of(GONE)).write_bytes(
            (one.archive / name_of(GONE)).read_bytes()[:700]
        ),
        {"log.cut", "log.unreadable"},
        GONE,
    ),
    "another file beside the log": (keep_another_file, {"archive.other_head", "archive.altered"}, DONE),
    "a list of what waits for the archive": (
        lambda one: one.store.zadd(
            KEYSPACE.of_projection(shard_of(LIVE, 16), "archive", "moved"), {LIVE: 5000}
        ),
        {"match.cut"},
        LIVE,
    ),
}
