"""The checker accepts every history that one order explains, and refuses the others."""

import random

import pytest

from tests.faults.ledger import Acknowledged, Denied, Read, Unknown
from tests.faults.linearizable import History, MatchLog, contradictions, has_vanished

HEADS = ("h1", "h2", "h3", "h4", "h5")
LOGS = {"m": MatchLog({"a": (1, 1), "b": (2, 3), "c": (4, 4), "d": (5, 5)}, HEADS)}


def command(name: str, sent: float, answered: float) -> Acknowledged:
    return Acknowledged("m", name, *LOGS["m"].commands[name], answered, sent)


def look(version: int, sent: float, answered: float, head: str = "") -> Read:
    return Read("m", version, head or HEADS[version - 1], sent, answered)


def judged(*acknowledged: Acknowledged, reads=(), unknown=(), denied=()) -> list[str]:
    return contradictions(History(acknowledged, reads, unknown, denied), LOGS)


@pytest.mark.parametrize(
    ("commands", "reads", "unknown"),
    [
        ([command("a", 0, 1), command("b", 2, 3), command("c", 4, 5)], [], []),
        # Side by side, either may come first.
        ([command("a", 0, 9), command("b", 1, 2), command("c", 0, 3)], [], []),
        ([command("b", 1, 2)], [look(1, 0, 3), look(3, 1, 3), look(3, 2.5, 3), look(5, 4, 5)], []),
        # A look while the command is under way shows it, or does not; whoever asks later sees no less.
        ([command("c", 0, 9)], [look(3, 1, 2), look(4, 3, 4), look(4, 5, 6)], []),
        # Nobody was told of it: it may take effect at any time after it was sent, or never.
        ([command("d", 8, 9)], [look(3, 2, 3), look(4, 6, 7)], [Unknown("m", "c", 0)]),
        ([command("b", 1, 2)], [look(3, 3, 4)], [Unknown("m", "never came", 0)]),
        # Whoever asks at the very instant at which another is answered is beside them, not after.
        ([command("b", 0, 1), command("a", 1, 2)], [], []),
    ],
)
def test_what_one_order_explains(commands, reads, unknown):
    assert judged(*commands, reads=reads, unknown=unknown) == []


@pytest.mark.parametrize(
    ("commands", "reads", "unknown", "told"),
    [
        ([command("b", 0, 1), command("a", 2, 3)], [], [], "the command of version 1"),
        ([command("c", 0, 1), command("b", 2, 9), command("d", 3, 4)], [], [], "the command of version 3"),
        # An acknowledged command is not seen by somebody who asks afterwards.
        ([command("b", 0, 1)], [look(2, 2, 3)], [], "a look at version 2"),
        # Reads go back, be they one person's or two people's.
        ([], [look(4, 0, 1), look(3, 2, 3)], [], "a look at version 3"),
        # Somebody saw the command before it was sent.
        ([command("c", 5, 6)], [look(4, 0, 1)], [], "the command of version 4"),
        ([], [look(5, 0, 1)], [Unknown("m", "c", 2)], "the unanswered command of version 4"),
        ([command("d", 0, 1)], [], [Unknown("m", "c", 2)], "the unanswered command of version 4"),
        # A command's own first event stands before what was shown already.
        ([command("b", 3, 4)], [look(2, 0, 1)], [], "the command of version 3"),
    ],
)
def test_what_no_order_explains(commands, reads, unknown, told):
    (found,) = judged(*commands, reads=reads, unknown=unknown)
    assert found.startswith(f"m: {told} was asked for after ")


def test_another_beginning_is_no_look_at_the_log():
    assert judged(reads=[look(3, 0, 1, head="other")]) == ["m: another version 3 was shown than the log has"]
    assert judged(reads=[Read("m", 6, "h6", 0, 1)]) == ["m: version 6 was shown, the log ends at 5"]
    assert judged(reads=[Read("gone", 1, "h1", 0, 1)]) == ["gone: version 1 was shown, the log ends at 0"]


def test_what_went_down_with_a_primary_can_be_told_apart():
    """It stands in nobody's way: what was acknowledged must fit one order without it, and must not vanish itself."""
    vanished = look(4, 0, 1, head="other")
    assert has_vanished(vanished, LOGS)
    assert not has_vanished(look(4, 0, 1), LOGS)
    assert len(judged(command("c", 2, 3), reads=[vanished, look(3, 1.5, 1.6)])) == 3
    assert judged(command("c", 2, 3), reads=[look(3, 1.5, 1.6)]) == []


def test_with_replicas_only_what_was_acknowledged_must_stay():
    def held(*acknowledged, reads):
        return contradictions(History(acknowledged, reads), LOGS, looks_bind=False)

    went_back = [look(4, 0, 1), look(3, 2, 3)]
    assert held(reads=went_back) == []
    assert held(command("c", 5, 6), reads=went_back) == []
    assert len(held(command("c", 0, 1), reads=[look(3, 2, 3)])) == 1
    assert len(held(command("b", 0, 1), command("a", 2, 3), reads=[])) == 1


def test_what_was_refused_stands_nowhere():
    assert judged(denied=[Denied("m", "e", "version.stale")]) == []
    (found,) = judged(denied=[Denied("m", "c", "version.stale")])
    assert found == "m: c was refused (version.stale) and stands in the log"


def test_matches_are_apart():
    logs = {**LOGS, "n": MatchLog({"x": (1, 1)}, ("i1",))}
    told = [command("d", 0, 1), Acknowledged("n", "x", 1, 1, 3, 2)]
    assert contradictions(History(told), logs) == []


def test_any_damage_to_a_busy_history_is_noticed():
    """Clients act at random on a register that is right; then one answer after the other is replaced by a wrong one."""
    chance = random.Random(19)
    heads = tuple(f"h{version}" for version in range(1, 201))
    commands = {f"c{version}": (version, version) for version in range(1, 201)}
    told, reads, now = list[Acknowledged](), list[Read](), 0.0
    for version in range(1, 201):
        effect = now = now + chance.random()
        sent, answered = effect - chance.uniform(0, 3), effect + chance.uniform(0, 3)
        told.append(Acknowledged("m", f"c{version}", version, version, answered, sent))
        looked = effect + chance.uniform(0, 0.001)
        reads.append(
            Read("m", version, heads[version - 1], looked - chance.random(), looked + chance.random())
        )
    logs = {"m": MatchLog(commands, heads)}
    assert contradictions(History(told, reads), logs) == []
    for place in range(30, 200, 10):
        stale = reads[place]._replace(version=place - 25, head=heads[place - 26])
        assert contradictions(History(told, [*reads[:place], stale, *reads[place + 1 :]]), logs), place
        late = told[place - 25]._replace(sent=told[place].answered + 0.1, answered=told[place].answered + 1)
        others = [*told[: place - 25], late, *told[place - 24 :]]
        assert contradictions(History(others, reads), logs), place
