import pytest

from services.log.embedded.durability import judge

DURABLE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "maxmemory-policy": "noeviction",
    "no-appendfsync-on-rewrite": "no",
}


def test_synced_before_it_answers_and_never_evicted_is_durable():
    assert judge(DURABLE, {"aof_last_write_status": "ok"}).durable == "yes"
    assert judge({key.encode(): value.encode() for key, value in DURABLE.items()}, {}).durable == "yes"


@pytest.mark.parametrize(
    ("setting", "value", "code"),
    [
        ("appendonly", "no", "aof_off"),
        ("appendfsync", "everysec", "fsync_not_always"),
        ("appendfsync", "no", "fsync_not_always"),
        ("no-appendfsync-on-rewrite", "yes", "fsync_pauses"),
        ("maxmemory-policy", "allkeys-lru", "evicts"),
    ],
)
def test_one_setting_that_loses_moves_is_named_with_its_remedy(setting, value, code):
    verdict = judge({**DURABLE, setting: value}, {})
    assert verdict.durable == "no"
    (problem,) = verdict.problems
    assert (problem.code, problem.found) == (code, f"{setting} {value}")
    assert DURABLE[setting] in problem.remedy


def test_all_problems_are_told_at_once():
    verdict = judge({**DURABLE, "appendonly": "no", "maxmemory-policy": "volatile-ttl"}, {})
    assert [problem.code for problem in verdict.problems] == ["aof_off", "evicts"]


def test_a_disk_that_fails_now_is_a_problem():
    (problem,) = judge(DURABLE, {"aof_last_write_status": "err"}).problems
    assert problem.code == "aof_write_fails"


def test_a_server_that_answers_with_nothing_is_unknown():
    verdict = judge({}, {})
    assert verdict.durable == "unknown"
    assert verdict.reason
