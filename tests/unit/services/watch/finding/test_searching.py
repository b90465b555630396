"""Searching logs: by kind of event, and by what is true of the table at a moment."""

import gzip
import io
import re
import time
from pathlib import Path

import msgspec
import pytest

from domain.entries import decode_envelope
from services.log.archive.documents import Document, documents
from services.watch.finding.errors import BadExpression
from services.watch.finding.predicate import Predicate
from services.watch.finding.searching import event_types, search_events, search_states
from tests.kit.checkout import ROOT
from tests.kit.logs import finished, running

RECORDED = Path(__file__).with_name("doubled_on_a_tie.ndjson.gz")
DOUBLED_ON_A_TIE = "event.doubled is not None and event.raw[event.doubled] == min(event.raw)"


@pytest.fixture(scope="module")
def recorded() -> Document:
    (document,) = documents(io.BytesIO(gzip.decompress(RECORDED.read_bytes())))
    return document


HOSTILE = (
    "event.__class__",
    "event.__init__.__globals__",
    "game.__struct_fields__",
    "'{0.__class__}'.format(event)",
    "9 ** 9 ** 9",
    "1 << 999999999",
    "9" + "*9999999999" * 90,
    "'x'.ljust(10**9)",
    "'x'.zfill(999999999)",
    "f'{1:>999999999}'",
    "'%999999999d' % 1",
    "'a' * 999999999",
    "[0] * 999999999",
    "'a'.join(['b'] * 9999)",
    "[a for a in [1] * 99999 for b in [1] * 99999]",
    "len([1 " + "".join(f"for {name} in [1,2,3,4,5,6,7,8,9] " for name in "abcdefgh") + "])",
    "[" * 49 + "]" * 49 + ".copy()",
    "not " * 400 + "1",
    "max([[a, b, c] for a in 'abcdefghijklmnop' for b in 'abcdefghijklmnop' for c in 'abcdefghijklmnop'])",
    "sum([[1], [2]], [])",
    "sorted(event, key=len)",
    "(lambda: 1)()",
    "(x := 1)",
    "[x for x in [1]].append(2)",
    "type.encode().hex()",
)


def versions(log, expression: str, event: str | None = None) -> list[int]:
    found = search_states("m1", log, Predicate(expression), event)
    assert not found.failed, found.failure
    return [hit.version for hit in found.hits]


class TestARecordedMatch:
    def test_shows_the_round_whose_closer_was_doubled_on_a_tie(self, recorded):
        found = search_states(
            recorded.line.match, recorded.entries, Predicate(DOUBLED_ON_A_TIE), "RoundScored"
        )
        (hit,) = found.hits
        data = msgspec.json.decode(hit.data)
        closer = data["doubled"]
        assert sorted(data["raw"])[:2] == [data["raw"][closer]] * 2
        assert data["points"][closer] == 2 * data["raw"][closer]

    def test_of_others_shows_none(self):
        assert not versions(finished("skyjo"), DOUBLED_ON_A_TIE, "RoundScored")


class TestExpressions:
    def test_see_the_event_and_its_envelope(self):
        log = finished()
        first = decode_envelope(log[0].e)
        assert versions(log, f"version == 1 and type == 'MatchCreated' and at == '{first.at}'") == [1]
        assert versions(log, "door == 'api' and actor == 'nobody' or match != 'm1'") == []

    def test_see_the_table_after_and_before_the_event(self):
        log = finished()
        assert versions(log, "game is not None and before is None", "MatchStarted")
        (over,) = versions(log, "phase == 'finished'")
        assert over == len(log)
        assert versions(log, "options.limit == 'single' and len(seats) == 2 and seats[1].kind == 'bot'") == [
            1 + 1
        ]

    def test_see_cards_that_are_hidden_from_the_table(self):
        assert versions(finished(), "game is not None and all([len(hand) == 6 for hand in game.hands])")

    def test_without_a_kind_of_event_are_hits_when_they_become_true(self):
        log = finished()
        became = versions(log, "game is not None")
        assert len(became) == 1
        each = [entry.version for entry in log if decode_envelope(entry.e).type == "CardPlayed"]
        assert versions(log, "game is not None", "CardPlayed") == each

    def test_that_cannot_be_evaluated_somewhere_are_counted_and_told(self):
        log = finished()
        found = search_states("m1", log, Predicate("event.points[99] > 1"), None)
        assert found.failed == found.evaluated == len(log)
        assert "m1, version 1" in found.failure
        assert not found.hits

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "1 +",
            "gmae.round == 1",
            "x = 1; x",
            "import os",
            "__import__('os')",
            "open('/etc/passwd')",
            "lambda: 1",
            "(" * 500 + "1" + ")" * 500,
            "1 " * 2000,
        ],
    )
    def test_that_are_none_are_refused_before_anything_is_read(self, text):
        with pytest.raises(BadExpression) as refused:
            Predicate(text)
        assert str(refused.value)

    @pytest.mark.parametrize("text", HOSTILE)
    def test_lead_nowhere_but_to_the_moment_and_end_soon(self, text):
        log = running()[:2]
        began = time.process_time()
        try:
            found = search_states("m1", log, Predicate(text), None)
        except BadExpression:
            pass
        else:
            assert found.failed == found.evaluated
            assert not found.hits
        assert time.process_time() - began < 0.1 * len(log)

    def test_may_call_what_is_named(self):
        assert versions(finished(), "type.lower().startswith('match') and type.endswith('Created')") == [1]
        assert versions(finished(), "options.get('limit') == 'single' and version == 1") == [1]
        assert versions(
            finished(), "sum([n * n for n in [1, 2, 3] if n > 1]) == 13 and version // 2 == 0"
        ) == [1]
        assert versions(finished(), "{v for k, v in {'a': 1}.items()} == {1} and (1 if version else 2) == 1")


class TestEvents:
    def test_are_found_by_their_kind(self):
        log = running()
        found = search_events("m1", log, "SeatTaken", opened=False)
        assert [hit.version for hit in found.hits] == [
            entry.version for entry in log if decode_envelope(entry.e).type == "SeatTaken"
        ]

    def test_show_what_is_sealed_only_where_it_may_be_seen(self):
        log = running()
        (closed,) = search_events("m1", log, "MatchCreated", opened=False).hits
        (opened,) = search_events("m1", log, "MatchCreated", opened=True).hits
        assert isinstance(msgspec.json.decode(opened.data)["seed"], str)
        assert msgspec.json.decode(closed.data)["seed"] != msgspec.json.decode(opened.data)["seed"]

    def test_have_names_that_are_known(self):
        assert {"MatchCreated", "RoundScored", "CardPlayed"} <= event_types()


GUIDE = ROOT / "docs" / "reference" / "command-line.md"


def test_the_examples_of_the_guide_are_expressions():
    examples = re.findall(r'--where "(.*?)"(?: |$)', GUIDE.read_text("utf-8"), re.MULTILINE)
    assert len(examples) > 5
    for example in examples:
        for log in (finished(), running("odin"), finished("skyjo")):
            search_states("m1", log, Predicate(example), None)
    for kind in re.findall(r"--event (\w+)", GUIDE.read_text("utf-8")):
        assert kind in event_types()
