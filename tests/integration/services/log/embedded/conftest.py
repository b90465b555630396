import pytest


@pytest.fixture
def data(tmp_path_factory):
    """A data folder that does not exist yet, with a path short enough for sockets."""
    return tmp_path_factory.mktemp("t", numbered=True) / "d"
