import pytest

from api.supervision.child import Child
from api.supervision.supervisor import Supervisor


def child(name: str, *needs: str) -> Child:
    return Child(name=name, argv=("true",), needs=needs)


def test_processes_may_be_named_in_any_order():
    assert Supervisor([child("api", "log"), child("log")]).pids == {}


def test_two_processes_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        Supervisor([child("api"), child("api")])


@pytest.mark.parametrize(
    "children",
    [[child("api", "log")], [child("api", "log"), child("log", "api")], [child("api", "api"), child("log")]],
    ids=["unknown", "circle", "itself"],
)
def test_needs_that_can_never_be_met_are_refused(children):
    with pytest.raises(ValueError, match=r"\['api'"):
        Supervisor(children)
