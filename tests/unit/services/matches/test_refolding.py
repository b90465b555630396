"""Folding stored matches again, against what the release before folded them to."""

import msgspec
from msgspec.structs import replace

from domain.match import replay_check
from services.log.proof import Readable
from services.matches.refolding import baseline_of, read_baselines, refold, rejudge
from tests.kit.log import rechained
from tests.kit.table import Table, started
from tests.kit.tampering import changed


def _played() -> Table:
    table = started("lama", 2)
    for _ in range(5):
        table.move(table.to_act[0])
    return table


def test_a_match_folds_to_its_own_baseline():
    table = _played()

    baseline = baseline_of("m1", table.entries)

    assert len(baseline.hashes) == len(table.entries)
    assert not refold("m1", table.entries, baseline).code


def test_a_match_that_has_grown_since_still_folds_to_its_baseline():
    table = _played()
    baseline = baseline_of("m1", table.entries)

    table.move(table.to_act[0])

    assert not refold("m1", table.entries, baseline).code


def test_the_first_event_after_which_the_state_differs_is_named():
    table = _played()
    baseline = baseline_of("m1", table.entries)
    hashes = (*baseline.hashes[:6], *("0" * 12 for _ in baseline.hashes[6:]))

    found = refold("m1", table.entries, replace(baseline, hashes=hashes))

    assert (found.code, found.bad_version) == ("fold.differs", 7)


def test_a_state_that_differs_in_the_middle_only_is_named():
    table = _played()
    baseline = baseline_of("m1", table.entries)
    hashes = (*baseline.hashes[:6], "0" * 12, *baseline.hashes[7:])

    found = refold("m1", table.entries, replace(baseline, hashes=hashes))

    assert (found.code, found.bad_version) == ("fold.differs", 7)


def test_a_log_that_has_lost_its_end_is_named():
    table = _played()
    baseline = baseline_of("m1", table.entries)

    found = refold("m1", table.entries[:-2], baseline)

    assert (found.code, found.bad_version) == ("fold.shorter", len(table.entries) - 1)


def test_an_event_of_a_newer_release_is_named():
    table = _played()
    broken = replace(table.entries[7], e=table.entries[7].e.replace(b'"type":"', b'"type":"Un'))

    found = refold("m1", [*table.entries[:7], broken, *table.entries[8:]], None)

    assert (found.code, found.bad_version) == ("log.newer_release", 8)


def test_baselines_are_read_from_their_file(tmp_path):
    baseline = baseline_of("m1", _played().entries)
    file = tmp_path / "baseline.ndjson"
    file.write_bytes(msgspec.json.encode(baseline) + b"\n\n")

    assert read_baselines(file) == {"m1": baseline}


def test_a_rule_that_has_changed_is_found_where_the_state_is_the_same(monkeypatch):
    table = _played()
    read = Readable(None, table.entries)
    assert rejudge("m1", read, baseline_of("m1", table.entries)).code == ""

    monkeypatch.setattr(replay_check, "decided", lambda *_: ())
    assert rejudge("m1", read, baseline_of("m1", table.entries), fold_only=True).code == ""
    assert rejudge("m1", read, baseline_of("m1", table.entries)).code == "rules.differs"


def test_a_field_of_a_newer_release_is_found():
    table = _played()
    more = rechained(
        "m1", [changed(table.entries[0], lambda plain: plain["data"].update(tempo=3)), *table.entries[1:]]
    )

    found = rejudge("m1", Readable(None, more), None)

    assert (found.code, found.bad_version) == ("log.newer_release", 1)
    assert "tempo of MatchCreated" in found.detail
