import pytest

from domain.errors import BrokenLog, Malformed, NotAsked, Refused, TableeError


def test_a_refusal_names_its_code_its_rule_and_what_a_sentence_needs():
    refusal = Refused("lama.pile_empty", "M8", seat=2, cards=("L", "1"))
    assert str(refusal) == refusal.code == "lama.pile_empty"
    assert refusal.rule == "M8"
    assert refusal.arguments == {"seat": 2, "cards": ("L", "1")}


def test_who_is_not_asked_is_told_who_is():
    refusal = NotAsked(2, (0, 1))
    assert isinstance(refusal, Refused)
    assert (refusal.code, refusal.arguments) == ("not_your_turn", {"seat": 2, "to_act": (0, 1)})


def test_what_cannot_be_read_says_why():
    error = Malformed("match.id_malformed", "an id has letters")
    assert (error.code, error.detail) == ("match.id_malformed", "an id has letters")
    assert str(error) == "match.id_malformed: an id has letters"


def test_a_broken_log_names_the_first_bad_event():
    error = BrokenLog("log.gap", 7, "expected version 7, found 8")
    assert (error.code, error.version) == ("log.gap", 7)
    assert str(error) == "event 7: log.gap: expected version 7, found 8"


@pytest.mark.parametrize("kind", [Refused, NotAsked, Malformed, BrokenLog])
def test_all_of_them_are_tablees_own(kind):
    assert issubclass(kind, TableeError)
    assert TableeError.code == "tablee.error"
