"""A campaign: requests, one after the other, each judged."""

import copy
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

import msgspec

from tests.fuzz import api_requests, judge, leaks, page_requests
from tests.fuzz.api_requests import any_of
from tests.fuzz.changes import changed
from tests.fuzz.crowd import Crowd
from tests.fuzz.described import described
from tests.fuzz.log_watch import LogWatch, Standing
from tests.fuzz.request import Request, api
from tests.fuzz.service import Running
from tests.fuzz.wire import Line, Reply, Wired

_AS_MEANT: Final = "as meant"
_PLAIN: Final = 0.12
"""The share of requests sent unchanged, besides those that prepare for a changed one."""

_SESSION: Final = re.compile(rb"tablee=([A-Za-z0-9_-]{43})")


class Finding(NamedTuple):
    """Something wrong.

    Attributes:
        number: Number of the request.
        what: What is wrong.
        operation: The operation that the request was meant for.
        changed: The changes made to it.
        sent: What was sent.
        told: What was answered.
    """

    number: int
    what: str
    operation: str
    changed: tuple[str, ...]
    sent: str
    told: str


class Tally(msgspec.Struct):
    """The results for one kind of request."""

    requests: int = 0
    granted: int = 0
    refused: int = 0
    unavailable: int = 0
    by_the_server: int = 0
    findings: int = 0


class Campaign:
    """Sends requests and judges the answers."""

    def __init__(self, running: Running, seed: int) -> None:
        self._line = Line(running.port)
        self._running = running
        self._chance = Random(seed)
        self.watch = LogWatch(running.log_store_url)
        self._crowd = Crowd(self._chance, self.ask)
        document = self._line.ask(api("openApiDocument", b"GET", "/openapi.json").wired())
        self._described = described(msgspec.json.decode(document.body))
        self._log_read = 0
        self.number = 0
        self.tallies: dict[str, Tally] = {}
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.findings: list[Finding] = []

    def step(self) -> None:
        """Send a request, mostly a changed one, and whatever must precede it."""
        self._crowd.gather()
        makers = api_requests.MAKERS if self._chance.random() < 0.6 else page_requests.MAKERS
        request = any_of(makers, self._chance)(self._crowd)
        if self._chance.random() >= _PLAIN:
            request = changed(request, self._crowd)
        reply = self.ask(request)
        if request.method == b"POST" and reply.status in {200, 201, 303}:
            self._crowd.sent.append(copy.deepcopy(request))

    def ask(self, request: Request) -> Reply:
        """Send a request and judge the answer."""
        self.number += 1
        wired = request.wired()
        before = self.watch.standing_so_far(request.match)
        reply = self._line.ask(wired)
        after = self.watch.standing(request.match)
        self.watch.follow(request.match)
        if not after.is_open and after.version:
            self.watch.close(request.match)
        # A refusal is told on the table's page, which one has seen then, too.
        if after.writes_unexplained(before) == 1 and self.watch.look_noted():
            after = after._replace(writes=after.writes - 1)
        is_servers = judge.by_the_server(wired, reply)
        found = [] if is_servers else [*judge.answer_of(wired, reply, self._described)]
        found += judge.effect_of(wired, reply, before, after)
        found += judge.outcome_of(request, reply, after)
        found += [self.watch.too_large.pop() for _ in self.watch.too_large[:]]
        found += self._leaks(request, wired, reply, after)
        if self.number % 50 == 0:
            found += self.read_service_log()
        self._count(request, reply, found, is_servers=is_servers)
        for what in found:
            self.findings.append(self._finding(what, request, wired, reply))
        return reply

    def read_service_log(self) -> Iterator[str]:
        """Yield what the service log must not hold, or what shows a failure, among the lines since the last call."""
        written = self._running.lines()[self._log_read :]
        written = written[: written.rfind("\n") + 1]
        self._log_read += len(written)
        for line in written.splitlines():
            if '"level":"error"' in line or "Traceback" in line or not line.startswith("{"):
                yield f"the service log says {line[:1500]}"
        if leaks.secrets_in(written.encode(), self._crowd.secrets):
            yield "the service log holds a secret"
        yield from leaks.openings_told(written.encode(), self.watch.hidden, {})

    def _leaks(self, request: Request, wired: Wired, reply: Reply, after: Standing) -> Iterator[str]:
        own = leaks.secrets_in(wired.written(), self._crowd.secrets)
        seats: dict[str, set[int]] = {}
        for token in own & self._crowd.holders.keys():
            match, seat = self._crowd.holders[token]
            seats.setdefault(match, set()).add(seat)
        if request.door == "page" and request.match:
            for session in _SESSION.findall(wired.written()):
                seats.setdefault(request.match, set()).update(
                    self.watch.seats_of(session.decode(), request.match)
                )
        # Whoever has the key of a table or a seat may get its token again.
        may_have_it = own and b"_token" in reply.body and reply.status == 201
        if not may_have_it and leaks.secrets_in(reply.body, self._crowd.secrets) - own:
            yield "a secret is told"
        yield from leaks.openings_told(reply.body, self.watch.hidden, seats)
        if after.is_open and request.operation not in {"listGames", "showGame", "openApiDocument"}:
            yield from leaks.cards_told(reply.body, seats.get(request.match, ()))

    def _count(self, request: Request, reply: Reply, found: list[str], *, is_servers: bool) -> None:
        for name in request.changed or [_AS_MEANT]:
            tally = self.tallies.setdefault(name, Tally())
            tally.requests += 1
            tally.by_the_server += is_servers
            tally.granted += 200 <= reply.status < 400
            tally.refused += 400 <= reply.status < 500 and not is_servers
            tally.unavailable += reply.status == 503
            tally.findings += bool(found)
        self.statuses[request.door, reply.status] += 1

    def _finding(self, what: str, request: Request, wired: Wired, reply: Reply) -> Finding:
        sent, told = repr(wired.written()[:2000]), f"{reply.status} {reply.headers} {reply.text[:1500]}"
        return Finding(self.number, what, request.operation, tuple(request.changed), sent, told)

    def end(self) -> None:
        self._line.close()
        self.watch.end()
