"""Whatever is done to the events of a stored log is found, and the first bad one is named."""

import json

import msgspec

from domain.match.verification import verify
from tests.kit.log import rechained
from tests.kit.table import Table
from tests.kit.tampering import changed, found, replaced

KEYS = ("v", "type", "at", "actor", "door", "command", "data", "seat", "trace", "deadlines", "note")


class TestEnvelopes:
    def test_one_byte_more_in_any_envelope(self, table):
        for index, entry in enumerate(table.entries):
            spaced = msgspec.structs.replace(entry, e=entry.e.replace(b":", b": ", 1))
            assert json.loads(spaced.e) == json.loads(entry.e)
            assert found(replaced(table.entries, index, spaced)) == ("log.chain_broken", index + 1)

    def test_every_byte_of_one_envelope(self, table):
        last = table.entries[-1]
        for place in range(len(last.e)):
            byte = bytes([last.e[place] ^ 1])
            flipped = msgspec.structs.replace(last, e=last.e[:place] + byte + last.e[place + 1 :])
            assert found([*table.entries[:-1], flipped]) == ("log.chain_broken", last.version)

    def test_with_its_own_hash_mended_the_next_one_gives_it_away(self, table):
        for index, entry in enumerate(table.entries[:-1]):
            edited = changed(entry, lambda plain: plain.update(actor="somebody-else"))
            mended = rechained("m1", replaced(table.entries, index, edited))[index]
            code, version = found(replaced(table.entries, index, mended))
            assert version in {index + 1, index + 2}
            assert code in {"log.chain_broken", "log.command_torn"}

    def test_a_key_that_stands_twice_or_white_space_with_hashes_that_fit(self, table):
        last = table.entries[-1]
        for old, new in (
            (b'"data":{', b'"data":{"seat":8,"seat":9,'),
            (b'"actor":', b'"actor":"somebody else","actor":'),
            (b'"data":', b'"data": '),
            (b'"v":', b'"hidden":1,"v":'),
            (b'"command":{', b'"command":{"by":"me",'),
            (b'"actor":"', b'"actor":"\\u0062'),
            (b'"door":', b'"trace":"","door":'),
        ):
            edited = msgspec.structs.replace(last, e=last.e.replace(old, new, 1))
            log = rechained("m1", [*table.entries[:-1], edited])
            assert found(log) == ("log.not_canonical", last.version)

    def test_what_no_release_ever_wrote_with_hashes_that_fit(self, table):
        last = table.entries[-1]
        for change, code in (
            ({"door": "window"}, "log.unknown_door"),
            ({"note": "by magic"}, "log.unknown_note"),
            ({"trace": "a\u202eb"}, "log.trace_malformed"),
            ({"trace": "a\nb"}, "log.trace_malformed"),
            ({"actor": "a b"}, "log.actor_malformed"),
            ({"at": "9999-99-99"}, "log.instant_malformed"),
            ({"seat": 99}, "log.seat_malformed"),
            ({"deadlines": {"0": "soon"}}, "log.instant_malformed"),
        ):
            plain = json.loads(last.e)
            plain |= change
            ordered = {key: plain[key] for key in KEYS if key in plain}
            text = json.dumps(ordered, separators=(",", ":"), ensure_ascii=False)
            log = rechained("m1", [*table.entries[:-1], msgspec.structs.replace(last, e=text.encode())])
            assert found(log) == (code, last.version), change

    def test_data_too_deep_to_be_read(self, table):
        last = table.entries[-1]
        edited = msgspec.structs.replace(
            last, e=last.e.replace(b'"data":{', b'"data":{"x":' + b"[" * 100_000, 1)
        )
        assert found(rechained("m1", [*table.entries[:-1], edited])) == ("log.unreadable", last.version)

    def test_a_hash_itself(self, table):
        for index, entry in enumerate(table.entries):
            other = msgspec.structs.replace(entry, h=bytes(32))
            assert found(replaced(table.entries, index, other)) == ("log.chain_broken", index + 1)

    def test_a_log_under_another_matchs_id(self, table):
        verdict = verify("m2", table.entries, complete=True)
        assert (verdict.code, verdict.bad_version) == ("log.chain_broken", 1)


class TestOrder:
    def test_an_entry_that_was_taken_out(self, table):
        for index in range(len(table.entries) - 1):
            assert found(replaced(table.entries, index)) == ("log.gap", index + 1)

    def test_an_entry_that_was_taken_out_and_the_others_renumbered(self, table):
        for index in range(len(table.entries) - 1):
            rest = replaced(table.entries, index)
            numbered = [
                msgspec.structs.replace(entry, version=version) for version, entry in enumerate(rest, 1)
            ]
            assert found(numbered) == ("log.chain_broken", index + 1)
            assert found(rechained("m1", numbered)) in {
                ("log.version_differs", index + 1),
                ("log.command_torn", index + 1),
            }

    def test_an_entry_that_stands_there_twice(self, table):
        for index, entry in enumerate(table.entries):
            assert found(replaced(table.entries, index, entry, entry)) == ("log.gap", index + 2)

    def test_two_entries_that_changed_places(self, table):
        for index in range(len(table.entries) - 1):
            one, other = table.entries[index : index + 2]
            swapped = [*table.entries[:index], other, one, *table.entries[index + 2 :]]
            assert found(swapped) == ("log.gap", index + 1)

    def test_an_entry_that_was_put_in_between(self, table):
        for index, entry in enumerate(table.entries):
            strange = changed(entry, lambda plain: plain.update(actor="a ghost"))
            log = [*table.entries[:index], strange, *table.entries[index:]]
            assert found(log) == ("log.chain_broken", index + 1)

    def test_a_log_that_was_cut_at_its_end_does_not_have_the_published_head(self, table):
        published = table.position.head.hex()
        assert verify("m1", table.entries, complete=True).head == published
        ends = [
            entry.version
            for entry in table.entries
            if table.envelopes[entry.version - 1].command.last == entry.version
        ]
        for version in ends[:-1]:
            verdict = verify("m1", table.entries[:version], complete=True)
            assert verdict.good
            assert verdict.events == version
            assert verdict.head != published

    def test_a_log_that_was_cut_within_a_command(self, table):
        for entry, envelope in zip(table.entries, table.envelopes, strict=True):
            if envelope.command.last > entry.version:
                assert found(table.entries[: entry.version]) == ("log.command_torn", entry.version + 1)

    def test_a_version_that_was_edited(self, table):
        for index, entry in enumerate(table.entries):
            edited = changed(entry, lambda plain: plain.update(v=plain["v"] + 1))
            log = rechained("m1", replaced(table.entries, index, edited))
            assert found(log) == ("log.version_differs", index + 1)

    def test_time_that_runs_back(self, table):
        for index in range(1, len(table.entries)):
            edited = changed(table.entries[index], lambda plain: plain.update(at="2026-11-29T11:59:59.999Z"))
            log = rechained("m1", replaced(table.entries, index, edited))
            assert found(log) == ("log.time_runs_back", index + 1)


class TestCommands:
    def edited(self, table: Table, index: int, change) -> tuple[str, int]:
        return found(rechained("m1", replaced(table.entries, index, changed(table.entries[index], change))))

    def test_an_event_that_lies_outside_its_command(self, table):
        for index in range(len(table.entries)):
            code = self.edited(table, index, lambda plain: plain["command"].update({"from": plain["v"] + 1}))
            assert code == ("log.command_torn", index + 1)
            code = self.edited(table, index, lambda plain: plain["command"].update(to=plain["v"] - 1))
            assert code == ("log.command_torn", index + 1)

    def test_a_command_that_begins_before_the_last_one_has_ended(self, table):
        for index in range(len(table.entries) - 1):
            code, version = self.edited(table, index, lambda plain: plain["command"].update(to=99))
            assert code in {"log.command_torn", "log.deadlines_misplaced"}
            # Within a command the edited event itself differs from the one before it.
            assert version in {index + 1, index + 2}

    def test_an_event_that_was_slipped_into_somebody_elses_command(self, table):
        inside = [envelope.v - 1 for envelope in table.envelopes if envelope.command.first < envelope.v]
        assert inside
        for index in inside:
            assert self.edited(table, index, lambda plain: plain.update(actor="x")) == (
                "log.command_torn",
                index + 1,
            )
            code = self.edited(table, index, lambda plain: plain["command"].update(id="other"))
            assert code == ("log.command_torn", index + 1)
