"""Tablée beside two others that could run such a game: boardgame.io's server, and the library `eventsourcing`.

The same game, L.A.M.A. for two, in one run and by turns. Each client is one table, and sends its next move when the
last one is answered; it draws while it may, then quits, so that every request is a legal move without a look at a hand.
Nobody else looks on. What one player is sent, and what a kill loses, is measured apart from that.
"""

import contextlib
from collections.abc import Sequence

from tests.perf.peers.boardgameio_peer import BoardgameIo, NotHere
from tests.perf.peers.http_peers import Eventsourcing, Tablee
from tests.perf.peers.playing import Peer, Stretch
from tests.perf.report import median, quantile, show

CLIENTS = (1, 16, 64)
TURNS = 3
SECONDS = 3.0
KILLS = 6
MATCHES = 10


def _rates(peers: Sequence[Peer]) -> None:
    runs: dict[tuple[str, int], list[Stretch]] = {
        (peer.name, clients): [] for clients in CLIENTS for peer in peers
    }
    for peer in peers:
        peer.flat_out(16, 1)  # warm
    before = {peer.name: peer.stored() for peer in peers}
    for _ in range(TURNS):
        for clients in CLIENTS:
            for peer in peers:  # by turns, so that all meet the same machine
                runs[peer.name, clients].append(peer.flat_out(clients, SECONDS))
    stored = {peer.name: peer.stored() - before[peer.name] for peer in peers}
    made = {
        peer.name: sum(len(run.times) for clients in CLIENTS for run in runs[peer.name, clients])
        for peer in peers
    }
    rows = []
    for (name, clients), some in runs.items():
        rates = [len(run.times) / run.seconds for run in some]
        rows.append(
            (
                name,
                str(clients),
                median(rates),
                median([quantile(run.times, 0.5) for run in some]),
                median([quantile(run.times, 0.99) for run in some]),
                median([run.server / len(run.times) * 1000 for run in some]),
                median([run.clients / len(run.times) * 1000 for run in some]),
                f"{stored[name] / made[name]:,.0f}" if clients == CLIENTS[-1] else "",
            )
        )
    columns = (
        "service",
        "clients",
        "moves/s",
        "p50, ms",
        "p99, ms",
        "server, ms CPU a move",
        "client, ms CPU a move",
    )
    show((*columns, "bytes stored a move"), rows)


def _promises(peers: Sequence[Peer], *others: Peer) -> None:
    rows = []
    for peer in (*peers, *others):
        sent = peer.sent(MATCHES)
        kills = None if peer in others else peer.killed(KILLS, 16)
        rows.append(
            (
                peer.name,
                "" if kills is None else f"{kills.lost:,} of {kills.acknowledged:,}",
                sent.bytes / sent.moves,
                sent.bytes / sent.matches / 1000,
                sent.moves / sent.matches,
                f"{sent.hidden / sent.matches:.0f}",
                f"{sent.guessed} of {sent.matches}",
            )
        )
    print()
    columns = (
        "service",
        f"acknowledged moves lost at {KILLS} kills",
        "bytes to one player, a move",
        "KB a match",
    )
    show(
        (*columns, "moves a match", "hidden cards in it, a match", "first deals that could be computed"), rows
    )


def main() -> None:
    """Measure."""
    with contextlib.ExitStack() as stack:
        peers: list[Peer] = [stack.enter_context(Tablee()), stack.enter_context(Eventsourcing())]
        try:
            peers.insert(0, stack.enter_context(BoardgameIo()))
            others = [stack.enter_context(BoardgameIo(PEER_DELTA="1"))]
        except NotHere as reason:
            print(f"boardgame.io is left out: {reason}.\n")
            others = []
        _rates(peers)
        _promises(peers, *others)


if __name__ == "__main__":
    main()
