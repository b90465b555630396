"""Every recorded match folds to the states that it had when it was played, verifies, and is what was recorded."""

from collections import Counter
from functools import cache

import msgspec
import pytest

from domain.entries import decode_envelope
from domain.match.events import MATCH_EVENTS
from domain.match.fold import beginning, fold, positions
from domain.match.hashing import state_hash
from domain.match.verification import verify
from domain.match.view import match_view, viewer_of
from domain.viewers import seat_viewer
from tests.golden.corpus import FOLDER, MOST_BYTES, Recorded, digest_of, files, list_anew, listed, read, write
from tests.golden.record import RECORDED, path_of, record, wanted
from tests.kit.games import name_of
from tests.kit.log import redacted
from tests.kit.logs import ends_command
from tests.kit.options import player_counts
from tests.kit.table import started

every_file = pytest.mark.parametrize(
    "path", files(), ids=lambda path: path.relative_to(FOLDER).as_posix().removesuffix(".ndjson.gz")
)

kept = cache(read)


@every_file
def test_a_recorded_match_folds_to_the_same_states_at_every_version(path):
    recorded: Recorded = kept(path)
    start = beginning(recorded.header.match)
    found = [state_hash(position.state) for position in positions(start, recorded.entries)]
    assert found == list(recorded.hashes)


@every_file
def test_a_recorded_match_verifies_complete_and_redacted(path):
    recorded: Recorded = kept(path)
    header = recorded.header
    verdict = verify(header.match, recorded.entries, complete=True, rules=True)
    assert verdict.good, verdict
    assert verdict.commands == sum(map(ends_command, recorded.entries))
    assert (verdict.events, verdict.head) == (header.events, header.head)
    shown = [redacted(entry, seat_viewer(0)) for entry in recorded.entries]
    assert verify(header.match, shown, complete=False).good


@every_file
def test_a_recorded_match_can_still_be_looked_at(path):
    recorded: Recorded = kept(path)
    position = fold(beginning(recorded.header.match), recorded.entries)
    for seat in (None, *range(recorded.header.seats)):
        assert msgspec.json.encode(match_view(position, viewer_of(position.state, seat)))


def test_every_file_is_listed_and_has_not_been_touched():
    found = {path.relative_to(FOLDER).as_posix(): digest_of(path) for path in files()}
    assert found == listed()


def test_the_files_are_small():
    assert sum(path.stat().st_size for path in files()) < MOST_BYTES


@pytest.mark.parametrize("game", RECORDED, ids=name_of)
def test_there_are_four_matches_for_every_number_of_players(game):
    headers = [kept(path).header for path in files()]
    counts = Counter(
        header.seats for header in headers if (header.game, header.rules) == (game.key, game.rules_number)
    )
    assert all(counts[seats] >= 4 for seats in player_counts(game))


def test_every_kind_of_event_has_been_recorded():
    kinds = {
        (kept(path).header.game, kept(path).header.rules, decode_envelope(entry.e).type)
        for path in files()
        for entry in kept(path).entries
    }
    assert {kind for _, _, kind in kinds} >= {kind.__name__ for kind in MATCH_EVENTS}
    for game in RECORDED:
        recorded = {kind for key, rules, kind in kinds if (key, rules) == (game.key, game.rules_number)}
        assert recorded >= {kind.__name__ for kind in game.event_types}


class TestRecording:
    def test_nothing_is_missing(self):
        assert all(path_of(*what).exists() for what in wanted())

    def test_never_touches_a_file_that_is_there(self):
        path = files()[0]
        before = path.read_bytes()
        recorded: Recorded = kept(path)
        with pytest.raises(FileExistsError):
            write(path, recorded.header, recorded.entries, recorded.hashes)
        assert path.read_bytes() == before

    def test_writes_what_is_read(self, tmp_path):
        game = RECORDED[0]
        table = started(game, 2)
        path = tmp_path / "match.ndjson.gz"
        record(path, game, "short", table)
        recorded = read(path)
        assert list(recorded.entries) == table.entries
        assert recorded.header.events == len(recorded.hashes) == len(table.entries)

    def test_the_same_match_gives_the_same_bytes(self, tmp_path):
        game = RECORDED[0]
        for name in ("one", "other"):
            record(tmp_path / name, game, "short", started(game, 2))
        assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()

    def test_a_changed_file_is_not_listed_anew(self, monkeypatch):
        monkeypatch.setattr("tests.golden.corpus.digest_of", lambda _: "00" * 32)
        with pytest.raises(ValueError, match="is not what was recorded"):
            list_anew()
