"""What deploy/ and docker-compose.yml promise, as far as it can be tried without a container engine."""

import re
import shutil
import subprocess
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from redis import Redis

from services.log.embedded.durability import check_durability
from services.log.embedded.session import running_stores
from services.log.embedded.stores import Answer, ask, server_binary
from services.log.event_store.addresses import single_urls
from services.process.settings import load_settings
from tests.kit.checkout import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
# Where it listens differs: sockets in the data folder there, the network here.
PLACE = {"bind", "protected-mode", "port"}


@pytest.fixture
def folder(tmp_path_factory) -> Path:
    made: Path = tmp_path_factory.mktemp("t")
    return made


@contextmanager
def served(configuration: str, folder: Path, binary: str | Path) -> Iterator[Redis]:
    """A server that runs with a file of deploy/, but listens on a socket."""
    socket = folder / "s"
    command = [
        binary,
        ROOT / "deploy" / configuration,
        "--port",
        "0",
        "--unixsocket",
        socket,
        "--dir",
        folder,
    ]
    with subprocess.Popen([str(each) for each in command], stdout=subprocess.DEVNULL) as server:
        try:
            deadline = time.monotonic() + 10
            while ask(socket) is not Answer.READY:
                assert server.poll() is None, "the server refused its configuration"
                assert time.monotonic() < deadline
                time.sleep(0.005)
            with Redis(unix_socket_path=str(socket), decode_responses=True) as client:
                yield client
        finally:
            server.terminate()


def directives(configuration: str) -> list[str]:
    lines = (ROOT / "deploy" / configuration).read_text().splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


BINARIES = [
    pytest.param(None, id="embedded"),
    *([shutil.which("redis-server")] if shutil.which("redis-server") else []),
]


@pytest.mark.parametrize("binary", BINARIES)
def test_the_log_stores_configuration_is_accepted_and_durable(folder, binary):
    with served("log-store.conf", folder, binary or server_binary()) as log:
        assert check_durability(log).durable == "yes"


@pytest.mark.parametrize("binary", BINARIES)
def test_the_job_stores_configuration_writes_nothing(folder, binary):
    with served("job-store.conf", folder, binary or server_binary()) as jobs:
        jobs.set("key", "value")
        assert [problem.code for problem in check_durability(jobs).problems] == ["aof_off"]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("store", ["log", "job"])
def test_the_embedded_store_runs_with_the_same_settings(folder, store):
    named = [name for name in directives(f"{store}-store.conf") if name not in PLACE]
    with served(f"{store}-store.conf", folder, server_binary()) as shipped:
        expected = shipped.config_get(*named)
    with running_stores(folder / "d", purpose="a test") as stores:
        url = stores.log_store_url if store == "log" else stores.job_store_url
        with Redis.from_url(url, decode_responses=True) as embedded:
            assert embedded.config_get(*named) == expected
    assert set(named) == set(expected)


SERVICE = ("api", "apis", "worker", "worker-2", "notices", "loops", "loops-2")
STORES = {"log-store", "job-store"}


def test_both_profiles_run_all_that_there_is_to_do():
    services = COMPOSE["services"]
    everywhere = {*STORES, "worker", "notices", "loops"}
    profiles = {
        "single": everywhere | {"api"},
        "cluster": everywhere | {"apis", "balancer", "worker-2", "loops-2"},
    }
    for profile, names in profiles.items():
        assert {name for name, service in services.items() if profile in service["profiles"]} == names
    # Replicas cannot share a port of the machine.
    assert not [name for name, service in services.items() if "scale" in service and "ports" in service]


def test_every_container_of_the_service_gets_settings_that_can_be_used():
    for name in SERVICE:
        environment = COMPOSE["services"][name]["environment"]
        given = {key: _filled(value) for key, value in environment.items()}
        assert all(key.startswith("TABLEE_") for key in given)
        settings = load_settings(given)
        known = {f"TABLEE_{field.upper()}" for field in settings.__struct_fields__}
        assert given.keys() <= known
        assert settings.log_store_url == "redis://log-store:6379/0"
        assert settings.job_store_url == "redis://job-store:6379/0"


def test_the_file_for_a_cluster_fits_the_profile_of_that_name():
    services = yaml.load(
        (ROOT / "deploy" / "valkey-cluster.yml").read_text().replace("!override", ""), yaml.SafeLoader
    )["services"]
    in_profile = {name for name in SERVICE if "cluster" in COMPOSE["services"][name]["profiles"]}
    for name in in_profile:
        given = services[name]["environment"]
        settings = load_settings({**given, "TABLEE_SECRET": "s" * 32})
        nodes = single_urls(settings.log_store_url or "")
        assert {node.removeprefix("redis://").partition(":")[0] for node in nodes} <= services.keys()
        assert settings.replicas == 1
        assert services[name]["depends_on"].keys() == {"log-cluster", "job-store"}
    assert services.keys() - in_profile == {
        "log-store",
        "log-cluster",
        *(f"log-{number}" for number in range(1, 7)),
    }
    assert services["log-cluster"]["depends_on"].keys() == {f"log-{number}" for number in range(1, 7)}
    for number in range(1, 7):
        assert services[f"log-{number}"]["hostname"] == f"log-{number}"


def test_every_container_runs_a_module_that_exists():
    modules = [COMPOSE["services"][name]["command"][-1] for name in SERVICE]
    assert [module for module in modules if find_spec(module) is None] == []


def test_what_is_mounted_and_built_from_exists():
    volumes = [volume for service in COMPOSE["services"].values() for volume in service.get("volumes", [])]
    files = [volume.split(":")[0] for volume in volumes if volume.startswith("./")]
    files += re.findall(r"^COPY (.+) \S+$", (ROOT / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    paths = [path for line in files for path in line.split()]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert [path for path in paths if not path.startswith("./") and f"!{path}" not in ignored] == []
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*wheel["packages"], *wheel["force-include"]} <= {*paths}


def _filled(value: str) -> str:
    """A value as compose fills it in when the person gives a secret and nothing else."""
    value = re.sub(r"\$\{TABLEE_SECRET:\?.*?\}", "s" * 32, value)
    return re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value)
