"""What members check without our code: deploy/verify_export.py, on files as somebody might make them up."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from domain.canonical import canonical_json
from domain.chain import genesis
from domain.entries import StoredEntry, decode_envelope, decode_openings, encode_openings
from domain.games.recorded_chance import digest_of
from domain.match.commands import AbandonMatch, BeReady, CreateMatch, Fork, SeatPlan, StartMatch, TakeSeat
from domain.match.verification import verify
from domain.sealing import commitment_of
from services.audit.digest_format import PublishedHead, written_digest
from services.log.archive.documents import document_of, file_end
from tests.golden import corpus
from tests.kit.checkout import ROOT
from tests.kit.games import every_game
from tests.kit.instants import NOON
from tests.kit.log import rechained
from tests.kit.logs import finished, named
from tests.kit.play import Player
from tests.kit.table import Table, nonce_hash_of, nonce_of, started

VERIFIER = ROOT / "deploy" / "verify_export.py"

Check = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def check(tmp_path) -> Check:
    """Writes a file and checks it."""

    def checked(content: bytes, *arguments: object) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "file.ndjson"
        file.write_bytes(content)
        return asked(file, *arguments)

    return checked


def asked(*arguments: object) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(VERIFIER), *map(str, arguments)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def document(log: Sequence[StoredEntry], match: str = "m1") -> bytes:
    terms = json.loads(log[0].e)["data"]["terms"]
    return document_of(match, terms["game"], terms["rules"], log)


def file_of(log: Sequence[StoredEntry], match: str = "m1") -> bytes:
    return document(log, match) + file_end(1)


def has_dealt(entries: list[StoredEntry], game: Any) -> bool:
    """Tell whether a log holds the beginning of a round."""
    return any(decode_envelope(entry.e).type in game.round_starts() for entry in entries)


def went_on(game: Any) -> list[StoredEntry]:
    """Return the log of a fork with the same cards to come, over several rounds."""
    random = Random(game.key)
    parent = started(game, 3, seed=random.randbytes(32).hex(), match="parent")
    player = Player(parent, random)
    while player.is_on and player.moves < 8:
        player.bot_move()
    terms = parent.state.terms
    assert terms is not None
    fork = Fork(
        "parent",
        game.key,
        parent.position.version,
        parent.position.head.hex(),
        terms.rules,
        terms.options,
        parent.present,
        parent.state.entropy,
        same_cards=True,
        seat=0,
    )
    table = Table("m1")
    plans = (SeatPlan(), *(SeatPlan("steady"),) * 2)
    table.when(CreateMatch(game.key, {}, plans, "host", random.randbytes(32).hex(), fork=fork))
    table.when(TakeSeat("player-0", 0, nonce_hash_of(0))).when(BeReady(0, nonce_of(0))).when(StartMatch())
    player = Player(table, random)
    while player.is_on and player.moves < 400 and not has_dealt(table.entries, game):
        player.bot_move()
    table.when(AbandonMatch("enough seen"))
    assert table.refusal is None
    return list(table.entries)


def with_two_cards_swapped(log: list[StoredEntry], kind: str) -> list[StoredEntry]:
    """Return the log with two undealt cards of its last deal swapped, sealed and chained anew."""
    index = max(at for at, entry in enumerate(log) if decode_envelope(entry.e).type == kind)
    entry, openings = log[index], decode_openings(log[index].s)
    last = next(opening for opening in openings if not opening.seats)
    cards = msgspec.json.decode(last.value)
    other = next(at for at, card in enumerate(cards) if card != cards[0])
    cards[0], cards[other] = cards[other], cards[0]
    salt, text = bytes.fromhex(last.salt), canonical_json(cards)
    old = commitment_of(salt, canonical_json(msgspec.json.decode(last.value)))
    new = commitment_of(salt, text)
    forged = [
        msgspec.structs.replace(one, value=msgspec.Raw(text)) if one == last else one for one in openings
    ]
    log[index] = msgspec.structs.replace(
        entry, e=entry.e.replace(old.encode(), new.encode()), s=encode_openings(tuple(forged))
    )
    return rechained("m1", log)


@every_game
def test_deals_of_a_fork_with_the_same_cards_come_from_its_parents_seed(check, game):
    log = went_on(game)
    assert verify("m1", log, complete=True).good
    file = file_of(log)
    good = check(file)
    assert (good.returncode, "deals and draws: 0" in good.stdout) == (0, False), good
    forged = with_two_cards_swapped(log, *game.round_starts())
    assert verify("m1", forged, complete=True).code == "deal.differs"
    bad = check(file_of(forged))
    assert (bad.returncode, "was not dealt by the seed" in bad.stdout) == (1, True), bad


def with_head(content: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a file whose first line was changed, with the sums that belong to it."""
    first, *events, end, last = content.splitlines(keepends=True)
    head = json.loads(first)
    change(head)
    body = json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(events)
    ended = {**json.loads(end), "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(ended, separators=(",", ":")).encode() + b"\n" + last


@every_game
@pytest.mark.parametrize("what", ["nothing", "shuffles", "cards"])
def test_a_file_that_hides_how_it_was_dealt_is_bad(check, game, what):
    def hide(head: dict[str, Any]) -> None:
        if what == "nothing":
            del head["chance"]
        else:
            head["chance"][what] = type(head["chance"][what])()

    bad = check(with_head(file_of(went_on(game)), hide))
    said = "does not say how it was dealt" if what == "nothing" else "in another way than it says"
    assert (bad.returncode, said in bad.stdout) == (1, True), bad


@every_game
def test_a_deal_is_checked_whatever_its_event_is_called(check, game):
    """As in a game that is not one of ours: the file says which event holds the deal."""
    (dealt,) = game.round_starts()
    log = [
        msgspec.structs.replace(entry, e=entry.e.replace(f'"{dealt}"'.encode(), b'"CardsHandedOut"'))
        for entry in went_on(game)
    ]

    def rename(head: dict[str, Any]) -> None:
        head["chance"]["shuffles"]["CardsHandedOut"] = head["chance"]["shuffles"].pop(dealt)

    described = with_head(file_of(log), rename)
    told = digest_of(game.chance()).encode()
    text = json.dumps(json.loads(described.splitlines()[0])["chance"], sort_keys=True, separators=(",", ":"))
    again = [
        msgspec.structs.replace(
            entry, e=entry.e.replace(told, hashlib.sha256(text.encode()).hexdigest().encode())
        )
        for entry in log
    ]
    good = check(with_head(file_of(rechained("m1", again)), rename))
    assert (good.returncode, "deals and draws: 0" in good.stdout) == (0, False), good
    swapped = with_two_cards_swapped(rechained("m1", again), "CardsHandedOut")
    bad = check(with_head(file_of(swapped), rename))
    assert (bad.returncode, "was not dealt by the seed" in bad.stdout) == (1, True), bad


def test_every_recorded_match_is_good_and_as_much_is_recomputed_as_by_tablee(check):
    content, dealt = b"", []
    for path in corpus.files():
        recorded = corpus.read(path)
        header = recorded.header
        content += document_of(header.match, header.game, header.rules, recorded.entries)
        verdict = verify(header.match, recorded.entries, complete=True)
        dealt.append(f"deals and draws: {verdict.deals} right, ")
    found = check(content + file_end(len(dealt)))
    assert found.returncode == 0, found
    rows = found.stdout.splitlines()
    assert len(rows) == len(dealt)
    assert [row for row, told in zip(rows, dealt, strict=True) if told not in row] == []


LOG = finished("lama")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"v":', b'"hidden":1,"v":', "holds what no envelope holds"),
        (b'"command":{', b'"command":{"by":"me",', "holds what no envelope holds"),
        (b'"data":', b'"data": ', "holds what no envelope holds"),
        (b'"door":"api"', b'"door":"window"', "has no such door or note"),
        (b'"command":{"id":"', b'"command":{"id":"a b', "says something else for its id"),
        (b'"actor":"', b'"actor":"\xe2\x80\xae', "says something else for its actor"),
    ],
)
def test_every_byte_of_an_envelope_is_accounted_for(check, old, new, said):
    at = next(at for at, entry in enumerate(LOG) if at > 2 and old in entry.e)
    edited = msgspec.structs.replace(LOG[at], e=LOG[at].e.replace(old, new, 1))
    log = rechained("m1", [*LOG[:at], edited, *LOG[at + 1 :]])
    assert not verify("m1", log, complete=True).good
    bad = check(file_of(log))
    assert (bad.returncode, said in bad.stdout) == (1, True), bad


def digest(*heads: tuple[str, int, bytes], claimed: int | None = None) -> bytes:
    first = {
        "kind": "digest",
        "format": 1,
        "digest": 1,
        "at": "2026-11-30T00:00:12.345Z",
        "previous": "",
        "heads": len(heads) if claimed is None else claimed,
    }
    rows = [{"match": match, "version": version, "head": head.hex()} for match, version, head in heads]
    return b"".join(json.dumps(row).encode() + b"\n" for row in (first, *rows))


class TestWithADigest:
    @pytest.fixture
    def kept(self, tmp_path):
        return tmp_path / "digest.ndjson"

    @pytest.mark.parametrize("name", ["m1", "sha256:" + hashlib.sha256(b"tablee/1 m1").hexdigest()])
    @pytest.mark.parametrize("written", ["--digest={}", "--digest {}"])
    def test_it_says_for_each_match_whether_a_head_was_published(self, check, kept, name, written):
        kept.write_bytes(digest((name, 5, LOG[4].h), (name, 7, LOG[6].h)))
        two = document(LOG) + document(named("m2", LOG), "m2") + file_end(2)
        found = check(two, *written.format(kept).split())
        assert found.returncode == 0, found
        told, first, second = found.stdout.splitlines()
        assert hashlib.sha256(kept.read_bytes()).hexdigest() in told
        assert "published heads: 2" in first
        assert "published heads: none" in second

    def test_another_head_was_published(self, check, kept):
        kept.write_bytes(digest(("m1", 5, LOG[5].h)))
        found = check(file_of(LOG), "--digest", kept)
        assert (found.returncode, "another head" in found.stdout) == (1, True)

    def test_a_digest_in_pieces_is_checked_by_the_piece_that_is_there(self, check, kept, monkeypatch):
        monkeypatch.setattr("services.audit.digest_format.IN_ONE", 1)
        monkeypatch.setattr("services.audit.digest_format._IN_A_PIECE", 1)
        heads = [PublishedHead(f"m{number}", 5, LOG[4].h.hex()) for number in range(1, 9)]
        written = written_digest(1, NOON, "", heads)
        zero = genesis("m1").hex()
        piece = next(content for piece, content in written.pieces.items() if zero.startswith(piece.piece))
        kept.write_bytes(written.content + piece)
        found = check(file_of(LOG), "--digest", kept)
        assert found.returncode == 0, found.stdout
        assert "published heads: 1" in found.stdout
        assert f"SHA-256: {hashlib.sha256(written.content).hexdigest()}" in found.stdout
        kept.write_bytes(written.content + piece.replace(b'"version":5', b'"version":4'))
        assert "a piece is altered" in check(file_of(LOG), "--digest", kept).stdout

    @pytest.mark.parametrize(
        "content", [digest(("m1", 5, LOG[4].h), claimed=9), b"nonsense", b"", b"[]\n", b"{}"]
    )
    def test_one_that_is_cut_off_or_none_at_all(self, check, kept, content):
        kept.write_bytes(content)
        found = check(file_of(LOG), "--digest", kept)
        assert (found.returncode, found.stdout.count("BAD")) == (1, 1), found

    def test_one_that_is_not_there(self, check, kept):
        found = check(file_of(LOG), "--digest", kept)
        assert (found.returncode, "FileNotFoundError" in found.stdout) == (1, True)


def resealed(content: bytes) -> bytes:
    """Return a document whose end vouches for what stands in front of it."""
    *rows, end, file = content.splitlines(keepends=True)
    told = json.loads(end) | {"sha256": hashlib.sha256(b"".join(rows)).hexdigest()}
    return b"".join([*rows, json.dumps(told, separators=(",", ":")).encode(), b"\n", file])


def twice() -> list[StoredEntry]:
    """Return a log whose last event says who did it twice over."""
    last = LOG[-1]
    data = last.e.replace(b'"data":{', b'"data":{"seat":9,"seat":8,', 1)
    return rechained("m1", [*LOG[:-1], msgspec.structs.replace(last, e=data)])


WRONG: dict[str, bytes] = {
    "nothing": b"",
    "no line of an export": b'{"kind":"digest"}\n',
    "deep": b"[" * 100_000 + b"\n",
    "another game": resealed(file_of(LOG).replace(b'"game":"lama","rules', b'"game":"odin","rules', 1)),
    "other rules": resealed(file_of(LOG).replace(b',"rules":', b',"rules":1', 1)),
    "no last line end": file_of(LOG)[:-1],
    "a path": file_of(named("../m1", LOG), match="../m1"),
    "a key twice": file_of(twice()),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_no_export_looks_like(check, what):
    found = check(WRONG[what])
    assert (found.returncode, found.stdout.count("BAD")) == (1, 1), found


def test_without_a_file_it_says_how_it_is_called():
    assert asked("--help").stdout.startswith("usage:")
    nothing = asked()
    assert (nothing.returncode, "usage:" in nothing.stderr) == (2, True)


def test_it_is_short_enough_to_be_read():
    assert len(VERIFIER.read_text().splitlines()) < 205
