"""All Redis clients are made in one place, so that every purpose has the patience that is written there."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.bootstrap import clients
from services.bootstrap.clients import COMMAND, LOOKING, SENDING, SERVING, TAKING, blocking_client, client
from tests.kit.checkout import ROOT

RINGS = ("domain", "services", "workers", "api")
PLACE = Path(clients.__file__).relative_to(ROOT)
MAKERS = {"Redis", "StrictRedis", "from_url"}


def calls(file: Path) -> Iterator[str]:
    """Yield the names of all functions that a module calls, without what they are attributes of."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name


def test_redis_clients_are_made_in_one_module_only():
    files = (file for ring in RINGS for file in (ROOT / ring).rglob("*.py"))
    making = {file.relative_to(ROOT) for file in files if MAKERS.intersection(calls(file))}
    assert making == {PLACE}


@pytest.mark.parametrize("make", [client, blocking_client])
@pytest.mark.parametrize("purpose", [SERVING, COMMAND, LOOKING, SENDING, TAKING])
def test_a_client_has_the_patience_of_its_purpose(make, purpose):
    options = make("redis://127.0.0.1:1/0", purpose).connection_pool.connection_kwargs
    assert options["socket_connect_timeout"] == purpose.connect_seconds
    assert options["socket_timeout"] == purpose.answer_seconds
    assert options["retry"].get_retries() == purpose.retries
