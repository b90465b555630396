"""Folding stored matches again, against what the release before folded them to."""

import msgspec
from msgspec.structs import replace

from services.matches.refolding import baseline_of, read_baselines, refold
from tests.kit.table import Table, started


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


def test_an_event_that_cannot_be_folded_is_named():
    table = _played()
    broken = replace(table.entries[7], e=table.entries[7].e.replace(b'"type":"', b'"type":"Un'))

    found = refold("m1", [*table.entries[:7], broken, *table.entries[8:]], None)

    assert (found.code, found.bad_version) == ("fold.raised", 8)


def test_baselines_are_read_from_their_file(tmp_path):
    baseline = baseline_of("m1", _played().entries)
    file = tmp_path / "baseline.ndjson"
    file.write_bytes(msgspec.json.encode(baseline) + b"\n\n")

    assert read_baselines(file) == {"m1": baseline}
