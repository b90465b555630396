import pytest

from domain.errors import BrokenLog
from services.log.event_store import contract, scripts


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ([b"appended", 1, 2, 7], contract.Appended(1, 2)),
        ([b"duplicate", 1, 2], contract.Duplicate(1, 2)),
        ([b"reused", 1, 2], contract.CommandReused(1, 2)),
        ([b"gone", b"archived"], contract.Gone(contract.Status.ARCHIVED)),
        ([b"conflict", 3, b"\0"], contract.Conflict(3, b"\0")),
        ([b"limit", 3, 4], contract.LimitReached(3, 4)),
    ],
)
def test_each_reply_has_its_answer(reply, answer):
    assert scripts.append_answer(reply) == answer


def test_a_store_that_contradicts_itself_names_the_version():
    with pytest.raises(BrokenLog) as told:
        scripts.append_answer([b"broken", 7, b"5-0"])
    assert told.value.version == 7


@pytest.mark.parametrize("reply", [[], [b"appended"], [b"appended", b"1", b"2"], [b"else"]])
def test_another_reply_is_our_own_fault(reply):
    with pytest.raises(AssertionError):
        scripts.append_answer(reply)


def test_a_command_is_found_by_its_whole_id():
    records = b"\nc1 f 1 2\nc f2 3 3\nf g 4 9"
    assert scripts.find_command(records, "c") == contract.KnownCommand("f2", 3, 3)
    assert scripts.find_command(records, "f") == contract.KnownCommand("g", 4, 9)
    assert scripts.find_command(records, "g") is None
    assert scripts.find_command(b"", "c") is None


def test_scripts_are_part_of_the_package():
    for script in (
        scripts.APPEND,
        scripts.SET_DUE,
        scripts.ADVANCE,
        scripts.TRIM_FEED,
        scripts.WRITE_TOMBSTONE,
    ):
        assert script.text.startswith(b"--")
        assert len(script.digest) == 40


def test_no_script_makes_up_a_key():
    """In a cluster, a script may touch only what it was given in KEYS."""
    for script in (
        scripts.APPEND,
        scripts.SET_DUE,
        scripts.ADVANCE,
        scripts.TRIM_FEED,
        scripts.RECORD_REFUSAL,
    ):
        code = b"\n".join(line for line in script.text.splitlines() if not line.startswith(b"--"))
        assert b"tb:" not in code
        assert b"{s" not in code
